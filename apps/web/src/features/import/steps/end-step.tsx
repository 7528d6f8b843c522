import { Button } from '@blueprintjs/core'
import { Download, Error as ErrorIcon, Pause, Tick } from '@blueprintjs/icons'
import type { Job, JobError } from '@jiaowu/api/contract/job'
import { limits } from '@jiaowu/api/limits'
import { problemDetail } from '@jiaowu/api/problem'
import type { TransferStep } from '@jiaowu/machines/transfer/view'
import { useText } from '../../../app/text-context.ts'
import { Counts } from './progress-step.tsx'
import { ErrorTable } from '../tables/rows-table.tsx'
import type { Transfer } from '../../transfer/use-transfer.ts'

interface Props {
  readonly transfer: Transfer
  readonly onClose: () => void
}

/**
 * Last step of an import, and the step of a paused or failed one: the outcome, the counts and the
 * errors.
 */
export function EndStep({ transfer, onClose }: Props) {
  const { t } = useText()
  const { job } = transfer.view
  return (
    <>
      <div className="jw-tr__body">
        <Outcome view={transfer.view} />
        {job === null ? null : (
          <>
            <p className="jw-tr__sheet">
              {job.total === 0
                ? job.fileName
                : t('import.sheetLine', { file: job.fileName, total: job.total })}
            </p>
            {job.total === 0 ? null : <Counts job={job} />}
            <ResultFiles transfer={transfer} job={job} />
            <Errors errors={job.errors} />
          </>
        )}
      </div>
      <Actions transfer={transfer} onClose={onClose} />
    </>
  )
}

function Outcome({ view: { step, job, problem } }: Pick<Transfer, 'view'>) {
  const { t, locale } = useText()
  const message = job?.message ?? null
  return (
    <div
      className={`jw-tr__end is-${step}${step === 'done' && unwritten(job) > 0 ? ' is-partly' : ''}`}
      role="status"
    >
      {step === 'done' && unwritten(job) === 0 ? (
        <Tick size={36} />
      ) : step === 'paused' ? (
        <Pause size={36} />
      ) : (
        <ErrorIcon size={36} />
      )}
      <h3>
        {step === 'done' && job !== null && unwritten(job) > 0
          ? t('import.partly', { n: job.inserted + job.updated, failed: job.failed })
          : t(resolveEndTitle(step, job))}
      </h3>
      {problem !== null ? (
        <p className="jw-tr__problem">{problemDetail(locale, problem)}</p>
      ) : message !== null ? (
        <p>{message}</p>
      ) : null}
      {step === 'paused' ? <p className="jw-muted">{t('import.pausedHint')}</p> : null}
    </div>
  )
}

/** Rows that stayed out of a finished import. */
function unwritten(job: Job | null): number {
  return job?.failed ?? 0
}

function resolveEndTitle(step: TransferStep, job: Job | null) {
  return step === 'paused'
    ? ('import.paused' as const)
    : step === 'done'
      ? ('import.done' as const)
      : job?.status === 'cancelled'
        ? ('import.cancelled' as const)
        : ('import.failed' as const)
}

function ResultFiles({
  transfer: { view, send },
  job,
}: {
  readonly transfer: Transfer
  readonly job: Job
}) {
  const { t } = useText()
  if (!job.can.result) return null
  return (
    <div className="jw-tr__ways">
      <Button
        icon={<Download />}
        text={t('import.saveAll')}
        disabled={!view.can.result}
        loading={view.saving === 'result'}
        onClick={() => send({ type: 'result.save', format: job.format, only: 'all' })}
      />
      {job.failed > 0 ? (
        <Button
          icon={<Download />}
          text={t('import.saveWrong')}
          disabled={!view.can.result}
          loading={view.saving === 'result'}
          onClick={() => send({ type: 'result.save', format: job.format, only: 'wrong' })}
        />
      ) : null}
    </div>
  )
}

/** The errors of the job; the server lists at most `limits.importErrors` of them. */
function Errors({ errors }: { readonly errors: readonly JobError[] }) {
  const { t } = useText()
  if (errors.length === 0) return null
  return (
    <>
      <h4 className="jw-tr__head">
        {errors.length < limits.importErrors
          ? t('import.verdict.wrong')
          : t('import.firstErrors', { n: errors.length })}
      </h4>
      <ErrorTable errors={errors} />
    </>
  )
}

function Actions({ transfer: { view, send }, onClose }: Props) {
  const { t } = useText()
  const { step, problem } = view
  return (
    <div className="jw-tr__foot">
      {step === 'paused' && view.can.cancel ? (
        <Button text={t('import.giveUp')} onClick={() => send({ type: 'job.cancel' })} />
      ) : null}
      {view.can.restart ? (
        <Button
          text={t(step === 'paused' ? 'common.back' : 'import.again')}
          onClick={() => send({ type: 'transfer.restart' })}
        />
      ) : null}
      {problem !== null && view.can.retry ? (
        <Button
          intent="primary"
          text={t('common.retry')}
          onClick={() => send({ type: 'transfer.retry' })}
        />
      ) : null}
      {view.can.resume ? (
        <Button
          intent="primary"
          text={t('import.resume')}
          onClick={() => send({ type: 'job.resume' })}
        />
      ) : (
        <Button
          intent={step === 'done' ? 'primary' : 'none'}
          text={t('common.close')}
          onClick={onClose}
        />
      )}
    </div>
  )
}

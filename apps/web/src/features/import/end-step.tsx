import { Button } from '@blueprintjs/core'
import { Download, Error as ErrorIcon, Pause, Tick } from '@blueprintjs/icons'
import { type Job, limits, problemText } from '@jiaowu/api'
import type { TransferStep } from '@jiaowu/machines'
import { useApp } from '../../shell/context/app-context.tsx'
import { Counts } from './progress-step.tsx'
import { ErrorTable } from './rows-table.tsx'
import type { Transfer } from './use-transfer.ts'

/** The end, or a stop from which it goes on: what was written, what was not and why. */
export function EndStep({
  transfer,
  onClose,
}: {
  readonly transfer: Transfer
  readonly onClose: () => void
}) {
  const { t, locale } = useApp()
  const { view, send } = transfer
  const { step, job, problem } = view
  return (
    <>
      <div className="jw-tr__body">
        <div className={`jw-tr__end is-${step}`} role="status">
          {step === 'done' ? (
            <Tick size={36} />
          ) : step === 'paused' ? (
            <Pause size={36} />
          ) : (
            <ErrorIcon size={36} />
          )}
          <h3>{t(titleOf(step, job))}</h3>
          {problem === null ? (
            job?.message === null || job === null ? null : (
              <p>{job.message}</p>
            )
          ) : (
            <p className="jw-tr__problem">{problemText(locale, problem)}</p>
          )}
          {step === 'paused' ? <p className="jw-muted">{t('import.pausedHint')}</p> : null}
        </div>
        {job === null ? null : (
          <>
            <p className="jw-tr__sheet">
              {job.total === 0
                ? job.fileName
                : t('import.sheetLine', { file: job.fileName, total: job.total })}
            </p>
            {job.total === 0 ? null : <Counts job={job} />}
            <Results transfer={transfer} job={job} />
          </>
        )}
        {job === null || job.errors.length === 0 ? null : (
          <>
            <h4 className="jw-tr__head">
              {job.errors.length < limits.importErrors
                ? t('import.verdict.wrong')
                : t('import.firstErrors', { n: job.errors.length })}
            </h4>
            <ErrorTable errors={job.errors} />
          </>
        )}
      </div>
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
    </>
  )
}

function titleOf(step: TransferStep, job: Job | null) {
  return step === 'paused'
    ? ('import.paused' as const)
    : step === 'done'
      ? ('import.done' as const)
      : job?.status === 'cancelled'
        ? ('import.cancelled' as const)
        : ('import.failed' as const)
}

function Results({
  transfer: { view, send },
  job,
}: {
  readonly transfer: Transfer
  readonly job: Job
}) {
  const { t } = useApp()
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

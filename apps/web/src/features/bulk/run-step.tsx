import { Button, ProgressBar, Spinner } from '@blueprintjs/core'
import { Download, Error as ErrorIcon, Tick } from '@blueprintjs/icons'
import type { BulkJob } from '@jiaowu/api/contract/entity/bulk'
import { problemText } from '@jiaowu/api/problem'
import { useNotice } from '../../app/notice-context.ts'
import { useText } from '../../app/text-context.ts'
import { BulkCounts, RefusedRows } from './job-rows.tsx'
import type { Bulk } from './use-bulk.ts'

/** The job is running: its progress as the server reports it. */
export function RunStep({ bulk: { view, send } }: { readonly bulk: Bulk }) {
  const { t, locale } = useText()
  const { confirm } = useNotice()
  const { step, job, percent, lost, action } = view
  const stop = async () => {
    if (
      step !== 'running' ||
      (await confirm({ text: t('bulk.confirmStop'), danger: true, confirmText: t('bulk.stop') }))
    )
      send({ type: 'job.cancel' })
  }
  const status =
    step === 'running'
      ? t(`bulk.running.${action}`)
      : step === 'cancelling'
        ? t('bulk.cancelling')
        : step === 'opening'
          ? t('bulk.opening')
          : t('bulk.looking')
  return (
    <>
      <div className="jw-tr__body jw-tr__progress" role="status" aria-live="polite">
        {job === null || step === 'sending' || step === 'cancelling' ? (
          <div className="jw-tr__wait">
            <Spinner size={32} />
            <span>{status}</span>
          </div>
        ) : (
          <>
            <h3>{status}</h3>
            <ProgressBar
              aria-label={status}
              intent={lost ? 'warning' : 'primary'}
              animate={percent === null}
              stripes={percent === null}
              {...(percent === null ? {} : { value: percent / 100 })}
            />
            <p className="jw-tr__far">
              <span>
                {t('bulk.far', {
                  done: job.done.toLocaleString(locale),
                  total: job.total.toLocaleString(locale),
                })}
              </span>
              <span>{percent === null ? '' : `${percent}%`}</span>
            </p>
            {step === 'running' ? <BulkCounts job={job} over /> : null}
          </>
        )}
        {lost ? (
          <p className="jw-tr__word jw-tr__lost is-warning">{t('bulk.lost')}</p>
        ) : step === 'running' ? (
          <p className="jw-muted">{t('bulk.closeHint')}</p>
        ) : null}
      </div>
      <div className="jw-tr__foot">
        {lost ? (
          <Button text={t('common.retry')} onClick={() => send({ type: 'bulk.retry' })} />
        ) : null}
        {view.can.cancel ? (
          <Button
            intent={step === 'running' ? 'danger' : 'none'}
            text={t(step === 'running' ? 'bulk.stop' : 'common.cancel')}
            onClick={() => {
              void stop()
            }}
          />
        ) : null}
      </div>
    </>
  )
}

/** The finished job: which rows were changed, and why others were not. */
export function ResultStep({
  bulk,
  onClose,
}: {
  readonly bulk: Bulk
  readonly onClose: () => void
}) {
  const { t, locale } = useText()
  const { view, send } = bulk
  const { job, problem, step, action } = view
  return (
    <>
      <div className="jw-tr__body">
        <div className={`jw-tr__end is-${step}`} role="status">
          {step === 'done' ? <Tick size={36} /> : <ErrorIcon size={36} />}
          <h3>{t(resolveJobTitle(job))}</h3>
          {problem === null ? (
            job?.message === null || job === null || step === 'done' ? null : (
              <p>{job.message}</p>
            )
          ) : (
            <p className="jw-tr__problem">{problemText(locale, problem)}</p>
          )}
        </div>
        {job === null || job.total === 0 ? null : (
          <>
            <BulkCounts job={job} over />
            <div className="jw-tr__ways">
              <Button
                icon={<Download />}
                text={t('bulk.saveAll')}
                disabled={!view.can.result}
                loading={view.saving === 'all'}
                onClick={() => send({ type: 'result.save', format: 'xlsx', only: 'all' })}
              />
            </div>
            <RefusedRows job={job} bulk={bulk} />
          </>
        )}
      </div>
      <div className="jw-tr__foot">
        <Button
          text={t(`bulk.again.${action}`)}
          disabled={!view.can.back}
          onClick={() => send({ type: 'preview.back' })}
        />
        <Button intent="primary" text={t('common.close')} onClick={onClose} />
      </div>
    </>
  )
}

function resolveJobTitle(job: BulkJob | null) {
  return job?.status === 'done'
    ? job.failed > 0
      ? ('bulk.doneInPart' as const)
      : ('bulk.done' as const)
    : job?.status === 'cancelled'
      ? ('bulk.cancelled' as const)
      : ('bulk.failed' as const)
}

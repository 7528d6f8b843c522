import { Button, Spinner, Tag } from '@blueprintjs/core'
import { ChevronLeft, ChevronRight } from '@blueprintjs/icons'
import { isJobOver, type Job } from '@jiaowu/api/contract/job'
import { useText } from '../../../app/text-context.ts'
import type { Transfer } from '../../transfer/use-transfer.ts'

const tones = {
  queued: 'none',
  running: 'primary',
  paused: 'warning',
  done: 'success',
  failed: 'danger',
  cancelled: 'none',
} as const
function statusKey({ status, phase }: Job) {
  return status === 'paused' && (phase === 'review' || phase === 'mapping')
    ? ('import.status.review' as const)
    : (`import.status.${status}` as const)
}

/**
 * The user's import jobs for this entity, from the web and the terminal; unfinished ones can be
 * continued.
 */
export function JobHistory({ view: { history }, send }: Pick<Transfer, 'view' | 'send'>) {
  const { t } = useText()
  return (
    <section
      className="jw-tr__history"
      aria-label={t('import.history')}
      aria-busy={history.state === 'loading'}
    >
      <h4>{t('import.history')}</h4>
      {history.state === 'failed' ? (
        <p className="jw-muted">
          {t('import.historyFailed')}{' '}
          <Button
            variant="minimal"
            size="small"
            text={t('common.retry')}
            onClick={() => send({ type: 'transfer.retry' })}
          />
        </p>
      ) : history.state === 'loading' && history.jobs.length === 0 ? (
        <Spinner size={20} />
      ) : history.jobs.length === 0 ? (
        <p className="jw-muted">{t('import.noHistory')}</p>
      ) : (
        <ul>
          {history.jobs.map((job) => (
            <li key={job.id}>
              <div className="jw-tr__job">
                <span className="jw-tr__name" title={job.fileName}>
                  {job.fileName}
                </span>
                <small className="jw-muted">
                  {job.createTime.slice(0, 16)}
                  {job.total === 0
                    ? ''
                    : ` · ${t('import.rows', { done: job.done, total: job.total })}`}
                </small>
              </div>
              <Tag minimal round intent={tones[job.status]}>
                {t(statusKey(job))}
              </Tag>
              <Button
                size="small"
                variant={isJobOver(job) ? 'minimal' : 'outlined'}
                intent={isJobOver(job) ? 'none' : 'primary'}
                text={t(isJobOver(job) ? 'import.openJob' : 'import.goOn')}
                aria-label={`${t(isJobOver(job) ? 'import.openJob' : 'import.goOn')} ${job.fileName}`}
                onClick={() => send({ type: 'job.open', id: job.id })}
              />
            </li>
          ))}
        </ul>
      )}
      {history.pageCount > 1 && history.state !== 'failed' ? (
        <div className="jw-tr__pages">
          <Button
            variant="minimal"
            size="small"
            icon={<ChevronLeft />}
            aria-label={t('pdf.previous')}
            disabled={history.pageNum <= 1 || history.state !== 'shown'}
            onClick={() => send({ type: 'history.page', pageNum: history.pageNum - 1 })}
          />
          <span>
            {history.pageNum} / {history.pageCount}
          </span>
          <Button
            variant="minimal"
            size="small"
            icon={<ChevronRight />}
            aria-label={t('pdf.next')}
            disabled={history.pageNum >= history.pageCount || history.state !== 'shown'}
            onClick={() => send({ type: 'history.page', pageNum: history.pageNum + 1 })}
          />
        </div>
      ) : null}
    </section>
  )
}

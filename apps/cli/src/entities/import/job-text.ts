import type { Job, JobError } from '@jiaowu/api/contract/job'
import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'

/** A fault of a sheet in one line. */
export function errorLine(locale: Locale, { row, column, value, msg }: JobError): string {
  return value === '' || msg.includes(value)
    ? t(locale, 'cli.tr.errorEmpty', { row, column, msg })
    : t(locale, 'cli.tr.error', { row, column, msg, value })
}
/** The progress of a job; while the file is being read, its number of rows is unknown. */
export function rowsText(
  locale: Locale,
  { done, total }: { readonly done: number; readonly total: number },
): string {
  return total === 0
    ? t(locale, 'cli.tr.rowsSoFar', { done })
    : t(locale, 'cli.tr.rows', { done, total })
}

/** Rows that a job has written so far. */
export const writtenRows = ({ inserted, updated }: Job): number => inserted + updated

/** Words the present state of a job. */
export function jobState(locale: Locale, { status, phase }: Job): string {
  return status === 'running' && phase === 'writing'
    ? t(locale, 'cli.tr.running')
    : t(locale, `cli.job.status.${status}`)
}

/**
 * Words the future of a job whose command was left: it goes on by itself, or waits for a person.
 */
export function leftText(locale: Locale, job: Job): string {
  const said = { id: job.id, n: writtenRows(job) }
  return job.status === 'queued' || job.status === 'running'
    ? t(locale, 'cli.tr.goesOn', said)
    : t(locale, 'cli.tr.waits', said)
}

/** The result of a job that ended or is paused. */
export function jobLines(job: Job, locale: Locale, errors = 10): string[] {
  const { fresh, changed, same, wrong } = job.review
  const head =
    job.status === 'cancelled'
      ? t(locale, 'cli.tr.cancelled')
      : job.status !== 'done'
        ? t(locale, 'cli.tr.failed')
        : t(locale, job.dryRun ? 'cli.tr.checked' : 'cli.tr.done')
  return [
    head,
    job.dryRun || job.status !== 'done'
      ? t(locale, 'cli.tr.counts', { fresh, changed, same, wrong })
      : t(locale, 'cli.tr.written', {
          inserted: job.inserted,
          updated: job.updated,
          skipped: job.skipped,
          failed: job.failed,
        }),
    ...(job.message === null || job.message === '' ? [] : [job.message]),
    ...job.errors.slice(0, errors).map((error) => errorLine(locale, error)),
    ...(job.errors.length > errors
      ? [t(locale, 'cli.tr.moreErrors', { count: Math.max(wrong, job.failed) })]
      : []),
  ]
}

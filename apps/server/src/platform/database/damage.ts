// Notes pages, indexes and files that the database cannot read. One statement tells it to /health/ready and /metrics,
// because lists of other tables work on.
import type { Log } from './log.ts'
import { sqlState } from './problems.ts'

/** data_corrupted, index_corrupted, undefined_file, io_error. */
const states = new Set(['XX001', 'XX002', '58P01', '58030'])

/** Relations that could not be read since the start. */
const damaged: string[] = []
/** More are as bad as these. */
const most = 100

export function noteDamage(log: Pick<Log, 'error'>, error: unknown): void {
  if (!(error instanceof Error) || !states.has(sqlState(error) ?? '')) return
  const relation = /(?:relation|file|index) "?([\w./-]+)"?/.exec(error.message)?.[1] ?? 'unknown'
  if (damaged.includes(relation) || damaged.length >= most) return
  damaged.push(relation)
  log.error(
    { relation, failure: error.message },
    'the database cannot read one of its files: stop, copy the data, run jiaowu-server doctor, restore a backup',
  )
}

export function countDamaged(): number {
  return damaged.length
}

import type { FieldChange, HistoryAction } from '@jiaowu/api/entity/definition/history'
import type { AnyDatabase } from '../platform/database/any-database.ts'
import { appendHistory } from '../platform/database/finish-write.ts'
import type { Context } from './context.ts'
import type { LoadedEntity } from './definition/loaded.ts'

/**
 * A change as stored. `key` says which column it was: an attribute may later name another one.
 */
export interface StoredChange extends FieldChange {
  readonly key?: string
}

export interface HistoryLine {
  readonly id: string
  readonly action: HistoryAction
  readonly changes: readonly StoredChange[]
}

/** Appends one entry per row, in the transaction of the change. Skips updates without changes. */
export async function recordHistory(
  db: AnyDatabase,
  { newId, subject, now }: Context,
  entity: LoadedEntity,
  lines: readonly HistoryLine[],
): Promise<void> {
  const kept = lines.filter(({ action, changes }) => action !== 'update' || changes.length > 0)
  if (kept.length === 0) return
  const at = now().toISOString()
  await appendHistory(
    db,
    subject.tenant,
    kept.map(({ id, action, changes }) => ({
      id: newId(),
      tag: entity.tag,
      row_id: id,
      action,
      at,
      user_id: subject.userId,
      changes,
    })),
  )
}

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

/**
 * Names the agent that proposed the change. No field can have the name, and without a key readers take it for no
 * change of a field.
 */
const agentMark = '$agent'

/** The agent that proposed the changes of a line, if one did. */
export function readAgent(changes: readonly StoredChange[]): string | undefined {
  const mark = changes.find(({ attrName, key }) => attrName === agentMark && key === undefined)
  return typeof mark?.to === 'string' ? mark.to : undefined
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
  const { agent } = subject
  const marks = agent === undefined ? [] : [{ attrName: agentMark, from: null, to: agent }]
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
      changes: [...changes, ...marks],
    })),
  )
}

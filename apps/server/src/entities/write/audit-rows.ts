import type { Context } from '../../model/context.ts'
import type { LoadedEntity } from '../../model/definition/loaded.ts'
import { readRowKey, type RowWriter } from './writer.ts'

/** A line of the audit log for each written row, with the names of the fields that were written. */
export function auditEach(
  { audit }: Pick<Context, 'audit'>,
  { tag }: LoadedEntity,
  action: string,
): RowWriter['audit'] {
  return (trx, rows) => {
    for (const row of rows) {
      const fields = row.changes.map(({ field }) => field.definition.attrName)
      audit(
        {
          action,
          object: tag,
          objectId: readRowKey(row),
          result: 'ok',
          ...((row.kind === 'create' || row.kind === 'update') && { detail: { fields } }),
        },
        trx,
      )
    }
  }
}

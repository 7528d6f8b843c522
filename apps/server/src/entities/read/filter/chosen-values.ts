// The values of a chosen row that formulas read, so that clients can compute them
// (docs/rules/contract.md#derived-fields).
import type { DictItem } from '@jiaowu/api/entity/values'
import { type RawBuilder, sql } from 'kysely'
import { isAllowed, fieldRows } from '../../../access/access.ts'
import type { LookupAccess } from '../../../access/lookup-access.ts'
import { readableFields } from '../../../model/definition/loaded.ts'
import { type RawRow, rowReader, selectList } from '../rows.ts'

interface ChosenValues {
  /** Columns to add to a select list, with a comma before them. */
  readonly columns: RawBuilder<unknown>
  readonly of: (raw: RawRow) => Pick<DictItem, 'values'>
}

/**
 * Only what the reader may see on every row of the target; formulas that read more are computed by
 * the server alone.
 */
export function chosenValues(access: LookupAccess, reads: readonly string[]): ChosenValues {
  const fields = readableFields(access.entity).filter(
    (field) =>
      reads.includes(field.definition.attrName) &&
      field.pii === null &&
      access.mayView &&
      isAllowed(access, field, 'detail') &&
      fieldRows(access, field, 'detail') === null,
  )
  if (fields.length === 0) return { columns: sql``, of: () => ({}) }
  const read = rowReader(access, fields, 'any')
  return {
    columns: sql`, ${selectList(access, fields)}`,
    of: (raw) => {
      const row = read(raw)
      return {
        values: Object.fromEntries(
          fields.map(({ definition: { attrName } }) => [attrName, row[attrName] ?? null]),
        ),
      }
    },
  }
}

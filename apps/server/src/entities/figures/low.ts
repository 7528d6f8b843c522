// Which numbers are low (docs/rules/contract.md#low-numbers): what lists mark, and what the figures of
// lists and entry sheets count.
import { sql } from 'kysely'
import { type EntityAccess, isAllowed } from '../../access/access.ts'
import type { LoadedField } from '../../model/definition/loaded.ts'
import { type Condition, formatTyped } from '../../model/definition/names.ts'
import { buildFilterTarget } from '../read/target.ts'
import { figureField } from './figure-field.ts'

/**
 * The condition of a row whose number in `field` is low: the switch `flag` is off, or it is below a
 * fixed number. Null where nothing says so, or the reader may not see the switch.
 */
export function buildLowCondition(
  access: EntityAccess,
  field: LoadedField,
  flag: string | undefined = field.definition.options.warnUnless,
): Condition | null {
  const ref = buildFigureRef(access, field)
  if (flag !== undefined) {
    const shown = findShownFlag(access, flag)
    return shown === null
      ? null
      : sql`(${ref} is not null and ${buildFigureRef(access, shown)}::text in ('0', 'false'))`
  }
  const { warnBelow } = field.definition.options
  return warnBelow === undefined
    ? null
    : sql`${ref}::numeric < ${formatTyped(String(warnBelow), 'numeric')}`
}

/** The switch of that name, where lists show it to the caller. */
export function findShownFlag(access: EntityAccess, name: string): LoadedField | null {
  const field = access.entity.field(name)
  return field?.kind.family === 'flag' && isAllowed(access, field, 'list') ? field : null
}

/** Custom fields have no column that figures read. */
function buildFigureRef(access: EntityAccess, field: LoadedField): Condition {
  const shown = figureField(access, field.definition.attrName)
  return sql`${(shown ?? buildFilterTarget(access, field)).ref}`
}

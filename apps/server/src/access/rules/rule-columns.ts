// Rules of roles are stored per table and column, so that a renamed attribute, a second entity on
// the same table or a copied definition keeps them; the role page names them by tag and attrName
// (docs/rules/security.md#permissions).
import { sealedColumnOf } from '../../pii/sealed-columns.ts'
import { type FieldNarrowing, narrowedFlags, type RoleEntityRule } from '@jiaowu/api'
import { ExpressionError, renameRowProperties } from '@jiaowu/validation'
import { fieldKey, tableKey } from '../../entities/definition/column-key.ts'
import {
  type LoadedEntity,
  type LoadedField,
  valueFields,
} from '../../entities/definition/loaded.ts'
import type { Column } from '../../entities/fields/column.ts'
import { isSecretColumn } from '../../platform/database/tables/secret-columns.ts'

/** A role's rule as stored: the expression and the overrides name columns of the table. */
export interface TableRule {
  readonly table: string
  readonly scope: RoleEntityRule['scope']
  readonly expression: string | null
  /** By column, or `custom:attrName`. */
  readonly overrides: Readonly<Record<string, FieldNarrowing>>
}

/** In an expression of the role page, a column that no attribute names: `row["@class_id"]`. */
const columnMark = '@'

/** The column that a stored expression may name. */
export function ruleColumn(entity: LoadedEntity): (name: string) => Column | undefined {
  const table = tableKey(entity)
  // An encrypted column has nothing to compare with.
  const isOut = (name: string) =>
    isSecretColumn(table, name) || sealedColumnOf(table, name) !== undefined
  return (name) => (isOut(name) ? undefined : entity.table.columns.get(name))
}

/**
 * The expression over columns. Custom fields have no column and cannot be in a row rule.
 * @throws ExpressionError that names an attribute the entity does not have
 */
export function expressionOfColumns(entity: LoadedEntity, source: string): string {
  return renameRowProperties(source, (name) => {
    const column = name.startsWith(columnMark)
      ? ruleColumn(entity)(name.slice(columnMark.length))
      : entity.column(name)
    if (column === undefined) throw new ExpressionError('type', 0, name)
    return column.name
  })
}

/** The expression over the entity's attributes. One that cannot be read stays as it is. */
function expressionOfAttributes(entity: LoadedEntity, source: string): string {
  const byColumn = new Map(
    valueFields(entity)
      .toReversed()
      .flatMap(({ column, definition }) =>
        column === null ? [] : [[column.name, definition.attrName] as const],
      ),
  )
  try {
    return renameRowProperties(source, (name) => byColumn.get(name) ?? `${columnMark}${name}`)
  } catch (error) {
    if (error instanceof ExpressionError) return source
    throw error
  }
}

/** The stored rule as the role page shows it for one entity on the table. */
export function ruleOfEntity(entity: LoadedEntity, rule: TableRule): RoleEntityRule {
  return {
    tag: entity.tag,
    scope: rule.scope,
    expression:
      rule.scope === 'expression' && rule.expression !== null
        ? expressionOfAttributes(entity, rule.expression)
        : null,
    overrides: Object.fromEntries(
      valueFields(entity)
        .map(
          (field) =>
            [
              field.definition.attrName,
              narrowingIn(field, rule.overrides[fieldKey(field)] ?? {}),
            ] as const,
        )
        .filter(([, narrowing]) => Object.keys(narrowing).length > 0),
    ),
  }
}

/** The flags that narrow what the field's definition allows. */
export function narrowingIn({ definition }: LoadedField, given: FieldNarrowing): FieldNarrowing {
  return Object.fromEntries(
    narrowedFlags.flatMap((flag) => {
      const [own, value] = [definition[flag], given[flag]]
      const narrows =
        value === 0
          ? own !== 0
          : value === 2 && own === 1 && (flag === 'isAdd' || flag === 'isEdit')
      return narrows ? [[flag, value] as const] : []
    }),
  )
}

/**
 * The stored rule after the role page changed the rule of one entity on the table. Columns that
 * the entity does not have keep their narrowing.
 * @throws ExpressionError when the expression names an unknown attribute
 */
export function ruleOfTable(
  entity: LoadedEntity,
  rule: RoleEntityRule,
  before: TableRule | undefined,
): TableRule {
  const shown = before === undefined ? undefined : ruleOfEntity(entity, before)
  const isSameExpression = shown?.scope === rule.scope && shown.expression === rule.expression
  return {
    table: tableKey(entity),
    scope: rule.scope,
    expression:
      rule.scope !== 'expression' || rule.expression === null
        ? null
        : isSameExpression
          ? (before?.expression ?? null)
          : expressionOfColumns(entity, rule.expression),
    overrides: overridesOf(entity, rule, before?.overrides ?? {}, shown?.overrides ?? {}),
  }
}

function overridesOf(
  entity: LoadedEntity,
  rule: RoleEntityRule,
  before: TableRule['overrides'],
  shown: RoleEntityRule['overrides'],
): TableRule['overrides'] {
  const changed = Object.entries(Object.groupBy(valueFields(entity), fieldKey)).flatMap(
    ([key, fields = []]): (readonly [string, FieldNarrowing])[] => {
      const given = fields
        .map((field) => [field, rule.overrides[field.definition.attrName] ?? {}] as const)
        .filter(
          ([
            {
              definition: { attrName },
            },
            narrowing,
          ]) => differ(narrowing, shown[attrName] ?? {}),
        )
      if (given.length === 0) return []
      const narrowing = narrowest(given.map(([, each]) => each))
      const kept = isHidden(before[key] ?? {}) ? {} : inexpressible(fields, before[key] ?? {})
      return [[key, withHidden(fields, { ...kept, ...narrowing })]]
    },
  )
  return Object.fromEntries(
    Object.entries({ ...before, ...Object.fromEntries(changed) }).filter(
      ([, narrowing]) => Object.keys(narrowing).length > 0,
    ),
  )
}

function differ(a: FieldNarrowing, b: FieldNarrowing): boolean {
  return narrowedFlags.some((flag) => a[flag] !== b[flag])
}

/** 0 is narrower than 2, and 2 than no narrowing. */
function narrowest(all: readonly FieldNarrowing[]): FieldNarrowing {
  return Object.fromEntries(
    narrowedFlags.flatMap((flag) => {
      const values = all.flatMap((each) => each[flag] ?? [])
      return values.length === 0 ? [] : [[flag, values.includes(0) ? 0 : 2] as const]
    }),
  )
}

const hidden: FieldNarrowing = Object.fromEntries(narrowedFlags.map((flag) => [flag, 0]))
const isHidden = (narrowing: FieldNarrowing) => !differ(narrowing, hidden)

/** Flags that the entity's definition has off, so that its rule cannot say anything of them. */
function inexpressible(fields: readonly LoadedField[], before: FieldNarrowing): FieldNarrowing {
  return Object.fromEntries(
    narrowedFlags.flatMap((flag) =>
      before[flag] !== undefined && fields.every(({ definition }) => definition[flag] === 0)
        ? [[flag, before[flag]] as const]
        : [],
    ),
  )
}

/**
 * A narrowing that leaves no way to read the column hides it: for other entities on the table, and
 * for flags that the definition may get later.
 */
function withHidden(fields: readonly LoadedField[], narrowing: FieldNarrowing): FieldNarrowing {
  const isReadable = fields.some(({ definition }) =>
    (['isList', 'isDetail', 'isExport', 'isEdit'] as const).some(
      (flag) => definition[flag] !== 0 && narrowing[flag] !== 0,
    ),
  )
  return Object.keys(narrowing).length > 0 && !isReadable ? hidden : narrowing
}

// Rules of roles are stored per table and column, so that a renamed attribute, a second entity on
// the same table or a copied definition keeps them; the role page names them by tag and attrName
// (docs/rules/security.md#permissions).
import { type FieldNarrowing, narrowedFlags, type RoleEntityRule } from '@jiaowu/api/entity/role'
import { ExpressionError, parseExpression, readsOfPerson, renameRowReads } from '@jiaowu/validation'
import { fieldKey, tableKey } from '../../model/definition/column-key.ts'
import { type LoadedEntity, type LoadedField, valueFields } from '../../model/definition/loaded.ts'
import type { CatalogTable } from '../../model/definition/catalog.ts'
import type { Column } from '../../model/fields/column.ts'
import { isSecretIn, sealedBase } from '../../model/definition/origins/view-guard.ts'
import { aimedName, type AimedName, isSameAim, readAimedName } from './aimed-names.ts'
import { noTargets, ownAim, type RuleTarget, type TargetOf } from './rule-targets.ts'

/** A role's rule as stored: the expression and the overrides name columns of the table. */
export interface TableRule {
  readonly table: string
  readonly scope: RoleEntityRule['scope']
  readonly expression: string | null
  /** By column, or `custom:attrName`. */
  readonly overrides: Readonly<Record<string, FieldNarrowing>>
}

/** In an expression of the role page, a column that no attribute names: `row["@class_id"]`. */
export const columnMark = '@'

/** The column that a stored expression may name. */
export function ruleColumn({ table }: LoadedEntity): (name: string) => Column | undefined {
  return columnsOfRules(table)
}

/** The columns of a table that row rules may read. */
export function columnsOfRules(table: CatalogTable): (name: string) => Column | undefined {
  // An encrypted column has nothing to compare with.
  const isOut = (name: string) =>
    isSecretIn(table, name) ||
    sealedBase(table, name) !== null ||
    table.origins?.columns.get(name)?.isUnknown === true
  return (name) => (isOut(name) ? undefined : table.columns.get(name))
}

/**
 * The expression over columns. Custom fields have no column and cannot be in a row rule. A name that is
 * read across, or compared with `user.person`, says to which rows its column points.
 * @throws ExpressionError that names an attribute the entity does not have
 */
export function expressionOfColumns(
  entity: LoadedEntity,
  source: string,
  targetOf: TargetOf = noTargets,
): string {
  const persons = readsOfPerson(parseExpression(source))
  return renameRowReads(source, (name, property) => {
    const target = targetOf(entity, name)
    const isStep = property !== null && (target?.isSingle === true || readMarked(name) !== null)
    const isPerson = persons.some(([own, step]) => own === name && step === property)
    const own = columnNamed(entity, name, {
      target,
      isAimed: isStep || (isPerson && property === null),
    })
    if (property === null || !isStep) return [own, property]
    if (target === undefined) return [own, property.replace(columnMark, '')]
    const next = targetOf(target.entity, property)
    return [own, columnNamed(target.entity, property, { target: next, isAimed: isPerson })]
  })
}

/** A name that the role page shows for want of an attribute, with where it points. */
function readMarked(name: string): AimedName | null {
  return name.startsWith(columnMark) ? readAimedName(name.slice(columnMark.length)) : null
}

function columnNamed(
  entity: LoadedEntity,
  name: string,
  { target, isAimed }: { readonly target: RuleTarget | undefined; readonly isAimed: boolean },
): string {
  const marked = readMarked(name)
  const column = name.startsWith(columnMark)
    ? ruleColumn(entity)(marked?.column ?? name.slice(columnMark.length))
    : entity.column(name)
  if (column === undefined) throw new ExpressionError('type', 0, name)
  if (marked !== null) return aimedName(marked)
  const field = entity.field(name)
  const aim = target?.aim ?? (field === undefined ? undefined : ownAim(entity, field))
  return isAimed && aim !== undefined ? aimedName({ column: column.name, aim }) : column.name
}

/** The expression over the entity's attributes. One that cannot be read stays as it is. */
function expressionOfAttributes(entity: LoadedEntity, source: string, targetOf: TargetOf): string {
  try {
    return renameRowReads(source, (name, property) => {
      const aimed = entity.table.columns.has(name) ? null : readAimedName(name)
      const attrName = findAimedAttribute(entity, name, aimed, targetOf)
      const target = attrName === undefined ? undefined : targetOf(entity, attrName)
      if (property === null || aimed === null) return [attrName ?? `${columnMark}${name}`, property]
      const step =
        target === undefined
          ? undefined
          : findAimedAttribute(target.entity, property, readAimedName(property), targetOf)
      return [attrName ?? `${columnMark}${name}`, step ?? `${columnMark}${property}`]
    })
  } catch (error) {
    if (error instanceof ExpressionError) return source
    throw error
  }
}

/** The first attribute of the column that points where the name says. */
function findAimedAttribute(
  entity: LoadedEntity,
  name: string,
  aimed: AimedName | null,
  targetOf: TargetOf,
): string | undefined {
  return valueFields(entity).find((field) => {
    if (field.column?.name !== (aimed?.column ?? name)) return false
    if (aimed === null) return true
    const aim = targetOf(entity, field.definition.attrName)?.aim ?? ownAim(entity, field)
    return aim !== undefined && isSameAim(aim, aimed.aim)
  })?.definition.attrName
}

/** The stored rule as the role page shows it for one entity on the table. */
export function ruleOfEntity(
  entity: LoadedEntity,
  rule: TableRule,
  targetOf: TargetOf = noTargets,
): RoleEntityRule {
  return {
    tag: entity.tag,
    scope: rule.scope,
    expression:
      rule.scope === 'expression' && rule.expression !== null
        ? expressionOfAttributes(entity, rule.expression, targetOf)
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
  targetOf: TargetOf = noTargets,
): TableRule {
  const shown = before === undefined ? undefined : ruleOfEntity(entity, before, targetOf)
  const isSameExpression = shown?.scope === rule.scope && shown.expression === rule.expression
  return {
    table: tableKey(entity),
    scope: rule.scope,
    expression:
      rule.scope !== 'expression' || rule.expression === null
        ? null
        : isSameExpression
          ? (before?.expression ?? null)
          : expressionOfColumns(entity, rule.expression, targetOf),
    overrides: mergeOverrides(entity, rule, before?.overrides ?? {}, shown?.overrides ?? {}),
  }
}

function mergeOverrides(
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

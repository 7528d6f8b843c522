// Checks whether a rule is valid and whether its author may set it.
import { allPermission } from '@jiaowu/api/limits'
import { entityPermission, may } from '@jiaowu/api/entity/permission'
import { narrowedFlags, type RoleEntityRule } from '@jiaowu/api/entity/role'
import {
  findDeepRead,
  type Expression,
  ExpressionError,
  namesComparedInParts,
  parseExpression,
  readsOfPerson,
  listRelationReads,
  listRowNames,
} from '@jiaowu/validation'
import type { Context } from '../../model/context.ts'
import type { StoredRule } from '../../platform/context.ts'
import { tableKey } from '../../model/definition/column-key.ts'
import { accessTo, fieldRows, isAllowed, ruleUser } from '../access.ts'
import {
  entityName,
  type LoadedEntity,
  type LoadedField,
  valueFields,
} from '../../model/definition/loaded.ts'
import { rowCondition } from './row-expression.ts'
import {
  columnMark,
  expressionOfColumns,
  narrowingIn,
  ruleColumn,
  type TableRule,
} from './rule-columns.ts'
import { ruleRelations } from './related-rows.ts'
import { ownAim, ruleTargets, type TargetOf } from './rule-targets.ts'
import { behindView, rulesOn } from './rules.ts'
import type { Fault } from '../../platform/refusal.ts'
import { listScopes } from '../grantable.ts'

/**
 * Finds the fault of a row rule's expression; null when valid. Checked with the caller as `user`.
 * It may only read what the caller may read, also where it names a column (`row["@mobile"]`): the
 * rows it selects tell the values. Personal data is compared by whole values only
 * (docs/rules/security.md#d4).
 */
export async function expressionFault(
  context: Context,
  entity: LoadedEntity,
  expression: string | null,
  isReadable: Readable,
): Promise<Fault['message'] | null> {
  if (expression === null || expression.trim() === '') return { key: 'role.expressionEmpty' }
  try {
    const ast = parseExpression(expression)
    const fieldOf = (name: string) => fieldNamed(entity, name)
    const hidden = listRowNames(ast).find((name) => !isReadable(fieldOf(name)))
    const part = hidden ?? namesComparedInParts(ast).find((name) => fieldOf(name)?.pii != null)
    if (part !== undefined) throw new ExpressionError('type', 0, part)
    const targetOf = await ruleTargets(context, entity)
    const across = await crossingFault(context, entity, ast, targetOf)
    if (across !== null) return across
    rowCondition(
      expressionOfColumns(entity, expression, targetOf),
      ruleColumn(entity),
      ruleUser(context.subject),
      ruleRelations(context),
    )
    return null
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return { key: 'role.expressionWrong', params: { token: error.token } }
  }
}

/** Finds the fault of the reads across relations and of `user.person`. */
async function crossingFault(
  context: Context,
  entity: LoadedEntity,
  ast: Expression,
  targetOf: TargetOf,
): Promise<Fault['message'] | null> {
  const deep = findDeepRead(ast)
  if (deep !== undefined) return { key: 'role.crossTwice', params: { token: deep } }
  const isFree = may(context.subject.permissions, allPermission)
  for (const { attrName, property } of listRelationReads(ast)) {
    const token = `row.${attrName}.${property}`
    const isMarked = [attrName, property].some((name) => name.startsWith('@'))
    // The page shows such names for a stored rule, which is not checked again while it stays the same.
    if (isMarked && isFree) continue
    const target = isMarked ? undefined : targetOf(entity, attrName)
    if (target === undefined) return { key: 'role.crossNone', params: { token, name: attrName } }
    if (!target.isSingle) return { key: 'role.crossMany', params: { token, name: attrName } }
    const field = target.entity.field(property)
    // A field that the author may not know answers like one that is not there.
    if (field === undefined || !(await isKnown(context, target.entity, field)))
      return {
        key: 'role.crossUnknown',
        params: { token, name: entityName(target.entity, context.locale), field: property },
      }
  }
  const pointless = readsOfPerson(ast).find(
    ([attrName, property]) => !pointsToRow(entity, attrName, property, targetOf),
  )
  return pointless === undefined
    ? null
    : { key: 'role.personWith', params: { token: ['row', ...pointless].filter(Boolean).join('.') } }
}

function pointsToRow(
  entity: LoadedEntity,
  attrName: string,
  property: string | null,
  targetOf: TargetOf,
): boolean {
  if (attrName.startsWith('@')) return true
  const [owner, name] =
    property === null ? [entity, attrName] : [targetOf(entity, attrName)?.entity, property]
  const field = owner?.field(name)
  if (owner === undefined || field === undefined) return false
  return (targetOf(owner, name)?.aim ?? ownAim(owner, field)) !== undefined
}

/**
 * Whether the caller knows the field on every row of the related entity: the rows of the rule's own entity
 * tell its values, whether or not the caller may see the related row.
 */
async function isKnown(
  context: Context,
  target: LoadedEntity,
  field: LoadedField,
): Promise<boolean> {
  const { permissions } = context.subject
  if (field.column === null || field.kind.secret) return false
  if (may(permissions, allPermission)) return true
  if (!may(permissions, entityPermission(target.tag, 'view'))) return false
  if (field.pii !== null && !may(permissions, 'pii:reveal')) return false
  const access = await accessTo(context, target, 'view')
  return (
    access.grants.some(({ scope }) => scope === null) &&
    isAllowed(access, field, 'detail') &&
    fieldRows(access, field, 'detail') === null
  )
}

/** Whether the caller may read a field; of a column without a field, whether they may read everything. */
type Readable = (field: LoadedField | undefined) => boolean

/** The field that a rule names by attribute, or by column as `@column`. */
function fieldNamed(entity: LoadedEntity, name: string): LoadedField | undefined {
  if (name === entity.definition.idField) return entity.idField
  if (!name.startsWith(columnMark)) return entity.field(name)
  const column = name.slice(columnMark.length)
  return [...valueFields(entity), entity.idField].find((field) => field.column?.name === column)
}

/**
 * Whether the caller may read a field on some row; a grant of `view` decides, and of personal data the
 * right to see it.
 */
export async function readableBy(context: Context, entity: LoadedEntity): Promise<Readable> {
  const { permissions } = context.subject
  if (may(permissions, allPermission)) return () => true
  if (!may(permissions, entityPermission(entity.tag, 'view'))) return () => false
  const access = await accessTo(context, entity, 'view')
  const seesPersonal = may(permissions, 'pii:reveal')
  return (field) =>
    field !== undefined &&
    (field === entity.idField || isAllowed(access, field, 'detail')) &&
    (field.pii === null || seesPersonal)
}

/** The rule without overrides that narrow nothing. */
export function plainRule(
  entity: LoadedEntity,
  { tag, scope, expression, overrides }: RoleEntityRule,
): RoleEntityRule {
  return {
    tag,
    scope,
    expression: scope === 'expression' ? expression : null,
    overrides: Object.fromEntries(
      Object.entries(overrides)
        .map(([attrName, given]) => {
          const field = entity.field(attrName)
          return [attrName, field === undefined ? {} : narrowingIn(field, given)] as const
        })
        .filter(([, flags]) => Object.keys(flags).length > 0),
    ),
  }
}

export async function ruleFaults(
  context: Context,
  entity: LoadedEntity,
  { tag, scope, expression, overrides }: RoleEntityRule,
  isReadable: Readable,
): Promise<Fault[]> {
  const path = `rules.${tag}`
  const wrong =
    scope === 'expression' ? await expressionFault(context, entity, expression, isReadable) : null
  return [
    ...(listScopes(entity).includes(scope)
      ? []
      : [{ path, rule: 'scope', message: { key: 'role.scopeImpossible' } } satisfies Fault]),
    ...(wrong === null ? [] : [{ path, rule: 'expression', message: wrong } satisfies Fault]),
    ...Object.keys(overrides)
      .filter((attrName) => entity.field(attrName) === undefined)
      .map((name): Fault => ({
        path,
        rule: 'unknownField',
        message: { key: 'role.unknownField', params: { name } },
      })),
  ]
}

/**
 * Whether one of the caller's own rules covers `rule`: users cannot grant more rows or fields than they
 * have (docs/rules/security.md#permissions).
 */
export function isWithinOwn(
  context: Context,
  { tag, table }: LoadedEntity,
  ruleOn: (table: string) => TableRule | undefined,
): boolean {
  if (may(context.subject.permissions, allPermission)) return true
  const rule = behindView(table, ruleOn(tableKey({ table })) ?? wholeTable, ruleOn)
  return rulesOn(context.subject, table, entityPermission(tag, 'view')).some(
    (each) =>
      scopeCovers(each, rule) &&
      fieldsCover(each, rule) &&
      // Behind a view, every row rule of one's own must be on the other as well.
      each.behind.every((mine) =>
        rule.behind.some(
          (theirs) => theirs.source === mine.source && scopeCovers(mine.rule, theirs.rule),
        ),
      ),
  )
}

const wholeTable: StoredRule = { scope: 'all', expression: null, overrides: {} }

function scopeCovers(own: StoredRule, { scope, expression }: StoredRule): boolean {
  return (
    own.scope === 'all' ||
    (own.scope === 'org_tree' && scope === 'org') ||
    (own.scope === scope && (scope !== 'expression' || own.expression === expression))
  )
}

/** 0 is narrower than 2, and 2 is narrower than no override. */
function fieldsCover(own: StoredRule, { overrides }: StoredRule): boolean {
  return Object.entries(own.overrides).every(([key, flags]) =>
    narrowedFlags.every((flag) => {
      const [mine, theirs] = [flags[flag], overrides[key]?.[flag]]
      return mine === undefined || theirs === 0 || (mine === 2 && theirs === 2)
    }),
  )
}

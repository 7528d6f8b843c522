// Checks whether a rule is valid and whether its author may set it.
import {
  allPermission,
  entityPermission,
  may,
  narrowedFlags,
  type RoleEntityRule,
} from '@jiaowu/api'
import { ExpressionError, parseExpression, rowNamesOf } from '@jiaowu/validation'
import type { Context } from '../../context.ts'
import { accessTo, isAllowed, ruleUser } from '../access.ts'
import type { LoadedEntity, LoadedField } from '../../entities/definition/loaded.ts'
import { rowCondition } from './row-expression.ts'
import { expressionOfColumns, narrowingIn, ruleColumn, type TableRule } from './rule-columns.ts'
import { rulesOn, type RoleRule } from './rules.ts'
import type { Fault } from '../../platform/refusal.ts'
import { scopesOf } from '../grantable.ts'

/**
 * What is wrong with a row rule's expression; null when valid. Checked with the caller as `user`.
 * It may only read fields that the caller may read: the rows it selects tell their values.
 */
export function expressionFault(
  { subject }: Pick<Context, 'subject'>,
  entity: LoadedEntity,
  expression: string | null,
  isReadable: (field: LoadedField) => boolean,
): Fault['message'] | null {
  if (expression === null || expression.trim() === '') return { key: 'role.expressionEmpty' }
  try {
    const hidden = rowNamesOf(parseExpression(expression)).find((name) => {
      const field = entity.field(name)
      return field !== undefined && !isReadable(field)
    })
    if (hidden !== undefined) throw new ExpressionError('type', 0, hidden)
    rowCondition(expressionOfColumns(entity, expression), ruleColumn(entity), ruleUser(subject))
    return null
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return { key: 'role.expressionWrong', params: { token: error.token } }
  }
}

/** Whether the caller may read a field on some row; a grant of `view` decides. */
export async function readableBy(
  context: Context,
  entity: LoadedEntity,
): Promise<(field: LoadedField) => boolean> {
  const { permissions } = context.subject
  if (may(permissions, allPermission)) return () => true
  if (!may(permissions, entityPermission(entity.tag, 'view'))) return () => false
  const access = await accessTo(context, entity, 'view')
  return (field) => isAllowed(access, field, 'detail')
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

export function ruleFaults(
  context: Context,
  entity: LoadedEntity,
  { tag, scope, expression, overrides }: RoleEntityRule,
  isReadable: (field: LoadedField) => boolean,
): Fault[] {
  const path = `rules.${tag}`
  const wrong =
    scope === 'expression' ? expressionFault(context, entity, expression, isReadable) : null
  return [
    ...(scopesOf(entity).includes(scope)
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
export function isWithinOwn(context: Context, tag: string, rule: TableRule): boolean {
  if (may(context.subject.permissions, allPermission)) return true
  return rulesOn(context.subject, rule.table, entityPermission(tag, 'view')).some(
    (each) => scopeCovers(each, rule) && fieldsCover(each, rule),
  )
}

function scopeCovers(own: RoleRule, { scope, expression }: TableRule): boolean {
  return (
    own.scope === 'all' ||
    (own.scope === 'org_tree' && scope === 'org') ||
    (own.scope === scope && (scope !== 'expression' || own.expression === expression))
  )
}

/** 0 is narrower than 2, and 2 is narrower than no override. */
function fieldsCover(own: RoleRule, { overrides }: TableRule): boolean {
  return Object.entries(own.overrides).every(([key, flags]) =>
    narrowedFlags.every((flag) => {
      const [mine, theirs] = [flags[flag], overrides[key]?.[flag]]
      return mine === undefined || theirs === 0 || (mine === 2 && theirs === 2)
    }),
  )
}

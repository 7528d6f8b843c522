// Checks whether a rule is valid and whether its author may set it.
import {
  allPermission,
  entityPermission,
  type FieldNarrowing,
  may,
  type NarrowedFlag,
  narrowedFlags,
  type RoleEntityRule,
} from '@jiaowu/api'
import { ExpressionError } from '@jiaowu/validation'
import type { Context } from '../context.ts'
import { ruleUser } from './access.ts'
import type { LoadedEntity } from '../entities/definition/loaded.ts'
import { rowCondition } from './row-expression.ts'
import { readRules, type RoleRule } from './rules.ts'
import type { Fault } from '../platform/refusal.ts'
import { scopesOf } from './grantable.ts'

/** What is wrong with a row rule's expression; null when valid. Checked with the caller as `user`. */
export function expressionFault(
  { subject }: Pick<Context, 'subject'>,
  entity: LoadedEntity,
  expression: string | null,
): Fault['message'] | null {
  if (expression === null || expression.trim() === '') return { key: 'role.expressionEmpty' }
  try {
    rowCondition(expression, entity, ruleUser(subject))
    return null
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return { key: 'role.expressionWrong', params: { token: error.token } }
  }
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
        .map(([attrName, given]) => [attrName, narrowed(entity, attrName, given)] as const)
        .filter(([, flags]) => Object.keys(flags).length > 0),
    ),
  }
}

function narrowed(entity: LoadedEntity, attrName: string, given: FieldNarrowing): FieldNarrowing {
  const definition = entity.field(attrName)?.definition
  return definition === undefined
    ? {}
    : Object.fromEntries(
        narrowedFlags
          .filter((flag) => isNarrowing(flag, definition[flag], given[flag]))
          .map((flag) => [flag, given[flag] ?? 0]),
      )
}

function isNarrowing(flag: NarrowedFlag, own: number, value: number | undefined): boolean {
  return (
    value !== undefined &&
    own !== 0 &&
    (value === 0 || (value === 2 && own === 1 && (flag === 'isAdd' || flag === 'isEdit')))
  )
}

export function ruleFaults(
  context: Context,
  entity: LoadedEntity,
  { tag, scope, expression, overrides }: RoleEntityRule,
): Fault[] {
  const path = `rules.${tag}`
  const wrong = scope === 'expression' ? expressionFault(context, entity, expression) : null
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
export async function isWithinOwn(
  context: Context,
  tag: string,
  rule: RoleEntityRule,
): Promise<boolean> {
  if (may(context.subject.permissions, allPermission)) return true
  const own = await readRules(
    context.database.kysely,
    context.subject,
    tag,
    entityPermission(tag, 'view'),
  )
  return own.some((each) => scopeCovers(each, rule) && fieldsCover(each, rule))
}

function scopeCovers(own: RoleRule, { scope, expression }: RoleEntityRule): boolean {
  return (
    own.scope === 'all' ||
    (own.scope === 'org_tree' && scope === 'org') ||
    (own.scope === scope && (scope !== 'expression' || own.expression === expression))
  )
}

/** 0 is narrower than 2, and 2 is narrower than no override. */
function fieldsCover(own: RoleRule, { overrides }: RoleEntityRule): boolean {
  return Object.entries(own.overrides).every(([attrName, flags]) =>
    narrowedFlags.every((flag) => {
      const [mine, theirs] = [flags[flag], overrides[attrName]?.[flag]]
      return mine === undefined || mine === 1 || theirs === 0 || (mine === 2 && theirs === 2)
    }),
  )
}

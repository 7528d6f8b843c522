import {
  type FieldNarrowing,
  type GrantableField,
  mayGrant,
  type NarrowedFlag,
  permissionChange,
  type RoleEntityRule,
  type RolePermissions,
  withCode,
} from '@jiaowu/api/entity/role'

/** The permissions of a role as the user has edited them. */
export interface Edited {
  readonly codes: readonly string[]
  readonly rules: readonly RoleEntityRule[]
}

/** Grants or revokes several codes at once; codes that the user may not grant stay as they are. */
export function withCodes(
  edited: Edited,
  codes: readonly string[],
  on: boolean,
  holds: readonly string[],
): Edited {
  const next = codes
    .filter((code) => mayGrant(holds, code))
    .reduce((all, code) => withCode(all, code, on), edited.codes)
  // A code may imply others (an action implies view); the user must be allowed to grant those, too.
  return next.every((code) => edited.codes.includes(code) || mayGrant(holds, code)) &&
    edited.codes.every((code) => next.includes(code) || mayGrant(holds, code))
    ? { ...edited, codes: next }
    : edited
}

export function ruleFor({ rules }: Edited, tag: string): RoleEntityRule {
  return (
    rules.find((rule) => rule.tag === tag) ?? { tag, scope: 'all', expression: null, overrides: {} }
  )
}
export function withRule(edited: Edited, rule: RoleEntityRule): Edited {
  return {
    ...edited,
    rules: [...edited.rules.filter(({ tag }) => tag !== rule.tag), rule],
  }
}

/**
 * The rule with one flag of a field at `value`. A value equal to the definition is left out of the
 * rule.
 */
export function withFlag(
  rule: RoleEntityRule,
  { attrName, flags }: GrantableField,
  flag: NarrowedFlag,
  value: 0 | 1 | 2,
): RoleEntityRule {
  const { [attrName]: before = {}, ...others } = rule.overrides
  const { [flag]: _replaced, ...rest } = before
  const next: FieldNarrowing =
    value === flags[flag] || value === 1 ? rest : { ...rest, [flag]: value }
  return {
    ...rule,
    overrides: Object.keys(next).length === 0 ? others : { ...others, [attrName]: next },
  }
}
/** A field's flag under the rule. */
export function flagAt(
  { overrides }: RoleEntityRule,
  { attrName, flags }: GrantableField,
  flag: NarrowedFlag,
): 0 | 1 | 2 {
  return overrides[attrName]?.[flag] ?? flags[flag]
}

/** The user's changes on top of the version that another user saved meanwhile. */
export function rebaseEdits(base: Edited, edited: Edited, current: Edited): Edited {
  const { added, removed, rules } = permissionChange(base, edited)
  const codes = [...new Set([...current.codes.filter((code) => !removed.includes(code)), ...added])]
  return rules.reduce((all, tag) => withRule(all, ruleFor(edited, tag)), {
    codes,
    rules: current.rules,
  } as Edited)
}

export function pickEdited({ codes, rules }: RolePermissions): Edited {
  return { codes, rules }
}

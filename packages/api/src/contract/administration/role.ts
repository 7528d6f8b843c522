import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import {
  type FieldNarrowing,
  type GrantableField,
  type GrantableGroup,
  type NarrowedFlag,
  type RoleEntityRule,
  type RolePermissions,
  rowScopes,
} from '../../entity/role.ts'
import { text } from '../shapes.ts'

const narrowed = v.exactOptional(v.picklist([0, 2]))
const narrowing: v.GenericSchema<FieldNarrowing> = v.strictObject({
  isList: narrowed,
  isQuery: narrowed,
  isDetail: narrowed,
  isExport: narrowed,
  isAdd: narrowed,
  isEdit: narrowed,
} satisfies Record<NarrowedFlag, unknown>)
const expression = v.pipe(v.string(), v.maxLength(2000))
const rule = v.strictObject({
  tag: text,
  scope: v.picklist(rowScopes),
  expression: v.optional(v.nullable(expression), null),
  overrides: v.optional(v.record(text, narrowing), {}),
})
const storedRule: v.GenericSchema<unknown, RoleEntityRule> = v.object({
  tag: v.string(),
  scope: v.picklist(rowScopes),
  expression: v.nullable(v.string()),
  overrides: v.record(v.string(), narrowing),
})
const flag = v.picklist([0, 1, 2])
const grantableField: v.GenericSchema<unknown, GrantableField> = v.object({
  attrName: v.string(),
  label: v.string(),
  flags: v.object({
    isList: flag,
    isQuery: flag,
    isDetail: flag,
    isExport: flag,
    isAdd: flag,
    isEdit: flag,
  } satisfies Record<NarrowedFlag, unknown>),
  relation: v.optional(v.string()),
})
const grantableGroup: v.GenericSchema<unknown, GrantableGroup> = v.object({
  name: v.nullable(v.string()),
  entities: v.array(
    v.object({
      tag: v.string(),
      name: v.string(),
      scopes: v.array(v.picklist(rowScopes)),
      fields: v.array(grantableField),
    }),
  ),
})
const answer: v.GenericSchema<unknown, RolePermissions> = v.object({
  id: v.string(),
  code: v.string(),
  name: v.string(),
  version: v.number(),
  fixed: v.boolean(),
  codes: v.array(v.string()),
  rules: v.array(storedRule),
  groups: v.array(grantableGroup),
  functions: v.array(v.string()),
  holds: v.array(v.string()),
})

/**
 * Result of checking a row rule: its fault, or the number of rows it leaves visible to the caller,
 * and of how many.
 */
export interface ScopeCheck {
  readonly fault: string | null
  readonly rows: number | null
  readonly all: number | null
}
const scopeCheck = v.object({
  fault: v.nullable(v.string()),
  rows: v.nullable(v.number()),
  all: v.nullable(v.number()),
}) as v.GenericSchema<unknown, ScopeCheck>

/**
 * All permissions of a role (docs/rules/security.md#permissions). Users cannot grant what they do
 * not hold. A save takes effect on the next request of every member of the role.
 */
export const role = {
  permissions: endpoint({
    method: 'GET',
    path: '/role/{id}/permissions',
    access: 'entity:SYS_ROLE:view',
    answer,
  }),
  /**
   * `version` is the role's as it was read.
   * @throws 409/40900 with the stored permissions when it is stale
   */
  savePermissions: endpoint({
    method: 'PUT',
    path: '/role/{id}/permissions',
    access: 'entity:SYS_ROLE:update',
    fresh: true,
    answer,
    body: v.strictObject({
      version: v.number(),
      codes: v.pipe(v.array(text), v.maxLength(5000)),
      rules: v.pipe(v.array(rule), v.maxLength(1000)),
    }),
  }),
  checkScope: endpoint({
    method: 'POST',
    keyed: false,
    path: '/role/scope/check',
    access: 'entity:SYS_ROLE:view',
    body: v.strictObject({ tag: text, expression }),
    answer: scopeCheck,
  }),
} as const

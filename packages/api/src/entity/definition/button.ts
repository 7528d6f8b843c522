import * as v from 'valibot'

/**
 * Actions of a script button, executed in order; the server authorises each one
 * (docs/rules/contract.md#definitions).
 * Texts can refer to values of the row as `{attrName}`.
 */
export const buttonAction = v.variant('do', [
  v.strictObject({
    do: v.literal('setField'),
    attrName: v.string(),
    value: v.nullable(v.union([v.string(), v.number()])),
  }),
  v.strictObject({
    do: v.literal('open'),
    to: v.string(),
    where: v.optional(v.picklist(['tab', 'window', 'drawer']), 'tab'),
  }),
  v.strictObject({
    do: v.literal('request'),
    tag: v.string(),
    method: v.picklist(['create', 'update', 'remove']),
    id: v.optional(v.string()),
    values: v.optional(v.record(v.string(), v.nullable(v.union([v.string(), v.number()])))),
  }),
  v.strictObject({
    do: v.literal('message'),
    tone: v.optional(v.picklist(['info', 'success', 'warning', 'error']), 'info'),
    text: v.string(),
  }),
  v.strictObject({ do: v.literal('refresh') }),
])
export type ButtonAction = v.InferOutput<typeof buttonAction>

/**
 * A custom button (docs/spec/1-entity-console.md §3): position 1 toolbar, 2 row, 3 edit toolbar, 4
 * detail toolbar; eventType 1 script, 2 sql (answers 501).
 */
export const buttonSchema = v.strictObject({
  code: v.pipe(v.string(), v.regex(/^[A-Za-z][\w-]{0,62}$/)),
  name: v.string(),
  nameEn: v.optional(v.string()),
  icon: v.optional(v.nullable(v.string()), null),
  status: v.optional(v.picklist([0, 1]), 1),
  position: v.picklist([1, 2, 3, 4]),
  positionExp: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(2000))), null),
  /** The question asked before the button acts; blank or absent: none. */
  confirm: v.optional(v.pipe(v.string(), v.maxLength(200))),
  eventType: v.optional(v.picklist([1, 2]), 1),
  eventContent: v.optional(v.nullable(v.union([v.array(buttonAction), v.string()])), null),
})
export type Button = v.InferOutput<typeof buttonSchema>

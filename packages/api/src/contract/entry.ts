import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { dictItems, text, values, wholeNumber } from './shapes.ts'

/** A value for each field of `by` of the definition. */
const by = v.pipe(
  values,
  v.check((given) => Object.keys(given).length <= 4),
)
const state = v.object({
  /** The values of the sheet with their names. */
  by: v.record(v.string(), dictItems),
  total: v.number(),
  /** Rows with a value in the field `progress` of the definition. */
  entered: v.number(),
  /** Who submitted the sheet, and when (`YYYY-MM-DD HH:mm:ss`); null while it is open. */
  locked: v.nullable(v.object({ name: v.string(), at: v.string() })),
  can: v.object({ submit: v.boolean(), unlock: v.boolean() }),
})
/** How far a sheet is. */
export type EntryState = v.InferOutput<typeof state>

/** Entry sheets of a definition with `options.entry` (docs/rules/contract.md#entry-sheets). */
export const entry = {
  /** @throws 404 without entry sheets, 422 for fields that are missing or unknown */
  read: endpoint({
    method: 'POST',
    keyed: false,
    path: '/entity/{tag}/entry',
    access: 'entity:{tag}:view',
    body: v.strictObject({ by }),
    answer: state,
  }),
  /**
   * Locks the rows of a sheet. `entered` is the number that the user was shown.
   * @throws 409 when it is another number, or the sheet is locked or empty; 403 for a reader who sees only a
   * part of it
   */
  submit: endpoint({
    method: 'POST',
    keyed: false,
    path: '/entity/{tag}/entry/submit',
    access: 'entity:{tag}:update',
    body: v.strictObject({ by, entered: wholeNumber }),
    answer: state,
  }),
  /** Also needs `entry:unlock`. @throws 409 when it is open */
  unlock: endpoint({
    method: 'POST',
    keyed: false,
    path: '/entity/{tag}/entry/unlock',
    access: 'entity:{tag}:update',
    body: v.strictObject({
      by,
      reason: v.pipe(text, v.trim(), v.minLength(limits.reasonShortest), v.maxLength(200)),
    }),
    answer: state,
  }),
}

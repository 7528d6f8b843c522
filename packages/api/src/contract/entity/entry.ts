import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { limits } from '../../limits.ts'
import { dictItems, text, values, wholeNumber } from '../shapes.ts'

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
  /**
   * Figures of the values entered, for a look before they are submitted; null where the field of
   * progress is no number or nothing is entered. `fails` is null where nothing says what fails.
   */
  figures: v.nullable(
    v.object({
      average: v.string(),
      lowest: v.string(),
      highest: v.string(),
      fails: v.nullable(v.number()),
    }),
  ),
  /**
   * The person and the time (`YYYY-MM-DD HH:mm:ss`) of the submission; null while the sheet is
   * open.
   */
  locked: v.nullable(v.object({ name: v.string(), at: v.string() })),
  can: v.object({ submit: v.boolean(), unlock: v.boolean(), add: v.boolean() }),
})
/** How far a sheet is. */
export type EntryState = v.InferOutput<typeof state>

const openSheets = v.object({
  sheets: v.array(
    v.object({
      by: v.record(v.string(), dictItems),
      total: v.number(),
      entered: v.number(),
    }),
  ),
  /** Whether there are more than the answer holds. */
  more: v.boolean(),
})
/** Sheets with rows that have no value yet, those that were begun first. */
export type OpenEntries = v.InferOutput<typeof openSheets>

const added = v.object({
  added: v.number(),
  /** Records that the sheet had a row of already. */
  there: v.number(),
  /** Records of which the row was refused, and why; the first 20. */
  refused: v.array(v.object({ name: v.string(), msg: v.string() })),
  /** Number of all of them. */
  refusals: v.number(),
})
/** How the addition of rows to a sheet ended. */
export type EntryAddition = v.InferOutput<typeof added>

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
  /** Sheets of the caller's rows that are not submitted and have rows without a value; at most 100. @throws 404 */
  open: endpoint({
    method: 'GET',
    path: '/entity/{tag}/entry/open',
    access: 'entity:{tag}:view',
    answer: openSheets,
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
  /**
   * Adds a row for each record of the relation `options.entry.add.field` with the values `from` that the
   * sheet has none of, one write each. Also needs `view` of the related entity.
   * @throws 404 without `add`, 409 when the sheet is locked or more than 500 records match
   */
  add: endpoint({
    method: 'POST',
    keyed: false,
    path: '/entity/{tag}/entry/add',
    access: 'entity:{tag}:add',
    body: v.strictObject({ by, from: by }),
    answer: added,
  }),
  /** Also needs `entry:unlock`. @throws 409 when it is open */
  unlock: endpoint({
    method: 'POST',
    keyed: false,
    path: '/entity/{tag}/entry/unlock',
    access: 'entity:{tag}:update',
    fresh: true,
    body: v.strictObject({
      by,
      reason: v.pipe(text, v.trim(), v.minLength(limits.reasonShortest), v.maxLength(200)),
    }),
    answer: state,
  }),
}

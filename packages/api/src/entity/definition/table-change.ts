// Changes of tables that designers make while the server runs (docs/rules/database.md#tables-made-in-the-product).
import * as v from 'valibot'
import { text } from '../../contract/shapes.ts'
import { askedColumnSchema } from './sheet.ts'

/** Columns that designers add to shipped tables begin with it, so that no later version brings one of the same name. */
export const addedPrefix = 'x_'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

/**
 * One change. `drop` and `takeBack` say how many values or rows are lost, as their preview told: another number
 * is refused.
 */
export const tableActSchema = v.variant('act', [
  v.strictObject({
    act: v.literal('add'),
    columns: v.pipe(v.array(askedColumnSchema), v.minLength(1), v.maxLength(50)),
  }),
  v.strictObject({ act: v.literal('archive'), column: text }),
  v.strictObject({ act: v.literal('restore'), column: text }),
  v.strictObject({ act: v.literal('drop'), column: text, values: v.optional(count) }),
  v.strictObject({ act: v.literal('undo'), change: text }),
  v.strictObject({ act: v.literal('takeBack'), rows: v.optional(count) }),
])
export type TableAct = v.InferOutput<typeof tableActSchema>

/** The effect of a change, before or after it. */
export const tableOutcomeSchema = v.object({
  /** Sentences in the caller's language. */
  words: v.array(v.string()),
  /** The statements as PostgreSQL runs them. */
  statements: v.string(),
  /** Values or rows that are lost for good; null where none can be. */
  lost: v.nullable(v.number()),
  /** Null for a preview. */
  change: v.nullable(v.string()),
})
export type TableOutcome = v.InferOutput<typeof tableOutcomeSchema>

const tableHistorySchema = v.object({
  id: v.string(),
  kind: v.picklist(['create', 'drop', 'add', 'archive', 'restore']),
  columns: v.array(v.string()),
  time: v.string(),
  user: v.nullable(v.string()),
  statements: v.string(),
  isUndone: v.boolean(),
  canUndo: v.boolean(),
})

/** The table of an entity as its designer may change it. */
export const tableStateSchema = v.object({
  schema: v.string(),
  table: v.string(),
  /** Why its columns cannot be changed here; null where they can. */
  refusal: v.nullable(v.string()),
  /** Names of new columns begin with it. */
  prefix: v.string(),
  /** Columns that may be archived. */
  changeable: v.array(v.string()),
  archived: v.array(
    v.object({ column: v.string(), label: v.string(), time: v.string(), values: v.number() }),
  ),
  targets: v.array(v.object({ tag: v.string(), name: v.string() })),
  dictionaries: v.array(v.object({ code: v.string(), name: v.string() })),
  changes: v.array(tableHistorySchema),
  /** The table was made of a sheet or by a plan, and may be taken back as a whole. */
  isMade: v.boolean(),
})
export type TableState = v.InferOutput<typeof tableStateSchema>

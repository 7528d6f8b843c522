// A sheet that becomes a table: what is proposed of it, and what a person makes of the proposal.
import * as v from 'valibot'
import { text } from '../../contract/shapes.ts'

/** Kinds of columns that the product makes by itself, in its schema `form`. */
export const columnKinds = [
  'text',
  'long',
  'integer',
  'decimal',
  'date',
  'datetime',
  'flag',
  'choice',
  'relation',
] as const
export type ColumnKind = (typeof columnKinds)[number]

/** The schema of tables that are made in the product. */
export const formSchema = 'form'

const columnName = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]{0,54}$/))
const label = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(60))

/** A column to be made: its kind, and what the kind needs. */
const plannedColumnSchema = v.strictObject({
  columnName,
  /** Chinese or of any other language; the heading of the sheet. */
  label,
  labelEn: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(60))),
  kind: v.picklist(columnKinds),
  /** Characters of a text. */
  length: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(4_000))),
  /** Decimal places of a number. */
  scale: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(6))),
  /** No two rows of the school may have the same value. */
  unique: v.optional(v.boolean()),
  required: v.optional(v.boolean()),
  /** The value of new rows that bring none. */
  defaultValue: v.optional(v.pipe(v.string(), v.maxLength(200))),
  /** Choices: the code of a dictionary that exists; without it one is made of `choices`. */
  dictionary: v.optional(text),
  choices: v.optional(
    v.pipe(v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(60))), v.maxLength(200)),
  ),
  /** Relations: the tag of the entity that the values name. */
  target: v.optional(text),
})
export type PlannedColumn = v.InferOutput<typeof plannedColumnSchema>

const tagSchema = v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z0-9_]{1,62}$/))

/** A column that a person asks for: without a name it gets that of its label. */
export const askedColumnSchema = v.strictObject({
  ...plannedColumnSchema.entries,
  columnName: v.optional(columnName),
})
export type AskedColumn = v.InferOutput<typeof askedColumnSchema>

/** A table that a person asks for: without a tag and a name it gets those of its label. */
export const askedTableSchema = v.strictObject({
  name: label,
  nameEn: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(60))),
  tag: v.optional(tagSchema),
  table: v.optional(columnName),
  columns: v.pipe(v.array(askedColumnSchema), v.minLength(1), v.maxLength(200)),
})
export type AskedTable = v.InferOutput<typeof askedTableSchema>

/** A table to be made, with its entity. */
const plannedTableSchema = v.strictObject({
  name: label,
  nameEn: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(60))),
  tag: tagSchema,
  table: columnName,
  columns: v.pipe(v.array(plannedColumnSchema), v.minLength(1), v.maxLength(200)),
})
export type PlannedTable = v.InferOutput<typeof plannedTableSchema>

/** The part of a file that becomes a table: the sheet, and the row of its heading (0: it has none). */
const readAs = {
  sheet: v.optional(text),
  heading: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_048_576))),
}

/** The plan of a table with the column of the sheet, from 1, that each of its columns is read from. */
export const sheetPlanSchema = v.strictObject({
  ...plannedTableSchema.entries,
  ...readAs,
  columns: v.pipe(
    v.array(
      v.strictObject({
        ...plannedColumnSchema.entries,
        column: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000)),
      }),
    ),
    v.minLength(1),
    v.maxLength(200),
  ),
})
export type SheetPlan = v.InferOutput<typeof sheetPlanSchema>

/** A column of the sheet with what is proposed for it. */
const sheetColumnSchema = v.object({
  ...plannedColumnSchema.entries,
  /** Number of the column, from 1. */
  column: v.number(),
  letter: v.string(),
  /** Not proposed to be kept, as serial numbers and columns without a value. */
  isLeft: v.boolean(),
  /** Cells with a value, and how many different ones. */
  filled: v.number(),
  distinct: v.number(),
  /** Personal data is masked. */
  samples: v.array(v.string()),
  /** Kinds that all values of the column have; a text is always possible. */
  fits: v.array(v.picklist(columnKinds)),
  notes: v.array(v.string()),
})
export type ProposedColumn = v.InferOutput<typeof sheetColumnSchema>

export const sheetProposalSchema = v.object({
  name: v.string(),
  tag: v.string(),
  table: v.string(),
  sheet: v.string(),
  heading: v.number(),
  sheets: v.array(v.string()),
  /** The first rows as they stand in the file, to move the heading; without personal data. */
  preview: v.array(v.object({ row: v.number(), cells: v.array(v.string()) })),
  rows: v.number(),
  columns: v.array(sheetColumnSchema),
  /** Entities that values can name. */
  targets: v.array(v.object({ tag: v.string(), name: v.string() })),
  /** Rows that are not taken (totals, notes), other sheets. */
  notes: v.array(v.string()),
  /** An entity that the sheet fits as it is: its import is the shorter way. */
  fits: v.nullable(v.object({ tag: v.string(), name: v.string(), columns: v.number() })),
})
export type SheetProposal = v.InferOutput<typeof sheetProposalSchema>

/** The column of a plan, with what its kind needs of the proposal. */
function planColumn(proposed: ProposedColumn): SheetPlan['columns'][number] {
  const { column, columnName, label, kind, length, scale, unique, required } = proposed
  const { dictionary, choices, target } = proposed
  return {
    column,
    columnName,
    label,
    kind,
    ...(kind === 'text' && length !== undefined && { length }),
    ...(kind === 'decimal' && scale !== undefined && { scale }),
    ...(unique === true && { unique }),
    ...(required === true && { required }),
    ...(kind === 'choice' && (dictionary === undefined ? { choices } : { dictionary })),
    ...(kind === 'relation' && { target }),
  }
}

/** The plan that takes a proposal as it is, without the columns that are left out. */
export function planSheet({
  name,
  tag,
  table,
  sheet,
  heading,
  columns,
}: Pick<SheetProposal, 'name' | 'tag' | 'table' | 'sheet' | 'heading' | 'columns'>): SheetPlan {
  return {
    name,
    tag,
    table,
    ...(sheet !== '' && { sheet }),
    heading,
    columns: columns.filter(({ isLeft }) => !isLeft).map(planColumn),
  }
}

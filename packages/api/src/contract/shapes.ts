import * as v from 'valibot'
import {
  footerFunctions,
  type FooterQuery,
  groupComparisons,
  type GroupQuery,
  groupUnits,
  type TableCell,
  type TableQuery,
  type Where,
  type WhereLeaf,
  whereOperators,
} from '../entity/list/list-query.ts'
import { type DictItem, itemTones, type Row, type WireValue } from '../entity/values.ts'
import type { Page } from '../entity/list/page.ts'
import { limits } from '../limits.ts'

export const text = v.pipe(v.string(), v.maxLength(4000))
/** A whole number; also as text, as query strings carry it. */
export const wholeNumber = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.regex(/^-?\d{1,9}$/), v.transform(Number))]),
  v.integer(),
)
/** Ids that select rows. */
export const chosenIds = v.pipe(
  v.array(v.pipe(v.string(), v.maxLength(500))),
  v.maxLength(limits.maxChosenIds),
)
export const wireValue: v.GenericSchema<unknown, WireValue> = v.nullable(
  v.union([v.string(), v.number(), v.lazy(() => dictItems)]),
)
export const dictItem: v.GenericSchema<unknown, DictItem> = v.object({
  id: v.string(),
  name: v.string(),
  pid: v.exactOptional(v.string()),
  tone: v.exactOptional(v.picklist(itemTones)),
  note: v.exactOptional(v.string()),
  values: v.exactOptional(v.record(v.string(), wireValue)),
})
export const dictItems = v.array(dictItem)
export const dictMap = v.record(v.string(), dictItems)
const version = v.union([v.number(), v.string()])
/** A row of any entity; which attributes it has is a matter of its definition. */
export const row: v.GenericSchema<unknown, Row> = v.objectWithRest(
  { id: v.string(), version: v.exactOptional(version) },
  wireValue,
)
export const values = v.record(v.string(), v.unknown())
const tableCell: v.GenericSchema<unknown, TableCell> = v.object({
  count: v.number(),
  figures: v.array(wireValue),
})
const tableCells = v.array(v.nullable(tableCell))
/** Entries that every page has beside its records. */
export const pageEntries = {
  total: v.nullable(v.number()),
  size: v.number(),
  current: v.number(),
  totalIsEstimate: v.exactOptional(v.boolean()),
  viewLacks: v.exactOptional(v.number()),
  open: v.exactOptional(v.record(v.string(), v.array(v.string()))),
  groups: v.exactOptional(v.array(v.object({ value: wireValue, count: v.number() }))),
  moreGroups: v.exactOptional(v.boolean()),
  table: v.exactOptional(
    v.object({
      heads: v.array(wireValue),
      rows: v.array(v.object({ value: wireValue, cells: tableCells, all: tableCell })),
      totals: tableCells,
      all: tableCell,
    }),
  ),
  footer: v.exactOptional(
    v.array(v.object({ column: v.string(), fn: v.picklist(footerFunctions), value: wireValue })),
  ),
}
export const page: v.GenericSchema<unknown, Page> = v.object({
  records: v.array(row),
  ...pageEntries,
})

const column = v.pipe(v.string(), v.maxLength(64))
const sort = v.strictObject({ column, asc: v.boolean() })
const whereLeaf: v.GenericSchema<WhereLeaf, WhereLeaf> = v.strictObject({
  column: v.pipe(v.string(), v.maxLength(140)),
  op: v.picklist(whereOperators),
  value: v.optional(v.unknown()),
  where: v.optional(v.lazy(() => where)),
  name: v.optional(v.pipe(v.string(), v.maxLength(200))),
})
const whereNodes = v.pipe(
  v.array(v.union([whereLeaf, v.lazy(() => where)])),
  v.maxLength(limits.maxWhereLeaves),
)
/** The server checks depth and number of leaves, to name them in its answer. */
export const where: v.GenericSchema<Where, Where> = v.union([
  v.strictObject({ and: whereNodes }),
  v.strictObject({ or: whereNodes }),
])
/**
 * Page, sort and filters of a list (docs/spec/1-entity-console.md §3). -1 as size and page means
 * all rows, where a call allows it.
 */
export const pageFields = {
  pageSize: v.optional(v.pipe(wholeNumber, v.maxValue(limits.maxPageSize)), limits.pageSize),
  pageNum: v.optional(wholeNumber, 1),
  sorts: v.optional(v.pipe(v.array(sort), v.maxLength(limits.maxSorts)), []),
  queries: v.optional(
    v.pipe(
      values,
      v.check((q) => Object.keys(q).length <= limits.maxQueries),
    ),
    {},
  ),
  where: v.optional(where),
  tag: v.optional(text),
  /** Id of a saved view. */
  view: v.optional(text),
}
export const footer: v.GenericSchema<readonly FooterQuery[]> = v.pipe(
  v.array(v.strictObject({ column, fn: v.picklist(footerFunctions) })),
  v.maxLength(limits.maxFooters),
)
const dimension = { column, by: v.optional(v.picklist(groupUnits)) }
/** The place of a figure. */
const place = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(limits.maxTableFigures - 1))
export const table: v.GenericSchema<TableQuery> = v.strictObject({
  across: v.optional(v.strictObject(dimension)),
  figures: v.optional(
    v.pipe(
      v.array(
        v.strictObject({
          column,
          fn: v.picklist(footerFunctions),
          where: v.optional(where),
          name: v.optional(v.pipe(v.string(), v.maxLength(limits.viewName))),
        }),
      ),
      v.maxLength(limits.maxTableFigures),
    ),
  ),
  having: v.optional(
    v.pipe(
      v.array(
        v.strictObject({
          of: v.union([v.literal('count'), place]),
          op: v.picklist(groupComparisons),
          value: v.pipe(v.number(), v.finite()),
        }),
      ),
      v.maxLength(limits.maxTableConditions),
    ),
  ),
  order: v.optional(
    v.strictObject({ by: v.union([v.picklist(['value', 'count']), place]), asc: v.boolean() }),
  ),
})
export const group: v.GenericSchema<GroupQuery> = v.strictObject({
  ...dimension,
  table: v.optional(table),
})
export const pageQuery = v.strictObject({
  ...pageFields,
  withTotal: v.optional(v.boolean()),
  withOpen: v.optional(v.boolean()),
  group: v.optional(group),
  footer: v.optional(footer),
})

import * as v from 'valibot'
import type { EntityConfig } from '../entity/config.ts'
import {
  footerFunctions,
  type FooterQuery,
  groupUnits,
  type Where,
  whereOperators,
} from '../entity/list-query.ts'
import { type DictItem, itemTones, type Page, type Row } from '../entity/values.ts'
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
export const dictItem = v.object({
  id: v.string(),
  name: v.string(),
  pid: v.optional(v.string()),
  tone: v.optional(v.picklist(itemTones)),
}) as v.GenericSchema<unknown, DictItem>
export const dictItems = v.array(dictItem)
export const dictMap = v.record(v.string(), dictItems)
/** Any row: the server checks rows against their entity, so the schema checks the id only. */
export const row = v.looseObject({ id: v.string() }) as unknown as v.GenericSchema<unknown, Row>
export const values = v.record(v.string(), v.unknown())
export const page = v.looseObject({
  records: v.array(row),
  total: v.nullable(v.number()),
  size: v.number(),
  current: v.number(),
  totalIsEstimate: v.optional(v.boolean()),
  viewLacks: v.optional(v.number()),
  groups: v.optional(v.array(v.object({ value: v.unknown(), count: v.number() }))),
  moreGroups: v.optional(v.boolean()),
  footer: v.optional(
    v.array(v.object({ column: v.string(), fn: v.picklist(footerFunctions), value: v.unknown() })),
  ),
}) as unknown as v.GenericSchema<unknown, Page>
export const entityConfig = v.looseObject({
  tag: v.string(),
  name: v.string(),
  fields: v.array(v.looseObject({ id: v.string(), attrName: v.string() })),
  permissions: v.array(v.string()),
}) as unknown as v.GenericSchema<unknown, EntityConfig>

const column = v.pipe(v.string(), v.maxLength(64))
const sort = v.strictObject({ column, asc: v.boolean() })
const whereLeaf = v.strictObject({
  column,
  op: v.picklist(whereOperators),
  value: v.optional(v.unknown()),
})
const whereNodes = v.pipe(
  v.array(v.union([whereLeaf, v.lazy(() => where)])),
  v.maxLength(limits.maxWhereLeaves),
)
/** The server checks depth and number of leaves, to name them in its answer. */
export const where: v.GenericSchema<Where, Where> = v.union([
  v.strictObject({ and: whereNodes }),
  v.strictObject({ or: whereNodes }),
]) as unknown as v.GenericSchema<Where, Where>
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
export const footer = v.pipe(
  v.array(v.strictObject({ column, fn: v.picklist(footerFunctions) })),
  v.maxLength(limits.maxFooters),
) as unknown as v.GenericSchema<readonly FooterQuery[]>
export const group = v.strictObject({ column, by: v.optional(v.picklist(groupUnits)) })
export const pageQuery = v.strictObject({
  ...pageFields,
  withTotal: v.optional(v.boolean()),
  group: v.optional(group),
  footer: v.optional(footer),
})

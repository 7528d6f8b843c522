import * as v from 'valibot'
import { endpoint, fileEndpoint } from '../../endpoint.ts'
import { entityConfig } from './entity-config.ts'
import { limits } from '../../limits.ts'
import {
  chosenIds,
  dictItem,
  dictItems,
  group,
  page,
  pageFields,
  pageQuery,
  row,
  text,
  values,
  wholeNumber,
} from '../shapes.ts'

/** File formats of an export (docs/rules/contract.md#entity-data). */
export const exportFormats = ['xlsx', 'csv', 'ndjson'] as const
export type ExportFormat = (typeof exportFormats)[number]

export const exportBody = v.strictObject({
  ...pageFields,
  pageSize: v.optional(wholeNumber, -1),
  pageNum: v.optional(wholeNumber, -1),
  /** Ignored: an export is complete. */
  withTotal: v.optional(v.boolean()),
  fileName: v.optional(v.pipe(v.string(), v.maxLength(200))),
  columns: v.optional(v.pipe(v.array(text), v.maxLength(200))),
  format: v.optional(v.picklist(exportFormats), 'xlsx'),
  /** Restrict the export to `ids`, or omit `except`. */
  ids: v.optional(chosenIds),
  except: v.optional(chosenIds),
  /** Personal data unmasked: needs `pii:export` and a reason (docs/rules/security.md#d5). */
  reveal: v.optional(v.boolean()),
  reason: v.optional(v.pipe(v.string(), v.maxLength(limits.reasonLength))),
  /** With `table`: the file is the table of groups, as the list shows it. */
  group: v.optional(group),
})

const lookup = v.strictObject({
  fieldId: text,
  type: v.optional(v.nullable(v.union([v.string(), v.number()]))),
  query: v.optional(v.nullable(values)),
  searchKey: v.optional(v.nullable(text)),
  /** Only the choices with one of these names, in either case. */
  names: v.optional(
    v.pipe(v.array(v.pipe(v.string(), v.maxLength(200))), v.maxLength(limits.maxInValues)),
  ),
  /** attrName of each cascade parent → its chosen id, or a list of items. */
  cascades: v.optional(v.nullable(values)),
  pageNum: v.optional(wholeNumber, 1),
  pageSize: v.optional(
    v.pipe(wholeNumber, v.minValue(-1), v.maxValue(limits.maxPageSize)),
    limits.lookupPageSize,
  ),
})
const lookupAnswer = v.union([
  v.object({ records: dictItems, total: v.number() }),
  v.array(dictItem),
])
/** A page of choices; for tree kinds the whole list, flat. */
export type LookupAnswer = v.InferOutput<typeof lookupAnswer>

/**
 * The generic calls on the rows of an entity (docs/spec/1-entity-console.md §7,
 * docs/rules/contract.md#entity-data).
 */
export const entityData = {
  config: endpoint({
    method: 'GET',
    path: '/entity/{tag}/config',
    access: 'entity:{tag}:view',
    answer: entityConfig,
  }),
  page: endpoint({
    method: 'POST',
    keyed: false,
    path: '/entity/{tag}/data/page',
    access: 'entity:{tag}:view',
    proven: 'within',
    body: pageQuery,
    answer: page,
  }),
  /** The exact number of rows that a page query matches; given up when the caller leaves. */
  count: endpoint({
    method: 'POST',
    keyed: false,
    path: '/entity/{tag}/data/count',
    access: 'entity:{tag}:view',
    body: pageQuery,
    answer: v.object({ total: v.number() }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/entity/{tag}/data/{id}',
    access: 'entity:{tag}:view',
    proven: 'within',
    answer: row,
  }),
  create: endpoint({
    method: 'POST',
    keyed: true,
    path: '/entity/{tag}/data',
    access: 'entity:{tag}:add',
    proven: 'atCommit',
    fresh: 'depends',
    bodyKind: 'values',
    body: values,
    answer: row,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/entity/{tag}/data/{id}',
    access: 'entity:{tag}:update',
    proven: 'atCommit',
    fresh: 'depends',
    bodyKind: 'values',
    body: values,
    answer: row,
  }),
  /** `ids`: at most 500, joined by commas; all or none are deleted. */
  remove: endpoint({
    method: 'DELETE',
    path: '/entity/{tag}/data/{ids}',
    access: 'entity:{tag}:delete',
    answer: v.object({ deleted: v.number() }),
  }),
  /**
   * One value of personal data, unmasked. Also needs `pii:reveal`. `seconds`: how long clients show
   * it (docs/rules/security.md#d5).
   */
  reveal: endpoint({
    method: 'POST',
    keyed: false,
    path: '/entity/{tag}/data/{id}/reveal',
    access: 'entity:{tag}:view',
    fresh: true,
    body: v.strictObject({
      field: text,
      reason: v.optional(v.pipe(v.string(), v.maxLength(limits.reasonLength)), ''),
    }),
    answer: v.object({ value: v.string(), seconds: v.number() }),
  }),
  export: fileEndpoint({
    method: 'POST',
    keyed: false,
    path: '/entity/{tag}/data/export',
    access: 'entity:{tag}:export',
    fresh: 'depends',
    body: exportBody,
  }),
  template: fileEndpoint({
    method: 'GET',
    path: '/entity/{tag}/data/export-template',
    access: 'entity:{tag}:add',
  }),
  lookup: endpoint({
    method: 'POST',
    keyed: false,
    path: '/entity/{tag}/data/dicts/page',
    access: 'entity:{tag}:view',
    proven: 'beside',
    body: lookup,
    answer: lookupAnswer,
  }),
  lookupForm: endpoint({
    method: 'POST',
    keyed: false,
    path: '/entity/data/dicts',
    access: 'signed',
    bodyKind: 'form',
    body: v.strictObject({
      tag: v.optional(text),
      fieldId: text,
      type: v.optional(text),
      searchKey: v.optional(text),
      cascades: v.optional(text),
      query: v.optional(text),
      pageNum: v.optional(wholeNumber, 1),
      pageSize: v.optional(wholeNumber, limits.lookupPageSize),
    }),
    answer: lookupAnswer,
  }),
} as const

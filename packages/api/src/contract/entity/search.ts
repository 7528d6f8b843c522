import * as v from 'valibot'
import { endpoint } from '../../endpoint.ts'
import { limits } from '../../limits.ts'
import { text } from '../shapes.ts'

const place = { tag: v.pipe(v.string(), v.maxLength(64)), id: v.pipe(v.string(), v.maxLength(500)) }
const found = v.object({
  ...place,
  /** The name of the entity in the caller's language. */
  entity: v.string(),
  /** The name of the record, as lists and questions call it. */
  title: v.string(),
  /** The second line of a choice, which tells namesakes apart; empty without one. */
  note: v.string(),
})
/** A record that the caller may view. */
export type FoundRecord = v.InferOutput<typeof found>

const related = v.object({
  tag: v.string(),
  name: v.string(),
  /** The field that names the record, and its label. */
  attrName: v.string(),
  label: v.string(),
  /** The attribute of the record that the field stores; `id` unless its definition says otherwise. */
  valueAttr: v.string(),
})
/** A list of rows that name a record. */
export type RelatedList = v.InferOutput<typeof related>

/** Records across the entities of the caller's menu (docs/rules/contract.md#search). */
export const search = {
  /** By name, by the beginning of a unique value, or by the initials of a name in Pinyin. */
  find: endpoint({
    method: 'POST',
    keyed: false,
    path: '/search',
    access: 'staff',
    body: v.strictObject({ searchKey: v.pipe(text, v.maxLength(limits.searchKey)) }),
    answer: v.object({ records: v.array(found) }),
  }),
  /** The names of records, such as recent ones; those that the caller may not view are left out. */
  titles: endpoint({
    method: 'POST',
    keyed: false,
    path: '/search/titles',
    access: 'staff',
    body: v.strictObject({
      records: v.pipe(v.array(v.strictObject(place)), v.maxLength(limits.searchTitles)),
    }),
    answer: v.object({ records: v.array(found) }),
  }),
  /** Lists whose rows name a record of the entity, such as the grades of a student. */
  related: endpoint({
    method: 'GET',
    path: '/entity/{tag}/related',
    access: 'entity:{tag}:view',
    answer: v.array(related),
  }),
} as const

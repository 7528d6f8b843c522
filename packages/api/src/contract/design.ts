import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { entityDefinitionSchema } from '../entity/definition.ts'
import {
  type DefinitionCheck,
  type DefinitionFinding,
  type EntityRevision,
  type EntitySummary,
  type Impact,
  impactKinds,
  type StoredEntity,
} from '../entity/stored.ts'
import type { TableColumn, TableDrift, TableInfo } from '../entity/table.ts'
import type { Page } from '../entity/values.ts'
import { page, pageQuery, text, values } from './shapes.ts'

const finding = v.object({
  id: v.string(),
  severity: v.picklist(['error', 'warning']),
  path: v.string(),
  attrName: v.nullable(v.string()),
  msg: v.string(),
}) as v.GenericSchema<unknown, DefinitionFinding>
const impact = v.object({
  kind: v.picklist(impactKinds),
  object: v.string(),
  breaks: v.boolean(),
  msg: v.string(),
}) as v.GenericSchema<unknown, Impact>
const drift = v.object({
  missing: v.array(v.string()),
  unused: v.array(v.string()),
  added: v.array(v.string()),
  changed: v.array(v.object({ columnName: v.string(), from: v.string(), to: v.string() })),
}) as v.GenericSchema<unknown, TableDrift>
const stored = v.looseObject({
  ...entityDefinitionSchema.entries,
  id: v.string(),
  version: v.number(),
  builtIn: v.boolean(),
  updateTime: v.string(),
  updateUser: v.nullable(v.string()),
}) as unknown as v.GenericSchema<unknown, StoredEntity>
/** Answer of a save: the stored definition, and findings that did not prevent the save. */
export type SavedEntity = StoredEntity & {
  readonly findings: readonly DefinitionFinding[]
  readonly drift: TableDrift
}
const saved = v.intersect([
  stored,
  v.looseObject({ findings: v.array(finding), drift }),
]) as unknown as v.GenericSchema<unknown, SavedEntity>
const check = v.object({
  findings: v.array(finding),
  impact: v.array(impact),
  drift,
}) as v.GenericSchema<unknown, DefinitionCheck>
const column = v.object({
  columnName: v.string(),
  columnComment: v.string(),
  columnKey: v.picklist(['', 'PRI']),
  isKey: v.boolean(),
  columnType: v.string(),
  dataType: v.string(),
  dataLength: v.nullable(v.number()),
  isNullable: v.picklist(['YES', 'NO']),
  hasDefault: v.boolean(),
}) as v.GenericSchema<unknown, TableColumn>
const table = v.object({
  tableName: v.string(),
  tableComment: v.string(),
  tags: v.array(v.string()),
  rows: v.number(),
}) as v.GenericSchema<unknown, TableInfo>
const revision = v.object({
  version: v.number(),
  note: v.nullable(v.string()),
  createTime: v.string(),
  createUser: v.nullable(v.string()),
}) as v.GenericSchema<unknown, EntityRevision>
const summaries = page as unknown as v.GenericSchema<
  unknown,
  Page<EntitySummary & { readonly id: string }>
>

const access = 'entity:design'
/**
 * Definitions of entities (docs/spec/2-student-service-and-designer.md §7,
 * docs/rules/contract.md#definitions).
 * A definition is one flat object, with `id` and `version` beside its own keys. Bodies are plain
 * records here because the handler validates them, to report every finding at once (422 with the
 * ids of the checks).
 */
export const design = {
  page: endpoint({
    method: 'POST',
    keyed: false,
    path: '/entity/page',
    access,
    body: pageQuery,
    answer: summaries,
  }),
  /** `menu: false` adds no menu entry. */
  create: endpoint({
    method: 'POST',
    keyed: true,
    path: '/entity',
    access,
    body: values,
    answer: saved,
  }),
  get: endpoint({ method: 'GET', path: '/entity/{id}', access, answer: saved }),
  update: endpoint({ method: 'PUT', path: '/entity/{id}', access, body: values, answer: saved }),
  remove: endpoint({
    method: 'DELETE',
    path: '/entity/{id}',
    access,
    answer: v.object({ deleted: v.number() }),
  }),
  load: endpoint({ method: 'GET', path: '/entity/tag/{tag}', access, answer: saved }),
  /**
   * `version` is the loaded one.
   * @throws 409/40900 with the stored definition when it is stale
   * `note` is stored with the revision.
   */
  save: endpoint({ method: 'PUT', path: '/entity/tag/{tag}', access, body: values, answer: saved }),
  revisions: endpoint({
    method: 'GET',
    path: '/entity/tag/{tag}/revisions',
    access,
    answer: v.array(revision),
  }),
  revision: endpoint({
    method: 'GET',
    path: '/entity/tag/{tag}/revisions/{version}',
    access,
    answer: v.intersect([revision, v.object({ definition: entityDefinitionSchema })]),
  }),
  /**
   * Answers the findings and the impact that saving this definition would have. Changes nothing.
   */
  check: endpoint({
    method: 'POST',
    keyed: false,
    path: '/entity/check',
    access,
    body: values,
    answer: check,
  }),
  tables: endpoint({
    method: 'GET',
    path: '/table',
    access,
    query: v.strictObject({ name: v.optional(text), ts: v.optional(text) }),
    answer: v.array(table),
  }),
  columns: endpoint({
    method: 'GET',
    path: '/table/{name}/fields',
    access,
    answer: v.array(column),
  }),
  /** A first definition derived from a table. */
  draft: endpoint({
    method: 'GET',
    path: '/table/{name}/draft',
    access,
    query: v.strictObject({
      tag: v.optional(entityDefinitionSchema.entries.tag),
      ts: v.optional(text),
    }),
    answer: entityDefinitionSchema,
  }),
} as const

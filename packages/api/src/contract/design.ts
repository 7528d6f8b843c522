import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import {
  entityDefinitionSchema,
  fieldDefinitionSchema,
  keptFieldsSchema,
} from '../entity/definition/definition.ts'
import {
  type DefinitionCheck,
  type DefinitionFinding,
  type EntityRevision,
  type EntitySummary,
  type Impact,
  impactKinds,
  type StoredEntity,
} from '../entity/definition/stored.ts'
import type {
  TableColumn,
  TableDraft,
  TableDrafts,
  TableDrift,
  TableInfo,
} from '../entity/definition/table.ts'
import {
  askedTableSchema,
  sheetPlanSchema,
  sheetProposalSchema,
} from '../entity/definition/sheet.ts'
import {
  tableActSchema,
  tableOutcomeSchema,
  tableStateSchema,
} from '../entity/definition/table-change.ts'
import { jsonText } from '../exact-json.ts'
import { limits } from '../limits.ts'
import type { Page } from '../entity/list/page.ts'
import { pageEntries, pageQuery, text, values, wholeNumber } from './shapes.ts'

const finding = v.object({
  id: v.string(),
  severity: v.picklist(['error', 'warning']),
  path: v.string(),
  attrName: v.nullable(v.string()),
  msg: v.string(),
  flow: v.exactOptional(
    v.object({
      id: v.string(),
      path: v.array(v.object({ who: v.string(), event: v.string() })),
      states: v.array(v.string()),
    }),
  ),
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
const storedEntries = {
  ...entityDefinitionSchema.entries,
  id: v.string(),
  version: v.number(),
  builtIn: v.boolean(),
  updateTime: v.string(),
  updateUser: v.nullable(v.string()),
}
/** Answer of a save: the stored definition, and findings that did not prevent the save. */
export type SavedEntity = StoredEntity & {
  readonly findings: readonly DefinitionFinding[]
  readonly drift: TableDrift
}
const saved: v.GenericSchema<unknown, SavedEntity> = v.object({
  ...storedEntries,
  findings: v.array(finding),
  drift,
})
/** A flow with its findings, of which `flow` tells the path. */
const casesMoved = v.object({
  /** The states of earlier revisions with open cases. */
  states: v.array(
    v.object({
      state: v.string(),
      name: v.string(),
      count: v.number(),
      /** Null: its cases go on as they began. */
      to: v.nullable(v.string()),
      toName: v.nullable(v.string()),
    }),
  ),
  moved: v.number(),
  /** Cases that stay where they are, and why. */
  refused: v.array(v.object({ id: v.string(), msg: v.string() })),
})
/** Open cases of earlier revisions of a flow, and where a mapping of states leads them. */
export type FlowCasesMoved = v.InferOutput<typeof casesMoved>

export interface FlowProofs {
  readonly tag: string
  readonly name: string
  readonly findings: readonly DefinitionFinding[]
}
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
const kind = v.picklist(['table', 'view', 'materialized'])
const table = v.object({
  schema: v.string(),
  name: v.string(),
  comment: v.string(),
  kind,
  rows: v.nullable(v.number()),
  key: v.array(v.string()),
  readOnly: v.boolean(),
  reason: v.nullable(v.string()),
  entityTag: v.optional(v.string()),
  tags: v.array(v.string()),
}) as v.GenericSchema<unknown, TableInfo>
const drafted = {
  definition: entityDefinitionSchema,
  leftOut: v.array(v.object({ column: v.string(), reason: v.string() })),
  notes: v.array(v.string()),
  kept: v.optional(v.nullable(keptFieldsSchema)),
  school: v.optional(v.nullable(v.object({ attrName: v.string(), rows: v.nullable(v.number()) }))),
  passwords: v.optional(v.array(fieldDefinitionSchema)),
}
const draft = v.object(drafted) as v.GenericSchema<unknown, TableDraft>
const drafts = v.object({
  drafts: v.array(
    v.object({
      ...drafted,
      schema: v.string(),
      name: v.string(),
      kind,
      rows: v.nullable(v.number()),
      key: v.array(v.string()),
      readOnly: v.boolean(),
    }),
  ),
  refused: v.array(v.object({ schema: v.string(), name: v.string(), reason: v.string() })),
}) as v.GenericSchema<unknown, TableDrafts>
const names = v.optional(v.pipe(v.array(text), v.maxLength(limits.adoptTables)))
const revision = v.object({
  version: v.number(),
  note: v.nullable(v.string()),
  createTime: v.string(),
  createUser: v.nullable(v.string()),
}) as v.GenericSchema<unknown, EntityRevision>
const summaries: v.GenericSchema<unknown, Page<EntitySummary>> = v.object({
  ...pageEntries,
  records: v.array(
    v.object({
      id: v.string(),
      version: v.number(),
      builtIn: v.boolean(),
      updateTime: v.string(),
      updateUser: v.nullable(v.string()),
      tag: v.string(),
      name: v.string(),
      schemaName: v.string(),
      tableName: v.string(),
      fieldCount: v.number(),
      hasDrift: v.boolean(),
    }),
  ),
})

/** The JSON of a plan of 200 columns with their choices. */
const planText = v.pipe(v.string(), v.maxLength(1_000_000))

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
  /**
   * Moves the open cases that began with an earlier revision of the flow by `map`, old state to new state; a state
   * that it does not name goes on as it began. `preview` counts, and writes nothing.
   */
  moveCases: endpoint({
    method: 'POST',
    keyed: true,
    path: '/flow/move',
    access,
    body: v.strictObject({
      tag: text,
      map: v.record(text, text),
      note: v.optional(v.nullable(text)),
      preview: v.boolean(),
    }),
    answer: casesMoved,
  }),
  /** The flows of the school with what is wrong with them now: roles and people change after a save. */
  proveFlows: endpoint({
    method: 'GET',
    path: '/flow/proof',
    access,
    answer: v.array(
      v.object({ tag: v.string(), name: v.string(), findings: v.array(finding) }),
    ) as v.GenericSchema<unknown, readonly FlowProofs[]>,
  }),
  /** Tables, views and materialized views of the schemas in BUSINESS_SCHEMAS. */
  tables: endpoint({
    method: 'GET',
    path: '/table',
    access,
    query: v.strictObject({
      schema: v.optional(text),
      search: v.optional(text),
      ts: v.optional(text),
    }),
    answer: v.array(table),
  }),
  columns: endpoint({
    method: 'GET',
    path: '/table/{name}/fields',
    access,
    answer: v.array(column),
  }),
  /** A first definition derived from a table, named as `schema.table` or by its bare name. */
  draft: endpoint({
    method: 'GET',
    path: '/table/{name}/draft',
    access,
    query: v.strictObject({
      tag: v.optional(entityDefinitionSchema.entries.tag),
      ts: v.optional(text),
    }),
    answer: draft,
  }),
  /**
   * First definitions of several tables with the relations between them; all tables by default.
   * `together`: more tables that are brought in with them, so that tags and relations are those of
   * one draft although a client asks in several parts.
   */
  draftAll: endpoint({
    method: 'POST',
    keyed: false,
    path: '/design/draft',
    access,
    body: v.strictObject({ schemas: names, tables: names, together: names }),
    answer: drafts,
    timeout: limits.transferTimeout,
  }),
  /**
   * Saves all of the definitions or none, with menu entries in the branch `menuId` and the
   * dictionaries they bring. Needs the permission `entity:adopt` as well.
   */
  adopt: endpoint({
    method: 'POST',
    keyed: true,
    path: '/design/adopt',
    access,
    body: v.strictObject({ definitions: v.array(values), menuId: v.optional(v.nullable(text)) }),
    bodyBytes: limits.adoptBytes,
    answer: v.object({
      adopted: v.array(v.object({ tag: v.string(), name: v.string() })),
    }),
    timeout: limits.transferTimeout,
  }),
  /** A table for a sheet that fits no entity. Changes nothing. Needs the permission `entity:adopt` as well. */
  proposeSheet: endpoint({
    method: 'POST',
    keyed: false,
    path: '/design/sheet',
    access,
    bodyKind: 'multipart',
    body: v.strictObject({
      file: v.blob(),
      sheet: v.optional(text),
      heading: v.optional(v.pipe(wholeNumber, v.minValue(0))),
    }),
    answer: sheetProposalSchema,
    timeout: limits.transferTimeout,
  }),
  /**
   * Makes the table in the schema `form`, its definition and the import of its rows (`jobId`; null without the
   * right to add rows). `plan`: {@link SheetPlan} as JSON. Needs the permission `entity:adopt` as well.
   */
  adoptSheet: endpoint({
    method: 'POST',
    keyed: true,
    path: '/design/sheet/adopt',
    access,
    bodyKind: 'multipart',
    body: v.strictObject({ file: v.blob(), plan: v.pipe(planText, jsonText, sheetPlanSchema) }),
    answer: v.object({
      tag: v.string(),
      name: v.string(),
      table: v.string(),
      jobId: v.nullable(v.string()),
    }),
    timeout: limits.transferTimeout,
  }),
  /** The table of an entity: whether its columns can be changed here, archived ones, and what was changed. */
  tableState: endpoint({
    method: 'GET',
    path: '/design/table/{tag}',
    access,
    answer: tableStateSchema,
  }),
  /**
   * Adds, archives, restores or drops columns, takes a change back, or the whole table. `preview`: says what would
   * be done, and changes nothing. Needs the permission `entity:adopt` as well.
   */
  changeTable: endpoint({
    method: 'POST',
    keyed: true,
    path: '/design/table/{tag}',
    access,
    body: v.strictObject({ preview: v.boolean(), change: tableActSchema }),
    answer: tableOutcomeSchema,
    timeout: limits.transferTimeout,
  }),
  /** The entities and dictionaries that a new column can name. */
  columnSources: endpoint({
    method: 'GET',
    path: '/design/source',
    access,
    answer: v.object({
      targets: tableStateSchema.entries.targets,
      dictionaries: tableStateSchema.entries.dictionaries,
    }),
  }),
  /** An empty table in the schema `form` with its entity. Needs the permission `entity:adopt` as well. */
  makeTable: endpoint({
    method: 'POST',
    keyed: true,
    path: '/design/form',
    access,
    body: v.strictObject({ preview: v.boolean(), plan: askedTableSchema }),
    answer: v.object({ ...tableOutcomeSchema.entries, tag: v.string(), table: v.string() }),
    timeout: limits.transferTimeout,
  }),
  /**
   * Makes what a definition from another installation names and this one lacks: its table in the schema `form`, or
   * columns of a table that the product owns. `columns`: none is missing where it is empty. The definition itself is
   * not saved. Needs the permission `entity:adopt` as well.
   */
  supplyColumns: endpoint({
    method: 'POST',
    keyed: true,
    path: '/design/supply',
    access,
    body: v.strictObject({ preview: v.boolean(), definition: values }),
    answer: v.object({
      ...tableOutcomeSchema.entries,
      table: v.string(),
      isNew: v.boolean(),
      columns: v.array(v.string()),
    }),
    timeout: limits.transferTimeout,
  }),
} as const

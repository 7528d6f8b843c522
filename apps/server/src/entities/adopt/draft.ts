// Drafts of one table or of whole schemas, with the relations between them
// (docs/rules/contract.md#definitions).
import { dictTypes } from '@jiaowu/api/entity/enums'
import {
  type EntityDefinition,
  type EntityDraft,
  entityDefinitionSchema,
  type FieldDraft,
  fieldDefinitionSchema,
} from '@jiaowu/api/entity/definition/definition'
import { limits } from '@jiaowu/api/limits'
import type {
  SchoolField,
  TableDraft,
  TableDrafts,
  TableInfo,
} from '@jiaowu/api/entity/definition/table'
import { t } from '@jiaowu/api/texts/index'
import { withoutRelation } from '@jiaowu/validation'
import * as v from 'valibot'
import type { Context } from '../../model/context.ts'
import { Invalid, notFound, Refusal } from '../../platform/refusal.ts'
import { authorRights } from '../design/author-rights.ts'
import { tableKey } from '../../model/definition/column-key.ts'
import type { LoadedEntity } from '../../model/definition/loaded.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { type DraftedTable, draftTable, chooseKey, readOnlyReason } from './draft-table.ts'
import { holdHashes } from './draft-passwords.ts'
import { countSchoolRows } from './draft-school.ts'
import type { Choice } from './choices.ts'
import { withChoices } from './known-choices.ts'
import { type LinkTarget, linkDraft, relateByName } from './draft-links.ts'
import { findNameLinks, type NameLink } from './name-links.ts'
import { withStoredFacts } from './stored-facts.ts'
import { arrangeFields } from './arrange-fields.ts'
import {
  countTables,
  type ForeignKey,
  type InspectedTable,
  type ListedTable,
  listTables,
} from './inspect.ts'
import { inspectForDraft } from './school-keys.ts'
import { viewRefusals } from '../design/view-refusals.ts'
import { tagFor } from './names.ts'
import { tellNamesakesApart } from './repeated-titles.ts'

/** By table, relations that its columns could be by their names. */
type NameLinks = ReadonlyMap<InspectedTable, readonly NameLink[]>
type Asked = Pick<TableInfo, 'schema' | 'name'>

/** Every table that may become an entity, with its rows counted. */
export async function offeredTables(
  context: Context,
  {
    schema,
    search = '',
  }: { readonly schema?: string | undefined; readonly search?: string | undefined },
): Promise<TableInfo[]> {
  const schemas =
    schema === undefined || schema === ''
      ? listOfferedSchemas(context)
      : assertOffered(context, [schema])
  const wanted = search.trim().toLowerCase()
  const listed = (await listTables(context, schemas)).filter(
    ({ name, comment }) =>
      name.toLowerCase().includes(wanted) || comment.toLowerCase().includes(wanted),
  )
  const tables = await inspectForDraft(context, listed)
  const tags = await tagsByTable(context)
  const counts = await countTables(
    databaseOf(context),
    tables.map(({ catalog }) => catalog),
    context.subject.tenant,
  )
  return tables.map((table) => buildTableInfo(context, table, tags, counts))
}

const listOfferedSchemas = ({ settings }: Context) => settings.businessSchemas

/** @throws Invalid for a schema outside the setting BUSINESS_SCHEMAS */
function assertOffered(context: Context, schemas: readonly string[]): readonly string[] {
  const unknown = schemas.find((schema) => !listOfferedSchemas(context).includes(schema))
  if (unknown !== undefined)
    throw new Invalid([
      {
        path: 'schemas',
        rule: 'schema',
        message: {
          key: 'adopt.unknownSchema',
          params: { schema: unknown, known: listOfferedSchemas(context).join(', ') },
        },
      },
    ])
  return schemas
}

async function tagsByTable({ registry, subject }: Context): Promise<Map<string, LoadedEntity[]>> {
  return Map.groupBy(await registry.all(subject.tenant), tableKey)
}

function buildTableInfo(
  { locale }: Context,
  table: InspectedTable,
  entities: ReadonlyMap<string, readonly LoadedEntity[]>,
  counts: ReadonlyMap<string, number | null>,
): TableInfo {
  const id = buildTableId(table)
  const tags = (entities.get(id) ?? []).map(({ tag }) => tag)
  const key = chooseKey(table)
  const reason = readOnlyReason(table, key)
  const kind = table.catalog.kind ?? 'table'
  return {
    schema: table.schema,
    name: table.name,
    comment: table.comment,
    kind: kind === 'foreign' ? 'table' : kind,
    rows: counts.get(id) ?? null,
    key,
    readOnly: reason !== null,
    reason: reason === null ? null : t(locale, reason),
    ...(tags[0] !== undefined && { entityTag: tags[0] }),
    tags,
  }
}

/**
 * The table that a path names: `schema.table`, or a table of the first schema that has one.
 * @throws Refusal 404
 */
export async function namedTable(context: Context, name: string): Promise<InspectedTable> {
  const listed = findTable(await listTables(context, listOfferedSchemas(context)), name)
  const [table] = listed === undefined ? [] : await inspectForDraft(context, [listed])
  if (table === undefined) throw notFound()
  return table
}

/** The table `schema.table`, or a table of the first schema that has one. */
function findTable(tables: readonly ListedTable[], name: string): ListedTable | undefined {
  return (
    tables.find((table) => buildTableId(table) === name) ??
    tables.find((table) => table.name === name)
  )
}

/** `schema.table`. */
const buildTableId = ({ schema, name }: Asked) => `${schema}.${name}`

/** The draft of one table; its relations point to entities that exist. `choices`: those known beforehand. */
export async function draftOne(
  context: Context,
  name: string,
  tag: string | undefined,
  choices: ReadonlyMap<string, readonly Choice[]> = new Map(),
): Promise<TableDraft> {
  const named = withChoices(await namedTable(context, name), choices)
  const [table] = await withStoredFacts(context, [named])
  if (table === undefined) throw notFound()
  const views = await viewRefusals(context)
  const refusal = views.refusedRows(buildTableId(table))
  if (refusal !== null)
    throw new Refusal(422, {
      key: 'entity.E119',
      params: { table: buildTableId(table), reason: refusal },
    })
  const taken = await takenTags(context)
  const drafted = draftTable(
    table,
    tag ?? tagFor(table.schema, table.name, (each) => taken.has(each.toLowerCase())),
    context.locale,
    views,
  )
  const all = await listTables(context, listOfferedSchemas(context))
  const adopted = await tagsByTable(context)
  const links = await findNameLinks(
    context,
    [table],
    all.filter((each) => adopted.has(buildTableId(each))),
  )
  return (await linkedDrafts(context, [drafted], new Set([table]), links))[0] ?? notFoundDraft()
}

function notFoundDraft(): never {
  throw notFound()
}

async function takenTags({ registry, subject }: Context): Promise<Set<string>> {
  return new Set((await registry.all(subject.tenant)).map(({ tag }) => tag.toLowerCase()))
}

/**
 * The drafts of all tables of these schemas, or of those named. A part of a step costs no more than its
 * own tables and those that they refer to: tags need the names of the others only.
 * @throws Invalid for unknown schemas and tables
 */
export async function draftAll(
  context: Context,
  {
    schemas,
    tables: names,
    together = [],
  }: {
    readonly schemas?: readonly string[] | undefined
    readonly tables?: readonly string[] | undefined
    /** More tables of the same step, which are not answered. */
    readonly together?: readonly string[] | undefined
  },
): Promise<TableDrafts> {
  const chosen =
    schemas === undefined || schemas.length === 0
      ? listOfferedSchemas(context)
      : assertOffered(context, schemas)
  const all = await listTables(context, chosen)
  const asked = new Set(
    names === undefined
      ? all.filter(isStrangers(await tagsByTable(context)))
      : pickTables(all, names, 'tables'),
  )
  const others = new Set(pickTables(all, together, 'together'))
  // One order, whatever the part asked for: tags are given in turn.
  const step =
    others.size === 0 ? [...asked] : all.filter((each) => asked.has(each) || others.has(each))
  if (step.length > limits.adoptTables)
    throw new Refusal(422, { key: 'adopt.tooMany', params: { n: limits.adoptTables } })
  const tags = await tagsFor(context, step)
  const tables = await withStoredFacts(context, await inspectForDraft(context, [...asked]))
  const adopted = await tagsByTable(context)
  const known = all.filter((each) => step.includes(each) || adopted.has(buildTableId(each)))
  const named = await findNameLinks(context, tables, known)
  const related = await withStoredFacts(
    context,
    await inspectForDraft(context, relatedTo(tables, step, asked, named)),
  )
  const views = await viewRefusals(context)
  const refused: TableDrafts['refused'][number][] = []
  const drafted: DraftedTable[] = []
  for (const table of [...tables, ...related]) {
    const refusal = views.refusedRows(buildTableId(table))
    if (refusal !== null) {
      if (tables.includes(table)) refused.push({ ...pickTableName(table), reason: refusal })
      continue
    }
    const draft = draftTable(table, tags.get(buildTableId(table)) ?? '', context.locale, views)
    if (draft.definition.fields.length > 0) drafted.push(draft)
    else if (tables.includes(table))
      refused.push({ ...pickTableName(table), reason: t(context.locale, 'adopt.noColumns') })
  }
  return { drafts: await answeredDrafts(context, drafted, new Set(tables), named), refused }
}

/** Tags for the tables of a step, by `schema.table`. */
async function tagsFor(
  context: Context,
  step: readonly Asked[],
): Promise<ReadonlyMap<string, string>> {
  const taken = await takenTags(context)
  const tags = new Map<string, string>()
  for (const table of step) {
    const tag = tagFor(table.schema, table.name, (each) => taken.has(each.toLowerCase()))
    taken.add(tag.toLowerCase())
    tags.set(buildTableId(table), tag)
  }
  return tags
}

/** Tables of the step that these refer to and that are not among them. */
function relatedTo(
  tables: readonly InspectedTable[],
  step: readonly ListedTable[],
  asked: ReadonlySet<ListedTable>,
  named: NameLinks,
): ListedTable[] {
  const names = new Set(
    tables.flatMap((each) =>
      [...each.links, ...(named.get(each) ?? [])].map(({ schema, table }: ForeignKey) =>
        buildTableId({ schema, name: table }),
      ),
    ),
  )
  return step.filter((table) => !asked.has(table) && names.has(buildTableId(table)))
}

async function answeredDrafts(
  context: Context,
  drafted: readonly DraftedTable[],
  answered: ReadonlySet<InspectedTable>,
  named: NameLinks,
): Promise<TableDrafts['drafts']> {
  const shown = drafted.filter(({ table }) => answered.has(table))
  const counts = await countTables(
    databaseOf(context),
    shown.map(({ table }) => table.catalog),
    context.subject.tenant,
  )
  return (await linkedDrafts(context, drafted, answered, named)).map((draft, i) => {
    const table = shown[i]?.table
    if (table === undefined) return notFoundDraft()
    const { schema, name, kind, rows, key, readOnly } = buildTableInfo(
      context,
      table,
      new Map(),
      counts,
    )
    return { ...draft, schema, name, kind, rows, key, readOnly }
  })
}

const pickTableName = ({ schema, name }: Asked): Asked => ({ schema, name })

/** Tables that already have an entity are left out unless they are named. */
function isStrangers(entities: ReadonlyMap<string, unknown>) {
  return (table: ListedTable) => !entities.has(buildTableId(table))
}

/** @throws Invalid for a name without a table */
function pickTables(
  all: readonly ListedTable[],
  names: readonly string[],
  property: 'tables' | 'together',
): readonly ListedTable[] {
  const byId = new Map(all.map((table) => [buildTableId(table), table]))
  return [...new Set(names)].map((name, i) => {
    const found = byId.get(name) ?? findTable(all, name)
    if (found === undefined)
      throw new Invalid([
        {
          path: `${property}.${i}`,
          rule: 'table',
          message: { key: 'entity.E002', params: { table: name } },
        },
      ])
    return found
  })
}

/** Resolves the relations among the drafts and to entities that exist. */
async function linkedDrafts(
  context: Context,
  drafted: readonly DraftedTable[],
  answered: ReadonlySet<InspectedTable>,
  named: NameLinks,
): Promise<TableDraft[]> {
  const { locale, registry, subject } = context
  const targets = new Map<string, LinkTarget>()
  for (const entity of await registry.all(subject.tenant))
    if (!targets.has(tableKey(entity))) targets.set(tableKey(entity), targetOfEntity(entity))
  for (const { table, key, definition } of drafted)
    targets.set(`${table.schema}.${table.name}`, {
      tag: definition.tag,
      name: definition.name,
      key,
      tagField: definition.tagField ?? null,
      fields: definition.fields,
    })
  const findTarget = (schema: string, table: string) => targets.get(`${schema}.${table}`)
  for (const draft of drafted) linkDraft(draft, findTarget, locale)
  const tags = new Set(drafted.map((each) => each.definition.tag))
  const shown = drafted.filter(({ table }) => answered.has(table))
  await tellNamesakesApart(context, shown)
  const schools = await resolveSchoolFields(context, shown)
  const passwords = await askedPasswords(context, shown)
  const found: TableDraft[] = []
  const finish = async (draft: DraftedTable, definition: EntityDraft) =>
    await withoutForeignSources(
      context,
      v.parse(entityDefinitionSchema, {
        ...definition,
        fields: arrangeFields(draft.table, definition, draft.key),
      }),
      tags,
    )
  for (const draft of shown) {
    const { definition, leftOut, notes, kept } = draft
    const school = schools.get(draft) ?? null
    if (school !== null) notes.push(noteOfSchool(context, school))
    const related = relateByName(draft, named.get(draft.table) ?? [], findTarget, locale)
    found.push({
      definition: await finish(draft, definition),
      leftOut,
      notes,
      kept,
      school,
      links:
        related === null
          ? null
          : {
              fields: (await finish(draft, related)).fields,
              parentField: related.parentField ?? null,
            },
      passwords: v.parse(v.array(fieldDefinitionSchema), passwords.get(draft) ?? []),
    })
  }
  return found
}

/**
 * The fields of passwords that a person may add, by draft. Those whose stored values are hashes are
 * left out. Notes say both.
 */
async function askedPasswords(
  context: Context,
  drafted: readonly DraftedTable[],
): Promise<ReadonlyMap<DraftedTable, readonly FieldDraft[]>> {
  const found = drafted.flatMap((draft) =>
    draft.passwords.map((field) => ({
      draft,
      field,
      table: draft.table,
      column: field.columnName ?? '',
    })),
  )
  const hashed = await holdHashes(databaseOf(context), found)
  const asked = new Map<DraftedTable, readonly FieldDraft[]>()
  const byDraft = Map.groupBy(
    found.map((each, at) => ({ ...each, isHashed: hashed[at] === true })),
    ({ draft }) => draft,
  )
  for (const [draft, its] of byDraft) {
    const [kept, typed] = [
      its.filter(({ isHashed }) => isHashed),
      its.filter(({ isHashed }) => !isHashed),
    ]
    noteColumns(context, draft, 'adopt.note.hashes', kept)
    noteColumns(context, draft, 'adopt.note.passwords', typed)
    asked.set(
      draft,
      typed.map(({ field }) => field),
    )
  }
  return asked
}

function noteColumns(
  { locale }: Context,
  { notes }: DraftedTable,
  key: 'adopt.note.hashes' | 'adopt.note.passwords',
  found: readonly { readonly column: string }[],
): void {
  if (found.length > 0)
    notes.push(t(locale, key, { columns: found.map(({ column }) => column).join(', ') }))
}

async function resolveSchoolFields(
  context: Context,
  drafted: readonly DraftedTable[],
): Promise<ReadonlyMap<DraftedTable, SchoolField>> {
  const proposed = drafted.flatMap((draft) =>
    draft.school === null ? [] : [{ draft, attrName: draft.school }],
  )
  // Views are not run to count them.
  const counted = proposed.filter(({ draft }) => draft.table.catalog.kind === 'table')
  const rows = await countSchoolRows(
    databaseOf(context),
    counted.map(({ draft }) => draft.table),
    context.subject.tenant,
  )
  const byDraft = new Map(counted.map(({ draft }, i) => [draft, rows[i] ?? null]))
  return new Map(
    proposed.map(({ draft, attrName }) => [draft, { attrName, rows: byDraft.get(draft) ?? null }]),
  )
}

function noteOfSchool({ locale, subject }: Context, { rows }: SchoolField): string {
  return t(locale, 'adopt.note.school', {
    column: 'tenant_id',
    tenant: subject.tenant,
    rows: rows === null ? t(locale, 'adopt.unknownRows') : String(rows),
  })
}

function targetOfEntity({ tag, key, definition }: LoadedEntity): LinkTarget {
  return {
    tag,
    name: definition.name,
    key: key.map(({ name }) => name),
    tagField: definition.tagField,
    fields: definition.fields,
  }
}

/** A draft names no source that its author may not name: such a column shows its number. */
async function withoutForeignSources(
  context: Context,
  definition: EntityDefinition,
  drafted: ReadonlySet<string>,
): Promise<EntityDefinition> {
  const missingRight = await authorRights(context, definition)
  return {
    ...definition,
    fields: definition.fields.map((field) => {
      const [tag = '', attrName = ''] =
        field.dictType === dictTypes.entity ? (field.dictValue ?? '').split('.') : []
      return tag === '' ||
        drafted.has(tag) ||
        missingRight({ kind: 'attribute', tag, attrName }) === null
        ? field
        : { ...withoutRelation(field), isList: 0 }
    }),
  }
}

import { assertMarksKept } from '../personal/marks-kept.ts'
import { cutText } from '@jiaowu/api/cut-text'
import { compareNames } from '@jiaowu/api/compare-names'
import type {
  EntityRevision,
  EntitySummary,
  StoredEntity,
} from '@jiaowu/api/entity/definition/stored'
import { entityDefinitionSchema } from '@jiaowu/api/entity/definition/definition'
import { limits } from '@jiaowu/api/limits'
import * as v from 'valibot'
import type { Context, ServerHandlers } from '../../model/context.ts'
import {
  acceptDefinition,
  assertMayChange,
  assertMayDelete,
  checkDefinition,
  definitionIn,
  findingsAndDrift,
  proveFlows,
} from '../design/check.ts'
import { adoptDefinitions } from '../adopt/adopt.ts'
import { draftAll, draftOne, namedTable, offeredTables } from '../adopt/draft.ts'
import { actOnTable } from '../form/columns/act-on-table.ts'
import { makeEmptyTable } from '../form/columns/make-table.ts'
import { supplyColumns } from '../form/columns/supply-columns.ts'
import { listSources, loadTableState } from '../form/columns/table-state.ts'
import { adoptSheet } from '../form/sheet/adopt-sheet.ts'
import { proposeTable } from '../form/sheet/propose-table.ts'
import { readableDefinition, hideSql } from '../design/hidden-sql.ts'
import { moveCases } from '../flow/move-cases.ts'
import {
  createDefinitions,
  loadAll,
  loadById,
  loadByTag,
  removeDefinition,
  loadRevisions,
  saveDefinition,
} from '../design/store.ts'
import { businessColumns } from '../design/tables.ts'
import { localTime } from '../../model/fields/local-time.ts'
import { Invalid, notFound, stale } from '../../platform/refusal.ts'

type Body = Record<string, unknown>

/**
 * Filters of the list of definitions. A tenant has hundreds at most, so they are filtered in
 * memory.
 */
const filters: Readonly<Record<string, (entity: EntitySummary, wanted: string) => boolean>> = {
  keyword: ({ tag, name, tableName }, wanted) =>
    [tag, name, tableName].some((text) => text.toLowerCase().includes(wanted)),
  tag: ({ tag }, wanted) => tag.toLowerCase().includes(wanted),
  name: ({ name }, wanted) => name.toLowerCase().includes(wanted),
  tableName: ({ tableName }, wanted) => tableName.includes(wanted),
  schemaName: ({ schemaName }, wanted) => schemaName === wanted,
}
const sortable = ['tag', 'name', 'tableName', 'updateTime', 'version', 'fieldCount'] as const

export const designHandlers: ServerHandlers['design'] = {
  proveFlows: (_input, context) => proveFlows(context),
  moveCases: async ({ body: { tag, map, note = null, preview } }, context) => {
    const entity = await context.registry.get(context.subject.tenant, tag)
    assertMayChange(context, entity.definition)
    return await moveCases(context, entity, { map, note, preview })
  },
  page: async ({ body: { pageNum, pageSize, queries, sorts } }, context) => {
    const wanted = Object.entries(queries).filter(([, value]) => value !== null && value !== '')
    const unknown =
      wanted.find(([key]) => !Object.hasOwn(filters, key))?.[0] ??
      sorts.find(({ column }) => !(sortable as readonly string[]).includes(column))?.column
    if (unknown !== undefined) throw buildDesignFault(unknown, 'unknownField', 'rule.unknownField')
    const found = (await summaries(context)).filter((entity) =>
      wanted.every(
        ([key, value]) => filters[key]?.(entity, String(value).trim().toLowerCase()) ?? true,
      ),
    )
    const sorted = sorts.reduceRight(
      (rows, { column, asc }) =>
        rows.toSorted(
          (a, b) =>
            compareSortable(
              a[column as (typeof sortable)[number]],
              b[column as (typeof sortable)[number]],
            ) * (asc ? 1 : -1),
        ),
      found,
    )
    const size = pageSize < 1 ? limits.maxPageSize : pageSize
    const current = Math.max(pageNum, 1)
    return {
      records: sorted.slice((current - 1) * size, current * size),
      total: found.length,
      size,
      current,
    }
  },
  create: async ({ body }, context) => {
    const { definition } = await acceptDefinition(context, definitionIn(body), null)
    await createDefinitions(context, [definition], {
      note: noteIn(body),
      menu: body['menu'] !== false,
    })
    return await answerSaved(context, definition.tag)
  },
  get: async ({ params: { id } }, context) => answerDesign(context, await loadById(context, id)),
  update: async ({ params: { id }, body }, context) =>
    replaceDefinition(context, await loadById(context, id), body),
  remove: async ({ params: { id } }, context) => {
    const stored = await loadById(context, id)
    await assertMarksKept(context, stored, null)
    assertMayChange(context, stored)
    await assertMayDelete(context, stored)
    await removeDefinition(context, stored, definitionIn({ ...hideSql(stored) }))
    context.registry.invalidate()
    return { deleted: 1 }
  },
  load: async ({ params: { tag } }, context) =>
    answerDesign(context, await loadByTag(context, tag)),
  save: async ({ params: { tag }, body }, context) =>
    replaceDefinition(context, await loadByTag(context, tag), body),
  revisions: async ({ params: { tag } }, context) =>
    (await loadRevisions(context, tag)).map(toRevision),
  revision: async ({ params: { tag, version } }, context) => {
    const found = (await loadRevisions(context, tag)).find((row) => String(row.version) === version)
    if (found === undefined) throw notFound()
    return {
      ...toRevision(found),
      definition: readableDefinition(context, v.parse(entityDefinitionSchema, found.definition)),
    }
  },
  check: ({ body }, context) => checkDefinition(context, definitionIn(body)),
  tables: ({ query }, context) => offeredTables(context, query),
  columns: async ({ params: { name } }, context) => {
    const table = await namedTable(context, name)
    return await businessColumns(context, table)
  },
  draft: ({ params: { name }, query: { tag } }, context) => draftOne(context, name, tag),
  draftAll: ({ body }, context) => draftAll(context, body),
  adopt: ({ body: { definitions, menuId } }, context) =>
    adoptDefinitions(context, definitions, menuId ?? null),
  proposeSheet: ({ body: { file, sheet, heading } }, context) =>
    proposeTable(context, file, { sheet, heading }),
  adoptSheet: ({ body: { file, plan } }, context) => adoptSheet(context, file, plan),
  tableState: ({ params: { tag } }, context) => loadTableState(context, tag),
  changeTable: ({ params: { tag }, body }, context) => actOnTable(context, tag, body),
  columnSources: (_input, context) => listSources(context),
  makeTable: ({ body }, context) => makeEmptyTable(context, body),
  supplyColumns: ({ body }, context) => supplyColumns(context, body),
}

function buildDesignFault(
  path: string,
  rule: string,
  key: 'rule.versionRequired' | 'rule.unknownField',
) {
  return new Invalid([{ path, rule, message: { key } }])
}

async function summaries(context: Context): Promise<EntitySummary[]> {
  const catalog = await context.registry.catalog()
  return (await loadAll(context)).map((entity) => {
    const table = catalog.get(`${entity.schemaName}.${entity.tableName}`)
    const missing = entity.fields.some(
      ({ columnName }) => columnName !== null && table?.columns.has(columnName) !== true,
    )
    const { id, version, builtIn, updateTime, updateUser, tag, name, schemaName, tableName } =
      entity
    return {
      id,
      version,
      builtIn,
      updateTime,
      updateUser,
      tag,
      name,
      schemaName,
      tableName,
      fieldCount: entity.fields.length,
      hasDrift: missing,
    }
  })
}

function compareSortable(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : compareNames(String(a), String(b))
}

function noteIn({ note }: Body): string | null {
  return typeof note === 'string' && note.trim() !== '' ? cutText(note.trim(), 500) : null
}

/** Makes the next request use the saved definition, and answers it. */
async function answerSaved(context: Context, tag: string) {
  context.registry.invalidate()
  return await answerDesign(context, await loadByTag(context, tag))
}

async function answerDesign(context: Context, stored: StoredEntity) {
  const { findings, drift } = await findingsAndDrift(context, definitionIn({ ...stored }), stored)
  return { ...readableDefinition(context, stored), findings, drift }
}

async function replaceDefinition(context: Context, before: StoredEntity, body: Body) {
  const { version } = body
  if (typeof version !== 'number' && typeof version !== 'string')
    throw buildDesignFault('version', 'versionRequired', 'rule.versionRequired')
  if (String(version) !== String(before.version)) throw stale(readableDefinition(context, before))
  const { definition } = await acceptDefinition(context, definitionIn(body), before)
  await assertMarksKept(context, before, definition)
  if (!(await saveDefinition(context, before, definition, noteIn(body))))
    throw stale(readableDefinition(context, await loadByTag(context, before.tag)))
  return await answerSaved(context, before.tag)
}

function toRevision(row: Awaited<ReturnType<typeof loadRevisions>>[number]): EntityRevision {
  return {
    version: row.version,
    note: row.note,
    createTime: localTime(new Date(row.create_time)),
    createUser: row.user_name,
  }
}

// The ports of the grid over the client of the contract: the same on every surface.
import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { Job } from '@jiaowu/api/contract/job'
import { limits } from '@jiaowu/api/limits'
import type { Row, Values } from '@jiaowu/api/entity/values'
import { joinRowIds } from '@jiaowu/api/row-id'
import type { Where, WhereNode } from '@jiaowu/api/entity/list/list-query'
import { knownPart } from '../entity-list/conditions/conditions.ts'
import type { Message } from '@jiaowu/api/texts/index'
import {
  readReviewedRows,
  startCheck,
  toJobProblem,
  type Wait,
  writeCheckedJob,
} from './check-job.ts'
import type { GridQuery, PasteRow, RowWrite } from './context.ts'
import type { KeyAsk } from './matching/types.ts'
import { foldText } from './matching/texts.ts'
import { heldIn } from './clipboard/paste.ts'
import { checkRows, type KnownRow } from './paste-check.ts'
import type { GridPorts } from './ports.ts'
import { type NewIds, saveAll } from './save-rows.ts'

type Api = Pick<Client<typeof contract>, 'entityData' | 'history' | 'job' | 'session'>

/** Pages of records with one of some names: the server answers no more. */
const mostNamePages = 10

export function gridApiPorts(
  api: Api,
  wait: Wait,
  textOf: (message: Message) => string,
  newIds: NewIds = new Map<string, string>(),
): GridPorts {
  let config: EntityConfig | null = null
  const bodyOf = (query: GridQuery, block: number) => {
    const { queries, sorts, where } =
      config === null ? query : knownPart(config, { ...query, where: query.where ?? undefined })
    return {
      pageNum: block + 1,
      pageSize: limits.gridBlock,
      sorts: [...sorts],
      queries: { ...queries },
      where: where ?? undefined,
    }
  }
  const page = async (
    tag: string,
    query: GridQuery,
    block: number,
    withTotal: boolean,
    signal: AbortSignal,
    pageSize: number = limits.gridBlock,
  ): ReturnType<Api['entityData']['page']> =>
    api.entityData.page({
      params: { tag },
      body: {
        ...bodyOf(query, block),
        pageSize,
        ...(withTotal ? {} : { withTotal }),
        ...(config?.flow === true && { withOpen: true }),
      },
      signal,
    })
  return {
    loadConfig: async ({ tag }, signal) => {
      config = await api.entityData.config({ params: { tag }, signal })
      return config
    },
    loadBlock: async ({ tag, query, block, withTotal }, signal) => {
      const answer = await page(tag, query, block, withTotal, signal)
      const { records, total, totalIsEstimate, open } = answer
      return {
        rows: records,
        total: withTotal ? total : null,
        isEstimate: totalIsEstimate ?? false,
        ...(open !== undefined && { open }),
      }
    },
    countRows: ({ tag, query }, signal) =>
      api.entityData.count({ params: { tag }, body: bodyOf({ ...query, sorts: [] }, 0), signal }),
    loadRows: async ({ tag, query, first, last }, signal) => ({
      rows: await rowsIn(page, { tag, query, first, last }, signal),
    }),
    findRows: async ({ tag, query, total, asks }, signal) => {
      if (total > limits.gridWhole)
        return { rows: await rowsOfKeys(api, page, { tag, query, asks }, signal), isWhole: false }
      const last = Math.floor(Math.max(0, total - 1) / limits.gridBlock)
      return { rows: await rowsIn(page, { tag, query, first: 0, last }, signal), isWhole: true }
    },
    saveRows: ({ tag, rows }, signal) => saveAll(api, { tag, rows, config, newIds }, signal),
    checkPaste: async ({ tag, query, rows }, signal) => {
      const found = await withIds(rows, (block) => page(tag, query, block, false, signal))
      return await checkRows(api, wait, { tag, config, rows: found, textOf }, signal)
    },
    writePaste: async ({ jobId }, signal) => {
      const job = await writeCheckedJob(api, wait, jobId ?? '', 'skip', signal)
      return { changed: job.updated, added: await addedIds(api, job, signal) }
    },
    dropPaste: async ({ jobId }, signal) => {
      if (jobId !== null) await api.job.cancel({ params: { id: jobId }, signal })
    },
    revertRows: ({ tag, write, remove }, signal) =>
      revert(api, wait, { tag, config, write, remove }, signal),
  }
}

type LoadPage = (
  tag: string,
  query: GridQuery,
  block: number,
  withTotal: boolean,
  signal: AbortSignal,
  pageSize?: number,
) => Promise<{ readonly records: readonly Row[] }>

interface Blocks {
  readonly tag: string
  readonly query: GridQuery
  readonly first: number
  readonly last: number
}

/** The rows of some blocks, in as few pages as the server allows. */
async function rowsIn(
  page: LoadPage,
  { tag, query, first, last }: Blocks,
  signal: AbortSignal,
): Promise<Row[]> {
  const size = limits.maxPageSize
  const from = first * limits.gridBlock
  const until = (last + 1) * limits.gridBlock
  const rows: Row[] = []
  const start = Math.floor(from / size)
  for (let number = start; number * size < until; number += 1) {
    const { records } = await page(tag, query, number, false, signal, size)
    rows.push(...records)
    if (records.length < size) break
  }
  return rows.slice(from - start * size, until - start * size)
}

interface Keys {
  readonly tag: string
  readonly query: GridQuery
  readonly asks: readonly KeyAsk[]
}
/** The rows of a list, by the conditions of that list, that have one of the keys. */
async function rowsOfKeys(
  api: Api,
  page: LoadPage,
  { tag, query, asks }: Keys,
  signal: AbortSignal,
): Promise<Row[]> {
  const found = new Map<string, Row>()
  // Keys may repeat: so many values are asked for together that all of their rows are read. Of more rows some would be
  // missing, and a namesake with them.
  let together: number = limits.maxInValues
  for (const { attrName, texts, fieldId } of asks) {
    const values =
      fieldId === null ? texts : await findRecordIds(api, { tag, fieldId, texts }, signal)
    for (let at = 0; at < values.length;) {
      const value = values.slice(at, at + together)
      const leaf = { column: attrName, op: 'in', value } as const
      const where = { and: [...listWhereParts(query.where ?? null), leaf] }
      const rows: Row[] = []
      for (let number = 0; number < limits.gridWhole / limits.maxPageSize; number += 1) {
        const asked = { ...query, where, sorts: [] }
        const { records } = await page(tag, asked, number, false, signal, limits.maxPageSize)
        rows.push(...records)
        if (records.length < limits.maxPageSize) break
      }
      const isWhole = rows.length < limits.gridWhole
      if (isWhole) for (const row of rows) found.set(row.id, row)
      if (isWhole || value.length === 1) at += value.length
      else together = Math.max(1, Math.floor(value.length / 2))
    }
  }
  return [...found.values()]
}

interface Named {
  readonly tag: string
  readonly fieldId: string
  readonly texts: readonly string[]
}

/** The ids of the records of a relation that have one of these names. */
async function findRecordIds(
  api: Api,
  { tag, fieldId, texts }: Named,
  signal: AbortSignal,
): Promise<string[]> {
  const wanted = new Set(texts.map(foldText))
  const ids = new Set<string>()
  for (let pageNum = 1; ; pageNum += 1) {
    const answer = await api.entityData.lookup({
      params: { tag },
      body: { fieldId, names: [...texts], pageNum, pageSize: limits.maxPageSize },
      signal,
    })
    const found = Array.isArray(answer) ? answer : answer.records
    for (const { id, name } of found) if (wanted.has(foldText(name))) ids.add(id)
    if (Array.isArray(answer) || found.length < limits.maxPageSize || pageNum === mostNamePages)
      return [...ids]
  }
}

function listWhereParts(where: Where | null): readonly WhereNode[] {
  return where === null ? [] : 'and' in where ? where.and : [where]
}

/** The rows with the ids of those that were not loaded. Rows that are gone by now are left out. */
async function withIds(
  rows: readonly PasteRow[],
  load: (block: number) => Promise<{ readonly records: readonly Row[] }>,
): Promise<KnownRow[]> {
  const blocks = new Map<number, readonly Row[]>()
  const found: KnownRow[] = []
  for (const { id, held, whole, ...row } of rows) {
    if (id !== undefined) {
      found.push({ ...row, id, held, whole })
      continue
    }
    if (row.index === null) continue
    const block = Math.floor(row.index / limits.gridBlock)
    if (!blocks.has(block)) blocks.set(block, (await load(block)).records)
    const stored = blocks.get(block)?.[row.index % limits.gridBlock]
    if (stored !== undefined)
      found.push({
        ...row,
        id: stored.id,
        held: heldIn(stored, row.values),
        whole: stored as Values,
      })
  }
  return found
}

async function addedIds(api: Api, { id, inserted }: Job, signal: AbortSignal): Promise<string[]> {
  if (inserted === 0) return []
  const rows = await readReviewedRows(api, id, 'fresh', Infinity, signal)
  return rows.flatMap((row) => (row.id === null ? [] : [row.id]))
}

interface Revert {
  readonly tag: string
  readonly config: EntityConfig | null
  readonly write: readonly RowWrite[]
  readonly remove: readonly string[]
}

/** All rows or none: a row that is refused stops the whole step. */
async function revert(
  api: Api,
  wait: Wait,
  { tag, config, write, remove }: Revert,
  signal: AbortSignal,
): Promise<{ readonly added: readonly string[] }> {
  let added: readonly string[] = []
  if (write.length > 0) {
    const job = await startCheck(api, wait, { tag, config, rows: write, onError: 'abort' }, signal)
    const { wrong, changed, fresh } = job.review
    if (wrong > 0 || changed + fresh === 0) await api.job.cancel({ params: { id: job.id }, signal })
    if (wrong > 0) throw toJobProblem(job)
    if (changed + fresh > 0)
      added = await addedIds(api, await writeCheckedJob(api, wait, job.id, 'abort', signal), signal)
  }
  for (let at = 0; at < remove.length; at += limits.maxDeleteIds)
    await api.entityData.remove({
      params: { tag, ids: joinRowIds(remove.slice(at, at + limits.maxDeleteIds)) },
      signal,
    })
  return { added }
}

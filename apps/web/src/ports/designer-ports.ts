import { withoutStoredKeys } from '@jiaowu/api/entity/definition/stored'
import { toProblem } from '@jiaowu/api/problem'
import type { TableColumn } from '@jiaowu/api/entity/definition/table'
import type { DesignData, DesignerPorts } from '@jiaowu/machines/designer/ports'
import type { Api } from '../app/api.ts'

/**
 * Ports of the designer over HTTP. If the definition of a table draft was saved meanwhile (for
 * example after a reload of the page), the saved definition opens instead of the draft.
 */
export function designPorts(api: Api): DesignerPorts {
  return {
    loadDesign: async (target, signal) => {
      if (!('table' in target)) return loadStored(api, target.tag, signal)
      const { table, tag } = target
      if (tag !== null && (await isSaved(api, tag, signal))) return loadStored(api, tag, signal)
      const [{ definition: draft }, columns] = await Promise.all([
        api.design.draft({ params: { name: table }, query: tag === null ? {} : { tag }, signal }),
        api.design.columns({ params: { name: table }, signal }),
      ])
      return { stored: null, draft, columns }
    },
    checkDesign: ({ draft }, signal) => api.design.check({ body: { ...draft }, signal }),
    saveDesign: ({ draft, version, note }, signal) => {
      const body = { ...draft, ...(note === null ? {} : { note }) }
      return version === null
        ? api.design.create({ body, signal })
        : api.design.save({ params: { tag: draft.tag }, body: { ...body, version }, signal })
    },
  }
}

async function loadStored(api: Api, tag: string, signal: AbortSignal): Promise<DesignData> {
  const stored = await api.design.load({ params: { tag }, signal })
  return {
    stored,
    draft: withoutStoredKeys(stored),
    columns: await loadTableColumns(api, stored.schemaName, stored.tableName, signal),
  }
}

/**
 * Columns of the table; none for system tables, which the designer does not offer
 * (docs/rules/contract.md#definitions).
 */
async function loadTableColumns(
  api: Api,
  schemaName: string,
  name: string,
  signal: AbortSignal,
): Promise<readonly TableColumn[]> {
  if (schemaName === 'sys') return []
  try {
    return await api.design.columns({ params: { name: `${schemaName}.${name}` }, signal })
  } catch (error) {
    if (toProblem(error).code === 404) return [] // the table was dropped: the check of the definition reports it
    throw error
  }
}

async function isSaved(api: Api, tag: string, signal: AbortSignal): Promise<boolean> {
  return (
    await api.design.page({
      body: { pageNum: 1, pageSize: -1, queries: { tag }, sorts: [] },
      signal,
    })
  ).records.some((entity) => entity.tag === tag)
}

/** Signal that lists of definitions reload on. */
export const definitionsSignal = ':definitions'

// Cases of tables that designers change while the server runs, for a suite with a server.
import type { TestApp } from '@jiaowu/server/testing'
import type { PlannedColumn } from '@jiaowu/api/entity/definition/sheet'
import type { TableAct } from '@jiaowu/api/entity/definition/table-change'
import { ApiProblem } from '@jiaowu/api/problem'

export type Admin = Awaited<ReturnType<TestApp['signIn']>>

export const change = (api: Admin, tag: string, act: TableAct) =>
  api.design.changeTable({ params: { tag }, body: { preview: false, change: act } })
export const preview = (api: Admin, tag: string, act: TableAct) =>
  api.design.changeTable({ params: { tag }, body: { preview: true, change: act } })
export const loadState = (api: Admin, tag: string) => api.design.tableState({ params: { tag } })

/** The text of the refusal, and of what is wrong with each column. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ApiProblem)) return error === null ? 'no refusal' : String(error)
  const { message, issues } = error.problem
  return [message, ...issues.map(({ msg }) => msg)].join(' ')
}

export const makeTable = (api: Admin, name: string, columns: readonly PlannedColumn[]) =>
  api.design.makeTable({
    body: {
      preview: false,
      plan: { name, tag: name.toUpperCase(), table: name, columns: [...columns] },
    },
  })

export const addRow = (api: Admin, tag: string, body: Record<string, unknown>) =>
  api.entityData.create({ params: { tag }, body: body as never })

export async function listRows(api: Admin, tag: string) {
  const body = { pageNum: 1, pageSize: 50, queries: {}, sorts: [] }
  return (await api.entityData.page({ params: { tag }, body })).records
}

export async function listAttributes(api: Admin, tag: string): Promise<string[]> {
  const { fields } = await api.entityData.config({ params: { tag } })
  return fields.map(({ attrName }) => attrName)
}

import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import type { Row } from '@jiaowu/api/entity/values'

type Api = Client<typeof contract>
const params = { tag: 'SYS_PARAM' }

/** The row of a setting of the caller's school. */
export async function settingRow(api: Api, code: string): Promise<Row> {
  const { records } = await api.entityData.page({
    params,
    body: { where: { and: [{ column: 'code', op: 'equal', value: code }] } },
  })
  const [row] = records
  if (row === undefined) throw new Error(`no parameter ${code}`)
  return row
}

/** Sets a setting of the caller's school by its form. */
export async function setSetting(api: Api, code: string, value: string): Promise<Row> {
  const { id, version } = await settingRow(api, code)
  return await api.entityData.update({ params: { ...params, id }, body: { version, value } })
}

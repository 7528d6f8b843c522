import { createClient } from '@jiaowu/api/client/client'
import { contractHandlers, mockFetch } from '@jiaowu/mock'
import { describe, expect, it } from 'vitest'
import { consoleAnswers } from './console-answers.ts'

function createSignedInClient() {
  return createClient({
    baseURL: 'http://localhost/api',
    locale: () => 'zh-CN',
    authorise: () => Promise.resolve({ token: 'T', account: 'admin', accountId: '1' }),
    fetch: mockFetch(contractHandlers(consoleAnswers())),
  })
}
const params = { tag: 'EDU_STUDENT' }

describe('the mocked console', () => {
  it('lists every entity of its menu, within the contract', async () => {
    const api = createSignedInClient()
    const tags = (await api.session.menu({})).flatMap(({ children }) =>
      children.map(({ tag }) => tag ?? ''),
    )
    expect(tags).toContain('EDU_STUDENT')
    for (const tag of tags) {
      expect((await api.entityData.config({ params: { tag } })).fields.length).toBeGreaterThan(0)
      const page = await api.entityData.page({ params: { tag }, body: { pageSize: 5 } })
      expect(page.records.length).toBe(5)
    }
  })

  it('filters, sorts and pages rows', async () => {
    const api = createSignedInClient()
    const [first] = (await api.entityData.page({ params, body: {} })).records
    const name = String(first?.name)
    const found = await api.entityData.page({ params, body: { queries: { name } } })
    expect(found.records.map((row) => row.name)).toContain(name)
    expect(found.total).toBeLessThan(9)
    const sorted = await api.entityData.page({
      params,
      body: { pageSize: 3, pageNum: 2, sorts: [{ column: 'name', asc: false }] },
    })
    expect(sorted.records.map(({ id }) => id)).toEqual(['6', '5', '4'])
  })

  it('groups, sums and filters by nested conditions', async () => {
    const api = createSignedInClient()
    const [first] = (await api.entityData.page({ params, body: {} })).records
    const answer = await api.entityData.page({
      params,
      body: {
        where: { or: [{ column: 'name', op: 'equal', value: first?.name }] },
        withTotal: false,
        group: { column: 'name' },
        footer: [{ column: 'name', fn: 'count' }],
      },
    })
    expect(answer.total).toBe(null)
    expect(answer.groups).toContainEqual({ value: first?.name, count: 1 })
    expect(answer.footer).toEqual([{ column: 'name', fn: 'count', value: answer.records.length }])
  })

  it('keeps what is added and changed, refuses a stale version, and deletes', async () => {
    const api = createSignedInClient()
    const { id } = await api.entityData.create({ params, body: { name: '新生' } })
    const at = { ...params, id }
    expect(await api.entityData.get({ params: at })).toMatchObject({ name: '新生', version: 1 })
    const update = { params: at, body: { name: '改名', version: 1 } }
    expect(await api.entityData.update(update)).toMatchObject({ name: '改名', version: 2 })
    await expect(api.entityData.update(update)).rejects.toMatchObject({ problem: { code: 40_900 } })
    expect(await api.entityData.remove({ params: { ...params, ids: id } })).toEqual({ deleted: 1 })
    await expect(api.entityData.get({ params: at })).rejects.toMatchObject({
      problem: { code: 404 },
    })
  })
})

import { expect, it } from 'vitest'
import { Data, throughContract } from './through-contract.ts'

const json = { 'content-type': 'application/json' }
const buildPageRequest = (body: object): [string, RequestInit] => [
  '/api/entity/A/data/page',
  { method: 'POST', headers: json, body: JSON.stringify(body) },
]

it('passes on an answer that the contract allows, and failures of the network', async () => {
  const records = [{ id: '1' }]
  const { fetch, assertKept } = throughContract(async (_url, init) => {
    if (init?.body === '{"pageNum":2}') throw new TypeError('fetch failed')
    return new Data({ records, total: 1, size: 10, current: 1 })
  })
  expect(await (await fetch(...buildPageRequest({}))).json()).toMatchObject({ data: { records } })
  await expect(fetch(...buildPageRequest({ pageNum: 2 }))).rejects.toThrow('fetch failed')
  assertKept()
})

it.each([
  ['an answer', {}, 'the answer of entityData.page breaks the contract at records'],
  ['a request', { pageSize: 5000 }, 'the request POST /api/entity/A/data/page breaks the contract'],
])('%s that the contract does not allow fails the walk', async (_what, body, text) => {
  const { fetch, assertKept } = throughContract(async () => new Data({ total: 1 }))
  await expect(fetch(...buildPageRequest(body))).rejects.toThrow(text)
  expect(assertKept).toThrow(text)
})

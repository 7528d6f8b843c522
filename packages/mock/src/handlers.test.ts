import { ApiProblem } from '@jiaowu/api/problem'
import { createClient } from '@jiaowu/api/client/client'
import { describe, expect, it } from 'vitest'
import { type Answers, contractHandlers, mockFetch, refuseWith } from './index.ts'

function createMockClient(answers: Answers) {
  return createClient({
    baseURL: 'http://school.test/api',
    locale: () => 'en',
    authorise: () => Promise.resolve({ token: 'T', account: 'admin', accountId: '1' }),
    fetch: mockFetch(contractHandlers(answers)),
  })
}

describe('contractHandlers', () => {
  it('answers a call with parsed parameters, query and body', async () => {
    const seen: unknown[] = []
    const api = createMockClient({
      entityData: {
        page: ({ params, body }, { token }) => {
          seen.push(params.tag, body.pageSize, body.pageNum, token)
          return { records: [{ id: '1' }], total: 1, size: body.pageSize, current: body.pageNum }
        },
      },
    })
    const answer = await api.entityData.page({
      params: { tag: 'EDU_STUDENT' },
      body: { pageSize: 5, pageNum: 2 },
    })
    expect(answer.records).toEqual([{ id: '1' }])
    expect(seen).toEqual(['EDU_STUDENT', 5, 2, 'T'])
  })

  it('prefers a literal path to one with a parameter', async () => {
    const api = createMockClient({
      entityData: {
        get: () => ({ id: 'wrong' }),
        template: () =>
          new Response('x', {
            headers: { 'content-disposition': 'attachment; filename="t.xlsx"' },
          }),
      },
    })
    expect((await api.entityData.template({ params: { tag: 'A' } })).name).toBe('t.xlsx')
  })

  it('asks the general answer for calls without one of their own', async () => {
    const handlers = contractHandlers({}, '*/api', (name) =>
      name === 'entityData.get' ? { id: '7' } : {},
    )
    const reply = await mockFetch(handlers)('http://school.test/api/entity/A/data/7')
    expect(await reply.json()).toMatchObject({ success: true, data: { id: '7' } })
  })

  it('fails on an answer that breaks the schema of its call', async () => {
    const answers = { session: { whoami: () => ({ id: 7 }) } } as unknown as Answers
    await expect(
      mockFetch(contractHandlers(answers))('http://school.test/api/authority/whoami'),
    ).rejects.toThrow('the answer of session.whoami breaks the contract at id')
  })

  it('refuses input that breaks the schema of its call', async () => {
    const api = createMockClient({
      entityData: { page: () => ({ records: [], total: 0, size: 1, current: 1 }) },
    })
    const call = api.entityData.page({ params: { tag: 'A' }, body: { pageSize: 5000 } })
    await expect(call).rejects.toMatchObject({ problem: { code: 42_200 } })
  })

  it('turns a refusal into an error envelope', async () => {
    const api = createMockClient({
      entityData: { get: () => refuseWith({ status: 404, msg: 'no such row' }) },
    })
    const error: unknown = await api.entityData
      .get({ params: { tag: 'A', id: '1' } })
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ApiProblem)
    expect((error as ApiProblem).problem).toMatchObject({ code: 404, message: 'no such row' })
  })

  it('names a call that has no answer', async () => {
    await expect(createMockClient({}).session.menu({})).rejects.toMatchObject({
      problem: { message: 'session.menu has no answer here' },
    })
  })
})

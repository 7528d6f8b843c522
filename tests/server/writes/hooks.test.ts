// Programs are told of writes (docs/rules/contract.md#hooks).
import { createHmac } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import type { Row } from '@jiaowu/api/entity/values'
import { toProblem } from '@jiaowu/api/problem'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callDue, hookHandler } from '../../../apps/server/src/platform/hooks/send.ts'

interface Call {
  readonly id: string
  readonly signature: string
  readonly body: string
  readonly row: string
  readonly event: string
}
let app: TestApp
let admin: Client<typeof contract>
let receiver: Server
let url = ''
let calls: Call[] = []
/** The status that the receiver answers with. */
let answer: (call: Call) => number = () => 204
const params = { tag: 'EDU_FACULTY' }
const hour = 3_600_000

beforeAll(async () => {
  app = await testApp({ HOOK_NETWORKS: '127.0.0.0/8' })
  admin = await app.signIn('admin')
  receiver = createServer((request, reply) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      const { id, event } = JSON.parse(body) as { id: string; event: string }
      const header = (name: string) => String(request.headers[name])
      const call = {
        id: header('x-jiaowu-delivery'),
        signature: header('x-jiaowu-signature'),
        body,
        row: id,
        event,
      }
      const status = answer(call)
      if (status < 300) calls.push(call)
      reply.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => {
    receiver.listen(0, '127.0.0.1', () => resolve())
  })
  const address = receiver.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/told`
})
afterAll(async () => {
  receiver.close()
  await app.close()
})
beforeEach(async () => {
  calls = []
  answer = () => 204
  for (const { id } of await admin.hook.list({})) await admin.hook.remove({ params: { id } })
})

const makeHook = (events: readonly ('create' | 'update' | 'delete' | 'restore' | 'flow')[]) =>
  admin.hook.create({ body: { name: '程序', url, tag: 'EDU_FACULTY', events: [...events] } })
function rename({ id, version }: Row, name: string): Promise<Row> {
  return admin.entityData.update({ params: { ...params, id }, body: { version, name } })
}
let number = 0
function addFaculty() {
  number += 1
  return admin.entityData.create({ params, body: { code: `H${number}`, name: `通知${number}` } })
}
/** Makes the calls that are due, as the clock runs on. */
async function callAll(rounds = 12) {
  for (let round = 0; round < rounds; round += 1) {
    await callDue(app.services)
    app.advance(2 * hour)
  }
  admin = await app.signIn('admin')
}

describe('a hook', () => {
  it('is called for each write, signed, with names of fields and no values', async () => {
    const { secret } = await makeHook(['create', 'update', 'delete', 'restore'])
    const row = await addFaculty()
    const changed = await admin.entityData.update({
      params: { ...params, id: row.id },
      body: { version: row.version, name: '秘密的名称' },
    })
    await admin.entityData.remove({ params: { ...params, ids: changed.id } })
    await admin.history.restore({ params: { ...params, ids: changed.id } })
    await callAll(4)
    expect(calls.map(({ event }) => event)).toEqual(['create', 'update', 'delete', 'restore'])
    expect(JSON.parse(calls[1]?.body ?? '')).toMatchObject({
      tag: 'EDU_FACULTY',
      id: row.id,
      fields: ['name'],
    })
    expect(JSON.stringify(calls)).not.toContain('秘密的名称')
    for (const { signature, body } of calls) {
      const [, at = '', made = ''] = /^t=(\d+),v1=([\da-f]{64})$/.exec(signature) ?? []
      expect(made).toBe(createHmac('sha256', secret).update(`${at}.${body}`).digest('hex'))
    }
  })
  it('is not called for what rolled back, for other entities and events', async () => {
    await makeHook(['create'])
    await admin.entityData.create({ params, body: { code: 'H1', name: '' } }).catch(() => {})
    const row = await addFaculty()
    await admin.entityData
      .create({ params, body: { code: row['code'], name: '重复' } })
      .catch(() => {})
    await admin.entityData.update({
      params: { ...params, id: row.id },
      body: { version: row.version, name: '改' },
    })
    await callAll(2)
    expect(calls.map(({ event, row: id }) => [event, id])).toEqual([['create', row.id]])
  })
  it('gets every call of every row in order, although half of them fail and workers die', async () => {
    const { id } = await makeHook(['create', 'update'])
    const rows: Row[] = []
    for (let n = 0; n < 5; n += 1) rows.push(await addFaculty())
    for (let round = 0; round < 4; round += 1)
      for (const [n, row] of rows.entries()) {
        rows[n] = await rename(row, `第${round}次${n}`)
      }
    // A worker takes some and dies: their lease runs out.
    expect((await hookHandler.store.claim(app.services, 3)).length).toBe(3)
    let turn = 0
    answer = () => ((turn += 1) % 2 === 0 ? 500 : 200)
    await callAll(40)
    // At least once: the clock that the test moves may let a lease run out while a call is made.
    const taken = [
      ...new Map(calls.toReversed().map((call) => [call.id, call])).values(),
    ].toReversed()
    expect(taken).toHaveLength(25)
    for (const row of rows) {
      const mine = taken.filter((call) => call.row === row.id)
      expect(mine.map(({ event }) => event)).toEqual([
        'create',
        'update',
        'update',
        'update',
        'update',
      ])
      expect(mine.map((call) => BigInt(call.id))).toEqual(
        mine.map((call) => BigInt(call.id)).toSorted((a, b) => (a < b ? -1 : 1)),
      )
    }
    expect(
      (await admin.hook.deliveries({ params: { id }, query: { state: 'waiting' } })).total,
    ).toBe(0)
  })
  it('is given up after ten attempts, visibly, and repeated when somebody asks', async () => {
    const { id } = await makeHook(['create'])
    answer = () => 503
    await addFaculty()
    await callAll(14)
    const failed = await admin.hook.deliveries({ params: { id }, query: { state: 'failed' } })
    expect(failed.records).toMatchObject([{ attempts: 10, status: 503, state: 'failed' }])
    expect((await admin.hook.list({}))[0]).toMatchObject({ waiting: 0, failed: 1 })
    const messages = JSON.stringify(await admin.messages.mine({ query: {} }))
    expect(messages).toContain('通知未能送达：程序')
    answer = () => 200
    await admin.hook.repeat({ params: { id: failed.records[0]?.id ?? '' } })
    await callAll(2)
    expect(new Set(calls.map((call) => call.id)).size).toBe(1)
    expect((await admin.hook.deliveries({ params: { id } })).records).toMatchObject([
      { state: 'done' },
    ])
  })
  it('calls no private network that the server does not allow', async () => {
    const refused = await admin.hook
      .create({
        body: {
          name: 'x',
          url: 'http://169.254.169.254/latest',
          tag: 'EDU_FACULTY',
          events: ['create'],
        },
      })
      .then(() => null, toProblem)
    expect(refused).toMatchObject({ code: 42200, issues: [{ path: 'url', rule: 'private' }] })
    expect(
      await admin.hook
        .create({ body: { name: 'x', url, tag: 'NO_SUCH', events: ['create'] } })
        .then(() => null, toProblem),
    ).toMatchObject({ code: 404 })
  })
})

// Servers remember callers between calls; every change still acts on the next call, on every server
// (docs/rules/security.md#s4).
import { contract } from '@jiaowu/api/contract/contract'
import type { Contract } from '@jiaowu/api/endpoint'
import { dictTypes } from '@jiaowu/api/entity/enums'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import type { KyselyPlugin } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { createApp } from '../../../apps/server/src/start/app.ts'
import type { Services } from '../../../apps/server/src/model/context.ts'
import { type RunningServer, startRealServer } from '../../support/server.ts'
import { staffClient } from '../../support/staff-client.ts'

type Client = Awaited<ReturnType<TestApp['signIn']>>
const tag = 'EDU_STUDENT'
let app: TestApp
let admin: Client
let viewer: Client
let id: string
/** The field of a choice from the rows of another entity. */
let fieldId: string
let statements = 0
/** Two servers on one database: what they remember is kept by their handles of it. */
let servers: readonly Reader[]

const counted: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: ({ result }) => {
    statements += 1
    return Promise.resolve(result)
  },
}

interface Reader {
  readonly get: (token: string, id: string) => Promise<Record<string, unknown>>
  readonly page: (token: string, body?: object) => Promise<{ readonly records: unknown[] }>
  readonly lookup: (token: string) => Promise<{ readonly records: unknown[] }>
  readonly update: (
    token: string,
    id: string,
    body: object,
  ) => Promise<{ readonly version: number }>
}

function serverOn(services: Services): Reader {
  const { database } = services
  const handle = { ...database, kysely: database.kysely.withPlugin(counted) }
  const state = { migrating: false, draining: false }
  const { fetch } = createApp({ services: { ...services, database: handle }, state })
  const call = async (token: string, path: string, body?: object, method = 'POST') => {
    const response = await fetch(
      new Request(`http://jiaowu.test/api/entity/${tag}/data/${path}`, {
        method: body === undefined ? 'GET' : method,
        headers: { authorization: `bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    )
    const answer = (await response.json()) as { code: number; data: never }
    if (answer.code !== 200) throw new Error(String(answer.code))
    return answer.data
  }
  return {
    get: (token, row) => call(token, row),
    page: (token, body = {}) => call(token, 'page', body),
    lookup: (token) => call(token, 'dicts/page', { fieldId, type: 'search' }),
    update: (token, row, body) => call(token, row, body, 'PUT'),
  }
}

async function codes(token = viewer.token): Promise<string[]> {
  const found: string[] = []
  for (const server of servers)
    for (const call of [
      () => server.get(token, id),
      () => server.page(token),
      () => server.lookup(token),
    ])
      found.push(
        await call().then(
          () => 'ok',
          (error: Error) => error.message,
        ),
      )
  return found
}
const repeatCode = (code: string) => Array.from({ length: 6 }, () => code)

async function findRow(of: string, field: string, value: string) {
  const { records } = await admin.entityData.page({
    params: { tag: of },
    body: { pageSize: 100, queries: {} },
  })
  const row = records.find((each) => each[field] === value)
  if (row === undefined) throw new Error(`no ${of} ${value}`)
  return row
}

beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
  servers = [serverOn(app.services), serverOn(app.services)]
  const { records } = await admin.entityData.page({ params: { tag }, body: { pageSize: 1 } })
  id = records[0]?.id ?? ''
  const { fields } = await admin.entityData.config({ params: { tag } })
  fieldId = fields.find(({ dictType }) => dictType === dictTypes.entity)?.id ?? ''
})
afterAll(() => app.close())
beforeEach(async () => {
  viewer = await app.signIn('viewer')
  expect(await codes()).toEqual(repeatCode('ok'))
})

it('serves the calls below, and every other call reads its caller first', () => {
  const calls = Object.entries(contract as Contract).flatMap(([group, endpoints]) =>
    Object.entries(endpoints).map(([name, { proven }]) => [`${group}.${name}`, proven] as const),
  )
  const otherwise = calls.filter(([, proven]) => proven !== 'before')
  // A call that joins them needs its tests here.
  expect(Object.fromEntries(otherwise)).toEqual({
    'entityData.page': 'within',
    'entityData.get': 'within',
    'entityData.lookup': 'beside',
    'entityData.create': 'atCommit',
    'entityData.update': 'atCommit',
  })
})

describe('a remembered caller', () => {
  it('is not read again for a row', async () => {
    const [server] = servers
    const read = async (token: string) => {
      statements = 0
      await server?.get(token, id)
      return statements
    }
    const again = await read(viewer.token)
    const fresh = await app.signIn('viewer')
    expect(await read(fresh.token)).toBe(again + 1)
    expect(await read(fresh.token)).toBe(again)
  })
  it('is proven beside a lookup', async () => {
    const [server] = servers
    const fresh = await app.signIn('viewer')
    const offered = async () => (await server?.lookup(fresh.token))?.records.length
    expect(await offered()).toBeGreaterThan(0)
    await fresh.session.signOut({})
    await expect(offered()).rejects.toThrow('40000')
  })
  it('ends with its session', async () => {
    await viewer.session.signOut({})
    expect(await codes()).toEqual(repeatCode('40000'))
  })
  it('ends when its access token expires', async () => {
    app.advance(20_000)
    expect(await codes()).toEqual(repeatCode('ok'))
    app.advance(30 * 60_000)
    expect(await codes()).toEqual(repeatCode('40001'))
    admin = await app.signIn('admin')
  })
  it('loses a disabled account', async () => {
    const user = await findRow('SYS_USER', 'account', 'viewer')
    const params = { tag: 'SYS_USER', id: user.id }
    await admin.entityData.update({ params, body: { version: user.version, status: '0' } })
    expect(await codes()).toEqual(repeatCode('40005'))
    const { version } = await findRow('SYS_USER', 'account', 'viewer')
    await admin.entityData.update({ params, body: { version, status: '1' } })
  })
  it('loses a right with the next call, and gets it with the next call', async () => {
    const role = await findRow('SYS_ROLE', 'code', 'ROLE_VIEWER')
    const params = { id: role.id }
    const before = await admin.role.permissions({ params })
    const kept = before.codes.filter((code) => !code.startsWith(`entity:${tag}:`))
    expect(kept.length).toBeLessThan(before.codes.length)
    const { version } = before
    await admin.role.savePermissions({ params, body: { version, codes: kept, rules: [] } })
    expect(await codes()).toEqual(repeatCode('403'))
    const { version: next } = await admin.role.permissions({ params })
    const [whole, rules] = [[...before.codes], [...before.rules]]
    await admin.role.savePermissions({ params, body: { version: next, codes: whole, rules } })
    expect(await codes()).toEqual(repeatCode('ok'))
  })
  it('sees a field no more with the call after it was hidden', async () => {
    const role = await findRow('SYS_ROLE', 'code', 'ROLE_VIEWER')
    const params = { id: role.id }
    const before = await admin.role.permissions({ params })
    const { version } = before
    const [whole, rules] = [[...before.codes], [...before.rules]]
    const read = async () =>
      await Promise.all(servers.map(async (server) => await server.get(viewer.token, id)))
    expect((await read()).every((row) => 'political' in row)).toBe(true)
    const hidden = { isList: 0, isDetail: 0, isEdit: 0 } as const
    const rule = { tag, scope: 'all', expression: null, overrides: { political: hidden } } as const
    await admin.role.savePermissions({ params, body: { version, codes: whole, rules: [rule] } })
    expect((await read()).some((row) => 'political' in row)).toBe(false)
    const { version: next } = await admin.role.permissions({ params })
    await admin.role.savePermissions({ params, body: { version: next, codes: whole, rules } })
  })
  it('is asked anew after a change by another program', async () => {
    const { kysely } = app.services.database
    const account = kysely.updateTable('sys.app_user').where('account', '=', 'viewer')
    const { role_ids } = await kysely
      .selectFrom('sys.app_user')
      .select('role_ids')
      .where('account', '=', 'viewer')
      .executeTakeFirstOrThrow()
    await account.set({ role_ids: [] }).execute()
    expect(await codes()).toEqual(repeatCode('403'))
    await account.set({ role_ids }).execute()
    expect(await codes()).toEqual(repeatCode('ok'))
    const school = kysely.updateTable('sys.tenant').where('id', '=', '10000')
    await school.set({ status: '0' }).execute()
    expect(await codes()).toEqual(repeatCode('40005'))
    await school.set({ status: '1' }).execute()
  })
  it('finds nothing and empty pages after a proof', async () => {
    const [server] = servers
    await expect(server?.get(viewer.token, '999')).rejects.toThrow('404')
    const empty = { pageNum: 1, queries: { studentNo: 'none such' } }
    expect((await server?.page(viewer.token, empty))?.records).toEqual([])
    await viewer.session.signOut({})
    await expect(server?.page(viewer.token, empty)).rejects.toThrow('40000')
  })
})

describe('a write of a remembered caller', () => {
  const role = async () => {
    const { id: roleId } = await findRow('SYS_ROLE', 'code', 'ROLE_VIEWER')
    const params = { id: roleId }
    return { params, ...(await admin.role.permissions({ params })) }
  }
  /** Gives viewers the right to change students while `work` runs. */
  async function asEditors(work: (takeAway: () => Promise<void>) => Promise<void>) {
    const { params, version, codes: before, rules } = await role()
    const codes = [...before, `entity:${tag}:update`]
    await admin.role.savePermissions({ params, body: { version, codes, rules: [...rules] } })
    const takeAway = async () => {
      const { version: next } = await role()
      const body = { version: next, codes: [...before], rules: [...rules] }
      await admin.role.savePermissions({ params, body })
    }
    await work(takeAway)
    await takeAway()
  }
  async function readRememberedRow() {
    const { kysely } = app.services.database
    const linesOf = kysely.selectFrom('sys.audit_log').where('object_id', '=', id)
    return {
      row: await admin.entityData.get({ params: { tag, id } }),
      lines: (await linesOf.select('number').execute()).length,
    }
  }
  let address = 0
  const change = async (server = servers[0], token = viewer.token) => {
    const { version } = await admin.entityData.get({ params: { tag, id } })
    address += 1
    return await server?.update(token, id, { version, email: `a${address}@example.com` })
  }

  it('is proven by its last statement', async () => {
    await asEditors(async () => {
      const counts: number[] = []
      const { token } = await app.signIn('viewer')
      for (let n = 0; n < 3; n += 1) {
        statements = 0
        await change(servers[0], token)
        counts.push(statements)
      }
      const [first = 0, ...later] = counts
      expect(later).toEqual([first - 1, first - 1])
    })
  })
  it('is not stored after the right was taken away, on either server', async () => {
    await asEditors(async (takeAway) => {
      for (const server of servers) await change(server)
      await takeAway()
      const before = await readRememberedRow()
      for (const server of servers) await expect(change(server)).rejects.toThrow('403')
      const { row, lines } = await readRememberedRow()
      expect(row).toEqual(before.row)
      // The refusals.
      expect(lines).toBe(before.lines + 2)
    })
  })
  it('is not stored after the end of the session', async () => {
    await asEditors(async () => {
      for (const server of servers) await change(server)
      await viewer.session.signOut({})
      const before = await readRememberedRow()
      for (const server of servers) await expect(change(server)).rejects.toThrow('40000')
      expect(await readRememberedRow()).toEqual(before)
    })
  })
  it('that is refused is refused once', async () => {
    await asEditors(async () => {
      await change()
      const before = await readRememberedRow()
      const update = servers[0]?.update(viewer.token, id, { version: 0, email: 'b@example.com' })
      await expect(update).rejects.toThrow('40900')
      expect(await readRememberedRow()).toEqual(before)
    })
  })
})

const { postgresUrl } = inject('testStore')
/** Needs a PostgreSQL: TEST_ENGINE=postgres. */
describe.skipIf(postgresUrl === undefined)('two servers on one PostgreSQL', () => {
  it('both take a right away and end a session with the next call', async () => {
    const client = new pg.Client({ connectionString: `${postgresUrl}postgres` })
    await client.connect()
    await client.query('create database two_servers')
    await client.end()
    const PII_KEY = Buffer.alloc(32, 9).toString('base64')
    const AUDIT_KEY = Buffer.alloc(32, 10).toString('base64')
    const env = { DATABASE_URL: `${postgresUrl}two_servers`, PII_KEY, AUDIT_KEY }
    const started: RunningServer[] = []
    try {
      for (let n = 0; n < 2; n += 1) started.push(await startRealServer(env))
      const [first] = started
      if (first === undefined) throw new Error('not started')
      const { api } = await staffClient(first)
      const { api: mine, token } = await staffClient(first, 'viewer')
      const read = async () => {
        const found: unknown[] = []
        for (const { url } of started) {
          const response = await fetch(`${url}/api/entity/${tag}/data/page`, {
            method: 'POST',
            headers: { authorization: `bearer ${token}`, 'content-type': 'application/json' },
            body: '{}',
          })
          found.push(((await response.json()) as { code: number }).code)
        }
        return found
      }
      expect([await read(), await read()]).toEqual([
        [200, 200],
        [200, 200],
      ])
      const roles = await api.entityData.page({ params: { tag: 'SYS_ROLE' }, body: {} })
      const role = roles.records.find((each) => each['code'] === 'ROLE_VIEWER')
      const params = { id: role?.id ?? '' }
      const { version } = await api.role.permissions({ params })
      const codes = ['entity:EDU_COURSE:view']
      await api.role.savePermissions({ params, body: { version, codes, rules: [] } })
      expect(await read()).toEqual([403, 403])
      await mine.session.signOut({})
      expect(await read()).toEqual([40000, 40000])
    } finally {
      for (const server of started) await server.stop()
    }
  }, 240_000)
})

// A hostile agent: random calls of every tool, as several persons, change no row and read nothing that its person
// does not see. What it proposes is written when the person confirms what they were shown (docs/agents.md).
import { agentTools } from '@jiaowu/api/agent/tools'
import { ApiProblem } from '@jiaowu/api/problem'
import { idNumberOf, type TestApp, testApp } from '@jiaowu/server/testing'
import { seeded } from '@jiaowu/server/testing/random'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

const tag = 'EDU_STUDENT'
const tags = ['EDU_STUDENT', 'EDU_GRADE', 'EDU_TEACHER', 'EDU_FACULTY', 'SYS_USER', 'SYS_ROLE']
const rights = ['read', 'write', 'delete'] as const
type Person = Awaited<ReturnType<TestApp['signIn']>>
type Right = (typeof rights)[number]

async function makeToken(person: Person, entities: string[], asked: Right[]): Promise<string> {
  const { token } = await person.apiToken.create({
    body: { name: '排课代理', entities, rights: asked, days: 30 },
  })
  return token
}

let calls = 0
async function sendMessage(token: string, method: string, params: object): Promise<Response> {
  // The rate of a token is not what is tried here.
  app.advance(2_000)
  calls += 1
  return await app.call('/mcp', {
    method: 'POST',
    headers: {
      authorization: `bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: calls, method, params }),
  })
}

/** The text of the answer, whatever it is. */
async function callTool(token: string, name: string, args: unknown): Promise<string> {
  const response = await sendMessage(token, 'tools/call', { name, arguments: args })
  return await response.text()
}

interface Answer {
  readonly result: {
    readonly isError?: boolean
    readonly structuredContent: { readonly data: Record<string, unknown> }
  }
}

async function readTool(token: string, name: string, args: unknown) {
  const text = await callTool(token, name, args)
  const line = text.split('\n').find((each) => each.startsWith('data:'))
  const { result } = JSON.parse(line?.slice(5) ?? text) as Answer
  if (result.isError === true) throw new Error(JSON.stringify(result.structuredContent))
  return result.structuredContent.data
}

async function captureRefusal(call: Promise<unknown>) {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ApiProblem)) throw new Error(`no refusal: ${String(error)}`)
  return error.problem
}

/** Tables that a call may write: proposals, logs, use of tokens, sessions, and what counts searches. */
const written = [
  'agent_proposal',
  'audit_log',
  'audit_head',
  'audit_chain',
  'api_token',
  'session',
  'rate_limit',
]

/** A digest of each table of the product. */
async function digestTables(): Promise<Record<string, string>> {
  const db = app.services.database.kysely
  const { rows } = await sql<{ name: string }>`
    select table_schema || '.' || table_name as name from information_schema.tables
    where table_schema in ('sys', 'biz') and table_type = 'BASE TABLE' order by 1`.execute(db)
  const found: Record<string, string> = {}
  for (const { name } of rows) {
    if (written.some((each) => name.startsWith(`sys.${each}`))) continue
    const digest = await sql<{ d: string }>`
      select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as d
      from ${sql.table(name)} t`.execute(db)
    found[name] = digest.rows[0]?.d ?? ''
  }
  return found
}

/** Plain values of all rows that lists mask. */
async function findSecrets(): Promise<string[]> {
  const db = app.services.database.kysely
  const { rows } = await sql<{ id_card: string | null; mobile: string | null; school: string }>`
    select id_card, mobile, tenant_id::text as school from biz.student`.execute(db)
  return rows.flatMap(({ id_card, mobile }) => {
    const number = idNumberOf(app.services, id_card)
    return [number, mobile ?? ''].filter((value) => value.length >= 11)
  })
}

describe('a hostile agent', () => {
  it('changes no row and reads no masked value in 1,000 calls', { timeout: 300_000 }, async () => {
    const admin = await app.signIn('admin')
    const viewer = await app.signIn('viewer')
    const tokens = [
      await makeToken(admin, tags, [...rights]),
      await makeToken(admin, [tag], ['read']),
      await makeToken(viewer, [tag], ['read']),
    ]
    const random = seeded(40)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
    const { records } = await admin.entityData.page({ params: { tag }, body: { pageSize: 20 } })
    const { rows: foreign } = await sql<{ id: string }>`
      select id::text as id from biz.student where tenant_id <> 10000 limit 5`.execute(
      app.services.database.kysely,
    )
    const ids = [...records.map(({ id }) => id), ...foreign.map(({ id }) => id)]
    const secrets = await findSecrets()
    expect(secrets.length).toBeGreaterThan(50)
    const columns = ['idCard', 'mobile', 'name', 'no', 'passwordHash', 'password_hash', '__proto__']
    const bad: (() => unknown)[] = [
      () => "'; drop table biz.student; --",
      () => pick(ids),
      () => pick(secrets).slice(0, 1 + Math.floor(random() * 18)),
      () => '../../etc/passwd',
      () => -1,
      () => 1e9,
      () => null,
      () => ['x', { y: 1 }],
      () => JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
      () => 'x'.repeat(5_000),
    ]
    const condition = () => ({
      column: pick(columns),
      op: pick(['equal', 'like', 'gt', 'lt', 'in', 'between', 'isEmpty', 'raw']),
      value: pick(bad)(),
    })
    const good: Record<string, () => unknown> = {
      tag: () => (random() < 0.5 ? tag : pick(tags)),
      id: () => pick(ids),
      ids: () => [pick(ids)],
      column: () => pick(columns),
      event: () => pick(['APPROVE', 'SUBMIT', 'toString']),
      values: () =>
        random() < 0.4 ? { height: 160 } : { [pick(columns)]: pick(bad)(), remark: 'x' },
      where: () => ({ and: [condition()] }),
      queries: () => ({ [pick(columns)]: pick(bad)() }),
      sorts: () => [{ column: pick(columns), asc: random() < 0.5 }],
      group: () => ({ column: pick(columns) }),
      footer: () => [{ column: pick(columns), fn: pick(['min', 'max', 'count', 'distinct']) }],
      page: () => 1 + Math.floor(random() * 3),
      size: () => pick([1, 20, 100]),
    }
    const before = await digestTables()
    const known = new Set<string>()
    const answered = new Set<string>()
    const counts = { answered: 0, refused: 0 }
    for (let n = 0; n < 1_000; n += 1) {
      const tool = pick(agentTools)
      const names = Object.keys(tool.properties)
      const args: Record<string, unknown> = {}
      for (const name of names)
        if (tool.required.includes(name) || random() < 0.3)
          args[name] = random() < 0.15 ? pick(bad)() : (good[name]?.() ?? pick(bad)())
      if (random() < 0.05) args[pick(['reveal', 'sql', 'digest', 'confirm'])] = pick(bad)()
      const name = random() < 0.03 ? pick(['confirm', 'reveal', 'proposals.confirm']) : tool.name
      const text = await callTool(pick(tokens), name, args)
      const isRefused = /"isError":true|"error":/.test(text)
      counts[isRefused ? 'refused' : 'answered'] += 1
      if (!isRefused) answered.add(name)
      // A value that the agent has sent may come back in a refusal or a preview of what it sent.
      const sent = JSON.stringify(args)
      for (const secret of secrets)
        if (text.includes(secret) && !sent.includes(secret)) known.add(`${name} ${secret}`)
    }
    expect([...known]).toEqual([])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(await digestTables()).toEqual(before)
    expect(counts.answered).toBeGreaterThan(150)
    expect([...answered]).toEqual(
      expect.arrayContaining([
        'query_records',
        'read_record',
        'record_history',
        'propose_update',
        'list_proposals',
      ]),
    )
    expect(counts.refused).toBeGreaterThan(200)
  })

  it('is no caller without a token for programs, and confirms nothing with one', async () => {
    const admin = await app.signIn('admin')
    expect((await app.call('/mcp', { method: 'POST', body: '{}' })).status).toBe(401)
    expect((await sendMessage(admin.token, 'tools/list', {})).status).toBe(401)
    const token = await makeToken(admin, [tag], ['read', 'write'])
    const list = await (await sendMessage(token, 'tools/list', {})).text()
    expect(list).toContain('propose_update')
    expect(list).not.toContain('propose_delete')
    expect(list).not.toMatch(/reveal|confirm"/)
    const { id, digest, count } = await proposeHeight(token, { height: 170 })
    const program = app.client(token)
    const tries = [
      program.proposals.confirm({ params: { id }, body: { digest, count } }),
      program.proposals.refuse({ params: { id } }),
    ]
    for (const each of tries) expect((await captureRefusal(each)).code).toBe(403)
  })
})

interface Proposed {
  readonly id: string
  readonly digest: string
  readonly count: number
}

async function firstIds(n: number): Promise<string[]> {
  const admin = await app.signIn('admin')
  const { records } = await admin.entityData.page({ params: { tag }, body: { pageSize: n } })
  return records.map(({ id }) => id)
}

async function proposeHeight(token: string, values: object, n = 1): Promise<Proposed> {
  const ids = await firstIds(n)
  return (await readTool(token, 'propose_update', { tag, ids, values })) as unknown as Proposed
}

describe('a proposal', () => {
  const readHeight = async (person: Person) => {
    const [id = ''] = await firstIds(1)
    return (await person.entityData.get({ params: { tag, id } }))['height']
  }

  it('is written as it was shown, once, by agent for its person', async () => {
    const admin = await app.signIn('admin')
    const token = await makeToken(admin, [tag], ['read', 'write'])
    const before = await readHeight(admin)
    const { id } = await proposeHeight(token, { height: 166 }, 2)
    expect(await readHeight(admin)).toBe(before)
    const shown = await admin.proposals.read({ params: { id } })
    expect(shown).toMatchObject({ agent: '排课代理', count: 2, state: 'open', fault: null })
    expect(shown.rows[0]?.changes).toEqual([{ label: expect.any(String), from: before, to: 166 }])
    const body = { digest: shown.digest, count: shown.count }
    const forged = admin.proposals.confirm({ params: { id }, body: { ...body, digest: 'x' } })
    expect((await captureRefusal(forged)).code).toBe(40900)
    const other = await app.signIn('viewer')
    expect((await captureRefusal(other.proposals.confirm({ params: { id }, body }))).code).toBe(404)
    const both = await Promise.allSettled([
      admin.proposals.confirm({ params: { id }, body }),
      admin.proposals.confirm({ params: { id }, body }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await readHeight(admin)).toBe(166)
    const { rows } = await sql<{ action: string; account: string; by: string }>`
      select action, account, detail ->> 'byAgent' as by from sys.audit_log
      where tenant_id = 10000 and result = 'ok'
        and (detail ->> 'proposal' = ${id} or object_id = ${id})
      order by number`.execute(app.services.database.kysely)
    expect(rows.map(({ action }) => action).sort()).toEqual([
      'entity.update',
      'entity.update',
      'proposal.confirm',
      'proposal.propose',
    ])
    expect(rows.every(({ account, by }) => account === 'admin' && by === '排课代理')).toBe(true)
  })

  it('shows a new preview when a row has changed', async () => {
    const admin = await app.signIn('admin')
    const token = await makeToken(admin, [tag], ['read', 'write'])
    const { id, digest, count } = await proposeHeight(token, { height: 181 })
    const [row = ''] = await firstIds(1)
    const { version } = await admin.entityData.get({ params: { tag, id: row } })
    await admin.entityData.update({ params: { tag, id: row }, body: { version, height: 150 } })
    const refused = await captureRefusal(
      admin.proposals.confirm({ params: { id }, body: { digest, count } }),
    )
    expect(refused).toMatchObject({ code: 40900, data: { state: 'open' } })
    expect(await readHeight(admin)).toBe(150)
    const now = refused.data as Proposed
    await admin.proposals.confirm({
      params: { id },
      body: { digest: now.digest, count: now.count },
    })
    expect(await readHeight(admin)).toBe(181)
  })

  it('ends when it is refused, is over, or its token is revoked', async () => {
    const admin = await app.signIn('admin')
    const { id: tokenId, token } = await admin.apiToken.create({
      body: { name: '代理', entities: [tag], rights: ['read', 'write', 'delete'], days: 30 },
    })
    const made = [
      await proposeHeight(token, { height: 155 }),
      await proposeHeight(token, { height: 156 }),
      await proposeHeight(token, { height: 157 }),
    ]
    const confirm = (person: Person, { id, digest, count }: Proposed) =>
      person.proposals.confirm({ params: { id }, body: { digest, count } })
    const [first, second, third] = made as [Proposed, Proposed, Proposed]
    const before = await readHeight(admin)
    await admin.proposals.refuse({ params: { id: first.id } })
    expect((await captureRefusal(confirm(admin, first))).code).toBe(409)
    await admin.apiToken.revoke({ params: { id: tokenId } })
    expect((await captureRefusal(confirm(admin, second))).code).toBe(403)
    app.advance(25 * 3_600_000)
    const later = await app.signIn('admin')
    expect((await captureRefusal(confirm(later, third))).code).toBe(409)
    const states = (await later.proposals.list({})).map(({ id, state }) => [id, state])
    expect(states).toEqual(
      expect.arrayContaining([
        [first.id, 'refused'],
        [third.id, 'expired'],
      ]),
    )
    expect(await readHeight(later)).toBe(before)
  })

  it('is refused when its person has lost the right since', async () => {
    const clerk = await app.signIn('clerk')
    const token = await makeToken(clerk, [tag], ['read', 'write'])
    const { id, digest, count } = await proposeHeight(token, { height: 158 })
    const db = app.services.database.kysely
    const { role_ids } = await db
      .selectFrom('sys.app_user')
      .select('role_ids')
      .where('tenant_id', '=', '10000')
      .where('account', '=', 'clerk')
      .executeTakeFirstOrThrow()
    const setRoles = (roles: string[]) =>
      db
        .updateTable('sys.app_user')
        .set({ role_ids: roles })
        .where('tenant_id', '=', '10000')
        .where('account', '=', 'clerk')
        .execute()
    await setRoles([])
    const refused = clerk.proposals.confirm({ params: { id }, body: { digest, count } })
    expect((await captureRefusal(refused)).code).toBe(403)
    await setRoles(role_ids)
    await clerk.proposals.confirm({ params: { id }, body: { digest, count } })
  })
})

// A hostile agent: random calls of every tool, as several persons, change no row and read nothing that its person
// does not see. What it proposes is written when the person confirms what they were shown (docs/agents.md).
import { agentTools } from '@jiaowu/api/agent/tools'
import { idNumberOf, type TestApp, testApp } from '@jiaowu/server/testing'
import { seeded } from '@jiaowu/server/testing/random'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  askTool,
  callTool,
  captureRefusal,
  makeToken,
  type Person,
  readTool,
  sendMessage,
  type Proposed,
} from './agent-calls.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

const tag = 'EDU_STUDENT'
const tags = ['EDU_STUDENT', 'EDU_GRADE', 'EDU_TEACHER', 'EDU_FACULTY', 'SYS_USER', 'SYS_ROLE']
const rights = ['read', 'write', 'delete'] as const
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
      const text = await callTool(app, pick(tokens), name, args)
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
    expect((await sendMessage(app, admin.token, 'tools/list', {})).status).toBe(401)
    const token = await makeToken(admin, [tag], ['read', 'write'])
    const list = await (await sendMessage(app, token, 'tools/list', {})).text()
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

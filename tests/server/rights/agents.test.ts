// A hostile agent: random calls of every tool, as several persons, change no row and read nothing that its person
// does not see. What it proposes is written when the person confirms what they were shown (docs/agents.md).
import { type AgentTool, agentTools } from '@jiaowu/api/agent/tools'
import type { Row } from '@jiaowu/api/entity/values'
import { defaultTenant } from '@jiaowu/api/limits'
import { idNumberOf, type TestApp, testApp } from '@jiaowu/server/testing'
import { seeded } from '@jiaowu/server/testing/random'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  askTool,
  callTool,
  captureRefusal,
  findOwnGrade,
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
const change = 'EDU_GRADE_CHANGE'
const teaching = ['EDU_STUDENT', 'EDU_GRADE', 'EDU_TEACHER', 'EDU_FACULTY']
const tags = [...teaching, 'SYS_USER', 'SYS_ROLE', 'RPT_ORDER', 'RPT_REGISTRATION', change]
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

interface Masked {
  readonly tag: string
  readonly attrName: string
  /** Plain values of all rows, of all schools. */
  readonly values: readonly string[]
}

/** Columns that lists mask, of all entities. */
async function listMasked(): Promise<readonly Masked[]> {
  const { registry, database, keys } = app.services
  const found: Masked[] = []
  for (const { tag: owner, table, fields } of await registry.all(defaultTenant))
    for (const { pii, sealer, column, definition } of fields) {
      if (pii === null || column === null) continue
      const { rows } = await sql<{ v: string }>`
        select distinct ${sql.ref(column.name)}::text as v
        from ${sql.table(`${table.schema}.${table.name}`)}
        where ${sql.ref(column.name)} <> ''`.execute(database.kysely)
      const values = rows.map(({ v }) => (sealer === null ? v : idNumberOf({ keys }, v)))
      found.push({ tag: owner, attrName: definition.attrName, values })
    }
  return found
}

/** Ids of rows of other schools than the callers'. */
async function listForeignIds(): Promise<string[]> {
  const found: string[] = []
  for (const table of ['biz.student', 'biz.teacher', 'biz.grade', 'sys.app_user']) {
    const { rows } = await sql<{ id: string }>`
      select id::text as id from ${sql.table(table)}
      where tenant_id <> ${defaultTenant}::int8 order by id limit 20`.execute(
      app.services.database.kysely,
    )
    expect(rows, table).not.toEqual([])
    found.push(...rows.map(({ id }) => id))
  }
  return found
}

/** A case that waits for the secretary. */
async function submitCase(teacher: Person): Promise<string> {
  const grade = await findOwnGrade(app)
  const { id } = await teacher.entityData.create({
    params: { tag: change },
    body: { grade: [{ id: grade.id, name: '' }], score: 93.5, reason: '卷面分漏加' },
  })
  const { version } = await teacher.flow.read({ params: { tag: change, id } })
  await teacher.flow.send({ params: { tag: change, id, event: 'SUBMIT' }, body: { version } })
  return id
}

/** Agents of four persons, a row that nothing refers to, and a case that waits for the secretary. */
async function openAgents() {
  const [admin, viewer, teacher, secretary] = (await Promise.all(
    ['admin', 'viewer', 'teacher', 'secretary'].map((account) => app.signIn(account)),
  )) as [Person, Person, Person, Person]
  // Accounts of the demonstration have no mobiles.
  await sql`update sys.app_user set mobile = (13711110000 + id % 10000)::text`.execute(
    app.services.database.kysely,
  )
  const faculty = await admin.entityData.create({
    params: { tag: 'EDU_FACULTY' },
    body: { code: '99', name: '无人引用' },
  })
  const tokens = {
    admin: await makeToken(admin, tags, [...rights]),
    reader: await makeToken(admin, [tag], ['read']),
    viewer: await makeToken(viewer, teaching, ['read']),
    teacher: await makeToken(teacher, ['EDU_GRADE', change], ['read', 'write']),
    secretary: await makeToken(secretary, [...teaching, change], ['read', 'decide']),
  }
  return { admin, tokens, faculty, waiting: await submitCase(teacher) }
}

type Agent = 'admin' | 'reader' | 'viewer' | 'teacher' | 'secretary'

/** A call of each tool that means something, by the agent of a person who may make it. */
async function listHonestCalls(
  admin: Person,
  records: readonly Row[],
  { faculty, waiting }: { readonly faculty: string; readonly waiting: string },
): Promise<Readonly<Record<string, readonly [Agent, Record<string, unknown>]>>> {
  const config = await admin.entityData.config({ params: { tag } })
  const chosen = config.fields.find(({ attrName }) => attrName === 'faculty')
  const [inFaculty] = (records[0]?.['faculty'] ?? []) as readonly { readonly id: string }[]
  return {
    list_entities: ['viewer', {}],
    describe_entity: ['secretary', { tag }],
    query_records: ['viewer', { tag, size: 100, sorts: [{ column: 'name', asc: true }] }],
    read_record: ['reader', { tag, id: records[0]?.id }],
    related_records: ['viewer', { tag, column: 'faculty', id: inFaculty?.id }],
    choices: ['admin', { tag, fieldId: chosen?.id }],
    record_history: ['viewer', { tag, id: records[1]?.id }],
    list_todos: ['secretary', { tag: change }],
    read_case: ['teacher', { tag: change, id: waiting }],
    list_proposals: ['secretary', {}],
    propose_create: ['admin', { tag: 'EDU_FACULTY', values: { code: '98', name: '提议的' } }],
    propose_update: ['admin', { tag, ids: [records[2]?.id], values: { height: 170 } }],
    propose_delete: ['admin', { tag: 'EDU_FACULTY', ids: [faculty] }],
    propose_decision: ['secretary', { tag: change, id: waiting, event: 'APPROVE' }],
  }
}

type Random = ReturnType<typeof seeded>

function createPick(random: Random) {
  return <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
}

/** Arguments as an agent may make them up. */
function createArguments(random: Random, ids: readonly string[], secrets: readonly string[]) {
  const pick = createPick(random)
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
  return (tool: AgentTool): Record<string, unknown> => {
    const args: Record<string, unknown> = {}
    for (const name of Object.keys(tool.properties))
      if (tool.required.includes(name) || random() < 0.3)
        args[name] = random() < 0.15 ? pick(bad)() : (good[name]?.() ?? pick(bad)())
    if (random() < 0.05) args[pick(['reveal', 'sql', 'digest', 'confirm'])] = pick(bad)()
    return args
  }
}

describe('a hostile agent', () => {
  it('changes no row and reads no masked value in 1,000 calls', { timeout: 300_000 }, async () => {
    const { admin, tokens, faculty, waiting } = await openAgents()
    const random = seeded(40)
    const pick = createPick(random)
    const { records } = await admin.entityData.page({ params: { tag }, body: { pageSize: 20 } })
    const foreign = await listForeignIds()
    expect(foreign.length).toBeGreaterThan(20)
    const ids = [...records.map(({ id }) => id), ...foreign]
    const masked = await listMasked()
    const count = (owner: string) =>
      masked.flatMap((each) => (each.tag === owner ? each.values : [])).length
    expect([count(tag), count('EDU_TEACHER'), count('SYS_USER')].every((n) => n > 5)).toBe(true)
    const secrets = [...new Set(masked.flatMap(({ values }) => values))]
    const inventArguments = createArguments(random, ids, secrets)
    const honest = await listHonestCalls(admin, records, { faculty: faculty.id, waiting })
    const before = await digestTables()
    const known = new Set<string>()
    const answered = new Set<string>()
    const counts = { answered: 0, refused: 0 }
    for (let n = 0; n < 1_000; n += 1) {
      const tool = pick(agentTools)
      const meant = random() < 0.15 ? honest[tool.name] : undefined
      const args = meant?.[1] ?? inventArguments(tool)
      const token = meant === undefined ? pick(Object.values(tokens)) : tokens[meant[0]]
      const name = random() < 0.03 ? pick(['confirm', 'reveal', 'proposals.confirm']) : tool.name
      const text = await callTool(app, token, name, args)
      const isRefused = /"isError":true|"error":/.test(text)
      counts[isRefused ? 'refused' : 'answered'] += 1
      if (!isRefused) answered.add(name)
      // A value that the agent has sent may come back in a refusal or a preview of what it sent.
      const sent = JSON.stringify(args)
      const leaked = [
        ...secrets.filter((secret) => text.includes(secret) && !sent.includes(secret)),
        ...foreign.filter((id) => text.includes(`"id":"${id}"`) && !sent.includes(id)),
      ]
      for (const value of leaked) known.add(`${name} ${value}`)
    }
    expect([...known]).toEqual([])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(await digestTables()).toEqual(before)
    expect(counts.answered).toBeGreaterThan(150)
    expect([...answered].toSorted()).toEqual(agentTools.map(({ name }) => name).toSorted())
    expect(counts.refused).toBeGreaterThan(200)
  })

  it('is no caller without a token for programs, and confirms nothing with one', async () => {
    const admin = await app.signIn('admin')
    expect((await app.call('/mcp', { method: 'POST', body: '{}' })).status).toBe(401)
    expect((await sendMessage(app, admin.token, 'tools/list', {})).status).toBe(401)
    const { records } = await admin.entityData.page({ params: { tag }, body: { pageSize: 1 } })
    const token = await makeToken(admin, [tag], ['read', 'write'])
    const list = await (await sendMessage(app, token, 'tools/list', {})).text()
    expect(list).toContain('propose_update')
    expect(list).not.toContain('propose_delete')
    expect(list).not.toMatch(/reveal|confirm"/)
    const { id, digest, count } = (await readTool(app, token, 'propose_update', {
      tag,
      ids: records.map((row) => row.id),
      values: { height: 170 },
    })) as unknown as Proposed
    const program = app.client(token)
    const tries = [
      program.proposals.confirm({ params: { id }, body: { digest, count } }),
      program.proposals.refuse({ params: { id } }),
    ]
    for (const each of tries) expect((await captureRefusal(each)).code).toBe(403)
  })
})

describe('a person who sees masks', () => {
  /** Columns that lists mask, with two of their values. */
  const listGuesses = async () =>
    (await listMasked()).flatMap(({ tag: owner, attrName, values }) => {
      const [value, other] = values
      return teaching.includes(owner) && value !== undefined && other !== undefined
        ? [{ owner, attrName, value, other }]
        : []
    })
  const ask = async (person: Person, owner: string, body: object) => {
    const answer = person.entityData.page({
      params: { tag: owner },
      body: { pageNum: 1, pageSize: 20, ...body } as never,
    })
    return await answer.then(
      (data) => ({ data }),
      (error: { problem: { code: number; issues: readonly unknown[] } }) => ({
        code: error.problem.code,
        issues: error.problem.issues,
      }),
    )
  }

  it('learns no more of them by tools than by the list', { timeout: 60_000 }, async () => {
    const viewer = await app.signIn('viewer')
    const token = await makeToken(viewer, teaching, ['read'])
    const guesses = await listGuesses()
    expect(guesses.map(({ owner, attrName }) => `${owner}.${attrName}`).toSorted()).toEqual([
      'EDU_STUDENT.idCard',
      'EDU_STUDENT.mobile',
      'EDU_TEACHER.mobile',
    ])
    for (const { owner, attrName: column, value, other } of guesses) {
      const leaf = (op: string, operand: unknown) => ({
        where: { and: [{ column, op, value: operand }] },
      })
      const part = value.slice(0, 5)
      const refused: readonly object[] = [
        { sorts: [{ column, asc: true }] },
        { group: { column } },
        { group: { column: 'faculty', table: { column } } },
        ...['min', 'max', 'sum', 'avg', 'count', 'empty', 'distinct'].map((fn) => ({
          footer: [{ column, fn }],
        })),
        ...['gt', 'ge', 'lt', 'le', 'like', 'leftLike', 'rightLike'].map((op) => leaf(op, part)),
        leaf('between', [part, `${part}zzz`]),
        leaf('in', [value, other]),
        { queries: { [column]: [value, other] } },
        { where: { or: [leaf('equal', value).where.and[0], leaf('equal', other).where.and[0]] } },
      ]
      const answered: readonly object[] = [
        { queries: { [column]: part } },
        { queries: { [column]: value } },
        leaf('equal', value),
        leaf('equal', '19999999999'),
        leaf('notEqual', value),
        leaf('in', [value]),
        leaf('isEmpty', null),
      ]
      const { fields } = await viewer.entityData.config({ params: { tag: owner } })
      const isQuery = fields.some((field) => field.attrName === column && field.isQuery)
      for (const [isRefused, bodies] of [
        [true, refused],
        [!isQuery, answered],
        [false, [{}]],
      ] as const)
        for (const body of bodies) {
          const own = await ask(viewer, owner, body)
          const { data, code, issues } = await askTool(app, token, 'query_records', {
            tag: owner,
            ...body,
          })
          const byTool = data === undefined ? { code, issues } : { data }
          const question = `${owner} ${JSON.stringify(body)}`
          expect(byTool, question).toEqual(JSON.parse(JSON.stringify(own)))
          expect(data === undefined, question).toBe(isRefused)
          expect(JSON.stringify(byTool), question).not.toContain(value)
        }
      // A part of a value finds nothing.
      if (!isQuery) continue
      const { data } = await askTool(app, token, 'query_records', {
        tag: owner,
        queries: { [column]: part },
      })
      expect(data).toMatchObject({ records: [] })
    }
  })
})

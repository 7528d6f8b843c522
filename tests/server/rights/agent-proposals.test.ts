// Confirmed proposals of agents write the rows that the person was shown: all of them, once, and nothing before
// (docs/agents.md).
import { defaultTenant } from '@jiaowu/api/limits'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { carryOut, prepareAct } from '../../../apps/server/src/entities/agent/acts.ts'
import { buildJobContext } from '../../../apps/server/src/entities/jobs/job-rights.ts'
import {
  captureRefusal,
  findOwnGrade,
  makeToken,
  type Person,
  type Proposed,
  readTool,
  sendMessage,
} from './agent-calls.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

const tag = 'EDU_STUDENT'

async function firstIds(n: number): Promise<string[]> {
  const admin = await app.signIn('admin')
  const { records } = await admin.entityData.page({ params: { tag }, body: { pageSize: n } })
  return records.map(({ id }) => id)
}

async function proposeHeight(token: string, values: object, n = 1): Promise<Proposed> {
  const ids = await firstIds(n)
  return (await readTool(app, token, 'propose_update', { tag, ids, values })) as unknown as Proposed
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

const confirm = (person: Person, { id, digest, count }: Proposed) =>
  person.proposals.confirm({ params: { id }, body: { digest, count } })

/** Versions of the rows of a table, by id. */
async function readVersions(table: string): Promise<Record<string, string>> {
  const { rows } = await sql<{ id: string; version: string }>`
    select id::text as id, version::text || case when deleted_at is null then '' else ' gone' end as version
    from ${sql.table(table)} where tenant_id = ${defaultTenant}::int8`.execute(
    app.services.database.kysely,
  )
  return Object.fromEntries(rows.map(({ id, version }) => [id, version]))
}

async function listAudit(id: string) {
  const { rows } = await sql<{ action: string; account: string; by: string; object: string }>`
    select action, account, object_id as object, detail ->> 'byAgent' as by from sys.audit_log
    where tenant_id = ${defaultTenant}::int8 and result = 'ok'
      and (detail ->> 'proposal' = ${id} or object_id = ${id})
    order by number`.execute(app.services.database.kysely)
  return rows
}

describe('a request of a correction, by agents from its row to the grade', () => {
  const change = 'EDU_GRADE_CHANGE'
  const params = (id: string) => ({ tag: change, id })

  it('is added, decided in its flow and takes effect once, each step when its person confirms', async () => {
    const [teacher, secretary, registrar] = (await Promise.all(
      ['teacher', 'secretary', 'registrar'].map((account) => app.signIn(account)),
    )) as [Person, Person, Person]
    const { id: grade, score: before } = await findOwnGrade(app)
    const { name: registrarName } = await registrar.session.whoami({})
    const token = await makeToken(teacher, [change, 'EDU_GRADE'], ['read', 'write'])
    const [requests, grades] = [
      await readVersions('biz.grade_change'),
      await readVersions('biz.grade'),
    ]
    const values = { grade: [{ id: grade, name: '' }], score: 93.5, reason: '卷面分漏加' }
    const added = await propose(token, 'propose_create', { tag: change, values })
    expect(await readVersions('biz.grade_change')).toEqual(requests)
    await confirm(teacher, added)
    const now = await readVersions('biz.grade_change')
    const [id = '', ...more] = Object.keys(now).filter((each) => !Object.hasOwn(requests, each))
    expect(more).toEqual([])
    expect(now).toEqual({ ...requests, [id]: now[id] })
    expect(await teacher.entityData.get({ params: params(id) })).toMatchObject({
      score: 93.5,
      oldScore: before,
      reason: '卷面分漏加',
      state: [{ id: 'draft' }],
    })
    expect(
      (await listAudit(added.id)).map(({ action, object, by }) => [action, object, by]),
    ).toEqual([
      ['proposal.propose', added.id, '排课代理'],
      ['entity.add', id, '排课代理'],
      ['proposal.confirm', added.id, '排课代理'],
    ])
    const readState = async () => (await teacher.flow.read({ params: params(id) })).state
    const steps: readonly (readonly [Person, string, from: string, to: string])[] = [
      [teacher, 'SUBMIT', 'draft', 'faculty'],
      [secretary, 'APPROVE', 'faculty', 'office'],
      [registrar, 'APPROVE', 'office', 'approved'],
    ]
    for (const [person, event, from, to] of steps) {
      // People who decide may read the table, and write nothing in it.
      const agent = await makeToken(person, [change], ['read', 'decide'])
      if (person !== teacher) {
        const todos = await readTool(app, agent, 'list_todos', { tag: change })
        expect(JSON.stringify(todos)).toContain(id)
      }
      const shown = await readTool(app, agent, 'read_case', params(id))
      expect(shown['can']).toEqual(expect.arrayContaining([expect.objectContaining({ event })]))
      const args = { ...params(id), event, ...(person !== teacher && { note: '已核对' }) }
      const decision = await propose(agent, 'propose_decision', args)
      const second = await propose(agent, 'propose_decision', args)
      expect(await readState()).toBe(from)
      expect(await readVersions('biz.grade')).toEqual(grades)
      const both = await Promise.allSettled([confirm(person, decision), confirm(person, decision)])
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      expect(await readState()).toBe(to)
      // The case is elsewhere: the other proposal is for nothing.
      expect((await captureRefusal(confirm(person, second))).code).toBe(40900)
      expect(await readState()).toBe(to)
      const lines = await listAudit(decision.id)
      expect(lines.filter(({ action }) => action === 'proposal.confirm')).toHaveLength(1)
      expect(lines.every(({ by }) => by === '排课代理')).toBe(true)
      expect(lines.some(({ object }) => object === id)).toBe(true)
    }
    expect(await readVersions('biz.grade')).toEqual({
      ...grades,
      [grade]: String(Number(grades[grade]) + 1),
    })
    const admin = await app.signIn('admin')
    const ofGrade = await admin.history.of({ params: { tag: 'EDU_GRADE', id: grade } })
    expect(ofGrade.entries).toMatchObject([
      { action: 'update', agent: '排课代理', user: { name: registrarName } },
    ])
    const ofRequest = await admin.history.of({ params: params(id) })
    expect(ofRequest.entries.every(({ agent }) => agent === '排课代理')).toBe(true)
    expect(ofRequest.entries.at(-1)).toMatchObject({ action: 'add', agent: '排课代理' })
  })

  it('is proposed by no agent whose token only reads', async () => {
    const secretary = await app.signIn('secretary')
    const token = await makeToken(secretary, [change], ['read'])
    const tools = await (await sendMessage(app, token, 'tools/list', {})).text()
    expect(tools).toContain('read_case')
    expect(tools).not.toContain('propose_')
    const { records } = await secretary.entityData.page({ params: { tag: change }, body: {} })
    const act = {
      kind: 'flow' as const,
      tag: change,
      id: records[0]?.id ?? '',
      event: 'APPROVE',
      fields: {},
    }
    const refused = await captureRefusal(app.client(token).proposals.propose({ body: { act } }))
    expect(refused.code).toBe(403)
  })

  const propose = async (token: string, name: string, args: object) =>
    (await readTool(app, token, name, args)) as unknown as Proposed
})

describe('a deletion', () => {
  const faculty = 'EDU_FACULTY'
  let n = 0
  const make = async (admin: Person) => {
    n += 1
    const body = { code: `9${String(n)}`, name: `代理学院${String(n)}` }
    return (await admin.entityData.create({ params: { tag: faculty }, body })).id
  }
  const save = async (admin: Person, id: string, name: string) => {
    const { version } = await admin.entityData.get({ params: { tag: faculty, id } })
    await admin.entityData.update({ params: { tag: faculty, id }, body: { version, name } })
  }

  it('takes the rows that were shown and no others, when it is confirmed', async () => {
    const admin = await app.signIn('admin')
    const ids = [await make(admin), await make(admin)]
    const kept = await make(admin)
    const token = await makeToken(admin, [faculty], ['read', 'delete'])
    const before = await readVersions('biz.faculty')
    const deletion = await readTool(app, token, 'propose_delete', { tag: faculty, ids })
    expect(deletion).toMatchObject({ count: 2, kind: 'delete' })
    expect(await readVersions('biz.faculty')).toEqual(before)
    await confirm(admin, deletion as unknown as Proposed)
    const after = await readVersions('biz.faculty')
    const gone = Object.keys(before).filter((id) => before[id] !== after[id])
    expect(gone.toSorted()).toEqual(ids.toSorted())
    expect(after[kept]).toBe(before[kept])
    expect(
      (await listAudit(String(deletion['id']))).map(({ action }) => action).toSorted(),
    ).toEqual(['entity.delete', 'entity.delete', 'proposal.confirm', 'proposal.propose'])
  })

  it('takes no row that was saved after the digest was compared', async () => {
    const admin = await app.signIn('admin')
    const id = await make(admin)
    const { id: user } = await admin.session.whoami({})
    const job = { tenant_id: defaultTenant, user_id: user, locale: 'zh-CN' as const }
    const context = await buildJobContext(app.services, job)
    const prepared = await prepareAct(context, { kind: 'delete', tag: faculty, ids: [id] })
    await save(admin, id, '另一人改的名字')
    const refused = await carryOut(context, prepared).catch((error: unknown) => error)
    expect(refused).toMatchObject({ status: 409, code: 40900 })
    expect(await admin.entityData.get({ params: { tag: faculty, id } })).toMatchObject({
      name: '另一人改的名字',
    })
  })

  it('is refused with a new preview when somebody saves the row while it begins', async () => {
    const admin = await app.signIn('admin')
    const id = await make(admin)
    const token = await makeToken(admin, [faculty], ['read', 'delete'])
    const deletion = await readTool(app, token, 'propose_delete', { tag: faculty, ids: [id] })
    const { registry } = app.services
    const { all } = registry
    // A deletion asks for all entities right before its transaction.
    const saveFirst: typeof all = async (tenant) => {
      Object.assign(registry, { all })
      await save(admin, id, '刚刚改的名字')
      return await all(tenant)
    }
    Object.assign(registry, { all: saveFirst })
    const refused = await captureRefusal(confirm(admin, deletion as unknown as Proposed))
    expect(registry.all).toBe(all)
    expect(refused).toMatchObject({ code: 40900, data: { state: 'open', count: 1 } })
    expect((await admin.entityData.get({ params: { tag: faculty, id } }))['name']).toBe(
      '刚刚改的名字',
    )
    const now = refused.data as Proposed
    expect(now.digest).not.toBe(deletion['digest'])
    await confirm(admin, now)
    const gone = await captureRefusal(admin.entityData.get({ params: { tag: faculty, id } }))
    expect(gone.code).toBe(404)
  })
})

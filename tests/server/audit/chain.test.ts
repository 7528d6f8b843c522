import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { signingIdentity } from '../../../apps/server/src/documents/signing/identity.ts'
import { archiveAudit, verifyArchive } from '../../../apps/server/src/platform/audit/archive.ts'
import { verifyAudit, verifyChain } from '../../../apps/server/src/platform/audit/verify.ts'
import { auditIn } from '../../../apps/server/src/platform/audit/write.ts'
import { transact } from '../../../apps/server/src/platform/database/transact.ts'

const school = '10000'
let app: TestApp
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jiaowu-chain-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const day = 86_400_000
const daysAgo = (days: number) => new Date(app.services.now().getTime() - days * day)
const openChainDatabase = () => app.services.database.kysely
const findBrokenChains = async () =>
  (await verifyAudit(app.services)).flatMap((report) => (report.broken === null ? [] : [report]))

function actor(tenant: string) {
  return { tenant, userId: null, account: 'tester', ip: '127.0.0.1', traceId: 't' }
}
/** Lines of actions `a1`, `a2` … in one chain. */
async function writeLines(count: number, tenant = school) {
  for (let n = 1; n <= count; n += 1)
    await transact(openChainDatabase(), async (trx) => {
      auditIn(app.services, trx, actor(tenant), {
        action: `a${n}`,
        result: 'ok',
        detail: { n, names: ['b', 'a'] },
      })
    })
}
/** As a person with the rights of the tables' owner could. */
async function tamper(statement: string) {
  await sql`alter table sys.audit_log disable trigger user`.execute(openChainDatabase())
  await sql.raw(statement).execute(openChainDatabase())
  await sql`alter table sys.audit_log enable trigger user`.execute(openChainDatabase())
}

describe('the chain of a tenant', () => {
  beforeEach(async () => {
    await app?.close()
    app = await testApp()
  })
  afterAll(() => app.close())

  it('holds each action with its names, never its values, in the chain of its own tenant', async () => {
    const admin = await app.signIn('admin')
    const [row] = (
      await admin.entityData.page({ params: { tag: 'EDU_STUDENT' }, body: { pageSize: 1 } })
    ).records
    await admin.entityData.update({
      params: { tag: 'EDU_STUDENT', id: row?.id ?? '' },
      body: { version: row?.version, dormitory: '1 号楼' },
    })
    const clerk = await app.signIn('clerk')
    await clerk.entityData.page({ params: { tag: 'EDU_GRADE' }, body: {} }).catch(() => {})
    await Promise.all(Array.from({ length: 10 }, () => app.signIn('viewer')))
    await app.signIn('admin', '10001')
    const lines = await openChainDatabase()
      .selectFrom('sys.audit_log')
      .selectAll()
      .orderBy('seq')
      .execute()
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ action: 'session.signIn', account: 'admin', result: 'ok' }),
        expect.objectContaining({ account: 'clerk', object: 'EDU_GRADE', result: 'denied' }),
        expect.objectContaining({ object: 'EDU_STUDENT', account: 'admin', tenant_id: school }),
        expect.objectContaining({ tenant_id: '10001', number: '1' }),
      ]),
    )
    expect(JSON.stringify(lines)).not.toContain('1 号楼')
    expect(await findBrokenChains()).toEqual([])
    expect((await verifyChain(app.services, school)).lines).toBeGreaterThan(13)
  })

  it.each([
    ['a changed line', `update sys.audit_log set action = 'no' where number = 3`, 'changed', '3'],
    ['a removed line', `delete from sys.audit_log where number = 3`, 'missing', '4'],
    ['removed last lines', `delete from sys.audit_log where number > 3`, 'end', '4'],
    ['a removed chain', `delete from sys.audit_log`, 'end', '1'],
    [
      'an inserted line',
      `insert into sys.audit_log (id, tenant_id, action, result, number, prev_hash, hash)
        values (1, 10000, 'x', 'ok', 6, '', '')`,
      'end',
      '6',
    ],
  ])('names the first line that does not fit after %s', async (_what, statement, why, number) => {
    await writeLines(5)
    expect(await findBrokenChains()).toEqual([])
    await tamper(statement)
    expect(await findBrokenChains()).toMatchObject([{ tenant: school, broken: { why, number } }])
  })

  it('can be checked from a day on', async () => {
    await writeLines(3)
    app.advance(86_400_000)
    const since = new Date(app.services.now().getTime() - 3_600_000)
    await writeLines(2)
    expect(await verifyChain(app.services, school, { since })).toMatchObject({ lines: 2 })
    await tamper(`update sys.audit_log set action = 'no' where number = 2`)
    expect((await verifyChain(app.services, school, { since })).broken).toBe(null)
    expect((await verifyChain(app.services, school)).broken).toMatchObject({ number: '2' })
  })

  it('refuses update, delete and truncate of lines, links and anchors', async () => {
    await writeLines(1)
    for (const statement of [
      'truncate sys.audit_log',
      'truncate sys.audit_log cascade',
      'truncate sys.audit_chain',
      'truncate sys.audit_anchor',
      'delete from sys.audit_log',
      'delete from sys.audit_chain',
      `update sys.audit_log set action = 'no'`,
    ])
      await expect(sql.raw(statement).execute(openChainDatabase()), statement).rejects.toThrow(
        'append-only',
      )
    // An anchor that covers other lines does not let a transaction delete these.
    await expect(
      transact(openChainDatabase(), async (trx) => {
        await sql`
          insert into sys.audit_anchor (id, tenant_id, number, hash, lines, before, at, file_sha256,
            signature, certificate) values (1, 10001, 9, '', 9, now(), now(), '', '', '')`.execute(
          trx,
        )
        await sql`delete from sys.audit_log where tenant_id = 10000`.execute(trx)
      }),
    ).rejects.toThrow('append-only')
  })

  it('keeps 16 concurrent writers of several tenants apart and in order', async () => {
    await Promise.all(
      Array.from({ length: 16 }, (_none, n) => writeLines(5, n % 2 === 0 ? school : '10001')),
    )
    expect(await findBrokenChains()).toEqual([])
    expect((await verifyChain(app.services, '10001')).lines).toBe(40)
  })

  it('writes no line for a transaction that rolls back, and none without a transaction', async () => {
    await expect(
      transact(openChainDatabase(), async (trx) => {
        auditIn(app.services, trx, actor(school), { action: 'never', result: 'ok' })
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    expect(() =>
      auditIn(app.services, openChainDatabase(), actor(school), { action: 'never', result: 'ok' }),
    ).toThrow('needs the trx')
    expect(await openChainDatabase().selectFrom('sys.audit_log').selectAll().execute()).toEqual([])
  })

  it('tells administrators and /metrics of a break, once', async () => {
    await writeLines(3)
    await tamper(`update sys.audit_log set action = 'no' where number = 2`)
    const admin = await app.signIn('admin')
    const found = {
      complete: true,
      broken: expect.objectContaining({ why: 'changed', number: '2' }),
    }
    expect(await admin.audit.verify({})).toMatchObject(found)
    expect(await admin.audit.verify({})).toMatchObject(found)
    const { records } = await admin.messages.mine({})
    expect(records).toMatchObject([{ title: expect.stringContaining('审计日志校验失败') }])
    expect(records[0]?.content).toContain('broken at line 2')
    const metrics = await (await app.fetch(new Request('http://127.0.0.1/metrics'))).text()
    expect(metrics).toContain('jiaowu_audit_broken_chains 1')
    const viewer = await app.signIn('viewer')
    await expect(viewer.audit.verify({})).rejects.toMatchObject({ problem: { code: 403 } })
  })
})

describe('an archive', () => {
  const path = () => join(folder, 'old.ndjson')
  let signer: { key: string; certificate: string }
  beforeAll(async () => {
    app = await testApp()
    const { key, certificates } = await signingIdentity(app.services.settings, school, 'x', 'x')
    signer = { key, certificate: certificates[0] ?? '' }
  })
  afterAll(() => app.close())

  it('moves the old lines of every chain into a signed file, and the chains still verify', async () => {
    await writeLines(4)
    await writeLines(2, '10001')
    app.advance(181 * day)
    const before = daysAgo(180)
    expect(await archiveAudit(app.services, new Date(0), path(), signer)).toEqual({
      kind: 'nothing',
    })
    await writeLines(1)
    expect(await archiveAudit(app.services, before, path(), signer)).toMatchObject({
      kind: 'archived',
      lines: 6,
    })
    expect(await findBrokenChains()).toEqual([])
    const left = await openChainDatabase()
      .selectFrom('sys.audit_log')
      .select(['number', 'action'])
      .orderBy('seq')
      .execute()
    expect(left).toEqual([
      { number: '5', action: 'a1' },
      { number: '6', action: 'audit.archive' },
      { number: '3', action: 'audit.archive' },
    ])
    expect(await verifyArchive(path(), app.services.auditKeys)).toMatchObject({
      lines: 6,
      signed: true,
      broken: null,
    })
    await writeLines(2)
    expect(await findBrokenChains()).toEqual([])
  })

  it.each([
    [180, 179.999, 'the floor of 180 days'],
    [1, 179.999, 'the floor also of settings that say less'],
    [365, 364.999, 'a longer time of the operator'],
  ])('refuses lines that AUDIT_DAYS=%i keeps: %d days old (%s)', async (auditDays, age) => {
    const at = app.services.now()
    const before = (days: number) => new Date(at.getTime() - days * day)
    const settings = { ...app.services.settings, auditDays }
    const services = { ...app.services, settings, now: () => at }
    const lines = () =>
      openChainDatabase().selectFrom('sys.audit_log').selectAll().orderBy('seq').execute()
    const stored = await lines()
    const young = join(folder, 'young.ndjson')
    const limit = before(Math.max(auditDays, 180))
    for (const date of [before(age), at])
      expect(await archiveAudit(services, date, young, signer)).toEqual({ kind: 'young', limit })
    await expect(readFile(young)).rejects.toThrow('ENOENT')
    expect(await lines()).toEqual(stored)
  })

  it('never overwrites a file, and leaves the lines when it cannot write', async () => {
    const before = await openChainDatabase().selectFrom('sys.audit_log').selectAll().execute()
    app.advance(181 * day)
    await expect(archiveAudit(app.services, daysAgo(180), path(), signer)).rejects.toThrow('EEXIST')
    expect(await openChainDatabase().selectFrom('sys.audit_log').selectAll().execute()).toEqual(
      before,
    )
  })

  it('shows a change of the file', async () => {
    const text = await readFile(path(), 'utf8')
    const changed = join(folder, 'changed.ndjson')
    await writeFile(changed, text.replace('"action":"a2"', '"action":"a9"'))
    expect(await verifyArchive(changed, app.services.auditKeys)).toMatchObject({
      signed: false,
      broken: { why: 'changed', number: '2' },
    })
    await writeFile(changed, text.split('\n').slice(0, -2).join('\n'))
    await expect(verifyArchive(changed, app.services.auditKeys)).rejects.toThrow(
      'its end is missing',
    )
  })

  it('shows an anchor without a valid signature, and archives nothing then', async () => {
    await sql`alter table sys.audit_anchor disable trigger user`.execute(openChainDatabase())
    await sql`update sys.audit_anchor set lines = 5 where tenant_id = 10000`.execute(
      openChainDatabase(),
    )
    expect(await findBrokenChains()).toMatchObject([{ broken: { why: 'anchor', number: '4' } }])
    const other = join(folder, 'other.ndjson')
    expect(await archiveAudit(app.services, daysAgo(180), other, signer)).toMatchObject({
      kind: 'broken',
    })
  })
})

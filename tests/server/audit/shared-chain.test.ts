// Lines from before there was one chain a tenant keep verifying after the migration.
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAuditKeys } from '../../../apps/server/src/platform/audit/keys.ts'
import { sharedChain } from '../../../apps/server/src/platform/audit/line.ts'
import { openAuditKeys } from '../../../apps/server/src/platform/audit/open-keys.ts'
import { verifyAudit } from '../../../apps/server/src/platform/audit/verify.ts'
import { auditIn } from '../../../apps/server/src/platform/audit/write.ts'
import { migrate } from '../../../apps/server/src/platform/database/migrations/migrate.ts'
import { migrations } from '../../../apps/server/src/platform/database/migrations/index.ts'
import { transact } from '../../../apps/server/src/platform/database/transact.ts'
import { readSettings } from '../../../apps/server/src/platform/settings/settings.ts'
import { testDatabase } from '../../../apps/server/testing/database/database.ts'
import { quietLog } from '../../../apps/server/testing/quiet-log.ts'

const secret = Buffer.alloc(32, 8)
const auditKeys = createAuditKeys([secret])
let folder: string
let database: Awaited<ReturnType<typeof testDatabase>>
beforeAll(async () => {
  database = await testDatabase({ blank: true })
  const untyped = database.kysely as unknown as Kysely<unknown>
  const before = migrations.filter(({ name }) => name < '0015')
  await migrate(untyped, before, quietLog)
  let previous = ''
  for (const [index, tenant] of ['10000', '10001', '10000', '0', '10000'].entries())
    previous = await oldLine(untyped, String(index + 1), tenant, previous)
  await migrate(untyped, migrations, quietLog)
  folder = await mkdtemp(join(tmpdir(), 'jiaowu-shared-'))
  const settings = readSettings({ DATA_DIR: folder, AUDIT_KEY: secret.toString('base64') })
  await openAuditKeys({ database, settings, log: quietLog as never, now: () => new Date() })
})
afterAll(async () => {
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

/** As version 0.1 wrote and hashed it. */
async function oldLine(db: Kysely<unknown>, id: string, tenant: string, previous: string) {
  const at = `2026-01-0${id}T08:00:00.123Z`
  const line =
    `{"account":"admin","action":"old","at":"${at}","detail":{"a":1,"b":["x"]},"id":"${id}","ip":"127.0.0.1",` +
    `"object":null,"objectId":null,"result":"ok","tenant":"${tenant}","traceId":"t","userId":"7"}`
  const hash = createHash('sha256').update(`${previous}\n${line}`).digest('base64url')
  await sql`
    insert into sys.audit_log (id, tenant_id, at, user_id, account, ip, action, object, object_id,
      result, detail, trace_id, prev_hash, hash)
    values (${id}::int8, ${tenant}::int8, ${at}::timestamptz, 7, 'admin', '127.0.0.1', 'old', null, null,
      'ok', ${JSON.stringify({ b: ['x'], a: 1 })}::jsonb, 't', ${previous}, ${hash})`.execute(db)
  return hash
}
const findBrokenLinks = async () =>
  (await verifyAudit({ database, auditKeys })).flatMap(({ tenant, broken: found }) =>
    found === null ? [] : [{ tenant, ...found }],
  )

it('continues each school’s chain from the last shared line, and finds a change before it', async () => {
  let id = 100
  const services = { newId: () => String((id += 1)), now: () => new Date(), auditKeys }
  for (const tenant of ['10000', '10001', '10000'])
    await transact(database.kysely, async (trx) =>
      auditIn(
        services,
        trx,
        { tenant, userId: null, account: null, ip: '', traceId: '' },
        { action: 'new', result: 'ok' },
      ),
    )
  const reports = await verifyAudit({ database, auditKeys })
  expect(
    reports.filter(({ lines }) => lines > 0).map(({ tenant, lines }) => [tenant, lines]),
  ).toEqual([
    [sharedChain, 5],
    ['10000', 2],
    ['10001', 1],
  ])
  expect(await findBrokenLinks()).toEqual([])
  await sql`alter table sys.audit_log disable trigger user`.execute(database.kysely)
  await sql`update sys.audit_log set action = 'no' where id = 3`.execute(database.kysely)
  expect(await findBrokenLinks()).toMatchObject([
    { tenant: sharedChain, why: 'changed', number: '3' },
  ])
})

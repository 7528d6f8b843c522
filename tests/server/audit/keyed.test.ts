// An intruder who may write every table, and has no key, makes no lines that verify
// (docs/rules/security.md#l1). Lines from before there was a key stay as they were.
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { signingIdentity } from '../../../apps/server/src/documents/signing/identity.ts'
import {
  isSignedText,
  signText,
  textOfAnchor,
} from '../../../apps/server/src/platform/audit/anchor.ts'
import {
  type AuditKeys,
  createAuditKeys,
  keyedLink,
} from '../../../apps/server/src/platform/audit/keys.ts'
import { openAuditKeys } from '../../../apps/server/src/platform/audit/open-keys.ts'
import { verifyAudit } from '../../../apps/server/src/platform/audit/verify.ts'
import { auditIn } from '../../../apps/server/src/platform/audit/write.ts'
import { migrate } from '../../../apps/server/src/platform/database/migrations/migrate.ts'
import { migrations } from '../../../apps/server/src/platform/database/migrations/index.ts'
import { transact } from '../../../apps/server/src/platform/database/transact.ts'
import { readSettings } from '../../../apps/server/src/platform/settings/settings.ts'
import { testDatabase } from '../../../apps/server/testing/database/database.ts'
import { quietLog } from '../../../apps/server/testing/quiet-log.ts'

const school = '10000'
const [secret, another] = [Buffer.alloc(32, 8), Buffer.alloc(32, 9)]
let database: Awaited<ReturnType<typeof testDatabase>>
let folder: string
let auditKeys: AuditKeys
let id = 1_000

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jiaowu-keyed-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))
/** Two lines of the version before, then two under the key, in one chain. */
beforeEach(async () => {
  database = await testDatabase({ blank: true })
  const untyped = database.kysely as unknown as Kysely<unknown>
  await migrate(
    untyped,
    migrations.filter(({ name }) => name < '0054'),
    quietLog,
  )
  await oldLine(1)
  await oldLine(2)
  await migrate(untyped, migrations, quietLog)
  auditKeys = await openKeys(secret)
  await writeLines(2)
})
afterEach(() => database.close())

function openKeys(key: Buffer, dataDir = join(folder, String(id))) {
  const settings = readSettings({ DATA_DIR: dataDir, AUDIT_KEY: key.toString('base64') })
  return openAuditKeys({ database, settings, log: quietLog as never, now: () => new Date() })
}

/** A line of the version before: what it stores, and the texts around the number that its hash covers. */
function buildOldLine(n: number, action = 'old') {
  const at = `2026-01-0${n}T08:00:00.000Z`
  const before = `{"account":"admin","action":"${action}","at":"${at}","detail":{"n":${n}},"id":"${n}","ip":"","number":"`
  const after = `","object":null,"objectId":null,"result":"ok","tenant":"${school}","traceId":"t","userId":null}`
  const line = { id: String(n), at, user_id: null, account: 'admin', ip: '', action }
  const rest = { object: null, object_id: null, result: 'ok', detail: { n }, trace_id: 't' }
  return { ...line, ...rest, before, after }
}

/** As `sys.finish_write` of migration 0037 takes it. */
async function oldLine(n: number) {
  const lines = JSON.stringify([buildOldLine(n)])
  await sql`select sys.finish_write(${school}::int8, '{}'::text[], '[]'::jsonb, ${lines}::jsonb)`.execute(
    database.kysely,
  )
}

async function writeLines(count: number) {
  for (let n = 1; n <= count; n += 1)
    await transact(database.kysely, async (trx) =>
      auditIn(
        { newId: () => String((id += 1)), now: () => new Date(), auditKeys },
        trx,
        { tenant: school, userId: null, account: 'admin', ip: '', traceId: 't' },
        { action: `new${n}`, result: 'ok', detail: { n } },
      ),
    )
}

const verify = async () =>
  (await verifyAudit({ database, auditKeys })).find(({ tenant }) => tenant === school)

interface Line {
  readonly id: string
  readonly number: string
  readonly key_id: string | null
  readonly prev_hash: string
  readonly hash: string
}
const readChainLines = async () =>
  (
    await sql<Line>`
      select id::text, number::text, key_id, prev_hash, hash from sys.audit_log
      where tenant_id = ${school}::int8 order by number`.execute(database.kysely)
  ).rows

/** Acts as the owner of the tables, who can do everything but know the key. */
async function asOwner(...statements: readonly string[]) {
  const tables = ['audit_log', 'audit_chain', 'audit_anchor', 'audit_key', 'audit_mark']
  const triggers = (word: string) => tables.map((t) => `alter table sys.${t} ${word} trigger user`)
  for (const statement of [...triggers('disable'), ...statements, ...triggers('enable')])
    await sql.raw(statement).execute(database.kysely)
}

/** Links all lines from one on anew, and the end of the chain. */
async function relink(from: number, link: (line: Line, previous: string) => string) {
  let previous = ''
  const statements: string[] = []
  for (const line of await readChainLines()) {
    const hash = Number(line.number) < from ? line.hash : link(line, previous)
    statements.push(
      `update sys.audit_log set prev_hash = '${previous}', hash = '${hash}' where id = ${line.id}`,
      `update sys.audit_chain set number = ${line.number}, hash = '${hash}' where tenant_id = 10000`,
    )
    previous = hash
  }
  await asOwner(...statements)
}

/** Turns lines from one on into lines of the version before, with all that the chain asks for. */
async function rewriteAsOld(from: number) {
  for (const { id: line, number } of (await readChainLines()).slice(from - 1)) {
    const { at, account, ip, action, detail } = buildOldLine(Number(number), 'rewritten')
    await asOwner(`
      update sys.audit_log set id = ${number}, at = '${at}', account = '${account}', ip = '${ip}', user_id = null,
        action = '${action}', detail = '${JSON.stringify(detail)}', key_id = null where id = ${line}`)
  }
  await relink(from, ({ number }, previous) => {
    const { before, after } = buildOldLine(Number(number), 'rewritten')
    return createHash('sha256')
      .update(`${previous}\n${before}${number}${after}`)
      .digest('base64url')
  })
}

it('verifies lines from before the key and lines under it, in one chain', async () => {
  expect(await verify()).toMatchObject({ lines: 4, keyed: 2, broken: null })
  const lines = await readChainLines()
  const { current } = auditKeys
  expect(lines.map(({ key_id }) => key_id)).toEqual([null, null, current, current])
  expect(lines[2]?.prev_hash).toBe(lines[1]?.hash)
})

it('finds it when all lines are rewritten as the version before wrote them', async () => {
  await rewriteAsOld(1)
  // Without its mark the chain would verify: the first two lines are linked as they should be.
  expect((await verify())?.broken).toMatchObject({ why: 'changed', number: '2' })
})

it('finds it when the lines under the key are rewritten as the version before wrote them', async () => {
  await rewriteAsOld(3)
  expect((await verify())?.broken).toMatchObject({ why: 'unkeyed', number: '3' })
})

it('finds it when the chain ends before its mark', async () => {
  await asOwner(
    'delete from sys.audit_log where number > 1',
    `update sys.audit_chain set number = 1, hash = '${(await readChainLines())[0]?.hash ?? ''}'`,
  )
  expect((await verify())?.broken).toMatchObject({ why: 'end', number: '2' })
})

it('finds it when the lines are linked anew under another key, whatever the tables say of keys', async () => {
  const foreign = createAuditKeys([another])
  const link = ({ number }: Line, previous: string) =>
    keyedLink(foreign.lineKey('x') ?? Buffer.alloc(0), previous, number)
  await asOwner(`update sys.audit_log set action = 'no' where number = 3`)
  await relink(3, link)
  expect((await verify())?.broken).toMatchObject({ why: 'changed', number: '3' })
  await asOwner(
    `update sys.audit_log set key_id = '${foreign.current}' where number >= 3`,
    `update sys.audit_key set id = '${foreign.current}'`,
  )
  expect((await verify())?.broken).toMatchObject({ why: 'key', number: '3' })
})

it('finds it when a line goes and the next one takes its place', async () => {
  const known = new Map((await readChainLines()).map(({ id: line, hash }) => [line, hash]))
  await asOwner(
    'delete from sys.audit_log where number = 3',
    'update sys.audit_log set number = 3 where number = 4',
  )
  await relink(3, (line) => known.get(line.id) ?? '')
  expect((await verify())?.broken).toMatchObject({ why: 'changed', number: '3' })
})

it('finds a mark that was moved or taken away', async () => {
  await asOwner('update sys.audit_mark set number = 4')
  expect((await verify())?.broken).toMatchObject({ why: 'mark' })
  await asOwner('delete from sys.audit_mark')
  expect((await verify())?.broken).toMatchObject({ why: 'unkeyed', number: '1' })
})

it('marks nothing a second time for a server that has used the key', async () => {
  const dataDir = join(folder, 'used')
  await openKeys(secret, dataDir)
  await rewriteAsOld(1)
  await asOwner('delete from sys.audit_key', 'delete from sys.audit_mark')
  await expect(openKeys(secret, dataDir)).rejects.toThrow(/which this server has used/)
  const { rows } = await sql`select 1 from sys.audit_mark`.execute(database.kysely)
  expect(rows).toEqual([])
})

it('finds an archive that somebody else signed with a key and certificate of their own', async () => {
  const settings = readSettings({ DATA_DIR: join(folder, 'stranger') })
  const { key, certificates } = await signingIdentity(settings, school, 'x', 'x')
  const certificate = certificates[0] ?? ''
  const [first, last] = [(await readChainLines())[0], (await readChainLines()).at(-1)]
  const at = '2026-11-01T00:00:00.000Z'
  const anchor = { tenant_id: school, number: '4', hash: last?.hash ?? '', lines: '4' }
  const whole = { ...anchor, before: at, at, file_sha256: first?.hash ?? '' }
  const signature = signText(textOfAnchor(whole), key)
  await asOwner(
    `insert into sys.audit_anchor (id, tenant_id, number, hash, lines, before, at, file_sha256, signature, certificate)
      values (1, 10000, 4, '${whole.hash}', 4, '${at}', '${at}', '${whole.file_sha256}', '${signature}', '${certificate}')`,
    'delete from sys.audit_log',
  )
  expect(isSignedText(textOfAnchor(whole), signature, certificate)).toBe(true)
  expect((await verify())?.broken).toMatchObject({ why: 'anchor', number: '4' })
})

it('refuses another key, and takes a new one in front of the old one', async () => {
  await expect(openKeys(another)).rejects.toThrow(/AUDIT_KEY is not the key of this database/)
  const settings = readSettings({
    DATA_DIR: folder,
    AUDIT_KEY: [another, secret].map((key) => key.toString('base64')).join(),
  })
  const log = quietLog as never
  auditKeys = await openAuditKeys({ database, settings, log, now: () => new Date() })
  await writeLines(1)
  expect(await verify()).toMatchObject({ lines: 5, keyed: 3, broken: null })
  await expect(openKeys(another)).rejects.toThrow(/AUDIT_KEY is not the key of this database/)
})

it('refuses lines of a server that knows no key', async () => {
  await expect(oldLine(9)).rejects.toThrow(/older than the database/)
})

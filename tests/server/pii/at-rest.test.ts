// ID numbers at rest: nothing plain in any table, a wrong key refused, keys rotated, plain data of an
// earlier version converted.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestApp, testApp, testKeys } from '@jiaowu/server/testing'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { convertAll } from '../../../apps/server/src/start/keys/convert.ts'
import { newKey } from '../../../apps/server/src/platform/files/key-lines.ts'
import { readKeyFile, writeKeyFile } from '../../../apps/server/src/platform/keys/key-file.ts'
import { createKeys, lateKeys } from '../../../apps/server/src/platform/keys/keys.ts'
import { openKeys } from '../../../apps/server/src/platform/keys/open-keys.ts'
import { sealedPlaces } from '../../../apps/server/src/platform/keys/sealed-places.ts'
import { rotateKeys } from '../../../apps/server/src/start/keys/rotate.ts'
import { toCsv, importFile } from '../../support/imports.ts'

const tag = 'EDU_STUDENT'
const [idCard, other] = ['110105194912310021', '110105195001010037']
let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
let folder: string
let student: { readonly id: string; readonly studentNo: string }

beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
  folder = await mkdtemp(join(tmpdir(), 'jiaowu-keys-'))
  const { records } = await admin.entityData.page({ params: { tag }, body: { pageSize: 1 } })
  student = { id: records[0]?.id ?? '', studentNo: String(records[0]?.['studentNo']) }
}, 120_000)
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

const openPiiDatabase = () => app.services.database.kysely as unknown as Kysely<unknown>

async function savePiiValues(values: object) {
  const { version } = await admin.entityData.get({ params: { tag, id: student.id } })
  await admin.entityData.update({ params: { tag, id: student.id }, body: { version, ...values } })
}
async function isFound(value: string) {
  const { records } = await admin.entityData.page({
    params: { tag },
    body: { pageSize: 10, queries: { idCard: value } },
  })
  return records.some(({ id }) => id === student.id)
}

/** Tables with a row whose text holds one of the numbers. */
async function tablesWith(numbers: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select n.nspname || '.' || c.relname as name from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('biz', 'sys') and c.relkind = 'r'`.execute(openPiiDatabase())
  const found: string[] = []
  for (const { name } of rows) {
    const { rows: hits } = await sql`
      select 1 from ${sql.table(name)} as t
      where t::text like any(${numbers.map((number) => `%${number}%`)}::text[]) limit 1`.execute(
      openPiiDatabase(),
    )
    if (hits.length > 0) found.push(name)
  }
  return found
}

it('leaves no ID number plain in any table: rows, history, ledgers, counters', async () => {
  await savePiiValues({ idCard: other })
  await savePiiValues({ idCard })
  const sheet = toCsv(`studentNo,idCard\n${student.studentNo},${other}\n`)
  const done = await importFile(admin, tag, sheet, { mode: 'update', key: 'studentNo' })
  expect(done).toMatchObject({ status: 'done', updated: 1 })
  expect(await tablesWith([idCard, other])).toEqual([])
  expect(await isFound(other)).toBe(true)
  const { rows } = await sql`
    select 1 from biz.student where id_card is not null and id_card not like 'enc1:%'`.execute(
    openPiiDatabase(),
  )
  expect(rows).toEqual([])
})

it('matches imports by the number, and keeps it unique', async () => {
  const by = toCsv(`idCard,dormitory\n${other},12\n`)
  const done = await importFile(admin, tag, by, { mode: 'update', key: 'idCard' })
  expect(done).toMatchObject({ status: 'done', updated: 1 })
  const { records } = await admin.entityData.page({ params: { tag }, body: { pageSize: 5 } })
  const another = records.find(({ id }) => id !== student.id)
  const taken = admin.entityData.update({
    params: { tag, id: another?.id ?? '' },
    body: { version: another?.['version'], idCard: other },
  })
  await expect(taken).rejects.toMatchObject({
    problem: { issues: [{ path: 'idCard', rule: 'unique' }] },
  })
})

it('converts the plain rows, history and documents of an earlier version, again and again', async () => {
  await sql`
    update biz.student set id_card = ${idCard}, id_card_index = null
    where id = ${student.id}::int8`.execute(openPiiDatabase())
  await sql`
    update sys.row_history set changes =
      ${JSON.stringify([{ attrName: 'idCard', from: other, to: idCard }])}::jsonb
    where id = (select max(id) from sys.row_history where row_id = ${student.id})`.execute(
    openPiiDatabase(),
  )
  await sql`delete from sys.pii_key`.execute(openPiiDatabase())
  await openKeysWith(testSecret)
  expect(await convertAll(app.services, testKeys)).toBeGreaterThan(1)
  expect(await convertAll(app.services, testKeys)).toBe(0)
  expect(await tablesWith([idCard, other])).toEqual([])
  expect(await isFound(idCard)).toBe(true)
  const history = await admin.history.of({ params: { tag, id: student.id } })
  expect(JSON.stringify(history.entries)).toContain('1****************7')
})

const testSecret = Buffer.alloc(32, 7)
function openKeysWith(...piiKeys: readonly Buffer[]) {
  const { database, settings } = app.services
  return openKeys({ database, settings: { ...settings, piiKeys } })
}

it('refuses to start with a wrong key, or without the key file', async () => {
  await expect(openKeysWith(newKey())).rejects.toThrow(/PII_KEY is not the key of this database/)
  await expect(openKeysWith(newKey(), testSecret)).rejects.toThrow(/pii rotate/)
  const { database, settings } = app.services
  const gone = openKeys({ database, settings: { ...settings, dataDir: folder } })
  await expect(gone).rejects.toThrow(/put back .*pii\.key/)
})

/** Columns of the server with a text that matches. */
async function columnsWith(pattern: string): Promise<string[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_schema || '.' || table_name as table, column_name as column
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema in ('biz', 'sys') and table_type = 'BASE TABLE'
      and data_type in ('text', 'jsonb', 'character varying')`.execute(openPiiDatabase())
  const found: string[] = []
  for (const { table, column } of rows) {
    const { rows: hits } = await sql`
      select 1 from ${sql.table(table)} where ${sql.ref(column)}::text ~ ${pattern} limit 1`.execute(
      openPiiDatabase(),
    )
    if (hits.length > 0) found.push(`${table}.${column}`)
  }
  return found.sort()
}

const sealedSamples = [
  ['sys.totp.secret', 'sys.totp', 'secret', `user_id, made_at`, `7, now()`],
  [
    'sys.hook.secret',
    'sys.hook',
    'secret',
    `id, name, url, tag, events, create_user, create_time`,
    `7, 'h', 'https://x', 'T', '{}', 1, now()`,
  ],
  [
    'sys.sso_session.id_token',
    'sys.sso_session',
    'id_token',
    `family_id, provider, created_at`,
    `7, 'p', now()`,
  ],
  [
    'sys.sso_session.id_token',
    'sys.sso_attempt',
    'id_token',
    `state_hash, provider, browser_hash, redirect, begun_at, expires_at`,
    `'s', 'p', 'b', '/', now(), now()`,
  ],
] as const

it('seals secrets of factors, hooks and sign-ons for columns of the list alone', async () => {
  for (const [context, table, column, names, values] of sealedSamples)
    await sql`
      insert into ${sql.table(table)} (tenant_id, ${sql.raw(names)}, ${sql.ref(column)})
      values (10000, ${sql.raw(values)}, ${testKeys.seal(context, `secret of ${table}`)})`.execute(
      openPiiDatabase(),
    )
  const job = await sql<{ id: string }>`select id::text as id from sys.job limit 1`.execute(
    openPiiDatabase(),
  )
  const sealed = testKeys.seal('biz.student.id_card', JSON.stringify(idCard))
  await sql`
    insert into sys.job_cell (tenant_id, job_id, row_no, attr_name, value)
    values (10000, ${job.rows[0]?.id ?? '0'}::int8, 1, 'idCard', ${JSON.stringify({ sealed })}::jsonb)`.execute(
    openPiiDatabase(),
  )
  const listed = new Set([
    ...sealedPlaces.map(({ table, column }) => `${table}.${column}`),
    'sys.pii_key.check_value',
  ])
  const sealedColumns = await columnsWith('enc1:')
  expect(sealedColumns.filter((column) => !listed.has(column))).toEqual([])
  expect(sealedColumns).toEqual(
    expect.arrayContaining([
      'sys.hook.secret',
      'sys.job_cell.value',
      'sys.job_row.payload',
      'sys.row_history.changes',
      'sys.sso_attempt.id_token',
      'sys.sso_session.id_token',
      'sys.totp.secret',
    ]),
  )
})

it('rotates the key file: everything under the new key, the old one set aside', async () => {
  await writeKeyFile(folder, [testSecret])
  const { database, log } = app.services
  const services = { database, log, settings: { ...app.services.settings, dataDir: folder } }
  const { key, values } = await rotateKeys(services)
  expect(values).toBeGreaterThan(90)
  const [secret, ...more] = (await readKeyFile(folder)) ?? []
  expect(more).toEqual([])
  expect(secret).not.toEqual(testSecret)
  const keys = createKeys(secret === undefined ? [] : [secret])
  expect(keys.current).toBe(key)
  const { rows } = await sql<{ n: number }>`
    select count(*)::int4 as n from biz.student
    where id_card is not null and id_card not like ${`enc1:${key}:%`}`.execute(openPiiDatabase())
  expect(rows).toEqual([{ n: 0 }])
  expect((await openKeys(services)).current).toBe(key)
  await expect(openKeysWith(testSecret)).rejects.toThrow(/not the key/)
  // Every column, those that hold secrets of sign-ins too.
  expect(await columnsWith(`enc1:(?!${key}:)`)).toEqual([])
  for (const [context, table, column] of sealedSamples) {
    const stored = await sql<{ value: string }>`
      select ${sql.ref(column)} as value from ${sql.table(table)} where tenant_id = 10000`.execute(
      openPiiDatabase(),
    )
    expect(keys.open(context, stored.rows[0]?.value ?? '')).toBe(`secret of ${table}`)
  }
})

it('rotates PII_KEY with two keys: the first writes, the second reads until it is done', async () => {
  const [held] = (await readKeyFile(folder)) ?? []
  if (held === undefined) throw new Error('the rotation before has left no key')
  const newer = newKey()
  const { database, log, settings } = app.services
  const under = (...piiKeys: readonly Buffer[]) => ({
    database,
    log,
    settings: { ...settings, piiKeys },
  })
  await expect(openKeysWith(newer, held)).rejects.toThrow(/pii rotate/)
  await expect(rotateKeys(under(newer))).rejects.toThrow(/not the key/)
  await expect(rotateKeys(under(held))).rejects.toThrow(/put the new key in front/)
  const { key, values } = await rotateKeys(under(newer, held))
  expect(values).toBeGreaterThan(90)
  expect((await openKeysWith(newer)).current).toBe(key)
  expect((await openKeysWith(newer, held)).current).toBe(key)
  await expect(openKeysWith(held, newer)).rejects.toThrow(/pii rotate/)
  await expect(openKeysWith(held)).rejects.toThrow(/not the key/)
  const { rows } = await sql<{ value: string }>`
    select id_card as value from biz.student where id = ${student.id}::int8`.execute(
    openPiiDatabase(),
  )
  const opened = createKeys([newer]).open('biz.student.id_card', rows[0]?.value ?? '')
  expect(opened).toBe(idCard)
})

it('late keys refuse to be used before they are open', () => {
  expect(() => lateKeys().seal('biz.student.id_card', idCard)).toThrow(/not open yet/)
})

import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseJson } from '@jiaowu/api/exact-json'
import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '../../apps/server/src/platform/database/open-database.ts'
import { findBinaries, startCluster } from '../../apps/server/testing/postgres/postgres-cluster.ts'
import { quietLog } from '../../apps/server/testing/quiet-log.ts'
import { contentsOfPlace, readContents } from '../support/backups.ts'
import { copyOfDemo, startRealServer } from '../support/server.ts'
import { serverCommand } from '../support/server-command.ts'
import { type StaffClient, staffClient } from '../support/staff-client.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jiaowu-commands-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function command(...words: string[]) {
  const { status, stdout, stderr } = serverCommand(words, { DATA_DIR: join(folder, 'data') })
  return { status, stdout, stderr }
}

it('lists the commands, and the arguments of one', () => {
  expect(command('--help')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('sql FILE'),
  })
  expect(command('sql', '--help').stdout).toContain('usage: npm run server -- sql FILE')
})

it.each([
  [['sing'], 'There is no command "sing".'],
  [['sql'], 'The command takes 1 argument(s).'],
  [['migrate', '--fast'], "Unknown option '--fast'"],
])('answers %j with exit code 2 and the way out', (words, sentence) => {
  const { status, stdout, stderr } = command(...words)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toContain(sentence)
  expect(stderr).toContain('usage: npm run server --')
})

it('runs an SQL file in one transaction', async () => {
  const file = join(folder, 'two.sql')
  await writeFile(file, 'create table biz.first (id bigint); select missing from biz.first')
  expect(command('sql', file)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('missing'),
  })
  await writeFile(file, 'create table biz.first (id bigint)')
  const done = command('sql', file)
  expect(done.status).toBe(0)
  expect(done.stdout).toContain(
    `${file}: done, 1 statements, 0 copied rows\nmade 1 tables and views:\n  biz.first\n`,
  )
  await writeFile(file, 'create table `a` (`id` int) engine=innodb;\ninsert into `a` values (1)')
  const mysql = command('sql', file, '--schema', 'old')
  expect(mysql).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(
      `${file}: done, 2 statements, 1 copied rows\nmade 1 tables and views:\n  old.a\nBUSINESS_SCHEMAS does not offer old; set it to biz,public,old\n`,
    ),
  })
}, 180_000)

/** Creates notices one after another until `isOver`; answers how many were acknowledged. */
function startWriting(api: StaffClient['api']) {
  let [acknowledged, isOver] = [0, false]
  const working = (async () => {
    while (!isOver) {
      const noticeTitle = `drill-${acknowledged + 1}`
      const body = { noticeTitle, noticeContent: 'x', noticeStatus: '0' }
      await api.entityData.create({ params: { tag: 'SYS_NOTICE' }, body })
      acknowledged += 1
      await sleep(10)
    }
  })()
  const stop = async () => {
    isOver = true
    await working
  }
  return { acknowledged: () => acknowledged, stop }
}

async function countNotices(dataDir: string): Promise<number> {
  const database = await openDatabase({ dataDir }, quietLog)
  try {
    const { rows } = await database.kysely
      .selectFrom('sys.notice')
      .select('notice_title')
      .where('tenant_id', '=', '10000')
      .where('notice_title', 'like', 'drill-%')
      .execute()
      .then((found) => ({ rows: found }))
    return new Set(rows.map((row) => row.notice_title)).size
  } finally {
    await database.close()
  }
}

function hasPostgres(): boolean {
  try {
    return findBinaries() !== ''
  } catch {
    return false
  }
}

it('backs up while the server writes, and restores elsewhere, on both engines', async () => {
  const [dataDir, backups, restored] = ['source', 'backups', 'restored'].map((name) =>
    join(folder, name),
  ) as [string, string, string]
  const secret = randomBytes(32)
  const env = { BACKUP_KEY: secret.toString('base64') }
  await copyOfDemo(dataDir)
  // An old one, which goes with the new one.
  const old = join(backups, 'jiaowu-20200101T000000.backup')
  await mkdir(backups)
  await writeFile(old, 'old')
  await utimes(old, 1, 1)
  const stored = { attachment: randomBytes(300_000), document: randomBytes(40_000) }
  for (const area of ['documents', 'files'])
    await mkdir(join(dataDir, area, '10000'), { recursive: true })
  await writeFile(join(dataDir, 'documents', '10000', 'drill.pdf'), stored.document)
  await writeFile(join(dataDir, 'files', '10000', 'drill'), stored.attachment)
  const server = await startRealServer({
    ...env,
    DATA_DIR: dataDir,
    DEMO: '1',
    BACKUP_DIR: backups,
    BACKUP_KEEP: '1',
  })
  const { api } = await staffClient(server)
  const writing = startWriting(api)
  const list = async () =>
    (await readdir(backups)).filter((name) => name.endsWith('.backup') && !old.endsWith(name))
  // The night's backup: it is due, and none is there.
  let [before, after] = [0, 0]
  await expect
    .poll(
      async () => {
        if ((await readdir(join(dataDir, 'copies')).catch(() => [])).length === 0)
          before = writing.acknowledged()
        after = writing.acknowledged()
        return list()
      },
      { timeout: 120_000, interval: 50 },
    )
    .toHaveLength(1)
  await expect.poll(() => readdir(join(dataDir, 'copies'))).toEqual([])
  await writing.stop()
  await expect.poll(() => readdir(backups)).toEqual(await list())
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  const file = join(backups, (await list())[0] ?? '')
  const bytes = (await readFile(file)).length
  expect(metrics).toContain(`\njiaowu_backup_bytes ${bytes}\n`)
  await server.kill()

  expect(serverCommand(['verify', file], { DATA_DIR: restored })).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('is encrypted: set BACKUP_KEY'),
  })
  const done = serverCommand(['restore', file], { ...env, DATA_DIR: restored })
  expect(done).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('2 files, keys: audit.key'),
  })
  const verified = serverCommand(['verify', file], { ...env, DATA_DIR: join(folder, 'unused') })
  expect(verified.status).toBe(0)
  expect(verified.stdout).toContain('every digest fits')
  expect(verified.stdout).toContain('the key of personal data fits')
  expect(verified.stdout).toMatch(/tenant 10000: \d+ lines intact/)
  const again = serverCommand(['restore', file], { ...env, DATA_DIR: restored })
  expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining('is not empty') })

  // Each acknowledged row from before the copy is there, and none from after the backup.
  const found = await countNotices(restored)
  expect(found).toBeGreaterThanOrEqual(before)
  expect(found).toBeLessThanOrEqual(after + 1)
  const original = await readContents(file, secret)
  expect(Object.keys(original.digests).length).toBeGreaterThan(40)
  expect(await contentsOfPlace(restored)).toEqual(original)
  expect(await readFile(join(restored, 'documents', '10000', 'drill.pdf'))).toEqual(stored.document)
  expect(await readFile(join(restored, 'files', '10000', 'drill'))).toEqual(stored.attachment)
  if (hasPostgres()) {
    const cluster = await startCluster()
    try {
      const place = { DATA_DIR: join(folder, 'other'), DATABASE_URL: `${cluster.url}postgres` }
      expect(serverCommand(['restore', file], { ...env, ...place })).toMatchObject({ status: 0 })
      const there = await contentsOfPlace(place.DATA_DIR, place.DATABASE_URL)
      expect(there.digests).toEqual(original.digests)
      const back = join(folder, 'back.backup')
      expect(serverCommand(['backup', '-o', back], { ...env, ...place })).toMatchObject({
        status: 0,
      })
      expect((await readContents(back, secret)).digests).toEqual(original.digests)
      const taken = serverCommand(['restore', file], {
        ...env,
        ...place,
        DATA_DIR: join(folder, 'third'),
      })
      expect(taken).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('The database is not empty'),
      })
    } finally {
      await cluster.stop()
    }
  }
  // A server runs on the restored data.
  const served = await startRealServer({ DATA_DIR: restored, DEMO: '1' })
  const { total } = await (
    await staffClient(served)
  ).api.entityData.page({
    params: { tag: 'SYS_NOTICE' },
    body: { pageNum: 1, pageSize: 1, queries: {}, sorts: [] },
  })
  expect(total).toBeGreaterThanOrEqual(found)
  await served.stop()
}, 600_000)

interface Reported {
  readonly ok: boolean
  readonly findings: readonly {
    readonly check: string
    readonly grade: string
    readonly found: string
    readonly advice: string | null
  }[]
}

it('doctor finds nothing on a sound school, and each fault with what to do', async () => {
  const dataDir = join(folder, 'patient')
  await copyOfDemo(dataDir)
  const examine = (env: Readonly<Record<string, string>> = {}, ...words: readonly string[]) => {
    const { status, stdout, stderr } = serverCommand(['doctor', '--json', ...words], {
      DATA_DIR: dataDir,
      ...env,
    })
    if (stdout === '') throw new Error(stderr)
    const { findings } = parseJson(stdout) as unknown as Reported
    const bad = findings.filter(({ grade }) => grade !== 'ok')
    for (const { advice } of bad) expect(advice).toMatch(/\S/)
    return { status, found: bad.map(({ check, found }) => `${check}: ${found}`) }
  }
  expect(examine()).toEqual({ status: 0, found: [] })
  expect(examine({ PORT: 'x' })).toEqual({
    status: 7,
    found: ['settings: PORT must be a whole number from 0 to 65535.'],
  })
  expect(examine({ DATA_DIR: join(folder, 'nowhere') }).found).toEqual([
    expect.stringMatching(/^database: DATA_DIR .* has no database/),
    expect.stringMatching(/^folder: DATA_DIR .* is not there/),
  ])
  await breakSchool(dataDir)
  const { status, found } = examine()
  expect(status).toBe(7)
  expect(found).toEqual([
    'administrator: School 10000 has no administrator who may sign in.',
    'jobs: 1 imports or bulk changes have waited for more than ten minutes.',
    'messages: 1 text messages of the last week failed.',
    expect.stringMatching(
      /^audit: The audit chain of school 10000 is broken at line \d+ \(changed\)/,
    ),
    'missing files: 1 files of attachments are missing, such as 10000/lost.',
  ])
  expect(examine({}, '--quick').found).toEqual(found.slice(0, 3))
  await rm(join(dataDir, 'pii.key'))
  expect(examine({}, '--quick').found[0]).toMatch(/^key: .*put back .*pii\.key/)
}, 180_000)

async function breakSchool(dataDir: string): Promise<void> {
  const database = await openDatabase({ dataDir }, quietLog)
  try {
    for (const statement of [
      `update sys.app_user set status = '0' where tenant_id = 10000`,
      `insert into sys.job (tenant_id, id, user_id, kind, tag, status, phase, options, choice_hash, locale, create_time)
       select 10000, 1, id, 'import', 'T', 'queued', 'reading', '{}', '', 'en', now() - interval '1 hour'
       from sys.app_user where tenant_id = 10000 limit 1`,
      `insert into sys.sms_task (id, tenant_id, template_code, mobile, content, failure)
       values (1, 10000, 'X', '1', 'x', 'away')`,
      `alter table sys.audit_log disable trigger user`,
      `update sys.audit_log set account = 'nobody' where id = (select min(id) from sys.audit_log where tenant_id = 10000)`,
      `insert into sys.attachment (id, tenant_id, biz_type, biz_id, name, size, type, storage_name, sha256)
       values (1, 10000, 'T', '1', 'lost.pdf', 1, 'pdf', 'lost', 'x')`,
    ])
      await database.kysely.executeQuery(CompiledQuery.raw(statement))
  } finally {
    await database.close()
  }
}

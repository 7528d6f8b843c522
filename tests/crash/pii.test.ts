// The server is killed while it encrypts ID numbers, and the rotation of the keys while it runs: the
// next run finishes, and no number is lost, plain or under an earlier key.
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readKeyFile } from '../../apps/server/src/platform/keys/key-file.ts'
import { copyOfBase, freePort, password, startRealServer } from '../support/server.ts'
import { staffClient } from '../support/staff-client.ts'
import { nodeFlags } from '../support/node-flags.ts'

const root = join(import.meta.dirname, '..', '..')
const added = 10_000
/** The ID number of an added student. */
const buildIdNumber = (n: number) => `11010519900101X${n}`
let folder: string
let dataDir: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jiaowu-pii-kill-'))
  dataDir = join(folder, 'data')
  await copyOfBase(dataDir)
  // Plain, as an earlier version left them.
  await sqlFile(`
    insert into biz.student (id, tenant_id, student_no, name, id_card)
    select 900000000 + n, 10000, 'K' || n, 'K' || n,
      '11010519900101X' || n
    from generate_series(1, ${added}) n`)
}, 180_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Ended {
  readonly code: number | null
  readonly output: string
}
/** Runs a script of the server; `killAt` decides from its output and time whether to kill it. */
async function run(
  words: readonly string[],
  killAt: (output: string, milliseconds: number) => boolean = () => false,
): Promise<Ended> {
  const child = spawn(process.execPath, [...nodeFlags, ...words], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
      APP_ENV: 'test',
      DATA_DIR: dataDir,
      PORT: String(await freePort()),
      LOG_LEVEL: 'info',
      DEMO: '0',
      ADMIN_PASSWORD: password,
    },
  })
  const started = performance.now()
  let output = ''
  let isOver = false
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (killAt(output, performance.now() - started)) child.kill('SIGKILL')
    })
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => {
      isOver = true
      resolve(code)
    })
  })
  while (!isOver) {
    if (killAt(output, performance.now() - started)) child.kill('SIGKILL')
    await Promise.race([ended, sleep(10)])
  }
  return { code: await ended, output }
}

async function sqlFile(text: string): Promise<Ended> {
  const file = join(folder, 'run.sql')
  await writeFile(file, text)
  const ended = await run(['apps/server/src/start/commands/server-main.ts', 'sql', file])
  if (ended.code !== 0) throw new Error(ended.output)
  return ended
}

/** Fails with a sentence of the database unless every number is encrypted with one key. */
async function expectWhole(): Promise<void> {
  await sqlFile(`do $$ begin
    if exists (select 1 from biz.student where id_card not like 'enc1:%') then
      raise exception 'a number is plain'; end if;
    if (select count(distinct split_part(id_card, ':', 2)) from biz.student
        where id_card is not null) <> 1 then
      raise exception 'numbers are under several keys'; end if;
    if (select count(distinct id_card_index) from biz.student where student_no like 'K%')
        <> ${added} then
      raise exception 'an index is missing'; end if;
    if (select count(*) from sys.pii_key) <> 1 then
      raise exception 'a key is left'; end if;
  end $$`)
}

/** Finds students by their whole number, on a server that opens the keys as usual. */
async function expectFound(): Promise<void> {
  const server = await startRealServer({ DATA_DIR: dataDir, DEMO: '0' })
  try {
    const { api } = await staffClient(server)
    for (const n of [1, 7_777, added]) {
      const { records } = await api.entityData.page({
        params: { tag: 'EDU_STUDENT' },
        body: { queries: { idCard: buildIdNumber(n) }, pageSize: 5 },
      })
      expect(records.map((row) => row['studentNo'])).toEqual([`K${n}`])
    }
  } finally {
    await server.kill()
  }
}

it('continues the encryption of an earlier version after kills in its middle', async () => {
  const batches = (output: string) => output.split('personal data encrypted').length - 1
  for (const batch of [1, 4]) {
    const { output } = await run(
      ['apps/server/src/start/main.ts'],
      (text) => batches(text) >= batch || text.includes('http://'),
    )
    expect(batches(output)).toBeGreaterThanOrEqual(batch)
    expect(batches(output)).toBeLessThan(added / 1_000)
  }
  await expectFound()
  await expectWhole()
}, 240_000)

it('continues a rotation after kills in its middle', async () => {
  const rotate = ['apps/server/src/start/commands/server-main.ts', 'pii', 'rotate']
  const [before] = (await readKeyFile(dataDir)) ?? []
  let interrupted = 0
  let twoKeysSince: number | null = null
  let held: readonly Buffer[] | null = null
  const watch = setInterval(() => {
    void readKeyFile(dataDir).then((keys) => {
      held = keys
      if (keys !== null && keys.length > 1) twoKeysSince ??= performance.now()
    })
  }, 10)
  try {
    // Two keys in the file are the time in which values are encrypted anew.
    for (const pause of [0, 150, 600]) {
      twoKeysSince = null
      await run(rotate, () => twoKeysSince !== null && performance.now() - twoKeysSince >= pause)
      if (((await readKeyFile(dataDir)) ?? []).length > 1) interrupted += 1
    }
    expect(interrupted).toBeGreaterThan(0)
    const done = await run(rotate)
    expect(done.code, done.output).toBe(0)
  } finally {
    clearInterval(watch)
  }
  expect(held).not.toBeNull()
  const after = (await readKeyFile(dataDir)) ?? []
  expect(after).toHaveLength(1)
  expect(after[0]?.equals(before ?? Buffer.alloc(0))).toBe(false)
  await expectFound()
  await expectWhole()
}, 240_000)

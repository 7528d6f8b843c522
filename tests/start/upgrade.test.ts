// A data folder made by an earlier commit is opened by today's server: its migrations run, its rows are
// all there, and its accounts sign in. Skipped where the repository has no history.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readlink, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort, password } from '../support/server.ts'
import { nodeFlags } from '../support/node-flags.ts'
import { serverProgram } from '../../apps/server/testing/server-program.ts'

/** The last commit before ID numbers were encrypted, audit lines chained by tenant and keys kept. */
const earlier = '938e55e'
const root = join(import.meta.dirname, '..', '..')
const hasHistory = spawnSync('git', ['cat-file', '-e', earlier], { cwd: root }).status === 0
const tags = ['EDU_FACULTY', 'EDU_CLASS', 'EDU_STUDENT', 'EDU_GRADE', 'SYS_USER', 'RPT_REPORT']

/** The program of the earlier commit, with the packages that are installed here. */
async function checkOut(folder: string): Promise<void> {
  const archive = execFileSync('git', ['archive', earlier], {
    cwd: root,
    maxBuffer: 200 * 1024 * 1024,
  })
  await mkdir(folder)
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  await mkdir(join(folder, 'node_modules', '@jiaowu'), { recursive: true })
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (name === '@jiaowu' || name === '.cache') continue
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  // These links are relative, so they lead to the earlier packages.
  for (const name of await readdir(join(root, 'node_modules', '@jiaowu')))
    await symlink(
      await readlink(join(root, 'node_modules', '@jiaowu', name)),
      join(folder, 'node_modules', '@jiaowu', name),
    )
  for (const room of ['apps/server', 'packages/api', 'packages/validation'])
    if (existsSync(join(root, room, 'node_modules')))
      await symlink(join(root, room, 'node_modules'), join(folder, room, 'node_modules'))
}

async function startIn(program: string, dataDir: string) {
  const port = await freePort()
  const child = spawn(process.execPath, [...nodeFlags, serverProgram(program, 'main.ts')], {
    cwd: program,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      APP_ENV: 'test',
      PORT: String(port),
      DATA_DIR: dataDir,
      ADMIN_PASSWORD: password,
      LOG_LEVEL: 'warn',
    },
  })
  let errors = ''
  child.stderr.on('data', (text: Buffer) => {
    errors += text.toString()
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const url = `http://127.0.0.1:${port}/api`
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server ended: ${errors}`)
    const ready = await fetch(url.replace('/api', '/health/ready')).catch(() => null)
    if (ready?.ok === true) break
    await sleep(200)
  }
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

type Running = Awaited<ReturnType<typeof startIn>>
async function postForm(url: string, token: string | null, body: URLSearchParams | object) {
  const isForm = body instanceof URLSearchParams
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: token === null ? `Basic ${btoa('console:console')}` : `bearer ${token}`,
      'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
    },
    body: isForm ? body : JSON.stringify(body),
  })
  return { status: response.status, ...((await response.json()) as { data: never }) }
}
async function signInServer({ url }: Running, username: string): Promise<string> {
  const { data } = await postForm(
    `${url}/authority/anno/login`,
    null,
    new URLSearchParams({ grant_type: 'password', username, password }),
  )
  return (data as { access_token: string }).access_token
}

/**
 * Reads the content that must be the same before and after: counts, and the names of the first
 * rows.
 */
async function readContent(server: Running) {
  const token = await signInServer(server, 'admin')
  const found: Record<string, unknown> = {}
  for (const tag of tags) {
    const page = async (query: object) =>
      (await postForm(`${server.url}/entity/${tag}/data/page`, token, query)).data as {
        total: number
        totalIsEstimate?: boolean
        records: { id: string }[]
      }
    const { total, totalIsEstimate, records } = await page({ pageSize: 20 })
    // Past the end the total is exact.
    const exact = totalIsEstimate === true ? (await page({ pageNum: 100_000 })).total : total
    found[tag] = { total: exact, ids: records.map(({ id }) => id) }
  }
  return found
}

describe.skipIf(!hasHistory)('a data folder of an earlier commit', { timeout: 600_000 }, () => {
  let folder: string
  let before: Record<string, unknown>
  let dataDir: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jiaowu-upgrade-'))
    dataDir = join(folder, 'data')
    await checkOut(join(folder, 'program'))
    const old = await startIn(join(folder, 'program'), dataDir)
    before = await readContent(old)
    await old.stop()
  }, 600_000)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('is migrated with every row, and its accounts sign in', async () => {
    const server = await startIn(root, dataDir)
    try {
      expect(await readContent(server)).toEqual(before)
      for (const account of ['registrar', 'clerk', 'viewer'])
        expect(await signInServer(server, account)).toMatch(/^7ps\.[\w-]{43}$/)
      const token = await signInServer(server, 'admin')
      const made = await postForm(`${server.url}/entity/EDU_FACULTY/data`, token, {
        code: 'UPGRADE',
        name: '升级后新增',
      })
      expect(made.status).toBe(200)
    } finally {
      await server.stop()
    }
  })
})

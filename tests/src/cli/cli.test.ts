import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { password, type RunningServer, startRealServer } from '../support/server.ts'
import { readSheet } from '../support/sheet.ts'

const bin = join(import.meta.dirname, '..', '..', '..', 'apps', 'cli', 'bin', 'jiaowu.js')
let server: RunningServer
let home: string

interface Ran { readonly code: number | null; readonly out: string; readonly err: string }
/** Runs the real command off a terminal. Without `input`, stdin is closed. */
const jiaowu = (args: readonly string[], { input, env = {} }: { input?: string; env?: Record<string, string> } = {}): Promise<Ran> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [bin, ...args], { cwd: home, env: { ...process.env, XDG_CONFIG_HOME: home, JIAOWU_SERVER: server.url, JIAOWU_LANG: 'zh-CN', ...env }, stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] })
    let [out, err] = ['', '']
    child.stdout?.on('data', (chunk: Buffer) => { out += chunk.toString() })
    child.stderr?.on('data', (chunk: Buffer) => { err += chunk.toString() })
    if (input !== undefined) { child.stdin?.end(input) }
    child.on('close', (code) => resolve({ code, out, err }))
  })
const lines = (text: string) => text.trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)

beforeAll(async () => {
  server = await startRealServer()
  home = await mkdtemp(join(tmpdir(), 'jiaowu-home-'))
}, 120_000)
afterAll(async () => {
  await server.stop()
  await rm(home, { recursive: true, force: true })
})

describe('jiaowu', () => {
  it('refuses to do anything signed out, with 4 and a next step', async () => {
    expect(await jiaowu(['whoami'])).toMatchObject({ code: 4, out: '', err: expect.stringContaining('jiaowu login') as string })
  })
  it('never prompts off a terminal', async () => {
    expect(await jiaowu(['login', 'admin'])).toMatchObject({ code: 2, out: '' })
    expect(await jiaowu(['login', '--password-stdin'], { input: 'x' })).toMatchObject({ code: 2, out: '' })
  })
  it('refuses a wrong password with 5, and keeps nothing', async () => {
    const { code, err } = await jiaowu(['login', 'admin', '--password-stdin'], { input: 'wrong' })
    expect([4, 5]).toContain(code)
    expect(err).not.toBe('')
    expect(await jiaowu(['whoami'])).toMatchObject({ code: 4 })
  })
  it('signs in from stdin, keeps the tokens in a 0600 file, and says who', async () => {
    expect(await jiaowu(['login', 'admin', '--password-stdin'], { input: `${password}\n` })).toMatchObject({ code: 0 })
    expect(((await stat(join(home, 'jiaowu', 'session.json'))).mode & 0o777).toString(8)).toBe('600')
    const { code, out } = await jiaowu(['whoami', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ account: 'admin', tenant: '10000', server: server.url })
  })
  it('lists entities and shows one', async () => {
    const { out } = await jiaowu(['entity', 'ls', '--json'])
    expect(lines(out).map((line) => line.tag)).toEqual(expect.arrayContaining(['EDU_STUDENT', 'EDU_GRADE', 'SYS_USER']))
    const config = JSON.parse((await jiaowu(['entity', 'show', 'EDU_STUDENT', '--json'])).out) as { fields: { attrName: string }[] }
    expect(config.fields.map((field) => field.attrName)).toContain('name')
    expect(JSON.stringify(config)).not.toMatch(/columnName|tableName/)
  })
  it('lists rows as ndjson with filter, sort and paging, and says the total on stderr', async () => {
    const first = await jiaowu(['entity', 'list', 'EDU_STUDENT', '--json', '--size', '5', '--sort', 'name:desc'])
    expect(first.code).toBe(0)
    expect(lines(first.out)).toHaveLength(5)
    expect(first.err).toContain('2000')
    const [one] = lines(first.out)
    const found = await jiaowu(['entity', 'list', 'EDU_STUDENT', '--json', '-f', `name=${String(one?.name)}`])
    expect(lines(found.out).map((row) => row.name)).toContain(one?.name)
    const row = await jiaowu(['entity', 'get', 'EDU_STUDENT', String(one?.id), '--json'])
    expect(JSON.parse(row.out)).toMatchObject({ id: one?.id, name: one?.name })
  })
  it('ends with 2 on wrong usage and 5 on what is not there', async () => {
    expect(await jiaowu(['entity', 'list', 'EDU_STUDENT', '-f', 'nosuch=1'])).toMatchObject({ code: 2, out: '' })
    expect(await jiaowu(['entity', 'list', 'EDU_STUDENT', '--size', 'x'])).toMatchObject({ code: 2, out: '' })
    expect(await jiaowu(['nonsense'])).toMatchObject({ code: 2, out: '' })
    expect(await jiaowu(['entity', 'show', 'NO_SUCH'])).toMatchObject({ code: 5, out: '' })
    expect(await jiaowu(['entity', 'get', 'EDU_STUDENT', '1'])).toMatchObject({ code: 5, out: '' })
  })
  it('ends with 6 when nobody answers', async () => {
    expect(await jiaowu(['whoami', '--server', 'http://127.0.0.1:9'], { env: { JIAOWU_TOKEN: 'x' } })).toMatchObject({ code: 6, out: '' })
  })
  it('exports a filtered sheet, a csv on stdout and a template', async () => {
    const sheet = join(home, 'students.xlsx')
    expect(await jiaowu(['entity', 'export', 'EDU_STUDENT', '-o', sheet])).toMatchObject({ code: 0 })
    expect((await readSheet(sheet)).rows).toHaveLength(2001)
    const csv = await jiaowu(['entity', 'export', 'EDU_STUDENT', '-o', '-', '--format', 'csv', '-c', 'name'])
    expect(csv.out.replace(/^\ufeff/, '').trim().split(/\r?\n/)).toHaveLength(2001)
    const template = join(home, 't.xlsx')
    expect(await jiaowu(['entity', 'template', 'EDU_STUDENT', '-o', template])).toMatchObject({ code: 0 })
    expect((await readFile(template)).subarray(0, 2).toString()).toBe('PK')
  })
  it('forgets everything on logout', async () => {
    expect(await jiaowu(['logout'])).toMatchObject({ code: 0 })
    expect(await jiaowu(['whoami'])).toMatchObject({ code: 4 })
  })
})

import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { password, type RunningServer } from '../support/server.ts'
import { startCommand } from './command-on-server.ts'
import type { Jiaowu } from './command.ts'

let server: RunningServer
let home: string
let jiaowu: Jiaowu
let stop: () => Promise<void>

beforeAll(async () => {
  ;({ server, home, jiaowu, stop } = await startCommand())
}, 120_000)
afterAll(() => stop())

describe('jiaowu', { timeout: 180_000 }, () => {
  it('exits with 4 and names the next step without a session', async () => {
    expect(await jiaowu(['whoami'])).toMatchObject({
      code: 4,
      out: '',
      err: expect.stringContaining('jiaowu login') as string,
    })
  })
  it('never prompts without a terminal', async () => {
    expect(await jiaowu(['login', 'admin'])).toMatchObject({ code: 2, out: '' })
    expect(await jiaowu(['login', '--password-stdin'], { input: 'x' })).toMatchObject({
      code: 2,
      out: '',
    })
  })
  it('refuses a wrong password and stores no session', async () => {
    const { code, err } = await jiaowu(['login', 'admin', '--password-stdin'], { input: 'wrong' })
    expect([4, 5]).toContain(code)
    expect(err).not.toBe('')
    expect(await jiaowu(['whoami'])).toMatchObject({ code: 4 })
  })
  it('signs in with a password from stdin and stores the tokens in a file with mode 0600', async () => {
    expect(
      await jiaowu(['login', 'admin', '--password-stdin'], { input: `${password}\n` }),
    ).toMatchObject({ code: 0, out: '', err: expect.stringContaining('已登录') as string })
    expect(((await stat(join(home, 'jiaowu', 'session.json'))).mode & 0o777).toString(8)).toBe(
      '600',
    )
    const { code, out } = await jiaowu(['whoami', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ account: 'admin', tenant: '10000', server: server.url })
  })
  it('exits with 2 on wrong usage and with 5 on unknown entities and records', async () => {
    expect(await jiaowu(['entity', 'list', 'EDU_STUDENT', '-f', 'nosuch=1'])).toMatchObject({
      code: 2,
      out: '',
    })
    expect(await jiaowu(['entity', 'list', 'EDU_STUDENT', '--size', 'x'])).toMatchObject({
      code: 2,
      out: '',
    })
    expect(await jiaowu(['nonsense'])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('没有命令 nonsense') as string,
    })
    const refused = await jiaowu([
      '--json',
      '--lang',
      'en',
      'entity',
      'list',
      'EDU_STUDENT',
      '--sise',
      '5',
    ])
    expect([refused.code, refused.out, JSON.parse(refused.err)]).toEqual([
      2,
      '',
      { error: { message: 'There is no option --sise (did you mean --size?)', code: 2 } },
    ])
    expect(await jiaowu(['entity', 'add', 'EDU_FACULTY', '--from', '/nowhere.json'])).toMatchObject(
      { code: 2, out: '', err: '无法读取 /nowhere.json：没有这个文件或文件夹\n' },
    )
    expect(
      await jiaowu(['entity', 'template', 'EDU_FACULTY', '-o', join(home, 'x.csv')]),
    ).toMatchObject({ code: 2, out: '' })
    expect(await jiaowu(['entity', 'show', 'NO_SUCH'])).toMatchObject({ code: 5, out: '' })
    expect(await jiaowu(['entity', 'get', 'EDU_STUDENT', '1'])).toMatchObject({ code: 5, out: '' })
  })
  it('exits with 6 when the server does not answer', async () => {
    expect(
      await jiaowu(['whoami', '--server', 'http://127.0.0.1:9'], { env: { JIAOWU_TOKEN: 'x' } }),
    ).toMatchObject({ code: 6, out: '' })
  })
  it('completes commands, options, entities and fields', async () => {
    const complete = async (...words: string[]) =>
      (await jiaowu(['__complete', 'bash', '--', ...words])).out.trim().split('\n')
    expect(await complete('entity', 'im')).toEqual(['import'])
    expect(await complete('entity', 'import', 'EDU_FACULTY', 'x.csv', '--on')).toEqual([
      '--on-error',
      '--only-wrong',
    ])
    expect(await complete('entity', 'list', 'EDU_STU')).toEqual(['EDU_STUDENT'])
    expect(await complete('entity', 'list', 'EDU_STUDENT', '--filter', 'studentN')).toEqual([
      'studentNo=',
    ])
    expect(await complete('entity', 'export', 'EDU_STUDENT', '--columns', 'name,studentN')).toEqual(
      ['name,studentNo'],
    )
    for (const shell of ['bash', 'zsh', 'fish'])
      expect(await jiaowu(['completion', shell])).toMatchObject({
        code: 0,
        out: expect.stringContaining('__complete') as string,
      })
    expect(await jiaowu(['completion', 'tcsh'])).toMatchObject({ code: 2, out: '' })
  })
  it('ends every command without a prompt and with its exit code when stdin is closed', async () => {
    const file = join(home, 'one.csv')
    await writeFile(file, 'code,name\nK1,一\n')
    const table: readonly (readonly [code: number, ...args: string[]])[] = [
      [2],
      [0, '--version'],
      [0, '--help'],
      [2, 'entity'],
      [2, 'nonsense'],
      [2, 'login'],
      [2, 'login', 'admin'],
      [2, 'login', 'admin', '--password-stdin'],
      [0, 'whoami'],
      [0, 'session', 'ls'],
      [2, 'session', 'end'],
      [5, 'session', 'end', '1'],
      [2, 'account', 'end-sessions', 'clerk'],
      [0, 'profile', 'list'],
      [5, 'profile', 'use', 'nobody'],
      [5, 'profile', 'remove', 'nobody'],
      [0, 'entity', 'ls'],
      [0, 'entity', 'show', 'EDU_FACULTY'],
      [0, 'entity', 'list', 'EDU_FACULTY'],
      [0, 'entity', 'views', 'EDU_FACULTY'],
      [5, 'entity', 'list', 'EDU_FACULTY', '--view', 'none'],
      [5, 'entity', 'get', 'EDU_FACULTY', '1'],
      [2, 'entity', 'add', 'EDU_FACULTY'],
      [2, 'entity', 'add', 'EDU_FACULTY', '--from', '-'],
      [2, 'entity', 'edit', 'EDU_FACULTY', '1101'],
      [2, 'entity', 'bulk-update', 'EDU_FACULTY', '--all'],
      [2, 'entity', 'bulk-delete', 'EDU_FACULTY'],
      [2, 'entity', 'rm', 'EDU_FACULTY', '1'],
      [5, 'entity', 'rm', 'EDU_FACULTY', '1', '--yes'],
      [0, 'entity', 'export', 'EDU_FACULTY', '-o', '-', '--format', 'csv'],
      [0, 'entity', 'template', 'EDU_FACULTY', '-o', join(home, 'k.xlsx')],
      [2, 'entity', 'import'],
      [2, 'entity', 'import', 'EDU_FACULTY'],
      [2, 'entity', 'import', 'EDU_FACULTY', '-'],
      [0, 'entity', 'import', 'EDU_FACULTY', file],
      [5, 'entity', 'import', '--resume', '1'],
      [0, 'completion', 'bash'],
      [0, '__complete', 'bash', '--', 'en'],
      [2, 'student'],
      [2, 'entity', 'grid', 'EDU_STUDENT'],
      [0, 'machine', 'ls'],
      [0, 'machine', 'graph', 'transfer'],
      [0, 'logout'],
      [4, 'entity', 'ls'],
    ]
    const report: string[] = []
    for (const [code, ...args] of table) {
      const ran = await jiaowu(args)
      report.push(
        `${ran.code} jiaowu ${args.map((arg) => arg.replace(home, '~')).join(' ')}: ${
          (ran.out + ran.err)
            .split('\n')
            .find((line) => line.trim() !== '')
            ?.slice(0, 100) ?? ''
        }`,
      )
      expect([ran.code, ...args]).toEqual([code, ...args])
      // A failed command prints its error on stderr, and nothing on stdout, where it could pass for
      // data.
      if (code !== 0) expect([ran.out, ran.err === ''], args.join(' ')).toEqual(['', false])
    }
    console.log(report.join('\n'))
    expect(await jiaowu(['login', 'admin', '--password-stdin'], { input: password })).toMatchObject(
      { code: 0 },
    )
  })
  it('removes the session on logout', async () => {
    expect(await jiaowu(['logout'])).toMatchObject({ code: 0 })
    expect(await jiaowu(['whoami'])).toMatchObject({ code: 4 })
  })
})

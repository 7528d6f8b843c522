import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { password, type RunningServer } from '../support/server.ts'
import { captchaEnv } from '../support/student.ts'
import { payForOrder, runExample } from './examples.ts'
import { startCommand } from './command-on-server.ts'
import type { Jiaowu } from './command.ts'

let server: RunningServer
let home: string
let jiaowu: Jiaowu
let stop: () => Promise<void>

beforeAll(async () => {
  ;({ server, home, jiaowu, stop } = await startCommand(captchaEnv))
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
  it('warns that an agent with the own session could confirm, and not with a token', async () => {
    const own = await jiaowu(['mcp'], { input: '' })
    expect(own).toMatchObject({ code: 0, out: '' })
    expect(own.err).toMatch(/^警告：.*jiaowu token create .*\n$/)
    const english = await jiaowu(['mcp', '--lang', 'en'], { input: '' })
    expect(english.err).toMatch(/^Warning: .*jiaowu token create .*\n$/)
    const made = await jiaowu(['token', 'create', '代理', '--entity', 'EDU_STUDENT', '--json'])
    expect(made).toMatchObject({ code: 0, err: expect.any(String) as string })
    const { token } = JSON.parse(made.out) as { readonly token: string }
    const env = { JIAOWU_TOKEN: token }
    expect(await jiaowu(['mcp'], { input: '', env })).toEqual({ code: 0, out: '', err: '' })
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
  it('names the tag, language and profile that were meant, and writes over no file', async () => {
    expect(await jiaowu(['entity', 'list', 'EDU_STUDNT'])).toMatchObject({
      code: 5,
      err: '没有实体 EDU_STUDNT，或您无权访问 （是 EDU_STUDENT 吗？）\n',
    })
    expect(await jiaowu(['whoami', '--lang', 'fr'])).toMatchObject({
      code: 2,
      err: '没有语言 fr，可用：zh-CN、en\n',
    })
    expect(await jiaowu(['whoami', '--profile', 'nope'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('没有名为 nope 的配置，已有：') as string,
    })
    const file = join(home, 'kept.csv')
    await writeFile(file, 'mine')
    const exported = ['entity', 'export', 'EDU_FACULTY', '-o', file]
    expect(await jiaowu(exported)).toMatchObject({
      code: 2,
      err: `${file} 已存在，加 --force 覆盖\n`,
    })
    expect(await readFile(file, 'utf8')).toBe('mine')
    expect(await jiaowu([...exported, '--force'])).toMatchObject({ code: 0 })
    expect(await readFile(file, 'utf8')).toContain('信息工程学院')
  })
  it('puts JSON through jq and templates, and limits it to the columns that were named', async () => {
    const list = ['entity', 'list', 'EDU_STUDENT', '-c', 'studentNo', '-n', '2']
    const { out } = await jiaowu([...list, '--jq', '.studentNo'])
    expect(out).toMatch(/^\d{10}\n\d{10}\n$/)
    expect((await jiaowu([...list, '--template', '<{{studentNo}}>\\n'])).out).toBe(
      out.replace(/^(.+)$/gm, '<$1>'),
    )
    expect((await jiaowu([...list, '--json'])).out).toMatch(
      /^\{"id":"\d+","studentNo":"\d{10}"\}\n/,
    )
    expect(await jiaowu([...list, '--jq', '.a |'])).toMatchObject({ code: 2, out: '' })
    expect(
      (
        await jiaowu([
          'entity',
          'list',
          'EDU_COURSE',
          '--footer',
          'credit:sum',
          '-n',
          '1',
          '--json',
        ])
      ).out,
    ).toContain('{"total":300,"footer":[{"column":"credit","fn":"sum","value":')
  })
  it('calls the API with its own session, on its own server alone', async () => {
    expect(
      await jiaowu(['api', 'GET', '/entity/EDU_STUDENT/config', '--jq', '.tag']),
    ).toMatchObject({ code: 0, out: 'EDU_STUDENT\n' })
    expect(
      await jiaowu([
        'api',
        'POST',
        'entity/EDU_STUDENT/data/page',
        '-f',
        'pageSize=1',
        '--jq',
        '.size',
      ]),
    ).toMatchObject({ code: 0, out: '1\n' })
    for (const path of ['http://127.0.0.1:9/x', '//127.0.0.1:9/x', '../../health/live'])
      expect(await jiaowu(['api', 'GET', path])).toMatchObject({ code: 2, out: '' })
    expect(await jiaowu(['api', 'POST', '/entity/EDU_STUDENT/data', '-f', 'x=1'])).toMatchObject({
      code: 5,
    })
  })
  it('shows the history of a record, and restores a state of it and deleted ones', async () => {
    const added = await jiaowu([
      'entity',
      'add',
      'EDU_FACULTY',
      '--set',
      'code=HIS',
      '--set',
      'name=一',
    ])
    const id = added.out.trim()
    await jiaowu(['entity', 'edit', 'EDU_FACULTY', id, '--set', 'name=二'])
    const entries = (await jiaowu(['history', 'EDU_FACULTY', id, '--jq', '.id'])).out
      .trim()
      .split('\n')
    expect(entries).toHaveLength(2)
    const restored = ['restore', 'EDU_FACULTY', id, '--to', entries[1] ?? '']
    expect(await jiaowu(restored)).toMatchObject({ code: 2, out: '' })
    expect(await jiaowu([...restored, '--yes', '--jq', '.name'])).toMatchObject({
      code: 0,
      out: '一\n',
    })
    await jiaowu(['entity', 'rm', 'EDU_FACULTY', id, '--yes'])
    expect((await jiaowu(['recycle', 'ls', 'EDU_FACULTY', '--jq', '.id'])).out).toBe(`${id}\n`)
    expect(await jiaowu(['restore', 'EDU_FACULTY', id])).toMatchObject({ code: 0 })
    await jiaowu(['entity', 'rm', 'EDU_FACULTY', id, '--yes'])
    const env = { JIAOWU_PASSWORD: password }
    expect(await jiaowu(['recycle', 'purge', 'EDU_FACULTY', id, '--yes'], { env })).toMatchObject({
      code: 0,
    })
    expect((await jiaowu(['recycle', 'ls', 'EDU_FACULTY'])).out).not.toContain(id)
  })
  it('saves views and grants permissions of roles', async () => {
    expect(
      await jiaowu([
        'view',
        'save',
        'EDU_STUDENT',
        '信息',
        '-f',
        'faculty=信息工程学院',
        '-c',
        'studentNo',
      ]),
    ).toMatchObject({ code: 0 })
    const listed = await jiaowu(['entity', 'list', 'EDU_STUDENT', '--view', '信息', '-n', '1'])
    expect(listed.out.split('\n')[0]?.trim().split(/ +/)).toEqual(['id', '学号'])
    expect(await jiaowu(['view', 'rm', 'EDU_STUDENT', '信息', '--yes'])).toMatchObject({ code: 0 })
    expect(await jiaowu(['entity', 'list', 'EDU_STUDENT', '--view', '信息'])).toMatchObject({
      code: 5,
    })
    const env = { JIAOWU_PASSWORD: password }
    expect(await jiaowu(['role', 'grant', 'viewer', 'audit:view', '--yes'], { env })).toMatchObject(
      { code: 0 },
    )
    expect((await jiaowu(['role', 'show', 'viewer'])).out).toContain('audit:view\n')
    expect(
      await jiaowu(['role', 'withdraw', 'viewer', 'audit:view', '--yes'], { env }),
    ).toMatchObject({ code: 0 })
    expect((await jiaowu(['role', 'show', 'viewer'])).out).not.toContain('audit:view')
  })
  it('runs the ten scripts of docs/examples', { timeout: 240_000 }, async () => {
    const run = (name: string, ...args: string[]) => runExample({ home, server }, name, args)
    const first = await run('1-changed-rows.sh')
    expect(first).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^students-.*\.csv\n$/) as string,
    })
    await jiaowu(['entity', 'edit', 'EDU_STUDENT', '4000001', '--set', 'political=群众'])
    await new Promise((resolve) => setTimeout(resolve, 1100)) // The names have seconds.
    const second = await run('1-changed-rows.sh')
    const changed = await readFile(join(home, second.out.trim()), 'utf8')
    expect([second.code, changed.trim().split('\n').length < 2000]).toEqual([0, true])
    expect(changed).toContain('群众')

    await writeFile(join(home, 'faculties.csv'), 'code,name\nS1,甲\n,乙\n')
    expect(await run('2-import-and-report.sh', 'EDU_FACULTY', 'faculties.csv')).toMatchObject({
      code: 0,
      out: '1\nsome rows were refused: refused.xlsx\n',
    })

    for (const [profile, tenant] of [
      ['test', '10000'],
      ['production', '10001'],
    ] as const)
      expect(
        await jiaowu(
          ['login', 'admin', '--tenant', tenant, '--profile', profile, '--password-stdin'],
          {
            input: password,
          },
        ),
      ).toMatchObject({ code: 0 })
    await jiaowu(['profile', 'use', 'test'])
    expect(await jiaowu(['design', 'pull', 'EDU_FACULTY', '--dir', 'drafts'])).toMatchObject({
      code: 0,
    })
    const draft = join(home, 'drafts', 'EDU_FACULTY.json')
    await writeFile(draft, (await readFile(draft, 'utf8')).replace('"院系名称"', '"学院名称"'))
    expect(await jiaowu(['design', 'apply', '--dir', 'drafts'])).toMatchObject({ code: 0 })
    expect(await run('3-test-to-production.sh', 'EDU_FACULTY')).toMatchObject({ code: 0 })
    expect(
      (await jiaowu(['--profile', 'production', 'entity', 'show', 'EDU_FACULTY'])).out,
    ).toContain('学院名称')

    await writeFile(
      join(home, 'staff.csv'),
      'account,name,roles\nnew_one,新一,查询用户\nnew_two,新二,查询用户\n',
    )
    const made = await run('4-accounts.sh', 'staff.csv')
    expect(made).toMatchObject({ code: 0, out: 'passwords.csv\n' })
    expect((await stat(join(home, 'passwords.csv'))).mode & 0o777).toBe(0o600)
    expect((await readFile(join(home, 'passwords.csv'), 'utf8')).split('\n').slice(0, 3)).toEqual([
      'account,password',
      expect.stringMatching(/^new_one,[\da-zA-Z]{14}$/),
      expect.stringMatching(/^new_two,[\da-zA-Z]{14}$/),
    ])

    const paid = await payForOrder(server)
    expect(await run('5-clean-up.sh', '2099-01-01')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^[1-9]/) as string,
    })
    expect(await run('6-monthly-income.sh', paid.month)).toMatchObject({ code: 0, out: '5\n' })
    expect(await run('7-without-marks.sh', '计算机科学与技术22级1班', '2025-2026-2')).toMatchObject(
      { code: 0 },
    )
    expect(
      await run('8-backup.sh', join(import.meta.dirname, '..', '..'), join(home, 'b.jiaowu')),
    ).toMatchObject({ code: 0 })
    expect(await run('9-refund.sh', paid.orderNo, '重复付款')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\d+\n$/) as string,
    })
    expect((await jiaowu(['refund', 'ls', '--jq', '.state'])).out).toBe('REQUESTED\n')
    await writeFile(join(home, 'a.pdf'), paid.file)
    await writeFile(join(home, 'b.pdf'), Buffer.concat([paid.file, Buffer.from('\n')]))
    const checked = await run('10-verify.sh', home)
    expect(
      checked.out
        .trim()
        .split('\n')
        .map((line) => line.split('\t')[1]),
    ).toEqual(['valid', 'different'])
    await jiaowu(['profile', 'use', 'test'])
  })
  it('removes the session on logout', async () => {
    expect(await jiaowu(['logout'])).toMatchObject({ code: 0 })
    expect(await jiaowu(['whoami'])).toMatchObject({ code: 4 })
  })
})

import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { password, type RunningServer, startRealServer } from '../support/server.ts'
import { staffClient } from '../support/staff-client.ts'
import { readSheet } from '../support/sheet.ts'
import { commandAt, type Jiaowu, lines } from './command.ts'
import { onTerminal } from './terminal.ts'

let server: RunningServer
let home: string
let jiaowu: Jiaowu

beforeAll(async () => {
  server = await startRealServer()
  home = await mkdtemp(join(tmpdir(), 'jiaowu-home-'))
  jiaowu = commandAt(home, server)
}, 120_000)
afterAll(async () => {
  await server.stop()
  await rm(home, { recursive: true, force: true })
})

describe('jiaowu', { timeout: 60_000 }, () => {
  it('refuses to do anything signed out, with 4 and a next step', async () => {
    expect(await jiaowu(['whoami'])).toMatchObject({
      code: 4,
      out: '',
      err: expect.stringContaining('jiaowu login') as string,
    })
  })
  it('never prompts off a terminal', async () => {
    expect(await jiaowu(['login', 'admin'])).toMatchObject({ code: 2, out: '' })
    expect(await jiaowu(['login', '--password-stdin'], { input: 'x' })).toMatchObject({
      code: 2,
      out: '',
    })
  })
  it('refuses a wrong password with 5, and keeps nothing', async () => {
    const { code, err } = await jiaowu(['login', 'admin', '--password-stdin'], { input: 'wrong' })
    expect([4, 5]).toContain(code)
    expect(err).not.toBe('')
    expect(await jiaowu(['whoami'])).toMatchObject({ code: 4 })
  })
  it('signs in from stdin, keeps the tokens in a 0600 file, and says who', async () => {
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
  it('lists entities and shows one', async () => {
    const { out } = await jiaowu(['entity', 'ls', '--json'])
    expect(lines(out).map((line) => line.tag)).toEqual(
      expect.arrayContaining(['EDU_STUDENT', 'EDU_GRADE', 'SYS_USER']),
    )
    const config = JSON.parse((await jiaowu(['entity', 'show', 'EDU_STUDENT', '--json'])).out) as {
      fields: { attrName: string }[]
    }
    expect(config.fields.map((field) => field.attrName)).toContain('name')
    expect(JSON.stringify(config)).not.toMatch(/columnName|tableName/)
  })
  it('lists rows as ndjson with filter, sort and paging, and says the total on stderr', async () => {
    const first = await jiaowu([
      'entity',
      'list',
      'EDU_STUDENT',
      '--json',
      '--size',
      '5',
      '--sort',
      'name:desc',
    ])
    expect(first.code).toBe(0)
    expect(lines(first.out)).toHaveLength(5)
    expect(first.err).toContain('2000')
    const [one] = lines(first.out)
    const found = await jiaowu([
      'entity',
      'list',
      'EDU_STUDENT',
      '--json',
      '-f',
      `name=${String(one?.name)}`,
    ])
    expect(lines(found.out).map((row) => row.name)).toContain(one?.name)
    const row = await jiaowu(['entity', 'get', 'EDU_STUDENT', String(one?.id), '--json'])
    expect(JSON.parse(row.out)).toMatchObject({ id: one?.id, name: one?.name })
  })
  it('ends with 2 on wrong usage and 5 on what is not there', async () => {
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
    const told = await jiaowu([
      '--json',
      '--lang',
      'en',
      'entity',
      'list',
      'EDU_STUDENT',
      '--sise',
      '5',
    ])
    expect([told.code, told.out, JSON.parse(told.err)]).toEqual([
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
  it('ends with 6 when nobody answers', async () => {
    expect(
      await jiaowu(['whoami', '--server', 'http://127.0.0.1:9'], { env: { JIAOWU_TOKEN: 'x' } }),
    ).toMatchObject({ code: 6, out: '' })
  })
  it('uses saved views by name: their filters, sorts and columns, what is typed before them', async () => {
    const { api } = await staffClient(server)
    const save = (name: string, scope: 'mine' | 'everyone') =>
      api.view.create({
        params: { tag: 'EDU_STUDENT' },
        body: {
          name,
          scope,
          queries: { status: '1' },
          sorts: [{ column: 'studentNo', asc: false }],
          columns: ['studentNo', 'name'],
          isDefault: scope === 'everyone',
        },
      })
    const { id } = await save('在读 降序', 'everyone')
    await save('twice', 'mine')
    await save('twice', 'everyone')
    const views = lines((await jiaowu(['entity', 'views', 'EDU_STUDENT', '--json'])).out)
    expect(views.map(({ name, scope }) => [name, scope])).toEqual([
      ['twice', 'mine'],
      ['在读 降序', 'everyone'],
      ['twice', 'everyone'],
    ])
    const listed = await jiaowu([
      'entity',
      'list',
      'EDU_STUDENT',
      '--view',
      '在读 降序',
      '--json',
      '--size',
      '3',
    ])
    const numbers = lines(listed.out).map((row) => String(row.studentNo))
    expect([numbers.length, numbers.toSorted().toReversed()]).toEqual([3, numbers])
    expect(
      lines(
        (
          await jiaowu([
            'entity',
            'list',
            'EDU_STUDENT',
            '--view',
            id,
            '--json',
            '--size',
            '3',
            '--sort',
            'studentNo',
          ])
        ).out,
      ).map((row) => row.studentNo),
    ).not.toEqual(numbers)
    const csv = await jiaowu([
      'entity',
      'export',
      'EDU_STUDENT',
      '--view',
      id,
      '-o',
      '-',
      '--format',
      'csv',
    ])
    expect(
      csv.out
        .replace(/^\ufeff/, '')
        .split(/\r?\n/)
        .slice(0, 2),
    ).toEqual(['学号,姓名', expect.stringContaining(numbers[0] ?? '?')])
    expect(await jiaowu(['entity', 'list', 'EDU_STUDENT', '--view', 'none'])).toMatchObject({
      code: 5,
      out: '',
    })
    expect(await jiaowu(['entity', 'list', 'EDU_STUDENT', '--view', 'twice'])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('twice') as string,
    })
  })
  it('exports a filtered sheet, a csv on stdout and a template', async () => {
    const sheet = join(home, 'students.xlsx')
    expect(await jiaowu(['entity', 'export', 'EDU_STUDENT', '-o', sheet])).toMatchObject({
      code: 0,
      out: `${sheet}\n`,
    })
    expect((await readSheet(sheet)).rows).toHaveLength(2001)
    const csv = await jiaowu([
      'entity',
      'export',
      'EDU_STUDENT',
      '-o',
      '-',
      '--format',
      'csv',
      '-c',
      'name',
    ])
    expect(
      csv.out
        .replace(/^\ufeff/, '')
        .trim()
        .split(/\r?\n/),
    ).toHaveLength(2001)
    const template = join(home, 't.xlsx')
    expect(await jiaowu(['entity', 'template', 'EDU_STUDENT', '-o', template])).toMatchObject({
      code: 0,
    })
    expect((await readFile(template)).subarray(0, 2).toString()).toBe('PK')
  })
  it('adds, changes and deletes a record, by --set, by a file, by stdin', async () => {
    const added = await jiaowu([
      'entity',
      'add',
      'EDU_FACULTY',
      '--set',
      'code=C1',
      '--set',
      '院系名称=命令行学院',
      '--json',
    ])
    expect(added.code).toBe(0)
    const row = JSON.parse(added.out) as { id: string; version: unknown }
    expect(row).toMatchObject({ code: 'C1', name: '命令行学院' })
    expect(
      await jiaowu([
        'entity',
        'edit',
        'EDU_FACULTY',
        row.id,
        '--set',
        'dean=张三',
        '--set',
        'founded=1999',
      ]),
    ).toMatchObject({ code: 0 })
    const read = await jiaowu(['entity', 'get', 'EDU_FACULTY', row.id, '--json'])
    expect(JSON.parse(read.out)).toMatchObject({ dean: '张三', founded: '1999' })
    // What `get` prints goes back in with `edit --from -`: only what differs is sent.
    expect(
      await jiaowu(['entity', 'edit', 'EDU_FACULTY', row.id, '--from', '-', '--json'], {
        input: read.out.replace('张三', '李四'),
      }),
    ).toMatchObject({ code: 0 })
    expect(
      await jiaowu(['entity', 'edit', 'EDU_FACULTY', row.id, '--from', '-'], {
        input: read.out.replace('张三', '王五'),
      }),
    ).toMatchObject({ code: 5, out: '' })
    const file = join(home, 'row.json')
    await writeFile(file, JSON.stringify({ code: 'C2', name: '文件学院' }))
    expect(await jiaowu(['entity', 'add', 'EDU_FACULTY', '--from', file])).toMatchObject({
      code: 0,
    })
    expect(await jiaowu(['entity', 'rm', 'EDU_FACULTY', row.id])).toMatchObject({
      code: 2,
      out: '',
    })
    expect(await jiaowu(['entity', 'rm', 'EDU_FACULTY', row.id, '--yes', '--json'])).toMatchObject({
      code: 0,
      out: '{"deleted":1}\n',
    })
    expect(await jiaowu(['entity', 'rm', 'EDU_FACULTY', row.id, '--yes'])).toMatchObject({
      code: 5,
      out: '',
    })
  })
  it('tells what a record lacks, field by field, with 5; and what a command lacks with 2', async () => {
    const refused = await jiaowu(['entity', 'add', 'EDU_FACULTY', '--set', 'code=C3', '--json'])
    expect(refused).toMatchObject({ code: 5, out: '' })
    expect(JSON.parse(refused.err)).toMatchObject({
      error: { issues: [{ path: 'name', rule: 'required' }] },
    })
    expect(await jiaowu(['entity', 'add', 'EDU_FACULTY'])).toMatchObject({ code: 2, out: '' })
    expect(await jiaowu(['entity', 'add', 'EDU_FACULTY', '--set', 'nosuch=1'])).toMatchObject({
      code: 2,
      out: '',
    })
    expect(await jiaowu(['entity', 'add', 'EDU_FACULTY', '--from', 'missing.json'])).toMatchObject({
      code: 2,
      out: '',
    })
    expect(
      await jiaowu(['entity', 'add', 'EDU_FACULTY', '--from', '-'], { input: '[1]' }),
    ).toMatchObject({ code: 2, out: '' })
    expect(
      await jiaowu(['entity', 'export', 'EDU_FACULTY', '-o', join(home, 'no', 'such', 'x.csv')]),
    ).toMatchObject({ code: 2, out: '' })
  })
  it('imports: all rows, good rows only, none, checks only; each with its exit code and the job on stdout', async () => {
    const [good, bad] = [join(home, 'good.csv'), join(home, 'bad.csv')]
    await writeFile(good, 'code,name\nI1,甲\nI2,乙\n')
    await writeFile(bad, 'code,name\nI3,丙\nI1,又是甲\n,没有代码\n')
    const looked = await jiaowu(['entity', 'import', 'EDU_FACULTY', good, '--dry-run'])
    expect(JSON.parse(looked.out)).toMatchObject({
      dryRun: true,
      inserted: 0,
      review: { fresh: 2, wrong: 0 },
    })
    expect(looked.code).toBe(0)
    expect(JSON.parse((await jiaowu(['entity', 'import', 'EDU_FACULTY', good])).out)).toMatchObject(
      { status: 'done', inserted: 2 },
    )
    expect(await jiaowu(['entity', 'import', 'EDU_FACULTY', bad, '--dry-run'])).toMatchObject({
      code: 7,
    })
    const none = await jiaowu(['entity', 'import', 'EDU_FACULTY', bad])
    expect(none).toMatchObject({ code: 5, err: expect.stringContaining('第 3 行') as string })
    expect(JSON.parse(none.out)).toMatchObject({ inserted: 0, errors: [{ row: 3 }, { row: 4 }] })
    const some = await jiaowu([
      'entity',
      'import',
      'EDU_FACULTY',
      bad,
      '--on-error',
      'skip',
      '--results',
      join(home, 'why.csv'),
    ])
    expect(some.code).toBe(3)
    expect(JSON.parse(some.out)).toMatchObject({ status: 'done', inserted: 1, failed: 2 })
    expect((await readFile(join(home, 'why.csv'), 'utf8')).trim().split(/\r?\n/)).toHaveLength(4)
    const piped = await jiaowu(
      ['entity', 'import', 'EDU_FACULTY', '-', '--mode', 'upsert', '--key', 'code', '--json'],
      { input: '{"code":"I1","name":"甲改"}\n{"code":"I4","name":"丁"}\n' },
    )
    expect(JSON.parse(piped.out)).toMatchObject({ format: 'ndjson', inserted: 1, updated: 1 })
  })
  it("imports into the console's own records only when told that it is meant, and goes on with a job of before", async () => {
    const file = join(home, 'params.csv')
    const config = JSON.parse((await jiaowu(['entity', 'show', 'SYS_PARAM', '--json'])).out) as {
      fields: { attrName: string; valids: { required?: boolean } }[]
    }
    const needed = config.fields
      .filter(({ valids }) => valids.required === true)
      .map(({ attrName }) => attrName)
    await writeFile(file, `${needed.join(',')}\n${needed.map((name) => `cli-${name}`).join(',')}\n`)
    const asked = await jiaowu(['entity', 'import', 'SYS_PARAM', file])
    expect(asked).toMatchObject({ code: 2, out: '' })
    const id = /--resume (\d+)/.exec(asked.err)?.[1] ?? ''
    expect(await jiaowu(['entity', 'import', '--resume', id])).toMatchObject({ code: 2, out: '' })
    const done = await jiaowu(['entity', 'import', '--resume', id, '--yes'])
    expect(JSON.parse(done.out)).toMatchObject({ id, status: 'done', inserted: 1 })
    expect(await jiaowu(['entity', 'import', '--resume', '1'])).toMatchObject({ code: 5, out: '' })
    expect(await jiaowu(['entity', 'import', 'EDU_FACULTY', 'missing.csv'])).toMatchObject({
      code: 2,
      out: '',
    })
    expect(
      await jiaowu(['entity', 'import', 'EDU_FACULTY', file, '--mode', 'sometimes']),
    ).toMatchObject({ code: 2, out: '' })
  })
  it('leaves an interrupted import at the server, with 130 and the way back', async () => {
    const file = join(home, 'many.csv')
    await writeFile(
      file,
      `code,name\n${Array.from({ length: 5000 }, (_, n) => `M${n},学院${n}`).join('\n')}\n`,
    )
    let stopped = false
    const ran = await jiaowu(['entity', 'import', 'EDU_FACULTY', file], {
      watch: (child, said) => {
        if (!stopped && /正在(检查|写入)/.test(said())) {
          stopped = true
          child.kill('SIGINT')
        }
      },
    })
    expect(ran).toMatchObject({ code: 130, out: '' })
    const id = /--resume (\d+)/.exec(ran.err)?.[1] ?? ''
    const done = await jiaowu(['entity', 'import', '--resume', id])
    expect(JSON.parse(done.out)).toMatchObject({ id, status: 'done', inserted: 5000 })
  })
  it('on a terminal an import is a screen: looked at, changed, written', async () => {
    const file = join(home, 'screen.csv')
    await writeFile(file, 'code,name\nS1,屏幕学院\n,没有代码\n')
    const seen = await onTerminal(
      home,
      server,
      ['entity', 'import', 'EDU_FACULTY', file],
      [
        ['错误的行', 'o'],
        ['保留正确的行', 'skip\r'],
        ['w 写入', 'w'],
        ['导入完成', 'q'],
      ],
    )
    expect(seen).toMatchObject({ code: 3, missing: null })
    expect(seen.text).toContain('新增 1')
  })
  it('on a terminal Ctrl-C leaves an import at the server too, and says so', async () => {
    const file = join(home, 'stopped.csv')
    await writeFile(file, 'code,name\nS9,\n')
    const seen = await onTerminal(
      home,
      server,
      ['entity', 'import', 'EDU_FACULTY', file],
      [
        ['错误的行', '\u0003'],
        ['--resume', ''],
      ],
    )
    expect(seen).toMatchObject({ code: 130, missing: null })
  })
  it('on a terminal a record is filled in field by field', async () => {
    const seen = await onTerminal(
      home,
      server,
      ['entity', 'add', 'EDU_FACULTY'],
      [
        ['^s 保存', 'S2\u001b[B手填学院\u001b[B'],
        ['手填学院', '\u0013'],
        ['新增成功', ''],
      ],
    )
    expect(seen).toMatchObject({ code: 0, missing: null })
    expect(
      lines((await jiaowu(['entity', 'list', 'EDU_FACULTY', '--json', '-f', 'code=S2'])).out),
    ).toMatchObject([{ code: 'S2', name: '手填学院' }])
  })
  it('completes commands, options, entities and fields', async () => {
    const complete = async (...words: string[]) =>
      (await jiaowu(['__complete', 'bash', '--', ...words])).out.trim().split('\n')
    expect(await complete('entity', 'im')).toEqual(['import'])
    expect(await complete('entity', 'import', 'EDU_FACULTY', 'x.csv', '--on')).toEqual([
      '--on-error',
      '--only-wrong',
    ])
    expect(await complete('entity', 'list', 'EDU_ST')).toEqual(['EDU_STUDENT'])
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
  it('changes all rows that match: looked at first, refused rows told, deleted ones gone', async () => {
    const looked = await jiaowu([
      'entity',
      'bulk-update',
      'EDU_TEACHER',
      '--where',
      'onJob=1',
      '--set',
      '研究方向=终端',
      '--dry-run',
      '--json',
    ])
    expect([looked.code, looked.err]).toMatchObject([0, expect.stringContaining('正在逐条检查')])
    const job = JSON.parse(looked.out) as { changed: number; updated: number; rows: unknown[] }
    expect([job.changed > 100, job.updated, job.rows.length]).toEqual([true, 0, 100])
    expect(
      await jiaowu([
        'entity',
        'bulk-update',
        'EDU_TEACHER',
        '--where',
        'onJob=1',
        '--set',
        '研究方向=终端',
      ]),
    ).toMatchObject({ code: 2, out: '', err: expect.stringContaining('--yes') as string })
    const done = await jiaowu([
      'entity',
      'bulk-update',
      'EDU_TEACHER',
      '--where',
      'onJob=1',
      '--set',
      '研究方向=终端',
      '--yes',
    ])
    expect([done.code, done.out]).toMatchObject([
      0,
      expect.stringContaining(`已修改 ${job.changed}`),
    ])
    expect(
      await jiaowu([
        'entity',
        'bulk-update',
        'EDU_TEACHER',
        '--all',
        '--set',
        'email=nobody',
        '--yes',
      ]),
    ).toMatchObject({ code: 5, out: expect.stringContaining('✗') as string })
    expect(
      await jiaowu([
        'entity',
        'bulk-update',
        'EDU_TEACHER',
        '--all',
        '--set',
        'teacherNo=1',
        '--yes',
      ]),
    ).toMatchObject({ code: 5, out: '', err: expect.stringContaining('不能批量修改') as string })
    await jiaowu(['entity', 'add', 'EDU_FACULTY', '--set', 'code=BLK', '--set', 'name=待删院'])
    expect(
      await jiaowu([
        'entity',
        'bulk-delete',
        'EDU_FACULTY',
        '--where',
        'name=院',
        '--on-error',
        'abort',
        '--yes',
      ]),
    ).toMatchObject({ code: 5, out: '' })
    // The six with students stay; whatever the tests before have added goes.
    const gone = await jiaowu([
      'entity',
      'bulk-delete',
      'EDU_FACULTY',
      '--where',
      'name=院',
      '--yes',
      '--json',
    ])
    expect([gone.code, JSON.parse(gone.out)]).toMatchObject([3, { failed: 6 }])
    expect((await jiaowu(['entity', 'list', 'EDU_FACULTY', '--json', '-f', 'name=待删'])).out).toBe(
      '',
    )
  })
  it('with stdin closed every command ends by itself, with its code and no prompt', async () => {
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
      [0, 'machine', 'ls'],
      [0, 'machine', 'graph', 'transfer'],
      [0, 'logout'],
      [4, 'entity', 'ls'],
    ]
    const said: string[] = []
    for (const [code, ...args] of table) {
      const ran = await jiaowu(args)
      said.push(
        `${ran.code} jiaowu ${args.map((arg) => arg.replace(home, '~')).join(' ')}: ${
          (ran.out + ran.err)
            .split('\n')
            .find((line) => line.trim() !== '')
            ?.slice(0, 100) ?? ''
        }`,
      )
      expect([ran.code, ...args]).toEqual([code, ...args])
      // What failed says so on stderr, and nothing on stdout that could be taken for data.
      if (code !== 0) expect([ran.out, ran.err === ''], args.join(' ')).toEqual(['', false])
    }
    console.log(said.join('\n'))
    expect(await jiaowu(['login', 'admin', '--password-stdin'], { input: password })).toMatchObject(
      { code: 0 },
    )
  })
  it('forgets everything on logout', async () => {
    expect(await jiaowu(['logout'])).toMatchObject({ code: 0 })
    expect(await jiaowu(['whoami'])).toMatchObject({ code: 4 })
  })
})

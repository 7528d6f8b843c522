import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunningServer } from '../../support/server.ts'
import { readSheet } from '../../support/sheet.ts'
import { staffClient } from '../../support/staff-client.ts'
import { startSignedIn } from '../command-on-server.ts'
import { type Jiaowu, parseJsonLines } from '../command.ts'
import { onTerminal } from '../terminal.ts'

let server: RunningServer
let home: string
let jiaowu: Jiaowu
let stop: () => Promise<void>

beforeAll(async () => {
  ;({ server, home, jiaowu, stop } = await startSignedIn())
}, 120_000)
afterAll(() => stop())

describe('jiaowu entity', { timeout: 180_000 }, () => {
  it('lists entities and shows the configuration of one', async () => {
    const { out } = await jiaowu(['entity', 'ls', '--json'])
    expect(parseJsonLines(out).map((line) => line.tag)).toEqual(
      expect.arrayContaining(['EDU_STUDENT', 'EDU_GRADE', 'SYS_USER']),
    )
    const config = JSON.parse((await jiaowu(['entity', 'show', 'EDU_STUDENT', '--json'])).out) as {
      fields: { attrName: string }[]
    }
    expect(config.fields.map((field) => field.attrName)).toContain('name')
    expect(JSON.stringify(config)).not.toMatch(/columnName|tableName/)
  })
  it('lists rows as ndjson with filter, sort and paging, and prints the total on stderr', async () => {
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
    expect(parseJsonLines(first.out)).toHaveLength(5)
    expect(first.err).toContain('2000')
    const [one] = parseJsonLines(first.out)
    const found = await jiaowu([
      'entity',
      'list',
      'EDU_STUDENT',
      '--json',
      '-f',
      `name=${String(one?.name)}`,
    ])
    expect(parseJsonLines(found.out).map((row) => row.name)).toContain(one?.name)
    const row = await jiaowu(['entity', 'get', 'EDU_STUDENT', String(one?.id), '--json'])
    expect(JSON.parse(row.out)).toMatchObject({ id: one?.id, name: one?.name })
  })
  it('links an account to a person by name or number', async () => {
    const of = async (...args: string[]) =>
      parseJsonLines((await jiaowu(['entity', 'list', ...args, '--json'])).out)
    const [teacher] = await of('EDU_TEACHER', '--size', '1')
    const [student] = await of('EDU_STUDENT', '--size', '1', '-f', 'status=1')
    const [viewer] = await of('SYS_USER', '-f', 'account=viewer')
    const edit = async (...settings: string[]) => {
      const set = settings.flatMap((setting) => ['--set', setting])
      return await jiaowu(['entity', 'edit', 'SYS_USER', String(viewer?.id), ...set, '--json'])
    }
    // The number comes before the entity that it belongs to.
    const linked = await edit(`personId=${String(teacher?.teacherNo)}`, 'personTag=教师')
    expect(linked).toMatchObject({ code: 0 })
    expect(JSON.parse(linked.out)).toMatchObject({ personId: [{ id: teacher?.id }] })
    const found = await of('SYS_USER', '-f', 'personTag=教师')
    expect(found.map((row) => row.account).sort()).toEqual(['teacher', 'viewer'])
    const pupil = await edit('personTag=EDU_STUDENT', `personId=${String(student?.studentNo)}`)
    expect(JSON.parse(pupil.out)).toMatchObject({ personId: [{ id: student?.id }] })
    expect((await edit('personTag=')).code).not.toBe(0)
    expect(await edit('personTag=', 'personId=')).toMatchObject({ code: 0 })
  })
  it('counts groups and sums over all records', async () => {
    const grades = ['entity', 'list', 'EDU_GRADE']
    const terms = await jiaowu([...grades, '--group', 'term', '--json', '--footer', 'score:below'])
    expect(parseJsonLines(terms.out)).toHaveLength(9)
    expect(parseJsonLines(terms.out)[8]).toMatchObject({
      footer: [{ column: 'score', fn: 'below' }],
    })
    expect(parseJsonLines(terms.out)[0]).toMatchObject({ count: 1500 })
    expect(terms.err).toMatch(/成绩 不及格数 [\d,]+/)
    const table = await jiaowu([...grades, '--group', 'examDate:year', '-f', 'term=2022-2023-1'])
    expect(table.out).toMatch(/考试日期\s+计数/)
    const wrong = await jiaowu([...grades, '--footer', 'examDate:sum'])
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('min max')])
    expect((await jiaowu([...grades, '--group', 'score'])).code).toBe(2)
  })
  it('filters by the rows that name a record', async () => {
    const fails = { column: 'passed', op: 'equal', value: '0' }
    const leaf = { column: '@EDU_GRADE.student', op: 'ge', value: 3, where: { and: [fails] } }
    const list = (op: string) => [
      'entity',
      'list',
      'EDU_STUDENT',
      '-n',
      '1',
      '--json',
      '--where',
      JSON.stringify({ and: [{ ...leaf, op }] }),
    ]
    const [some, others] = [await jiaowu(list('ge')), await jiaowu(list('lt'))]
    const total = ({ err }: { err: string }) =>
      Number(/共 ([\d,]+)/.exec(err)?.[1]?.replaceAll(',', ''))
    expect(total(some)).toBeGreaterThan(10)
    expect(total(some) + total(others)).toBe(2000)
  })
  it('orders groups, keeps those that meet conditions, and crosses them with another column', async () => {
    const grades = ['entity', 'list', 'EDU_GRADE', '--group', 'faculty']
    const fails = await jiaowu([
      ...grades,
      '--having',
      'score:below>=1',
      '--order-groups',
      'score:below:desc',
      '--json',
    ])
    const groups = parseJsonLines(fails.out) as unknown as readonly { all: { figures: number[] } }[]
    const counts = groups.slice(0, -1).map(({ all }) => all.figures[0] ?? 0)
    expect(counts.length).toBeGreaterThan(1)
    expect(counts).toEqual(counts.toSorted((a, b) => b - a))
    expect(groups.at(-1)).toMatchObject({
      total: true,
      all: { figures: [counts.reduce((sum, n) => sum + n, 0)] },
    })
    const only = '{"and":[{"column":"score","op":"ge","value":90}]}'
    const table = await jiaowu([...grades, '--cross', 'term', '--footer', `score:count@${only}`])
    expect(table.out.split('\n')[0]).toMatch(/院系\s+2022-2023 学年第一学期.*合计/)
    expect(table.out).toMatch(/\n合计\s+\d/)
    for (const wrong of [
      ['--having', 'score:below'],
      ['--cross', 'score'],
      ['--having', 'x>=1'],
    ])
      expect((await jiaowu([...grades, ...wrong])).code).toBe(2)
    const none = await jiaowu(['entity', 'list', 'EDU_GRADE', '--cross', 'term'])
    expect([none.code, none.err]).toEqual([2, expect.stringContaining('--group')])
  })
  it('applies filters, sorts and columns of a saved view; options of the command take precedence', async () => {
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
    const views = parseJsonLines((await jiaowu(['entity', 'views', 'EDU_STUDENT', '--json'])).out)
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
    const numbers = parseJsonLines(listed.out).map((row) => String(row.studentNo))
    expect([numbers.length, numbers.toSorted().toReversed()]).toEqual([3, numbers])
    expect(
      parseJsonLines(
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
  it('exports a sheet, a csv to stdout and a template', async () => {
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
  it('adds, changes and deletes a record with --set, a file and stdin', async () => {
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
    // `edit --from -` accepts the output of `get` and sends only the changed values.
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
  it('reports invalid fields with 5 and invalid arguments with 2', async () => {
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
  it('fills in a record in a form on a terminal', async () => {
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
      parseJsonLines(
        (await jiaowu(['entity', 'list', 'EDU_FACULTY', '--json', '-f', 'code=S2'])).out,
      ),
    ).toMatchObject([{ code: 'S2', name: '手填学院' }])
  })
  it('opens a list as a screen: filter, choose, edit, delete, take back', async () => {
    const seen = await onTerminal(
      home,
      server,
      ['entity', 'list', 'EDU_FACULTY', '-f', 'code=S2'],
      [
        ['共 1 条', ' '],
        ['已选 1 条', 'x'],
        ['space 选择', 'e'],
        ['^s 保存', '改名\u0013'],
        ['修改成功', 'd'],
        ['y 确定', 'y'],
        ['u 撤销', 'u'],
        ['已撤销', 'c'],
        ['信息工程学院', '/'],
        ['字段', '院系代码\r'],
        ['enter 查询', 'S2\r'],
        ['共 1 条', '\r'],
        ['手填学院改名', '\u001b'],
        ['esc 离开', '\u001b'],
      ],
    )
    expect(seen).toMatchObject({ code: 0, missing: null })
    expect(
      parseJsonLines(
        (await jiaowu(['entity', 'list', 'EDU_FACULTY', '--json', '-f', 'code=S2'])).out,
      ),
    ).toMatchObject([{ code: 'S2', name: '手填学院改名' }])
  })
  it('changes and deletes all matching rows after a check, and reports refused rows', async () => {
    const checked = await jiaowu([
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
    expect([checked.code, checked.err]).toMatchObject([0, expect.stringContaining('正在逐条检查')])
    const job = JSON.parse(checked.out) as { changed: number; updated: number; rows: unknown[] }
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
    // The six faculties with students are refused; those that earlier tests added are deleted.
    const deleted = await jiaowu([
      'entity',
      'bulk-delete',
      'EDU_FACULTY',
      '--where',
      'name=院',
      '--yes',
      '--json',
    ])
    expect([deleted.code, JSON.parse(deleted.out)]).toMatchObject([3, { failed: 6 }])
    expect((await jiaowu(['entity', 'list', 'EDU_FACULTY', '--json', '-f', 'name=待删'])).out).toBe(
      '',
    )
  })
})

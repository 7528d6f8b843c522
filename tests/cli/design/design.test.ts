import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { password, type RunningServer, startRealServer } from '../../support/server.ts'
import { commandAt, type Jiaowu, parseJsonLines } from '../command.ts'

let servers: readonly RunningServer[]
let home: string
let folder: string
/** The command on two servers. */
let source: Jiaowu
let target: Jiaowu

async function signInCommand(name: string, server: RunningServer): Promise<Jiaowu> {
  await mkdir(join(home, name))
  const jiaowu = commandAt(join(home, name), server)
  expect(
    await jiaowu(['login', 'admin', '--password-stdin'], { input: `${password}\n` }),
  ).toMatchObject({ code: 0 })
  return jiaowu
}
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'jiaowu-home-'))
  folder = join(home, 'design')
  // The second server creates its demo school itself, with other ids than the first.
  servers = await Promise.all([startRealServer(), startRealServer({ DEMO: '1' })])
  const [a, b] = servers
  if (a === undefined || b === undefined) throw new Error('expected two servers')
  source = await signInCommand('a', a)
  target = await signInCommand('b', b)
}, 180_000)
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  await rm(home, { recursive: true, force: true })
})

const toDraftPath = (tag: string) => join(folder, `${tag}.json`)
async function readDraftFile(tag: string) {
  return JSON.parse(await readFile(toDraftPath(tag), 'utf8')) as {
    name: string
    fields: { attrName: string; uiLabel: string; valids?: object; columnName?: string }[]
  }
}
async function edit(
  tag: string,
  change: (file: Awaited<ReturnType<typeof readDraftFile>>) => unknown,
) {
  return writeFile(
    toDraftPath(tag),
    `${JSON.stringify(change(await readDraftFile(tag)), null, 2)}\n`,
  )
}

describe('definitions as code', { timeout: 240_000 }, () => {
  it('are pulled into one file each; a second pull writes nothing', async () => {
    const first = await source(['design', 'pull', '-d', folder, '--json'])
    expect(first.code).toBe(0)
    expect(parseJsonLines(first.out).length).toBeGreaterThanOrEqual(27)
    expect(await readdir(folder)).toContain('EDU_STUDENT.json')
    expect((await readFile(toDraftPath('EDU_FACULTY'), 'utf8')).slice(0, 40)).toMatch(
      /^\{\n {2}"tag": "EDU_FACULTY",\n/,
    )
    expect((await source(['design', 'pull', '-d', folder])).err).toMatch(/已写入 0 个文件/)
  })
  it('pass the checks as shipped, online and offline, and do not differ', async () => {
    expect(await source(['design', 'lint', '-d', folder])).toMatchObject({ code: 0 })
    expect(await source(['design', 'lint', '-d', folder, '--offline'])).toMatchObject({ code: 0 })
    expect(await source(['design', 'diff', '-d', folder, '--exit-code'])).toMatchObject({
      code: 0,
      out: '',
    })
  })
  it('with errors are reported with exit code 7 and not saved', async () => {
    const good = await readFile(toDraftPath('EDU_COURSE'), 'utf8')
    await edit('EDU_COURSE', (file) => ({
      ...file,
      fields: file.fields.map((field) =>
        field.attrName === 'name' ? { ...field, columnName: 'nowhere' } : field,
      ),
    }))
    const lint = await source(['design', 'lint', 'EDU_COURSE', '-d', folder])
    expect([lint.code, lint.err]).toEqual([
      7,
      expect.stringMatching(/error entity\.E003 fields\.name\.columnName/),
    ])
    expect(await source(['design', 'apply', 'EDU_COURSE', '-d', folder])).toMatchObject({ code: 7 })
    await writeFile(toDraftPath('EDU_COURSE'), '{ "tag": ')
    expect(await source(['design', 'lint', 'EDU_COURSE', '-d', folder, '--offline'])).toMatchObject(
      {
        code: 7,
        err: expect.stringContaining('EDU_COURSE.json') as string,
      },
    )
    await writeFile(toDraftPath('EDU_COURSE'), good)
    expect(
      await source(['design', 'diff', 'EDU_COURSE', '-d', folder, '--exit-code']),
    ).toMatchObject({ code: 0 })
    expect(await source(['design', 'lint', 'NO_SUCH', '-d', folder])).toMatchObject({ code: 2 })
  })
  it('are compared by attribute, applied, and equal afterwards', async () => {
    await edit('EDU_COURSE', (file) => ({
      ...file,
      name: '课程目录',
      fields: file.fields.map((field) =>
        field.attrName === 'name' ? { ...field, uiLabel: '课程全称' } : field,
      ),
    }))
    const diff = await source(['design', 'diff', 'EDU_COURSE', '-d', folder, '--exit-code'])
    expect([diff.code, diff.out.trimEnd().split('\n')]).toEqual([
      7,
      [
        'EDU_COURSE  修改',
        '  - name: "课程"',
        '  + name: "课程目录"',
        '  - fields.name.uiLabel: "课程名称"',
        '  + fields.name.uiLabel: "课程全称"',
      ],
    ])
    expect(
      await source(['design', 'apply', 'EDU_COURSE', '-d', folder, '--dry-run']),
    ).toMatchObject({
      code: 0,
      err: expect.stringContaining('试运行') as string,
    })
    expect(
      JSON.parse((await source(['entity', 'show', 'EDU_COURSE', '--json'])).out),
    ).toMatchObject({
      name: '课程',
    })
    expect(
      await source(['design', 'apply', 'EDU_COURSE', '-d', folder, '--note', '改名']),
    ).toMatchObject({ code: 0 })
    expect(
      JSON.parse((await source(['entity', 'show', 'EDU_COURSE', '--json'])).out),
    ).toMatchObject({
      name: '课程目录',
    })
    expect(await source(['design', 'apply', 'EDU_COURSE', '-d', folder])).toMatchObject({
      code: 0,
      err: expect.stringContaining('新增 0，修改 0，相同 1') as string,
    })
    expect((await source(['design', 'pull', '-d', folder, '--own'])).err).toMatch(
      /已写入 0 个文件，1 个没有变化/,
    )
  })
  it('that break a reference are saved only with --yes', async () => {
    const good = await readFile(toDraftPath('EDU_FACULTY'), 'utf8')
    await edit('EDU_FACULTY', (file) => ({
      ...file,
      fields: file.fields.filter(({ attrName }) => attrName !== 'name'),
      tagField: 'code',
    }))
    const refused = await source(['design', 'apply', 'EDU_FACULTY', '-d', folder])
    expect([refused.code, refused.err]).toEqual([7, expect.stringContaining('EDU_FACULTY.name')])
    await writeFile(toDraftPath('EDU_FACULTY'), good)
  })
  it('move to another server without their ids', async () => {
    expect(
      await target(['design', 'diff', 'EDU_COURSE', '-d', folder, '--exit-code']),
    ).toMatchObject({ code: 7 })
    expect(await target(['design', 'apply', '-d', folder, '--json'])).toMatchObject({ code: 0 })
    expect(await target(['design', 'diff', '-d', folder, '--exit-code'])).toMatchObject({
      code: 0,
      out: '',
    })
    expect(
      JSON.parse((await target(['entity', 'show', 'EDU_COURSE', '--json'])).out),
    ).toMatchObject({ name: '课程目录' })
  })
  it('carry columns and tables to a server that lacks them, after they were shown', async () => {
    const add = ['design', 'table', 'add', 'EDU_MAJOR', '--column', '楼栋=text:20']
    expect((await source([...add, '--dry-run'])).out).toContain('add column "x_lou_dong"')
    expect(await source(add)).toMatchObject({ code: 2 })
    expect(await source([...add, '--yes'])).toMatchObject({ code: 0 })
    const make = ['design', 'table', 'new', '借用登记', '--tag', 'LOANS']
    expect(
      await source([...make, '--column', '物品=text:40', '--required', '物品', '--yes']),
    ).toMatchObject({ code: 0 })
    const files = ['EDU_MAJOR', 'LOANS', '-d', folder]
    expect(await source(['design', 'pull', ...files])).toMatchObject({ code: 0 })
    const { out } = await target(['design', 'diff', ...files])
    expect(out).toContain('+ biz.major.x_lou_dong')
    expect(out).toContain('+ form.jie_yong_deng_ji.wu_pin')
    expect(await target(['design', 'apply', ...files])).toMatchObject({ code: 2 })
    expect(await target(['design', 'apply', ...files, '--yes'])).toMatchObject({ code: 0 })
    expect((await target(['entity', 'show', 'EDU_MAJOR', '--json'])).out).toContain('xLouDong')
    expect((await target(['design', 'diff', ...files])).out).toBe('')
    expect(await target(['design', 'table', 'undo', 'EDU_MAJOR', '--yes'])).toMatchObject({
      code: 0,
    })
    expect((await target(['design', 'diff', ...files])).out).toContain('+ biz.major.x_lou_dong')
    expect(await source(['design', 'table', 'take-back', 'LOANS', '--yes'])).toMatchObject({
      code: 0,
    })
    const state = await source(['design', 'table', 'show', 'EDU_MAJOR', '--json'])
    expect(JSON.parse(state.out)).toMatchObject({
      changes: [{ kind: 'add', columns: ['x_lou_dong'] }],
    })
  })
})

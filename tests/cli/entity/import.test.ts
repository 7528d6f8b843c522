import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunningServer } from '../../support/server.ts'
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

describe('jiaowu entity import', { timeout: 180_000 }, () => {
  it('imports all rows, valid rows or none, or only checks; with an exit code and the job on stdout', async () => {
    const [good, bad] = [join(home, 'good.csv'), join(home, 'bad.csv')]
    await writeFile(good, 'code,name\nI1,甲\nI2,乙\n')
    await writeFile(bad, 'code,name\nI3,丙\nI1,又是甲\n,没有代码\n')
    const checked = await jiaowu(['entity', 'import', 'EDU_FACULTY', good, '--dry-run'])
    expect(JSON.parse(checked.out)).toMatchObject({
      dryRun: true,
      inserted: 0,
      review: { fresh: 2, wrong: 0 },
    })
    expect(checked.code).toBe(0)
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
  it('joins two columns, and gives all rows one value', async () => {
    const file = join(home, 'joined.csv')
    await writeFile(file, '前,后,name\nI,7,庚\n')
    const run = (...flags: readonly string[]) =>
      jiaowu(['entity', 'import', 'EDU_FACULTY', file, ...flags])
    const done = await run('--join', '前+后=code', '--set', 'nameEn=Seventh')
    expect(JSON.parse(done.out), done.err).toMatchObject({
      status: 'done',
      inserted: 1,
      sheet: {
        columns: [{ attrName: 'code', joined: 2 }, { attrName: null }, { attrName: 'name' }],
        fixed: [{ attrName: 'nameEn', value: 'Seventh', from: null }],
      },
    })
    expect((await run('--set', 'nameEn')).code).toBe(2)
    expect((await run('--join', '前=code')).code).toBe(2)
  })
  it('names the columns without a field', async () => {
    const file = join(home, 'unmapped.csv')
    await writeFile(file, '院系的编码,甲乙丙,name\nM1,x,一\n')
    const failed = await jiaowu(['entity', 'import', 'EDU_FACULTY', file])
    expect(failed.code).toBe(5)
    expect(failed.err).toContain('院系的编码、甲乙丙')
  })
  it('imports records of the console itself only with --yes, and resumes an earlier job', async () => {
    const file = join(home, 'params.csv')
    const config = JSON.parse((await jiaowu(['entity', 'show', 'SYS_PARAM', '--json'])).out) as {
      fields: { attrName: string; valids: { required?: boolean } }[]
    }
    const requiredNames = config.fields
      .filter(({ valids }) => valids.required === true)
      .map(({ attrName }) => attrName)
    await writeFile(
      file,
      `${requiredNames.join(',')}\n${requiredNames.map((name) => `cli-${name}`).join(',')}\n`,
    )
    const unconfirmed = await jiaowu(['entity', 'import', 'SYS_PARAM', file])
    expect(unconfirmed).toMatchObject({ code: 2, out: '' })
    const id = /--resume (\d+)/.exec(unconfirmed.err)?.[1] ?? ''
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
  it('leaves an interrupted import on the server, exits with 130 and prints how to resume it', async () => {
    const file = join(home, 'many.csv')
    await writeFile(
      file,
      `code,name\n${Array.from({ length: 5000 }, (_, n) => `M${n},学院${n}`).join('\n')}\n`,
    )
    let stopped = false
    const ran = await jiaowu(['entity', 'import', 'EDU_FACULTY', file], {
      watch: (child, output) => {
        if (!stopped && /正在(检查|写入)/.test(output())) {
          stopped = true
          child.kill('SIGINT')
        }
      },
    })
    expect(ran).toMatchObject({ code: 130, out: '' })
    // Whether it was over, or goes on, is said; that it stopped would be untrue.
    expect(ran.err).toMatch(/导入在服务器上继续进行，现已写入 \d+ 行/)
    expect(ran.err).not.toContain('已中断')
    const id = /--resume (\d+)/.exec(ran.err)?.[1] ?? ''
    expect(ran.err).toContain(`jiaowu job cancel ${id}`)
    const done = await jiaowu(['entity', 'import', '--resume', id])
    expect(JSON.parse(done.out)).toMatchObject({ id, status: 'done', inserted: 5000 })
  })
  it('lists, watches and cancels jobs', async () => {
    const file = join(home, 'jobs.csv')
    await writeFile(
      file,
      `code,name\n${Array.from({ length: 8000 }, (_, n) => `J${n},学院${n}`).join('\n')}\n`,
    )
    let id = ''
    const ran = await jiaowu(['entity', 'import', 'EDU_FACULTY', file, '--on-error', 'skip'], {
      watch: (child, output) => {
        if (id === '' && /正在(检查|写入)/.test(output())) {
          id = '?'
          child.kill('SIGINT')
        }
      },
    })
    id = /job cancel (\d+)/.exec(ran.err)?.[1] ?? ''
    const cancelled = await jiaowu(['job', 'cancel', id])
    expect(cancelled.code).toBe(0)
    const written = Number(/已写入 (\d+) 行，其余不再写入/.exec(cancelled.err)?.[1])
    expect(written).toBeLessThan(8000)
    const { out } = await jiaowu(['job', 'ls', '--json'])
    const job = parseJsonLines(out).find((each) => each.id === id)
    expect(job).toMatchObject({ id, status: 'cancelled', tag: 'EDU_FACULTY', inserted: written })
    const found = await jiaowu(['entity', 'list', 'EDU_FACULTY', '-f', 'code=J', '--size', '1'])
    expect(found.err).toContain(`共 ${written} 条`)
    const watched = await jiaowu(['job', 'watch', id, '--json'])
    expect(watched.code).toBe(5)
    expect(JSON.parse(watched.out)).toMatchObject({ id, status: 'cancelled' })
    const again = await jiaowu(['job', 'cancel', id])
    expect(again).toMatchObject({ code: 5, out: '' })
    expect(again.err).toContain('已取消，不能取消')
    expect(await jiaowu(['job', 'watch', '1'])).toMatchObject({ code: 5, out: '' })
    expect((await jiaowu(['job', 'ls'])).out).toContain('jobs.csv')
  })
  it('shows an import as a screen on a terminal', async () => {
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
  it('leaves the import on the server after Ctrl-C on the screen, and prints how to resume it', async () => {
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
})

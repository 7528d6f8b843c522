// `jiaowu entity entry`: an entry sheet by flags off a terminal, and by its screen on one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sheetOfGrades } from '../../support/browser/grid-page.ts'
import { staffClient } from '../../support/staff-client.ts'
import { type CommandOnServer, startSignedIn } from '../command-on-server.ts'
import { onTerminal } from '../terminal.ts'

let on: CommandOnServer
let sheet: readonly string[]
beforeAll(async () => {
  on = await startSignedIn()
  const { course, term } = await sheetOfGrades(on.server)
  sheet = ['entity', 'entry', 'EDU_GRADE', '-f', `course=${course}`, '-f', `term=${term}`]
}, 120_000)
afterAll(() => on.stop())

const entry = (...flags: readonly string[]) => on.jiaowu([...sheet, ...flags])
const says = (text: string) => expect.stringContaining(text) as string

describe('jiaowu entity entry', { timeout: 180_000 }, () => {
  it('names the fields of a sheet that were not given', async () => {
    expect(await on.jiaowu(sheet.slice(0, 5))).toMatchObject({ code: 2, err: says('学期') })
    expect(await on.jiaowu(['entity', 'entry', 'EDU_COURSE'])).toMatchObject({ code: 5, out: '' })
  })
  it('submits with --yes, once, and unlocks for a reason', async () => {
    const { code, out } = await entry('--json')
    expect([code, JSON.parse(out)]).toMatchObject([0, { locked: null, can: { submit: true } }])
    expect(await entry('--submit')).toMatchObject({ code: 2, out: '', err: says('--yes') })
    expect(await entry('--unlock', '--reason', '登记有误')).toMatchObject({
      code: 5,
      err: says('没有锁定'),
    })
    expect(await entry('--submit', '--yes')).toMatchObject({ code: 0, out: says('提交并锁定') })
    expect(await entry('--submit', '--yes')).toMatchObject({ code: 5, err: says('已经提交') })
    expect(await entry('--unlock')).toMatchObject({ code: 2, err: says('--reason') })
    expect(await entry('--unlock', '--reason', '错')).toMatchObject({
      code: 5,
      err: says('至少 4 个字'),
    })
    const opened = await entry('--unlock', '--reason', '登记有误', '--json')
    expect([opened.code, JSON.parse(opened.out)]).toMatchObject([0, { locked: null }])
  })
  it('asks on a terminal, and does nothing when the user leaves', async () => {
    const left = await onTerminal(
      on.home,
      on.server,
      [...sheet, '--submit'],
      [
        ['提交后不能再修改', '\u001b'],
        ['esc 离开', '\u001b'],
      ],
    )
    expect([left.code, left.missing]).toEqual([130, null])
    // Return on the first frame would arrive as a line feed: the terminal may not be raw yet.
    const submitted = await onTerminal(
      on.home,
      on.server,
      [...sheet, '--submit'],
      [
        ['提交后不能再修改', '\u001b'],
        ['s 提交', 's'],
        ['提交后不能再修改', '\r'],
      ],
    )
    expect([submitted.code, submitted.missing]).toEqual([0, null])
    const unlocked = await onTerminal(
      on.home,
      on.server,
      [...sheet, '--unlock'],
      [
        ['事由将连同', '登记有误'],
        ['事由: 登记有误', '\r'],
      ],
    )
    expect([unlocked.code, unlocked.missing]).toEqual([0, null])
    expect(JSON.parse((await entry('--json')).out)).toMatchObject({ locked: null })
  })
  it('adds the students of a class once, by flags', async () => {
    const { api } = await staffClient(on.server)
    const { records } = await api.entityData.page({
      params: { tag: 'EDU_CLASS' },
      body: { pageSize: 1 },
    })
    const add = () => entry('--add', `class=${String(records[0]?.name)}`, '--json')
    const before = JSON.parse((await entry('--json')).out) as { total: number }
    const first = await add()
    expect(first).toMatchObject({ code: 0, err: says('已添加') })
    const { total } = JSON.parse(first.out) as { total: number }
    expect(total).toBeGreaterThan(before.total)
    const again = await add()
    expect(again).toMatchObject({ code: 0, err: says('已添加 0 行') })
    expect(JSON.parse(again.out)).toMatchObject({ total })
    expect(await entry('--add')).toMatchObject({ code: 2, out: '', err: says('--add major=') })
    expect(await entry('--add', 'dormitory=1')).toMatchObject({ code: 5 })
  })
  it('asks for a major on a terminal', async () => {
    const { api } = await staffClient(on.server)
    const params = { tag: 'EDU_STUDENT' }
    const { fields } = await api.entityData.config({ params })
    const fieldId = fields.find(({ attrName }) => attrName === 'major')?.id ?? ''
    const majors = await api.entityData.lookup({ params, body: { fieldId, pageSize: 5 } })
    const [first] = Array.isArray(majors) ? majors : majors.records
    const name = String(first?.name)
    const { missing, code } = await onTerminal(
      on.home,
      on.server,
      [...sheet, '--add'],
      [
        ['选择专业、班级', ' '],
        [name, '\r'],
        [`专业: ${name}`, '\u0013'],
      ],
    )
    expect([code, missing]).toEqual([0, null])
  })
})

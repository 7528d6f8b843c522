import type { DictItem, Row } from '@jiaowu/api/entity/values'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityViolations } from '../support/browser/browser.ts'
import { browserFixture } from '../support/browser/browser-fixture.ts'
import { findGridCell as cell, gridTextAt as textAt } from '../support/browser/grid-page.ts'
import { staffClient } from '../support/staff-client.ts'

const stage = browserFixture()
const shots = process.env.GRID_SHOTS
const shot = async (page: Page, name: string) => {
  if (shots !== undefined) await page.screenshot({ path: `${shots}/${name}.png` })
}
const size = { width: 1440, height: 900 }
const readFirstName = (row: Row, attrName: string) =>
  ((row[attrName] ?? []) as readonly DictItem[])[0]?.name ?? ''
const idIn = (row: Row, attrName: string) =>
  ((row[attrName] ?? []) as readonly DictItem[])[0]?.id ?? ''

/** Puts a block on the clipboard as a spreadsheet does, with its HTML, and pastes it. */
async function pasteBlock(page: Page, block: readonly (readonly string[])[]) {
  await page.evaluate((rows) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', rows.map((row) => `${row.join('\t')}\r\n`).join(''))
    const cells = (row: readonly string[]) => row.map((text) => `<td>${text}</td>`).join('')
    clipboardData.setData(
      'text/html',
      `<html><body><!--StartFragment--><table>${rows.map((row) => `<tr>${cells(row)}</tr>`).join('')}</table><!--EndFragment--></body></html>`,
    )
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, block)
}

/** The rows of the largest sheet of grades, and its address. */
async function readLargestSheet() {
  const { api } = await staffClient(stage.server)
  const page = async (queries: Record<string, unknown>, pageSize: number) =>
    (await api.entityData.page({ params: { tag: 'EDU_GRADE' }, body: { pageSize, queries } }))
      .records
  const sheets = Map.groupBy(
    await page({}, 200),
    (row) => `course=${idIn(row, 'course')}&term=${idIn(row, 'term')}`,
  )
  const [address = ''] = [...sheets].toSorted((a, b) => b[1].length - a[1].length)[0] ?? []
  const by = Object.fromEntries(new URLSearchParams(address))
  const rows = () => page(by, 1000)
  return { path: `/entity/EDU_GRADE/entry?${address}`, rows }
}

/** Every third of the lines, then the others: no line where it was. */
function shuffleLines<T>(all: readonly T[]): T[] {
  return [2, 0, 1].flatMap((rest) => all.filter((_each, i) => i % 3 === rest)).toReversed()
}

describe('a block from a spreadsheet', () => {
  it('gives the marks of a sheet to the people it names, in whatever order', async () => {
    const { path, rows } = await readLargestSheet()
    const { page } = await stage.staff('admin', path, size)
    await cell(page, 1, '成绩').waitFor()
    const before = (await rows()).slice(0, 12)
    const marks = new Map(
      before.map((row, i) => [
        readFirstName(row, 'studentNo'),
        row.score === 50.5 + i ? 40 : 50.5 + i,
      ]),
    )
    const lines = shuffleLines(
      before.map((row) => [
        readFirstName(row, 'studentNo'),
        readFirstName(row, 'student'),
        String(marks.get(readFirstName(row, 'studentNo'))),
      ]),
    )
    await cell(page, 1, '学号').click()
    await pasteBlock(page, [['学号', '姓名', '成绩'], ...lines])
    const dialog = page.getByRole('dialog', { name: '确认粘贴' })
    await dialog.getByText('按“学号”对应到行').waitFor()
    await dialog.getByText(/^将修改 \d+ 格，新增 0 行$/).waitFor()
    await dialog.getByText('第 1 行是表头').waitFor()
    await shot(page, 'sheet-shuffled')
    expect(await accessibilityViolations(page, '[role=dialog]')).toEqual([])
    await dialog.getByRole('button', { name: '写入' }).click()
    await page.getByText('已修改 12 行').first().waitFor()
    const held = (await rows()).flatMap((row) =>
      marks.has(readFirstName(row, 'studentNo'))
        ? [[readFirstName(row, 'studentNo'), row.score]]
        : [],
    )
    expect(new Map(held as [string, number][])).toEqual(marks)
  })

  it('writes nothing while a line names another person, or nobody', async () => {
    const { path, rows } = await readLargestSheet()
    const { page } = await stage.staff('admin', path, size)
    await cell(page, 1, '成绩').waitFor()
    const all = await rows()
    const [first, second, third] = all
    if (first === undefined || second === undefined || third === undefined)
      throw new Error('a sheet of three')
    const no = (row: Row) => readFirstName(row, 'studentNo')
    await cell(page, 1, '学号').click()
    await pasteBlock(page, [
      [no(third), readFirstName(third, 'student'), '61'],
      [no(first), '王不见', '62'],
      ['2099000000', '陌生人', '63'],
      [no(second), readFirstName(second, 'student'), '64'],
    ])
    const dialog = page.getByRole('dialog', { name: '确认粘贴' })
    await dialog
      .getByText(`是 ${no(first)} ${readFirstName(first, 'student')}，粘贴的是 ${no(first)} 王不见`)
      .waitFor()
    await dialog.getByText('没有对应的行：2099000000 陌生人').waitFor()
    const goOn = dialog.getByRole('button', { name: '继续' })
    expect(await goOn.isDisabled()).toBe(true)
    await shot(page, 'sheet-asked')
    expect(await accessibilityViolations(page, '[role=dialog]')).toEqual([])
    await dialog
      .getByRole('group', { name: '粘贴的第 2 行' })
      .getByRole('button', { name: '不粘贴' })
      .click()
    expect(await goOn.isDisabled()).toBe(true)
    await dialog.getByRole('textbox', { name: '粘贴的第 3 行的学号' }).fill(no(all[3] ?? first))
    await dialog.getByRole('button', { name: '更正后重新查找' }).click()
    await dialog.getByText('粘贴的是', { exact: false }).nth(1).waitFor()
    await shot(page, 'sheet-corrected')
    await dialog.getByRole('button', { name: /都不粘贴/ }).click()
    await goOn.click()
    const preview = page.getByRole('dialog', { name: '确认粘贴' })
    await preview.getByText('2 行不粘贴').waitFor()
    await shot(page, 'sheet-settled')
    await preview.getByRole('button', { name: '写入' }).click()
    await page.getByText('已修改 2 行').first().waitFor()
    const scores = new Map((await rows()).map((row) => [row.id, row.score]))
    expect([first, second, third].map(({ id }) => scores.get(id))).toEqual([first.score, 64, 61])
  })

  it('finds rows of a grid that are not loaded, and copies more rows than are loaded', async () => {
    const { page } = await stage.staff('admin', '/entity/EDU_STUDENT/search?mode=grid', size)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await cell(page, 1, '姓名').waitFor()
    const { api } = await staffClient(stage.server)
    const { records } = await api.entityData.page({
      params: { tag: 'EDU_STUDENT' },
      body: { pageSize: 1000, pageNum: 2 },
    })
    const far = records.filter((_row, i) => i % 100 === 7)
    await cell(page, 1, '姓名').click()
    await pasteBlock(page, [
      ['姓名', '邮箱', '学号'],
      ...shuffleLines(far).map((row) => [
        String(row.name),
        `n${String(row.studentNo)}@school.cn`,
        String(row.studentNo),
      ]),
    ])
    const dialog = page.getByRole('dialog', { name: '确认粘贴' })
    await dialog.getByText('按“学号”对应到行').waitFor()
    await shot(page, 'grid-far')
    await dialog.getByText(`将修改 ${far.length} 格，新增 0 行`).waitFor()
    await dialog.getByRole('button', { name: '写入' }).click()
    await page.getByText(`已修改 ${far.length} 行`).first().waitFor()

    await cell(page, 1, '姓名').click()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+c')
    await page.getByText(/^已复制 \d+ 个单元格$/).waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied.split('\n').length).toBe(2000)
    await shot(page, 'grid-copied')
  })

  it('finds rows among forty thousand by the number of a student, the course and the term', async () => {
    const { page } = await stage.staff('admin', '/entity/EDU_GRADE/search?mode=grid', size)
    await cell(page, 1, '学生').waitFor()
    const { api } = await staffClient(stage.server)
    const { records } = await api.entityData.page({
      params: { tag: 'EDU_GRADE' },
      body: { pageSize: 1000, pageNum: 20 },
    })
    const far = records.filter((_row, i) => i % 200 === 3)
    await cell(page, 1, '学生').click()
    await pasteBlock(page, [
      ['学号', '姓名', '课程', '学期', '成绩'],
      ...shuffleLines(far).map((row) => [
        ...['studentNo', 'student', 'course', 'term'].map((name) => readFirstName(row, name)),
        row.score === 66.5 ? '67' : '66.5',
      ]),
    ])
    const dialog = page.getByRole('dialog', { name: '确认粘贴' })
    await dialog.getByText('按“学号”对应到行').waitFor()
    const shown = await dialog.getByRole('row').filter({ hasText: '成绩' }).allInnerTexts()
    for (const row of far) expect(shown.join()).toContain(readFirstName(row, 'studentNo'))
    expect(shown).toHaveLength(far.length)
    await shot(page, 'grid-forty-thousand')
    await dialog.getByRole('button', { name: '取消' }).click()
  })

  it('clears with a copied empty cell', async () => {
    const { page } = await stage.staff('admin', '/entity/EDU_TEACHER/search?mode=grid', size)
    await cell(page, 1, '邮箱').click()
    await page.keyboard.press('Delete')
    await expect.poll(() => textAt(page, 1, '邮箱')).toBe('')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.keyboard.press('Control+c')
    await cell(page, 2, '邮箱').click()
    expect(await textAt(page, 2, '邮箱')).not.toBe('')
    await page.keyboard.press('Control+v')
    await expect.poll(() => textAt(page, 2, '邮箱')).toBe('')
  })

  it('changes the records of an import by their number, and reads a chat without a heading', async () => {
    const { page } = await stage.staff('admin', '/entity/EDU_STUDENT/search', size)
    const { api } = await staffClient(stage.server)
    const students = async () =>
      (await api.entityData.page({ params: { tag: 'EDU_STUDENT' }, body: { pageSize: 9 } })).records
    const drawer = page.getByRole('dialog').filter({ hasText: '导入方式' })
    await page.getByRole('toolbar').getByRole('button', { name: '导入' }).click()
    await drawer.getByRole('radio', { name: '只更新', disabled: false }).check()
    const before = await students()
    const lines = before.map((row) => [
      `i${String(row.studentNo)}@school.cn`,
      String(row.studentNo),
      String(row.name),
    ])
    await pasteBlock(page, [['邮箱', '学号', '姓名'], ...shuffleLines(lines)])
    await drawer.getByRole('button', { name: '上传并检查' }).click()
    const write = page.getByRole('button', { name: '写入 9 行' })
    await write.waitFor()
    await shot(page, 'import-shuffled')
    await write.click()
    await page.getByRole('heading', { name: '导入完成' }).waitFor()
    for (const row of await students())
      expect(row.email).toBe(`i${String(row.studentNo)}@school.cn`)

    await page.getByRole('button', { name: '再导入一个文件' }).click()
    await drawer.getByRole('radio', { name: '只新增', disabled: false }).check()
    // The same records as new ones: one press changes them instead.
    await pasteBlock(page, [
      ['邮箱', '学号', '姓名'],
      ...lines.map(([email = '', ...others]) => [`j${email}`, ...others]),
    ])
    await drawer.getByRole('button', { name: '上传并检查' }).click()
    await page.getByText('如果这些行是已有的记录，可以按“学号”只更新它们').waitFor()
    await shot(page, 'import-existing')
    await page.getByRole('button', { name: '改为只更新' }).click()
    await page.getByRole('button', { name: '写入 9 行' }).click()
    await page.getByRole('heading', { name: '导入完成' }).waitFor()
    for (const row of await students())
      expect(row.email).toBe(`ji${String(row.studentNo)}@school.cn`)

    await page.getByRole('button', { name: '再导入一个文件' }).click()
    await drawer.getByRole('radio', { name: '只新增', disabled: false }).check()
    const [like] = before
    if (like === undefined) throw new Error('a student')
    const chat = [
      [
        '张小明',
        '男',
        '2026010901',
        readFirstName(like, 'faculty'),
        readFirstName(like, 'major'),
        '13912345678',
      ],
      [
        '李大华',
        '女',
        '2026010902',
        readFirstName(like, 'faculty'),
        readFirstName(like, 'major'),
        '13812345679',
      ],
    ]
    await pasteBlock(
      page,
      chat.map((line) => [line.join('，')]),
    )
    await drawer.getByRole('button', { name: '上传并检查' }).click()
    await page.getByText('已按内容认出各列').first().waitFor()
    expect(await page.getByText('按内容', { exact: true }).count()).toBe(6)
    await shot(page, 'import-chat')
  })
})

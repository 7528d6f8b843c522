// Turns a table into a working entity in a real browser, at the speed of a practised user. Prints
// the seconds of each step and saves a screenshot of it.
//
//   npm run sql -- scripts/table-to-entity.sql      (while no server runs on the same data), then npm start
//   node scripts/table-to-entity.ts URL ADMIN_PASSWORD [OUT_DIR] [TAG]
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type Locator, type Page } from 'playwright-core'

const [
  url = 'http://127.0.0.1:7300',
  password = '',
  outDir = './table-to-entity',
  tag = 'LIB_LOAN',
] = process.argv.slice(2)
const table = 'book_loan'
/** Milliseconds between keys and before a click, for a user who knows the page. */
const [keyPause, clickPause] = [60, 250]

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
const page: Page = await browser.newPage({
  viewport: { width: 1440, height: 900 },
  locale: 'zh-CN',
  acceptDownloads: true,
})
page.setDefaultTimeout(20_000)
const pauseBetweenClicks = () => page.waitForTimeout(clickPause)
async function click(target: Locator): Promise<void> {
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  if (box !== null)
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 10 })
  await pauseBetweenClicks()
  await target.click()
}
async function fillInput(target: Locator, text: string): Promise<void> {
  await click(target)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text, { delay: keyPause })
}
async function drag(grip: Locator, to: Locator): Promise<void> {
  const [from, goal] = [await grip.boundingBox(), await to.boundingBox()]
  if (from === null || goal === null) throw new Error('grip or target is not visible')
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2, { steps: 10 })
  await page.mouse.down()
  await page.mouse.move(goal.x + 40, goal.y + 3, { steps: 15 })
  await pauseBetweenClicks()
  await page.mouse.up()
}
const findConfigControl = (path: string, control: string) =>
  page.locator(`[data-path="${path}"] ${control}`)
const findDesignField = (label: string) =>
  page.locator('.jw-dfield__main', { hasText: label }).first()
const inView = (selector: string) => page.locator(`.jw-view:not([hidden]) ${selector}`)

const started = performance.now()
let steps = 0
async function step(name: string, work: () => Promise<unknown>): Promise<void> {
  const at = performance.now()
  await work()
  const seconds = (performance.now() - at) / 1000
  steps += 1
  // The screenshot does not count as time of the step.
  await page.screenshot({
    path: join(outDir, `${String(steps).padStart(2, '0')}-${name.replaceAll(' ', '-')}.png`),
  })
  console.log(`${String(steps).padStart(2)}  ${seconds.toFixed(1).padStart(5)} s  ${name}`)
}

async function signInAdmin() {
  await page.goto(`${url}/#/login?as=staff`)
  await fillInput(page.locator('#account'), 'admin')
  await fillInput(page.locator('#password'), password)
  await page.keyboard.press('Enter')
  await page.locator('.jw-home').waitFor()
}
async function pickTable() {
  await click(page.locator('.jw-menu__leaf', { hasText: '实体配置' }))
  await click(page.getByRole('button', { name: '从数据表新建' }))
  await fillInput(page.getByLabel('按表名或注释查找'), 'book')
  const row = page.locator('.jw-tables__row', { hasText: table })
  if (
    await row
      .first()
      .waitFor({ timeout: 5_000 })
      .then(
        () => false,
        () => true,
      )
  )
    throw new Error(`Table ${table} is missing: npm run sql -- scripts/table-to-entity.sql`)
  await click(row)
  await fillInput(page.getByLabel('实体标识'), tag)
}
async function openDesigner() {
  await click(page.getByRole('button', { name: '生成定义' }))
  await page.locator('.jw-dfield').first().waitFor()
}
async function arrange() {
  await drag(
    page.locator('.jw-dfield', { hasText: '借阅人' }).locator('.jw-dfield__grip'),
    page.locator('.jw-dfield', { hasText: '书名' }),
  )
  await click(findDesignField('借阅人'))
  await fillInput(findConfigControl('uiLabel', 'input'), '读者')
  await page.keyboard.press('Enter')
  await click(findConfigControl('valids.required', '.bp6-control-indicator'))
}
async function numberLoans() {
  await click(page.getByRole('button', { name: '实体设置' }))
  await findConfigControl('options.serialNumType', 'select').selectOption('2')
  await pauseBetweenClicks()
  await findConfigControl('options.serialNumField', 'select').selectOption('loanNo')
  await click(page.getByRole('button', { name: '+ 提交日期' }))
  await click(findDesignField('借阅单号'))
  await findConfigControl('isAdd', 'select').selectOption('2')
  await findConfigControl('isEdit', 'select').selectOption('2')
  await pauseBetweenClicks()
}
async function addButton() {
  await click(page.getByRole('button', { name: '实体设置' }))
  await click(page.getByRole('button', { name: '添加按钮' }))
  await fillInput(page.locator('[data-path$=".name"] input').last(), '催还')
  await fillInput(page.locator('[data-path$=".positionExp"] textarea'), `row.borrower != ''`)
  await click(page.getByRole('button', { name: '添加动作' }))
  await fillInput(page.locator('.jw-action input').last(), '请 {borrower} 归还《{title}》')
  await page.keyboard.press('Enter')
}
async function preview(kind: string) {
  if ((await page.locator('.jw-design__kinds').count()) === 0)
    await click(page.getByRole('button', { name: '预览' }))
  await click(page.locator('.jw-design__kinds button', { hasText: kind }))
  await pauseBetweenClicks()
}
async function saveDesign() {
  await click(page.getByRole('button', { name: '返回编辑' }))
  await click(page.locator('.jw-design__save'))
  await page.locator('.jw-design__state', { hasText: '第 1 版' }).waitFor()
}
async function openList() {
  await click(page.locator('.jw-menu__leaf', { hasText: '图书借阅' }).last())
  await inView('.jw-table').waitFor()
}
async function addRow() {
  await click(inView('.jw-toolbar button').filter({ hasText: '新增' }).first())
  const input = (label: string) =>
    page.locator('.jw-drawer .jw-field', { hasText: label }).locator('input')
  await fillInput(input('读者'), '王小明')
  await fillInput(input('书名'), '教务管理学')
  await fillInput(input('定价'), '58.5')
  await pauseBetweenClicks()
}
async function saveRow() {
  await click(page.locator('.jw-drawer button[type=submit]'))
  await inView('.jw-table tbody tr').filter({ hasText: '教务管理学' }).first().waitFor()
}
/** The fourth button of a row is in its "more" menu. */
async function pressButton() {
  await click(inView('.jw-row-actions button').filter({ hasText: '更多' }).first())
  await click(page.locator('.bp6-menu-item', { hasText: '催还' }))
  await page.locator('.bp6-toast', { hasText: '请 王小明 归还' }).waitFor()
}

await mkdir(outDir, { recursive: true })
try {
  await step('sign in', signInAdmin)
  await step('choose the table', pickTable)
  await step('open the draft', openDesigner)
  await step('arrange the fields', arrange)
  await step('set serial numbers', numberLoans)
  await step('add a button with a condition', addButton)
  await step('preview the list', () => preview('列表'))
  await step('preview the form', () => preview('表单'))
  await step('save', saveDesign)
  await step('open the list from the menu', openList)
  await step('fill in the form', addRow)
  await step('save a row with its number', saveRow)
  await step('press the button', pressButton)
  const seconds = (performance.now() - started) / 1000
  console.log(
    `    ${seconds.toFixed(1).padStart(5)} s  in total with screenshots, which are in ${outDir}`,
  )
} finally {
  await browser.close()
}

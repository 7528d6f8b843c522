import { readFile } from 'node:fs/promises'
import jsQR from 'jsqr'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  enterAsStaff,
  accessibilityViolations,
  type BrowserOptions,
} from '../support/browser/browser.ts'
import { dataRows } from '../support/browser/console-page.ts'
import { readPages } from '../support/documents/pdf.ts'
import { password } from '../support/server.ts'
import { browserFixture } from '../support/browser/browser-fixture.ts'
import { captchaAnswer, captchaEnv, lastCode } from '../support/student.ts'

const stage = browserFixture(() => ({ ...captchaEnv, CAPTCHA_WORK: '1' }))
let context: BrowserContext
let page: Page

/** A fresh browser without stored state. */
async function open(look: BrowserOptions = {}): Promise<void> {
  ;({ context, page } = await stage.visit(look))
}
const locate = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = (name: string) => page.getByRole('dialog').filter({ hasText: name })
const captcha = () => page.getByRole('dialog', { name: /填写验证码|Fill in the code/ })
const captchaImage = () =>
  captcha().getByRole('img', { name: /图片验证码|Picture with characters/ })
const registration = () => page.getByRole('dialog', { name: /学生注册|Student registration/ })
function codeButton(within: Page | Locator = page) {
  const name = /获取验证码|秒后重新发送|Get code|seconds before resend/
  return within.getByRole('button', { name })
}
const reports = () =>
  page.getByRole('region', { name: /可下载的文件|Documents/ }).getByRole('listitem')
const wechat = /^微信支付|^WeChat Pay/
const way = (name: RegExp) => page.getByRole('button', { name })
const qrCode = () => page.getByRole('img', { name: /支付二维码|Payment QR code/ })
async function solve(answer = captchaAnswer) {
  await captchaImage().waitFor()
  await captcha().getByRole('textbox').fill(answer)
  await page.keyboard.press('Enter')
}

async function signIn(mobile: string, path = '/') {
  await page.goto(stage.server.url + path)
  await page.fill('#student-mobile', mobile)
  await codeButton().click()
  await solve()
  await captcha().waitFor({ state: 'detached' })
  await page.fill('#student-code', await lastCode(stage.server.dataDir, mobile))
  await page.keyboard.press('Enter')
  await reports().first().waitFor()
}
function signInStaff(account: string, path: string) {
  return enterAsStaff(page, stage.server, account, { path })
}
function item(name: string) {
  return reports().filter({ has: page.getByText(name, { exact: true }) })
}
/** The first page of the shown PDF, once it is drawn. */
const drawnPage = (scope: Page | Locator = page) =>
  scope.getByRole('img', { name: /第 1 页|page 1 / }).and(page.locator('[aria-busy=false]'))
const notices = () => page.getByRole('complementary').getByRole('listitem')
async function openPreview(name: string) {
  await item(name).getByRole('button').click()
  await drawnPage().waitFor()
}
/** Reads the code off the screen as a phone does. */
async function scan(): Promise<string> {
  const { pixels, side } = await qrCode().evaluate(async (code) => {
    const picture = new Image()
    picture.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(code))}`
    await picture.decode()
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = picture.width
    const pen = canvas.getContext('2d')
    pen?.drawImage(picture, 0, 0)
    return {
      side: picture.width,
      pixels: [...(pen?.getImageData(0, 0, picture.width, picture.width).data ?? [])],
    }
  })
  expect(side).toBe(190) // docs/spec/2-student-service-and-designer.md §9
  const read = jsQR(Uint8ClampedArray.from(pixels), side, side)?.data
  if (read === undefined) throw new Error('the code cannot be read')
  return read
}
async function atCashier(address: string, press: 'pay' | 'fail') {
  const phone = await context.newPage()
  await phone.goto(address)
  await phone.click(`button[value=${press}]`)
  await phone.locator('.verdict').waitFor()
  await phone.close()
}

async function audit(screen: string, part?: string): Promise<void> {
  expect(await accessibilityViolations(page, part), screen).toEqual([])
}
function fitsWidth() {
  return page.evaluate(
    () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
  )
}

interface Answer {
  readonly data: {
    readonly records: readonly Record<string, unknown>[]
    readonly value?: string
  }
}
async function callAsAdmin(path: string, body: unknown): Promise<Answer> {
  const signed = await fetch(`${stage.server.url}/api/authority/anno/login`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', username: 'admin', password }),
  })
  const { data } = (await signed.json()) as { data: { access_token: string } }
  return (await (
    await fetch(`${stage.server.url}/api${path}`, {
      method: 'POST',
      headers: { authorization: `bearer ${data.access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  ).json()) as Answer
}

beforeEach(() => open())

describe('at the door', () => {
  it('a new student is helped through captcha, SMS and registration, and the resend lock survives a reload', async () => {
    const {
      data: {
        records: [row = {}],
      },
    } = await callAsAdmin('/entity/EDU_STUDENT/data/page', { pageSize: 1, pageNum: 900 })
    const {
      data: { value: idNumber },
    } = await callAsAdmin(`/entity/EDU_STUDENT/data/${String(row.id)}/reveal`, {
      field: 'idCard',
      reason: '自助注册',
    })
    const mobile = '13912340001'
    await page.goto(`${stage.server.url}/`)
    await audit('sign-in')
    await codeButton().click()
    await page.getByText('不能为空').waitFor()
    await page.fill('#student-mobile', '12345')
    await codeButton().click()
    await page.getByText('请输入正确的手机号').waitFor()
    expect(await captcha().count()).toBe(0)

    await locate('注册').click()
    await registration().getByRole('button', { name: '注册' }).click()
    expect(await registration().getByText('不能为空').count()).toBe(4)
    await audit('register')
    await page.keyboard.press('Escape')
    await registration().waitFor({ state: 'detached' })
    await locate('注册').click()
    expect(await registration().getByText('不能为空').count()).toBe(0)
    await page.fill('#register-id', String(idNumber))
    await page.fill(
      '#register-major',
      (row.major as { name: string }[]).map(({ name }) => name).join(''),
    )
    await page.fill('#register-mobile', mobile)
    await codeButton(registration()).click()
    const first = await captchaImage().getAttribute('src')
    await page.mouse.click(5, 5)
    await solve('WRONG')
    await captcha().getByRole('alert').filter({ hasText: '验证码错误' }).waitFor()
    await expect.poll(() => captchaImage().getAttribute('src')).not.toBe(first)
    expect(await captcha().getByRole('textbox').inputValue()).toBe('')
    await audit('captcha')
    await solve()
    await captcha().waitFor({ state: 'detached' })
    await codeButton(registration()).filter({ hasText: '秒后重新发送' }).waitFor()
    await page.fill('#register-code', await lastCode(stage.server.dataDir, mobile))
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: '注册成功' }).waitFor()
    await registration().waitFor({ state: 'detached' })

    // One SMS a minute for a number, whatever it is for: the server says how long, and a reload does not help.
    expect(await page.inputValue('#student-mobile')).toBe(mobile)
    await codeButton().click()
    await solve()
    await codeButton().filter({ hasText: '秒后重新发送' }).waitFor()
    await page.reload()
    await codeButton().filter({ hasText: '秒后重新发送' }).waitFor()
    expect(await codeButton().isDisabled()).toBe(true)
  })

  it('notices are read in a wide dialog, the footer leads to the school, and staff have their tab', async () => {
    await page.goto(`${stage.server.url}/`)
    const notice = notices().first().getByRole('button')
    const title = (await notice.innerText()).split('\n').at(-1)?.trim() ?? ''
    await notice.click()
    await dialog(title).getByRole('paragraph').first().waitFor()
    expect(await dialog(title).innerText()).toMatch(/发布时间：\d{4}-\d\d-\d\d/)
    await audit('notice')
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: '学校主页' }).waitFor()
    await page.getByRole('tab', { name: '教职工' }).click()
    await page.locator('#account').waitFor()
    await audit('staff sign-in')
    await locate('切换到 English').click()
    await page
      .getByRole('heading', { name: 'Undergraduate electronic transcript / supporting documents' })
      .waitFor()
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en')
  })
})

describe('a student at home', () => {
  it('filters, previews, pays at the cashier by what the code says, and gets the signed document; later ones are free', async () => {
    await page.clock.install()
    await signIn('13800000001')
    await audit('list')
    await locate('收费说明').click()
    await page.getByText(/首次下载.*5 元.*30 元/).waitFor()
    const all = await reports().count()
    await locate('英文').click()
    expect(await reports().count()).toBe(all / 2)
    await locate('证明文件').click()
    expect(await reports().count()).toBe(1)
    await item('中文成绩单').waitFor()
    await locate('成绩单').click()
    await page.getByText('没有符合筛选条件的文件').waitFor()
    for (const name of ['英文', '证明文件', '成绩单']) await locate(name).click()

    await openPreview('中文成绩单')
    await page.getByText('¥5.00').waitFor()
    await audit('preview')
    await locate('确认下载').click()
    await way(/^支付宝|^Alipay/).click({ force: true })
    expect(await qrCode().count()).toBe(0)
    await audit('method')
    await way(wechat).click()
    await qrCode().waitFor()
    await page.getByText(/请在 \d+ 秒内完成支付/).waitFor()
    await audit('scan')
    await page.reload()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      scan().then((address) => atCashier(address, 'pay')),
    ])
    const bytes = await readFile(await file.path())
    expect(bytes.subarray(0, 5).toString('latin1')).toBe('%PDF-')
    expect(file.suggestedFilename()).toMatch(/中文成绩单.*\.pdf$/)
    expect((await readPages(bytes)).join('')).not.toContain('仅供核对')
    await page.getByText('文件下载完成！').waitFor()
    await audit('success')
    await page.clock.fastForward(31_000)
    await item('中文成绩单').getByText('可免费下载').waitFor()

    await openPreview('中文成绩单')
    await page.getByRole('paragraph').filter({ hasText: '免费' }).waitFor()
    const [again] = await Promise.all([page.waitForEvent('download'), locate('确认下载').click()])
    expect(await readFile(await again.path())).toEqual(bytes)
    await locate(/返回首页/).click()
    await locate('退出登录').click()
    await page.locator('#student-mobile').waitFor()
    expect(
      await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]),
    ).toEqual(['JIAOWU_SETTINGS'])
  })

  it('after 180 seconds the order is closed and can be paid again or given up (in English)', async () => {
    await open({ locale: 'en' })
    await page.clock.install()
    await signIn('13800000002')
    await audit('list')
    await openPreview('Transcript (English)')
    await audit('preview')
    await locate('Confirm download').click()
    await way(/¥30\.00/)
      .first()
      .waitFor()
    await audit('method')
    await way(wechat).click()
    await qrCode().waitFor()
    const late = await scan()
    await page.clock.fastForward(181_000)
    // The provider confirms the closing a moment later; until then the page shows that it checks,
    // not that the payment failed.
    const failure = dialog('Payment failed! Please rescan or cancel payment')
    await expect
      .poll(
        async () => {
          if (await locate('Check again').isVisible())
            await locate('Check again')
              .click({ timeout: 2_000 })
              .catch(() => {})
          return failure.isVisible()
        },
        { timeout: 20_000 },
      )
      .toBe(true)
    await audit('failure')
    await locate('Repay').click()
    await way(wechat).click()
    await qrCode().waitFor()
    expect(await scan()).not.toBe('')
    await page.keyboard.press('Escape')
    await item('Transcript (English)').waitFor()
    // The first order's code is worth nothing any more.
    const phone = await context.newPage()
    await phone.goto(late)
    expect(await phone.locator('button[value=pay]').count()).toBe(0)
  })

  it('on a phone nothing is cut off, and the cashier opens by a link (in English)', async () => {
    await open({ width: 390, locale: 'en' })
    await page.goto(`${stage.server.url}/`)
    await notices().first().waitFor()
    expect(await fitsWidth()).toBe(true)
    await audit('sign-in at 390')
    await locate('Register').click()
    await registration().waitFor()
    await audit('register at 390', '[role=dialog]')
    await page.keyboard.press('Escape')
    await signIn('13800000003')
    expect(await fitsWidth()).toBe(true)
    await openPreview('中文在读证明')
    expect(await fitsWidth()).toBe(true)
    await locate('Confirm download').click()
    await way(wechat).click()
    const link = page.getByRole('link', { name: 'Open the cashier page on this device' })
    expect(await link.getAttribute('href')).toBe(await scan())
    expect(await fitsWidth()).toBe(true)
    await audit('scan at 390')
    const [phone] = await Promise.all([context.waitForEvent('page'), link.click()])
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      phone.click('button[value=pay]'),
    ])
    expect(file.suggestedFilename()).toMatch(/在读证明.*\.pdf$/)
    await page.getByText('File download complete!').waitFor()
    await audit('success at 390')
    expect(await fitsWidth()).toBe(true)
  })

  it('sees no page of the console, and a notice when the session has ended', async () => {
    await signIn('13800000004', '/#/login?redirect=%2Fentity%2FEDU_STUDENT%2Fsearch&as=student')
    await page.goto(stage.at('/entity/EDU_STUDENT/search'))
    await page.getByText('页面不存在').waitFor()
    expect(
      await page
        .getByRole('table')
        .or(page.getByRole('navigation', { name: '已打开的页面' }))
        .count(),
    ).toBe(0)
    await locate('返回首页').click()
    await page.getByRole('region', { name: '学生信息' }).waitFor()
    expect(
      await page.evaluate(() =>
        Object.values(localStorage).some((value) => /\d{17}[\dX]/.test(String(value))),
      ),
    ).toBe(false)
    const token = await page.evaluate(() => localStorage.getItem('JIAOWU_TOKEN'))
    expect(
      (
        await fetch(`${stage.server.url}/api/authority/logout`, {
          method: 'POST',
          headers: { authorization: `bearer ${token ?? ''}` },
        })
      ).ok,
    ).toBe(true)
    await item('中文成绩单').getByRole('button').click()
    await dialog('已付款的文件仍在下载列表中').waitFor()
    await audit('session over', '[role=dialog]')
    await locate('重新登录').click()
    await page.locator('#student-mobile').waitFor()
  })
})

describe('staff', () => {
  it("look at a student's report in a drawer, download it, and two of them give money back", async () => {
    await signIn('13800000005')
    await openPreview('中文成绩转换证明')
    await locate('确认下载').click()
    await way(wechat).click()
    await qrCode().waitFor()
    await Promise.all([
      page.waitForEvent('download'),
      scan().then((address) => atCashier(address, 'pay')),
    ])
    await locate('退出登录').click()
    await page.locator('#student-mobile').waitFor()

    await signInStaff('registrar', '/entity/RPT_ORDER/search')
    const order = dataRows(page, '中文成绩转换证明')
    const orderNo = await order.locator('td').nth(1).innerText()
    await order.getByRole('button', { name: '预览' }).click()
    const drawer = page.getByRole('dialog')
    await drawnPage(drawer).waitFor()
    // docs/spec/2-student-service-and-designer.md §9
    expect((await drawer.boundingBox())?.width).toBeCloseTo(1440 * 0.7, 0)
    await audit('print drawer', '[role=dialog]')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      drawer.getByRole('button', { name: '下载' }).click(),
    ])
    expect((await readFile(await file.path())).subarray(0, 5).toString('latin1')).toBe('%PDF-')
    await drawer.locator('footer').getByRole('button', { name: '关闭' }).click()
    await drawer.waitFor({ state: 'detached' })
    await page.goto(
      stage.at(
        `/report/CONVERSION_ZH/preview?stuNo=${await order.locator('td').nth(3).innerText()}`,
      ),
    )
    await drawnPage().waitFor()

    await page.goto(stage.at(`/print/refunds?orderNo=${orderNo}`))
    await page.getByRole('dialog').getByRole('button', { name: '提交' }).click()
    await page.getByText('请填写退款原因').waitFor()
    await page.getByRole('dialog').getByLabel('退款原因').fill('学生申请了错误的文件')
    await audit('refund request', '[role=dialog]')
    await page.getByRole('dialog').getByRole('button', { name: '提交' }).click()
    const refund = () => dataRows(page, orderNo)
    await refund().getByText('须由他人审批').waitFor()
    expect(await refund().getByRole('button').count()).toBe(0)

    await open()
    await signInStaff('admin', '/print/refunds')
    await refund().getByRole('button', { name: '批准' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '批准' }).click()
    await page.getByText('已批准，款项将原路退回').waitFor()
    await refund()
      .getByText(/^(待退款|退款中|已退款)$/)
      .waitFor()
    expect(await refund().getByRole('button').count()).toBe(0)
  })
})

describe('Back and Forward of the browser', () => {
  const heading = (name: string | RegExp) => page.getByRole('heading', { name })
  const scanning = () => dialog('扫码支付')
  const depth = () => page.evaluate(() => history.length)

  it('walk preview, payment, scan and file, and cancel what the step itself cancels', async () => {
    await signIn('13800000012')
    await item('中文在读证明').waitFor()
    const before = await depth()
    await openPreview('中文在读证明')
    await locate('确认下载').click()
    await heading('选择支付方式').waitFor()
    expect(await depth()).toBe(before + 2)
    await page.goBack()
    await drawnPage().waitFor()
    await page.goForward()
    await heading('选择支付方式').waitFor()
    await way(/^支付宝/).click({ force: true }) // aria-disabled: a person can press it all the same
    await page.getByText('学校未开通支付宝').waitFor()
    await page.goBack()
    await drawnPage().waitFor()
    await page.goBack()
    await reports().first().waitFor()
    await page.goForward()
    await drawnPage().waitFor()

    // Back during the scan closes the order, as the popup's own way out does.
    await locate('确认下载').click()
    await way(wechat).click()
    await qrCode().waitFor()
    await page.goBack()
    await reports().first().waitFor()
    await scanning().waitFor({ state: 'detached' })
    const {
      data: { records },
    } = await callAsAdmin('/entity/RPT_ORDER/data/page', {
      sorts: [{ column: 'createTime', asc: false }],
      pageSize: 1,
    })
    expect(records[0]).toMatchObject({ state: [{ id: 'CLOSED' }] })

    // A reload during the scan keeps it, and Back still leads to the list.
    await openPreview('中文在读证明')
    await locate('确认下载').click()
    await way(wechat).click()
    await qrCode().waitFor()
    await page.reload()
    await qrCode().waitFor()
    await page.goBack()
    await reports().first().waitFor()
    await scanning().waitFor({ state: 'detached' })

    // After the file, Back leads to the list, and nothing is paid twice.
    await openPreview('中文在读证明')
    await locate('确认下载').click()
    await way(wechat).click()
    const saved = page.waitForEvent('download')
    await atCashier(await scan(), 'pay')
    await saved
    await heading('文件下载完成！').waitFor()
    await page.goBack()
    await item('中文在读证明').getByText('可免费下载').waitFor()
    expect(await page.evaluate(() => Reflect.get(history.state ?? {}, 'downloadStep') ?? 0)).toBe(0)
  })
})

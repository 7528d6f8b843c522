// A student applies from a phone, and offices decide (docs/rules/contract.md#students-as-applicants).
import type { contract } from '@jiaowu/api/contract/contract'
import type { Client } from '@jiaowu/api/endpoint'
import { expect, it } from 'vitest'
import { accessibilityViolations } from '../support/browser/browser.ts'
import { browserFixture } from '../support/browser/browser-fixture.ts'
import { staffClient } from '../support/staff-client.ts'
import { captchaAnswer, captchaEnv, lastCode } from '../support/student.ts'

const stage = browserFixture(() => captchaEnv)
const mobile = '13800000005'
const toChoice = (id: string) => [{ id, name: '' }]

it('applies, adds a file, submits, corrects after it came back, and takes it back, at 390 px', async () => {
  const { page } = await stage.visit({ width: 390 })
  const { api: admin } = await staffClient(stage.server)
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const shot = async (name: string) => {
    const folder = process.env['SHOTS']
    if (folder !== undefined)
      await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
    expect(await accessibilityViolations(page), name).toEqual([])
    const fits = await page.evaluate(
      () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
    )
    expect(fits, name).toBe(true)
  }
  await page.goto(`${stage.server.url}/`)
  await page.fill('#student-mobile', mobile)
  await page.getByRole('button', { name: '获取验证码' }).click()
  const captcha = page.getByRole('dialog', { name: '填写验证码' })
  await captcha.getByRole('textbox').fill(captchaAnswer)
  await page.keyboard.press('Enter')
  await captcha.waitFor({ state: 'detached' })
  await page.fill('#student-code', await lastCode(stage.server.dataDir, mobile))
  const [detail] = await Promise.all([
    page.waitForResponse((reply) => reply.url().includes('/stu/print/detail')),
    page.keyboard.press('Enter'),
  ])
  const { data } = (await detail.json()) as { data: { fldXh: string; fldYxsh: string } }

  await page.getByRole('link', { name: '我的申请' }).click()
  await page.getByText('还没有申请。').waitFor()
  await shot('empty')

  // A course of the coming term, which has no mark yet.
  const students = await admin.entityData.page({
    params: { tag: 'EDU_STUDENT' },
    body: { queries: { studentNo: data.fldXh } },
  })
  const courses = await admin.entityData.page({
    params: { tag: 'EDU_COURSE' },
    body: { pageSize: 1 },
  })
  await admin.entityData.create({
    params: { tag: 'EDU_GRADE' },
    body: {
      student: toChoice(students.records[0]?.id ?? ''),
      course: toChoice(courses.records[0]?.id ?? ''),
      term: toChoice('2025-2026-2'),
    },
  })
  await page.getByRole('link', { name: '申请缓考' }).click()
  await page.getByText('请在考试前申请').waitFor()
  const pick = async (label: string, option: string | RegExp) => {
    await page.getByRole('form').getByLabel(label).click()
    await page.getByRole('listbox').getByRole('option', { name: option }).first().click()
  }
  await pick('学期', '2025-2026 学年第二学期')
  await pick('课程', String(courses.records[0]?.['name']))
  await page.getByLabel('缓考原因').fill('因病住院')
  await shot('form')
  // A reload keeps what was typed.
  page.once('dialog', (asked) => void asked.accept())
  await page.reload()
  await expect.poll(() => page.getByLabel('缓考原因').inputValue()).toBe('因病住院')
  await button('保存').click()

  const flow = page.getByRole('region', { name: '流程' })
  const decide = async (event: string, next: string) => {
    await flow.getByRole('button', { name: event }).click()
    await page.getByRole('dialog', { name: event }).getByRole('button', { name: event }).click()
    await flow.getByText(next, { exact: true }).first().waitFor()
  }
  await flow.getByText('草稿', { exact: true }).waitFor()
  await page.locator('input[type=file]').setInputFiles({
    name: '住院证明.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('住院证明'),
  })
  await page.getByText('住院证明.txt').first().waitFor()
  await shot('draft')
  await decide('提交', '学院审核')
  expect(await button('编辑').count()).toBe(0)
  await shot('submitted')

  await moveSecretary(admin, data.fldYxsh)
  const { api: secretary } = await staffClient(stage.server, 'secretary')
  const id = page.url().split('/').at(-1) ?? ''
  const params = { tag: 'EDU_DEFERRAL', id }
  const { version } = await secretary.flow.read({ params })
  await secretary.flow.send({
    params: { ...params, event: 'RETURN' },
    body: { version, note: '请写明住院日期' },
  })
  await page.reload()
  await flow.getByText('请写明住院日期').waitFor()
  await shot('returned')
  // The bell told so, and leads here.
  await button('1 条未读消息').click()
  const bell = page.getByRole('region', { name: '消息' })
  await bell.getByText('缓考：退回修改').click()
  await bell.getByText('学校 “退回修改”，现为“草稿”').waitFor()
  await bell.getByRole('checkbox', { name: '站内消息' }).first().waitFor()
  await shot('told')
  await bell.getByRole('link', { name: '打开申请' }).click()
  await page.keyboard.press('Escape')
  await bell.waitFor({ state: 'detached' })
  await button('编辑').click()
  await page.getByLabel('缓考原因').fill('6 月 1 日至 20 日住院')
  await button('保存').click()
  await page.getByText('6 月 1 日至 20 日住院').first().waitFor()
  await decide('提交', '学院审核')
  await decide('撤回', '草稿')

  await page.getByRole('link', { name: '返回我的申请' }).click()
  await page.getByRole('region', { name: '我的申请' }).getByText('草稿').waitFor()
  await button('切换到 English').click()
  await page.getByRole('link', { name: 'Apply: Deferred exam' }).waitFor()
  await page.getByRole('region', { name: 'My applications' }).getByText('Draft').waitFor()
  await shot('list-en')
})

/** Makes the secretary one of the student's faculty. */
async function moveSecretary(admin: Client<typeof contract>, faculty: string): Promise<void> {
  const [orgs, users] = await Promise.all([
    admin.entityData.page({ params: { tag: 'SYS_ORG' }, body: { queries: { name: faculty } } }),
    admin.entityData.page({
      params: { tag: 'SYS_USER' },
      body: { queries: { account: 'secretary' } },
    }),
  ])
  const [user] = users.records
  await admin.entityData.update({
    params: { tag: 'SYS_USER', id: user?.id ?? '' },
    body: { org: toChoice(orgs.records[0]?.id ?? ''), version: user?.version ?? 0 },
  })
}

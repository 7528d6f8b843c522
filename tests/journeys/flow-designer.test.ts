// A flow is made by clicks in the designer, proved, saved and decided (docs/rules/contract.md#flows).
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultTenant } from '@jiaowu/api/limits'
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { accessibilityViolations } from '../support/browser/browser.ts'
import { browserFixture } from '../support/browser/browser-fixture.ts'
import { copyOfBase } from '../support/server.ts'
import { runSqlFile } from '../support/server-command.ts'
import { staffClient } from '../support/staff-client.ts'

const tag = 'LEAVE_REQUEST'
/** An empty table, two offices, and an applicant who may only make requests. */
const schoolSql = `
create table biz.leave_request (id bigint primary key, tenant_id bigint not null, reason varchar(200) not null, days integer,
  version integer not null default 1, create_user bigint, create_time timestamptz not null default now(), update_user bigint, update_time timestamptz not null default now(), deleted_at timestamptz);
comment on table biz.leave_request is '请假申请'; comment on column biz.leave_request.reason is '理由'; comment on column biz.leave_request.days is '天数';
insert into sys.role (id, tenant_id, code, name, status)
  values (900001, ${defaultTenant}, 'APPLICANT', '教师', '1'), (900002, ${defaultTenant}, 'FACULTY', '学院', '1'), (900003, ${defaultTenant}, 'OFFICE', '教务处', '1');
insert into sys.role_permission (tenant_id, role_id, code)
  values (${defaultTenant}, 900001, 'entity:${tag}:view'), (${defaultTenant}, 900001, 'entity:${tag}:add'), (${defaultTenant}, 900001, 'entity:${tag}:update'), (${defaultTenant}, 900002, 'entity:${tag}:view'), (${defaultTenant}, 900003, 'entity:${tag}:view');
insert into sys.app_user (id, tenant_id, account, name, password_hash, status, must_change_password, role_ids)
  select v.id, ${defaultTenant}, v.account, v.name, u.password_hash, '1', false, array[v.role] from sys.app_user u,
  (values (900011::int8, 'leave-teacher', '王老师', '900001'), (900012, 'leave-faculty', '李院长', '900002'), (900013, 'leave-office', '赵处长', '900003')) v (id, account, name, role)
  where u.tenant_id = ${defaultTenant} and u.account = 'admin';`

const stage = browserFixture(async (folder) => {
  await writeFile(join(folder, 'leave.sql'), schoolSql)
  await copyOfBase(join(folder, 'data'))
  expect(runSqlFile(join(folder, 'leave.sql'), join(folder, 'data'))).toContain('done')
  return { DATA_DIR: join(folder, 'data'), DEMO: '0' }
})
const shots = process.env.FLOW_SHOTS

async function takeShots(page: Page, name: string) {
  if (shots === undefined) return
  const paint = (theme: string) =>
    page.evaluate((wanted) => {
      document.documentElement.dataset.theme = wanted
      document.body.classList.toggle('bp6-dark', wanted === 'dark')
    }, theme)
  for (const [theme, width] of [
    ['light', 1440],
    ['dark', 1440],
    ['light', 390],
    ['dark', 390],
  ] as const) {
    await paint(theme)
    await page.setViewportSize({ width, height: 900 })
    await page.screenshot({
      path: `${shots}/${name}-${theme}-${String(width)}.png`,
      fullPage: width === 390,
    })
  }
  await paint('light')
  await page.setViewportSize({ width: 1440, height: 900 })
}

/** Counts what a person does by hand. */
function createHand() {
  let clicks = 0
  return {
    click: async (target: Locator) => {
      clicks += 1
      await target.click()
    },
    choose: async (target: Locator, label: string) => {
      clicks += 1
      await target.selectOption({ label })
    },
    get clicks() {
      return clicks
    },
  }
}

async function findBox(target: Locator) {
  const box = await target.boundingBox()
  if (box === null) throw new Error('nothing is drawn')
  return box
}

const flow = (page: Page) => page.getByRole('region', { name: '流程', exact: true })
const tools = (page: Page) => page.getByRole('toolbar', { name: '设计器工具栏' })
const editor = (page: Page) => page.getByRole('region', { name: '属性' })
const findings = (page: Page) => page.getByRole('region', { name: '检查结果' })

it('makes a proved two-step approval of an empty table in five clicks, and people decide by it', async () => {
  const { api } = await staffClient(stage.server)
  const { definition } = await api.design.draft({ params: { name: 'biz.leave_request' } })
  await api.design.create({ body: { ...definition, tag, name: '请假申请' } as never })
  const { page } = await stage.staff('admin', `/entity/${tag}/config/design`)
  const hand = createHand()
  await hand.click(tools(page).getByRole('button', { name: '流程', exact: true }))
  await flow(page).getByLabel('第 1 步由谁审批').waitFor()
  await takeShots(page, 'flow-start')
  expect(await accessibilityViolations(page)).toEqual([])
  await hand.choose(flow(page).getByLabel('第 1 步由谁审批'), '学院')
  await hand.choose(flow(page).getByLabel('第 2 步由谁审批'), '教务处')
  await hand.click(flow(page).getByRole('button', { name: '生成流程' }))
  await findings(page).getByText('已验证').waitFor()
  await takeShots(page, 'flow-made')
  await hand.click(tools(page).getByRole('button', { name: '保存' }))
  await page.getByRole('alert').filter({ hasText: '保存成功' }).first().waitFor()
  expect(hand.clicks).toBe(5)
  expect(await accessibilityViolations(page)).toEqual([])

  const teacher = await staffClient(stage.server, 'leave-teacher')
  const { id } = await teacher.api.entityData.create({
    params: { tag },
    body: { reason: '学术会议', days: 2 },
  })
  const path = `/entity/${tag}/details-window?id=${id}`
  for (const [account, button, state] of [
    ['leave-teacher', '提交', '一审'],
    ['leave-faculty', '同意', '二审'],
    ['leave-office', '同意', '已通过'],
  ] as const) {
    const { page: own } = await stage.staff(account, path)
    await flow(own).getByRole('button', { name: button }).click()
    await own.getByRole('dialog', { name: button }).getByRole('button', { name: button }).click()
    await flow(own).getByText(state, { exact: true }).first().waitFor()
  }
})

it('names a hole with its path in words, lights it, and closes it by undoing', async () => {
  const { page } = await stage.staff('admin', `/entity/${tag}/config/design`)
  await tools(page).getByRole('button', { name: '流程', exact: true }).click()
  const table = flow(page).getByRole('table', { name: '状态与事件' })
  await table.getByRole('button', { name: /^同意/ }).first().click()
  await editor(page).getByText('不能是申请人或前面的办理人').click()
  const found = findings(page).getByRole('listitem').filter({ hasText: '申请人可以办理自己的申请' })
  await found.first().waitFor()
  await found.first().getByRole('button', { name: '定位' }).click()
  await table.getByText('在检查结果的路径上').first().waitFor()
  expect(await found.first().getByRole('listitem').allInnerTexts()).toEqual([
    '甲 提交',
    expect.stringContaining('甲'),
  ])
  await takeShots(page, 'flow-hole')
  expect(await accessibilityViolations(page)).toEqual([])
  await tools(page).getByRole('button', { name: '撤销' }).click()
  await findings(page).getByText('已验证').waitFor()
})

it('draws the flow, and a dragged state stands where it was put until that is undone', async () => {
  const { page } = await stage.staff('admin', `/entity/${tag}/config/design`)
  await tools(page).getByRole('button', { name: '流程', exact: true }).click()
  const chart = flow(page).getByRole('region', { name: '流程图' })
  const review = chart.locator('[data-id="review1"]')
  await review.waitFor()
  await expect.poll(() => chart.locator('.react-flow__edge').count()).toBe(7)
  await chart.getByText('提交').first().waitFor()
  const before = await findBox(review)
  await page.mouse.move(before.x + 30, before.y + 12)
  await page.mouse.down()
  await page.mouse.move(before.x + 130, before.y + 32, { steps: 8 })
  await page.mouse.up()
  await tools(page)
    .getByText('有未保存的修改')
    .or(tools(page).getByText('检查中'))
    .first()
    .waitFor()
  expect((await findBox(review)).x).toBeGreaterThan(before.x + 60)
  await tools(page).getByRole('button', { name: '撤销' }).click()
  await expect.poll(async () => Math.round((await findBox(review)).x)).toBe(Math.round(before.x))
  await chart.locator('[data-id="approved"]').click()
  await editor(page).getByLabel('在这里结束').waitFor()
  await takeShots(page, 'flow-chart')
  expect(await accessibilityViolations(page)).toEqual([])
})

it('plays a case as people of one’s choice', async () => {
  const { page } = await stage.staff('admin', `/entity/${tag}/config/design`)
  await tools(page).getByRole('button', { name: '流程', exact: true }).click()
  await flow(page).getByRole('button', { name: '模拟' }).click()
  const trial = page.getByRole('region', { name: '模拟' })
  await trial.getByRole('button', { name: '甲 提交' }).click()
  await trial.getByRole('button', { name: '乙 同意' }).click()
  await flow(page).getByText('案件在这里').first().waitFor()
  await takeShots(page, 'flow-trial')
  expect(await accessibilityViolations(page)).toEqual([])
  // One person in both offices has decided once, and may not again.
  await trial
    .getByRole('group', { name: '乙' })
    .getByRole('checkbox', { name: /教务处/ })
    .check()
  expect(await trial.getByRole('button', { name: /^乙 / }).count()).toBe(0)
  await trial.getByRole('button', { name: '丙 同意' }).click()
  await trial.getByText('已通过').waitFor()
  await trial.getByRole('button', { name: '退一步' }).click()
  await trial.getByText('二审').waitFor()
})

it('sets limits, notices, documents and what students may do without JSON', async () => {
  const { api } = await staffClient(stage.server)
  const { page } = await stage.staff('admin', `/entity/${tag}/config/design`)
  await tools(page).getByRole('button', { name: '流程', exact: true }).click()
  const table = flow(page).getByRole('table', { name: '状态与事件' })
  const pane = editor(page)
  await flow(page).getByRole('button', { name: '整个流程' }).click()
  await pane.getByRole('button', { name: '添加文件' }).click()
  const letter = pane.getByRole('group', { name: 'DOCUMENT1' })
  await letter.getByLabel('DOCUMENT1: 中文标题').fill('准假通知')
  await letter.getByLabel(/^DOCUMENT1: 段落/).fill('准予请假 {row.days} 天。')
  await pane.getByLabel('提交后最多多少个工作日办结').fill('40')
  await pane.getByLabel('提交后最多多少个工作日办结').press('Enter')
  await takeShots(page, 'flow-settings')
  expect(await accessibilityViolations(page)).toEqual([])
  for (const state of ['一审', '二审']) {
    await table.getByRole('button', { name: new RegExp(`^${state} `, 'u') }).click()
    await pane.getByRole('button', { name: '添加期限' }).click()
    const limit = pane.getByRole('group', { name: '期限 1' })
    await limit.getByLabel('期限 1: 数量').fill('10')
    await limit.getByLabel('期限 1: 数量').press('Enter')
    await limit.getByLabel('期限 1: 转到').selectOption({ label: '已驳回' })
  }
  await pane.getByLabel('转办', { exact: true }).selectOption({ label: '不允许' })
  await takeShots(page, 'flow-limit')
  expect(await accessibilityViolations(page)).toEqual([])
  await table.getByRole('button', { name: /^同意/ }).last().click()
  for (const [no, kind] of [
    [1, '签发文件'],
    [2, '发送通知'],
    [3, '抄送'],
  ] as const) {
    await pane.getByRole('button', { name: '添加动作' }).click()
    const named = { name: `动作 ${String(no)}`, exact: true }
    await pane.getByRole('combobox', named).selectOption({ label: kind })
  }
  await takeShots(page, 'flow-effects')
  expect(await accessibilityViolations(page)).toEqual([])
  await tools(page).getByRole('button', { name: '保存' }).click()
  await page.getByRole('alert').filter({ hasText: '保存成功' }).first().waitFor()
  const { options } = await api.design.load({ params: { tag } })
  expect(options.flow).toMatchObject({
    rules: expect.arrayContaining([{ endsWithin: 40 }]),
    documents: {
      DOCUMENT1: { title: { zh: '准假通知' }, paragraphs: ['准予请假 {row.days} 天。'] },
    },
    states: {
      review1: { after: { '10 workdays': { target: 'refused' } } },
      review2: { after: { '10 workdays': { target: 'refused' } }, allow: { transfer: false } },
    },
  })
  expect(JSON.stringify(options.flow)).toContain(
    '"effects":[{"document":"DOCUMENT1"},{"notify":{"who":[{"applicant":true}],"template":"NOTICE"}},{"copy":{"who":[{"applicant":true}]}}]',
  )
})

it('leads open cases of an earlier revision on in the flow as it is now', async () => {
  const [{ api }, { api: teacher }] = await Promise.all([
    staffClient(stage.server),
    staffClient(stage.server, 'leave-teacher'),
  ])
  const { id } = await teacher.entityData.create({
    params: { tag },
    body: { reason: '探亲', days: 1 },
  })
  const params = { tag, id }
  const { version } = await teacher.flow.read({ params })
  await teacher.flow.send({ params: { ...params, event: 'SUBMIT' }, body: { version } })
  const { page } = await stage.staff('admin', `/entity/${tag}/config/design`)
  await tools(page).getByRole('button', { name: '流程', exact: true }).click()
  const open = flow(page).getByRole('button', { name: '办理中的申请' })
  await flow(page)
    .getByRole('table')
    .getByRole('button', { name: /^二审 / })
    .click()
  await editor(page).getByLabel('中文名称').fill('教务处审批')
  await editor(page).getByLabel('中文名称').press('Enter')
  await expect.poll(() => open.isDisabled()).toBe(true)
  await tools(page).getByRole('button', { name: '保存' }).click()
  await page.getByRole('alert').filter({ hasText: '保存成功' }).first().waitFor()
  await open.click()
  const dialog = page.getByRole('dialog', { name: '按旧流程办理的申请' })
  const line = dialog.getByRole('row', { name: /^一审/ })
  expect(await line.getByRole('cell').first().innerText()).toBe('1')
  expect(await dialog.getByRole('button', { name: /转到新流程/ }).isDisabled()).toBe(true)
  await line.getByRole('combobox').selectOption({ label: '教务处审批' })
  await takeShots(page, 'flow-move')
  expect(await accessibilityViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: '转到新流程（1 件）' }).click()
  await dialog.getByText('已转 1 件，0 件没有转').waitFor()
  await dialog.getByRole('button', { name: '确定' }).click()
  expect(await api.flow.read({ params })).toMatchObject({ state: 'review2', name: '教务处审批' })
})

it('adds states and events by keyboard alone, in both languages', async () => {
  const { page } = await stage.staff('admin', `/entity/${tag}/config/design`, { width: 390 })
  await tools(page).getByRole('button', { name: '流程', exact: true }).click()
  await flow(page).getByRole('button', { name: '添加状态' }).focus()
  await page.keyboard.press('Enter')
  await editor(page).getByLabel('中文名称').focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('复核')
  await page.keyboard.press('Enter')
  await editor(page).getByLabel('英文名称').focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Second look')
  await page.keyboard.press('Enter')
  await findings(page).getByText('没有办法到达状态“复核”').waitFor()
  await flow(page).getByRole('button', { name: '在“复核”添加事件' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: /^同意/ }).focus()
  await page.keyboard.press('Enter')
  await editor(page).getByLabel('转到').selectOption({ label: '已通过' })
  await flow(page).getByRole('table').getByRole('button', { name: /^同意/ }).first().focus()
  await page.keyboard.press('Enter')
  await editor(page).getByLabel('转到').selectOption({ label: '复核' })
  await takeShots(page, 'flow-keyboard')
  await expect.poll(() => findings(page).getByText('没有办法到达状态“复核”').count()).toBe(0)
  expect(await accessibilityViolations(page)).toEqual([])
})

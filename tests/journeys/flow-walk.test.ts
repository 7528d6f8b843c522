// The paths through the shipped flows in a browser: in the details of the console, and in the student service on a
// phone; and a case that is decided half in the browser and half in the terminal.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildTerminalSurface } from '../cli/flow-surface.ts'
import { openWalkSchool, studentMobile } from '../flows/walk/school.ts'
import { type FlowSurface, type WalkedCase, walkFlow } from '../flows/walk/walk.ts'
import { browserFixture } from '../support/browser/browser-fixture.ts'
import { captchaAnswer, captchaEnv, lastCode } from '../support/student.ts'

const stage = browserFixture(() => captchaEnv)
let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'jiaowu-walk-'))
})
afterAll(() => rm(home, { recursive: true, force: true }))

/** Signs a student in on a phone. */
async function visitAsStudent(): Promise<{ readonly page: Page; readonly token: string }> {
  const { page } = await stage.visit({ width: 390 })
  await page.goto(`${stage.server.url}/`)
  await page.fill('#student-mobile', studentMobile)
  await page.getByRole('button', { name: '获取验证码' }).click()
  const captcha = page.getByRole('dialog', { name: '填写验证码' })
  await captcha.getByRole('textbox').fill(captchaAnswer)
  await page.keyboard.press('Enter')
  await captcha.waitFor({ state: 'detached' })
  await page.fill('#student-code', await lastCode(stage.server.dataDir, studentMobile))
  const [signed] = await Promise.all([
    page.waitForResponse((reply) => reply.url().endsWith('/api/login')),
    page.keyboard.press('Enter'),
  ])
  const { data } = (await signed.json()) as { data: { token: string } }
  await page.getByRole('link', { name: '我的申请' }).waitFor()
  return { page, token: data.token }
}

/** One page per account, which goes from case to case, and shows what it sent without being loaded anew. */
function buildWebSurface(student?: Page): FlowSurface {
  const pages = new Map<string, Page>(student === undefined ? [] : [['student', student]])
  let hasSent = false
  const open = async ({ account, tag, id }: WalkedCase, isStale: boolean) => {
    const route =
      account === 'student' ? `/application/${tag}/${id}` : `/entity/${tag}/details-window?id=${id}`
    const page =
      pages.get(account) ?? (await stage.staff(account, route, { width: 1440, height: 900 })).page
    pages.set(account, page)
    if (page.url() !== stage.at(route)) await page.goto(stage.at(route))
    else if (isStale) await page.reload()
    return page.getByRole('region', { name: '流程' })
  }
  return {
    nameOffer: ({ event }) => event.name.zh,
    look: async (seen, state, flow) => {
      const panel = await open(seen, !hasSent)
      hasSent = false
      const place = panel.getByRole('strong').first()
      await expect.poll(() => place.innerText()).toBe(flow.states[state]?.name.zh)
      const offers = panel.getByRole('group', { name: '可办理' })
      return {
        offers:
          (await offers.count()) === 0 ? [] : await offers.getByRole('button').allInnerTexts(),
        isAt: true,
      }
    },
    send: async (sent, { event }, note) => {
      const panel = await open(sent, false)
      const name = event.name.zh
      const log = panel.getByRole('list', { name: '办理经过' }).getByRole('listitem')
      const steps = await log.count()
      await panel.getByRole('button', { name, exact: true }).click()
      const dialog = panel.page().getByRole('dialog', { name })
      if (note !== undefined) await dialog.getByLabel('意见').fill(note)
      await dialog.getByRole('button', { name, exact: true }).click()
      await expect.poll(() => log.count()).toBe(steps + 1)
      hasSent = true
    },
  }
}

it('walks every path in the browser, and goes on in the terminal where the browser left it', async () => {
  const { page, token } = await visitAsStudent()
  const school = await openWalkSchool(stage.server, token)
  const web = buildWebSurface(page)
  const walked = []
  for (const flow of school.flows) walked.push(await walkFlow(flow, [web]))
  expect(walked.flatMap(({ wrong }) => wrong)).toEqual([])
  expect(walked.map(({ paths, moves }) => [paths, moves])).toEqual([
    [6, 16],
    [10, 30],
    [6, 16],
  ])
  const [first] = school.flows
  if (first === undefined) throw new Error('no flow is walked')
  const terminal = await buildTerminalSurface(stage.server, home, school)
  expect((await walkFlow(first, [web, terminal])).wrong).toEqual([])
}, 300_000)

import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { password, type RunningServer } from './server.ts'

/** Chromium as `npm test` found it (CHROMIUM_PATH), quiet and without a sandbox, which containers lack. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

/** Someone who was never here: a browser of their own, its page, and what went wrong in it (thrown, refused by the policy, 5xx). */
export interface Visitor {
  readonly context: BrowserContext
  readonly page: Page
  readonly faults: string[]
}
export interface Look {
  readonly width?: number
  readonly height?: number
  readonly locale?: 'zh-CN' | 'en'
}

/** What a browser kept when it was last here. */
export type Kept = Awaited<ReturnType<BrowserContext['storageState']>>

/** Another page of the same visitor. */
export async function openPage(context: BrowserContext, faults: string[]): Promise<Page> {
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('status of 4'))
      faults.push(message.text())
  })
  return page
}
/** `kept`: they were here before. Without motion: what is read or measured must not be half faded in. */
export async function visit(
  browser: Browser,
  { width = 1440, height = 900, locale = 'zh-CN' }: Look = {},
  kept?: Kept,
): Promise<Visitor> {
  const context = await browser.newContext({
    ...(kept === undefined ? {} : { storageState: kept }),
    locale,
    viewport: { width, height },
    acceptDownloads: true,
    reducedMotion: 'reduce',
  })
  const faults: string[] = []
  return { context, page: await openPage(context, faults), faults }
}

/** Fills in the staff tab and presses Enter; `path` is the hash route to come back to. */
export async function enterAsStaff(
  page: Page,
  { url }: RunningServer,
  account: string,
  { secret = password, path }: { readonly secret?: string; readonly path?: string } = {},
): Promise<void> {
  await page.goto(
    `${url}/#/login?as=staff${path === undefined ? '' : `&redirect=${encodeURIComponent(path)}`}`,
  )
  await page.fill('#account', account)
  await page.fill('#password', secret)
  await page.keyboard.press('Enter')
}
export async function signInStaff(
  page: Page,
  server: RunningServer,
  account: string,
): Promise<void> {
  await enterAsStaff(page, server, account)
  await page.locator('.jw-home').waitFor()
}

/** What seriously hinders people who read by keyboard, screen reader or in the dark (WCAG 2.1 AA), in both themes; `part` leaves out what stands behind a popup. */
export async function hindrances(page: Page, part = 'body'): Promise<string[]> {
  const found: string[] = []
  for (const theme of ['light', 'dark'] as const) {
    await page.evaluate(async (wanted) => {
      document.documentElement.dataset.theme = wanted
      document.body.classList.toggle('bp6-dark', wanted === 'dark')
      // Even the shortest transition begins at the next frame and shows the old colour until then; what runs for ever (a spinner) is not waited for.
      const frame = () =>
        new Promise((resolve) => {
          requestAnimationFrame(resolve)
        })
      await frame()
      await frame()
      await Promise.allSettled(
        document
          .getAnimations()
          .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
          .map(({ finished }) => finished),
      )
    }, theme)
    const scanner = new AxeBuilder({ page }).include(part).setLegacyMode() // no frames here, so no page of axe's own is needed
    // In the dark only colours are others.
    const { violations } = await (
      theme === 'light'
        ? scanner.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'])
        : scanner.withRules(['color-contrast'])
    ).analyze()
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    found.push(
      ...serious.flatMap(({ id, nodes }) =>
        nodes.map(
          ({ target, failureSummary }) =>
            `${theme} ${id}: ${target.join(' ')} ${failureSummary ?? ''}`,
        ),
      ),
    )
  }
  await page.evaluate(() => {
    document.documentElement.dataset.theme = 'light'
    document.body.classList.remove('bp6-dark')
  })
  return found
}

import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { browserPath } from '../../../scripts/browser.ts'
import { password, type RunningServer } from '../server.ts'

/**
 * Chromium at CHROMIUM_PATH, without a sandbox, which containers do not support. Pages live too
 * briefly for optimised machine code: compiling it took a fifth of their processor time.
 */
export function launchBrowser(isHeaded = false): Promise<Browser> {
  return chromium.launch({
    headless: !isHeaded,
    executablePath: browserPath(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--js-flags=--no-opt --no-maglev',
    ],
  })
}

/** A browser context with its page and its errors (thrown, refused by the content policy, 5xx). */
export interface Visitor {
  readonly context: BrowserContext
  readonly page: Page
  readonly faults: string[]
}
export interface BrowserOptions {
  readonly width?: number
  readonly height?: number
  readonly locale?: 'zh-CN' | 'en'
}

/** Cookies and storage of a browser context. */
export type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

/** Another page in the same context. */
export async function openPage(context: BrowserContext, faults: string[]): Promise<Page> {
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('status of 4'))
      faults.push(message.text())
  })
  return page
}
/** Opens a context, optionally with stored state. Reduced motion keeps screens from being measured half faded. */
export async function visit(
  browser: Browser,
  { width = 1440, height = 900, locale = 'zh-CN' }: BrowserOptions = {},
  state?: StorageState,
): Promise<Visitor> {
  const context = await browser.newContext({
    ...(state === undefined ? {} : { storageState: state }),
    locale,
    viewport: { width, height },
    acceptDownloads: true,
    reducedMotion: 'reduce',
  })
  const faults: string[] = []
  return { context, page: await openPage(context, faults), faults }
}

/** Fills in the staff sign-in form and presses Enter; `path` is the hash route after sign-in. */
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

/**
 * Serious and critical violations of WCAG 2.1 AA in both themes. `part` limits the check to a selector,
 * for example a popup.
 */
export async function accessibilityViolations(page: Page, part = 'body'): Promise<string[]> {
  const found: string[] = []
  for (const theme of ['light', 'dark'] as const) {
    await page.evaluate(async (wanted) => {
      document.documentElement.dataset.theme = wanted
      document.body.classList.toggle('bp6-dark', wanted === 'dark')
      // Nothing fades, since these pages ask for reduced motion.
      const frame = () =>
        new Promise((resolve) => {
          requestAnimationFrame(resolve)
        })
      await frame()
      await frame()
    }, theme)
    // Without frames axe needs no page of its own; descriptions of what is right are not read.
    const scanner = new AxeBuilder({ page })
      .options({ resultTypes: ['violations'] })
      .include(part)
      .setLegacyMode()
    // The dark theme differs in colours only.
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

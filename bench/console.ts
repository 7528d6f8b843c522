// The console in Chromium, signed in as the administrator.
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { browserPath } from '../scripts/browser.ts'
import { password } from './place.ts'

export interface OpenConsole {
  readonly browser: Browser
  readonly page: Page
  /** Messages of errors that the page did not catch, so far. */
  readonly errors: readonly string[]
}

/** Opens the home page, 1440 x 900, in Chinese. Close `browser` at the end. */
export async function openConsole(
  url: string,
  options: BrowserContextOptions = {},
): Promise<OpenConsole> {
  const browser = await chromium.launch({
    executablePath: browserPath(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  })
  try {
    const context = await browser.newContext({
      locale: 'zh-CN',
      viewport: { width: 1440, height: 900 },
      ...options,
    })
    const page = await context.newPage()
    const errors: string[] = []
    page.on('pageerror', ({ message }) => errors.push(message))
    await page.goto(`${url}/#/login?as=staff`)
    await page.fill('#account', 'admin')
    await page.fill('#password', password)
    await page.keyboard.press('Enter')
    await page.locator('.jw-home').waitFor()
    return { browser, page, errors }
  } catch (error) {
    await browser.close()
    throw error
  }
}

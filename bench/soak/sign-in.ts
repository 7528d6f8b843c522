import type { Page } from 'playwright-core'
import { password } from '../place.ts'

/** Signs in as the administrator and waits for the home page. */
export async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/#/login?as=staff`)
  await page.fill('#account', 'admin')
  await page.fill('#password', password)
  await page.keyboard.press('Enter')
  await page.locator('.jw-home').waitFor()
}

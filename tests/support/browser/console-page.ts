import type { Locator, Page } from 'playwright-core'

// Parts of the console by role and name, as a user finds them. Tabs behind the open one are hidden
// and do not match.

/** The rows of data in tables, or those with a text. */
export function dataRows(scope: Page | Locator, text?: string | RegExp): Locator {
  const page = 'page' in scope ? scope.page() : scope
  return scope.getByRole('row').filter({
    has: page.getByRole('cell'),
    ...(text === undefined ? {} : { hasText: text }),
  })
}

/** Waits until the list shows rows and loads no others. */
export function settledRows(page: Page): Promise<void> {
  return page
    .locator('[aria-busy=false]:not([aria-busy=true] *)')
    .filter({ has: page.getByRole('cell') })
    .first()
    .waitFor()
}

/** The texts of a column of the list, row by row. */
export async function columnTexts(page: Page, label: string): Promise<string[]> {
  const heads = await page.getByRole('columnheader').allInnerTexts()
  const at = heads.findIndex((text) => text.trim() === label)
  return dataRows(page).evaluateAll(
    (rows, index) => rows.map((row) => (row.children[index] as HTMLElement).innerText),
    at,
  )
}

/** The button of a column that sorts the list by it. */
export function sortButton(page: Page, column?: string): Locator {
  return page
    .getByRole('columnheader')
    .getByRole('button', column === undefined ? {} : { name: column, exact: true })
}

/** The link of an open page in the bar of tabs, or all of them. */
export function tab(page: Page, title?: string): Locator {
  return page
    .getByRole('navigation', { name: '已打开的页面' })
    .getByRole('link', title === undefined ? {} : { name: title })
}

/** A field of the open form, in its drawer, dialog or page. */
export function formField(page: Page, label: string): Locator {
  return page.getByRole('form').getByLabel(label).first()
}

/** The open drawer or dialog, the topmost last. */
export function openDialog(page: Page, name?: string | RegExp): Locator {
  return page.getByRole('dialog', name === undefined ? {} : { name })
}

/** The accessible name of an option whose first line is this text; a second line tells namesakes apart. */
export function firstLine(option: string): RegExp {
  return new RegExp(`^${option.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}( |$)`)
}

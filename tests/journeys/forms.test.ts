// Forms lose and double nothing: typed dates, cut answers.
import { expect, it } from 'vitest'
import { browserFixture } from '../support/browser/browser-fixture.ts'

const fixture = browserFixture()

it('keeps a date that it cannot read, with an error, and reads what sheets hold', async () => {
  const { page } = await fixture.staff('admin', '/entity/EDU_STUDENT/form-window')
  const day = page.locator('input[id$="-birthDate"]')
  await day.fill('去年春天')
  await day.blur()
  expect(await day.inputValue()).toBe('去年春天')
  await page.getByText('无法识别的日期或时间').waitFor()
  for (const [typed, kept] of [
    ['1980年5月6日', '1980-05-06'],
    ['2024.9.1', '2024-09-01'],
    ['20240901', '2024-09-01'],
    ['45536', '2024-09-01'],
  ] as const) {
    await day.fill(typed)
    await day.blur()
    await expect.poll(() => day.inputValue()).toBe(kept)
  }
  expect(await day.getAttribute('aria-invalid')).toBe('false')
  await page.getByRole('button', { name: '选择日期' }).first().click()
  await page.getByRole('gridcell', { name: '15' }).first().click()
  await expect.poll(() => day.inputValue()).toBe('2024-09-15')
})

it('makes one row when the answer to a save is cut, and saves what is typed then', async () => {
  const { page, faults } = await fixture.staff('admin', '/entity/EDU_FACULTY/form-window')
  const sent: { method: string; id: unknown }[] = []
  let cut = false
  await page.route('**/api/entity/EDU_FACULTY/data*', async (route) => {
    const request = route.request()
    sent.push({ method: request.method(), id: (request.postDataJSON() as { id?: unknown }).id })
    if (cut) {
      await route.continue()
      return
    }
    cut = true
    await route.fetch()
    await route.abort('connectionreset')
  })
  await page.fill('input[id$="-code"]', 'CUT1')
  await page.fill('input[id$="-name"]', '第一次')
  await page.keyboard.press('Control+s')
  await page.getByText('网络异常').first().waitFor()
  await page.fill('input[id$="-name"]', '第二次')
  await page.keyboard.press('Control+s')
  await page.getByText('第二次').first().waitFor()
  await expect.poll(() => page.getByText('CUT1').count()).toBe(1)
  // The cut connection is in the console.
  expect(faults.splice(0)).toEqual(['Failed to load resource: net::ERR_CONNECTION_RESET'])
  expect(sent.map(({ method }) => method)).toEqual(['POST', 'POST'])
  expect(sent[0]?.id).toMatch(/^\d{15,19}$/)
  expect(sent[1]?.id).toBe(sent[0]?.id)
})

it('offers today, the week, the month and the term for a range of days', async () => {
  const { page } = await fixture.staff('admin', '/entity/SYS_NOTICE/search')
  const range = page.getByRole('search').getByPlaceholder('YYYY-MM-DD')
  await range.first().focus()
  const shortcut = (name: string) => page.getByRole('menuitem', { name, exact: true })
  await shortcut('本学期').click()
  const ends = async () => [await range.first().inputValue(), await range.nth(1).inputValue()]
  await expect
    .poll(ends)
    .toEqual([expect.stringMatching(/^\d{4}-0[28]-01/), expect.stringMatching(/-(?:01|07)-31/)])
})

import type { Browser, BrowserContext, Page } from 'playwright-core'

export interface Interaction {
  readonly what: string
  /** Milliseconds from the input to the next frame, sorted. */
  readonly durations: readonly number[]
}

const repetitions = 7
const slower = 4

/** Times inputs in a list of the console on a processor that is four times slower. */
export async function interactions(
  browser: Browser,
  state: Awaited<ReturnType<BrowserContext['storageState']>>,
  url: string,
): Promise<Interaction[]> {
  const context = await browser.newContext({
    storageState: state,
    locale: 'zh-CN',
    viewport: { width: 1440, height: 900 },
  })
  const page = await context.newPage()
  await page.goto(`${url}/#/entity/EDU_STUDENT/search`)
  await page.locator('main tbody tr td').first().waitFor()
  await page.waitForLoadState('networkidle')
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slower })
  const found: Interaction[] = []
  for (const [what, act, after] of inputs(page)) {
    const durations: number[] = []
    // The first time may load code, which the next ones do not.
    for (let turn = 0; turn <= repetitions; turn += 1) {
      await startTiming(page)
      await act()
      await page.waitForTimeout(600)
      if (turn > 0) durations.push(await longest(page))
      await after?.()
      await page.waitForTimeout(200)
    }
    found.push({ what, durations: durations.toSorted((a, b) => a - b) })
  }
  await context.close()
  return found
}

type Input = [what: string, act: () => Promise<void>, after?: () => Promise<void>]

function inputs(page: Page): Input[] {
  const number = page.getByRole('search').getByLabel('学号')
  return [
    ['next page', () => page.getByRole('button', { name: '下一页' }).click()],
    [
      'sort',
      () =>
        page.getByRole('columnheader').getByRole('button', { name: '姓名', exact: true }).click(),
    ],
    [
      'type and search',
      async () => {
        await number.fill('')
        await number.pressSequentially('2023')
        await page.keyboard.press('Enter')
      },
    ],
    [
      'open a form',
      () => page.locator('main tbody tr').first().getByRole('button', { name: '编辑' }).click(),
      async () => {
        await page.locator('form').last().waitFor()
        await page.keyboard.press('Escape')
        await page.locator('.bp6-drawer').waitFor({ state: 'detached' })
      },
    ],
  ]
}

interface Timed {
  longest: number
}

/** Remembers the longest interaction from now on. Event Timing rounds to 8 ms and leaves out what is below 16 ms. */
function startTiming(page: Page): Promise<void> {
  return page.evaluate(() => {
    const store = globalThis as unknown as { timed?: Timed }
    if (store.timed !== undefined) {
      store.timed.longest = 0
      return
    }
    const timed: Timed = { longest: 0 }
    store.timed = timed
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if ((entry as unknown as { interactionId: number }).interactionId !== 0)
          timed.longest = Math.max(timed.longest, entry.duration)
    }).observe({ type: 'event', durationThreshold: 16 } as never)
  })
}

function longest(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as unknown as { timed: Timed }).timed.longest)
}

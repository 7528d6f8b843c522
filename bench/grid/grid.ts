// The grid over a long list in Chromium: frames while scrolling, jumps over all rows, a key to the painted cell.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright-core'
import { openConsole } from '../console.ts'
import { machine } from '../lists/report.ts'
import { quantile, table } from '../measure.ts'
import { root, seed, startServer } from '../place.ts'

const wheelSteps = 120
const stepPixels = 400
const jumps = 5
const keys = 20

/** Needs the built web. */
export async function benchGrid(rows: number): Promise<void> {
  seed(rows)
  const server = await startServer({ APP_ENV: 'test' })
  const { browser, page, errors } = await openConsole(server.url)
  try {
    await page.goto(`${server.url}/#/entity/EDU_STUDENT/search?mode=grid`)
    await rowLoaded(page, 1)
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable')
    const lines = [
      await scrolling(page, session),
      await toTheEnd(page, rows),
      ...(await jumping(page, rows)),
      await typing(page),
    ]
    writeGridResults(rows, lines, errors)
  } finally {
    await browser.close()
    await server.stop()
  }
}

/** Run in the page. */
const noteFrames = `globalThis.frameTimes = []
  const note = (time) => { frameTimes.push(time); requestAnimationFrame(note) }
  requestAnimationFrame(note)`
const noteKeys = `globalThis.keyTimes = []
  document.addEventListener('keydown', ({ key, timeStamp }) => {
    if (key.length === 1)
      requestAnimationFrame(() => setTimeout(() => keyTimes.push(performance.now() - timeStamp)))
  }, true)`

type Line = readonly [what: string, value: string]

const rowLoaded = (page: Page, row: number) =>
  page
    .getByRole('group', { name: new RegExp(`^第 ${row} 行，学号：.`) })
    .first()
    .waitFor()

async function goToRow(page: Page, row: number): Promise<void> {
  await page.getByRole('textbox', { name: '转到行' }).fill(String(row))
  await page.keyboard.press('Enter')
  await rowLoaded(page, row)
}

/** Turns the wheel without a pause: how long frames took, and how much of the time was script. */
async function scrolling(page: Page, session: CDPSession): Promise<Line> {
  await page.mouse.move(700, 500)
  await page.evaluate(noteFrames)
  const before = await scriptSeconds(session)
  const start = performance.now()
  for (let step = 0; step < wheelSteps; step += 1) await page.mouse.wheel(0, stepPixels)
  const seconds = (performance.now() - start) / 1000
  const script = (await scriptSeconds(session)) - before
  const times = await page.evaluate(
    () => (globalThis as unknown as { readonly frameTimes: number[] }).frameTimes,
  )
  const frames = times
    .slice(1)
    .map((time, at) => time - (times[at] ?? 0))
    .toSorted((a, b) => a - b)
  const at = (share: number) => quantile(frames, share).toFixed(0)
  return [
    `${wheelSteps} turns of the wheel of ${stepPixels} px`,
    `${(frames.length / seconds).toFixed(0)} frames a second, median ${at(0.5)} ms, 95 % within ${at(0.95)} ms; script ${((script / seconds) * 100).toFixed(0)} % of the time`,
  ]
}

async function scriptSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0
}

async function toTheEnd(page: Page, rows: number): Promise<Line> {
  await goToRow(page, 1)
  await page
    .getByRole('group', { name: /^第 1 行，学号：/ })
    .last()
    .click()
  const start = performance.now()
  // The total is an estimate until the last row is seen.
  const last = page.getByRole('group', { name: new RegExp(`^第 ${rows} 行，学号：.`) }).first()
  while ((await last.count()) === 0) {
    await page.keyboard.press('Control+End')
    await sleep(50)
  }
  return ['Ctrl+End until the last row is shown', `${Math.round(performance.now() - start)} ms`]
}

async function jumping(page: Page, rows: number): Promise<readonly Line[]> {
  const found: Line[] = []
  for (let jump = 1; jump <= jumps; jump += 1) {
    const row = Math.round((rows * (jump * 2 - 1)) / (jumps * 2))
    const start = performance.now()
    await goToRow(page, row)
    found.push([`jump to row ${row}`, `${Math.round(performance.now() - start)} ms`])
  }
  return found
}

/** From a pressed letter to the frame after the editor shows it, in cells one below another. */
async function typing(page: Page): Promise<Line> {
  await goToRow(page, 1)
  await page
    .getByRole('group', { name: /^第 1 行，姓名：/ })
    .last()
    .click()
  await page.evaluate(noteKeys)
  for (let key = 0; key < keys; key += 1) {
    await page.keyboard.press('a')
    await sleep(100)
    await page.keyboard.press('Escape')
    await page.keyboard.press('ArrowDown')
  }
  const times = await page.evaluate(() =>
    (globalThis as unknown as { readonly keyTimes: number[] }).keyTimes.toSorted((a, b) => a - b),
  )
  const at = (share: number) => quantile(times, share).toFixed(0)
  return [
    'key to painted cell',
    `median ${at(0.5)} ms, 90 % within ${at(0.9)} ms (${times.length} keys)`,
  ]
}

function writeGridResults(rows: number, lines: readonly Line[], errors: readonly string[]): void {
  const text = [
    '# The grid over a long list\n',
    `\`npm run bench -- grid ${rows}\`, ${new Date().toISOString().slice(0, 10)}, ${machine()}, Chromium without a GPU,`,
    `1440 x 900, embedded database with ${rows.toLocaleString('en')} students. ${errors.length} errors in the page.\n`,
    table([['what', 'measured'], ...lines.map((line) => [...line])]),
    '',
  ].join('\n')
  const results = join(root, 'bench/results')
  mkdirSync(results, { recursive: true })
  writeFileSync(join(results, 'grid.md'), text)
  process.stdout.write(text)
  for (const error of errors) process.stderr.write(`${error}\n`)
}

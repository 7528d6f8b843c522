// Measures the load of a browser and the time of its answers: the built web, served by the product,
// in Chromium.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { browserPath } from '../../scripts/browser.ts'
import { machine } from '../lists/report.ts'
import { quantile, table } from '../measure.ts'
import { dataDir, password, root, type Running, startServer } from '../place.ts'
import { interactions } from './interactions.ts'
import { type Load, watchLoads } from './loads.ts'

const captcha = 'AAAA'
const mobile = '13800000001'
const results = join(root, 'bench/results')
const encodings = ['gzip', 'br'] as const

/** Needs the built web (`npm run build`). Measures it and keeps the tables. */
export async function benchBundle(): Promise<void> {
  const server = await startServer({
    APP_ENV: 'test',
    CAPTCHA_DRIVER: 'fixed',
    CAPTCHA_FIXED: captcha,
  })
  const browser = await chromium.launch({
    executablePath: browserPath(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  })
  try {
    const loads = [['page', 'KB gzip', 'KB Brotli', 'requests', 'of them /api'] as string[]]
    const states = {
      student: await saveSignedInState(browser, (page) => enterAsStudent(page, server)),
      staff: await saveSignedInState(browser, (page) => enterAsStaff(page, server)),
    }
    for (const { name, state, path, shown } of listBenchPages(states)) {
      const found: Load[] = []
      for (const encoding of encodings)
        found.push(await measureLoad(browser, state, server.url + path, shown, encoding))
      const kilobytes = found.map(({ bytes }) => (bytes / 1024).toFixed(0))
      loads.push([name, ...kilobytes, String(found[0]?.requests), String(found[0]?.calls)])
      if (process.env.BENCH_FILES === '1')
        process.stderr.write(`${name}\n  ${found[0]?.files.join('\n  ')}\n`)
    }
    const paints = [['at 4 times slower CPU', 'median ms', 'slowest ms']]
    for (const { what, durations } of await interactions(browser, states.staff, server.url))
      paints.push([
        what,
        quantile(durations, 0.5).toFixed(0),
        (durations.at(-1) ?? Number.NaN).toFixed(0),
      ])
    writeBundleResults(`${table(loads)}\n\n${table(paints)}`)
  } finally {
    await browser.close()
    await server.stop()
  }
}

type State = Awaited<ReturnType<BrowserContext['storageState']>>

/** Each with what is on the screen once it is complete. */
function listBenchPages({ student, staff }: Readonly<Record<'student' | 'staff', State>>) {
  const form = '#student-mobile, #account'
  return [
    { name: 'sign-in', state: undefined, path: '/', shown: form },
    { name: "student's page", state: student, path: '/', shown: 'main li button' },
    { name: 'console, home', state: staff, path: '/', shown: '.jw-home' },
    {
      name: 'console, a list',
      state: staff,
      path: '/#/entity/EDU_STUDENT/search',
      shown: 'main tbody tr[data-row], main tbody tr td',
    },
  ]
}

/** A cold load: a new browser profile without a cache. */
async function measureLoad(
  browser: Browser,
  state: State | undefined,
  address: string,
  shown: string,
  encoding: (typeof encodings)[number],
): Promise<Load> {
  const context = await newContext(browser, state)
  const page = await context.newPage()
  const load = await watchLoads(page, encoding)
  await page.goto(address)
  await page.locator(shown).first().waitFor()
  await page.waitForLoadState('networkidle')
  await context.close()
  return load()
}

function newContext(browser: Browser, state?: State) {
  return browser.newContext({
    ...(state === undefined ? {} : { storageState: state }),
    locale: 'zh-CN',
    viewport: { width: 1440, height: 900 },
  })
}

async function saveSignedInState(
  browser: Browser,
  enter: (page: Page) => Promise<void>,
): Promise<State> {
  const context = await newContext(browser)
  const page = await context.newPage()
  await enter(page)
  const state = await context.storageState()
  await context.close()
  return state
}

async function enterAsStaff(page: Page, { url }: Running): Promise<void> {
  await page.goto(`${url}/#/login?as=staff`)
  await page.fill('#account', 'admin')
  await page.fill('#password', password)
  await page.keyboard.press('Enter')
  await page.locator('.jw-home').waitFor()
}

async function enterAsStudent(page: Page, { url }: Running): Promise<void> {
  await page.goto(`${url}/#/login?as=student`)
  await page.fill('#student-mobile', mobile)
  await page.getByRole('button', { name: '获取验证码' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill(captcha)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.fill('#student-code', await sentCode())
  await page.keyboard.press('Enter')
  await page.locator('main li button').first().waitFor()
}

/** The code of the last message in the outbox, which may be written after the answer. */
async function sentCode(): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const text = (() => {
      try {
        return readFileSync(join(dataDir, 'outbox/sms.jsonl'), 'utf8')
      } catch {
        return ''
      }
    })()
    const line = text.trimEnd().split('\n').at(-1) ?? ''
    if (line !== '') return (JSON.parse(line) as { params: { code: string } }).params.code
    await new Promise((resolve) => {
      setTimeout(resolve, 100)
    })
  }
  throw new Error('no message was sent')
}

function writeBundleResults(tables: string): void {
  const text = [
    '# What the browser loads\n',
    `\`npm run bench -- bundle\`, ${new Date().toISOString().slice(0, 10)}, ${machine()}, Chromium. Each page is loaded by a new profile without a cache;`,
    'bytes are those on the network with headers, answers of the API included. The lower table says how long after an input the next frame was painted',
    '(Event Timing), of seven times each.\n',
    tables,
    '',
  ].join('\n')
  mkdirSync(results, { recursive: true })
  writeFileSync(join(results, 'bundle.md'), text)
  process.stdout.write(text)
}

import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { build, loadConfigFromFile, mergeConfig, type Plugin } from 'vite'
import { withSecurityHeaders } from '../../../apps/server/src/http/requests/security-headers.ts'
import type { MachineName } from '../../machines/registry.ts'
import { launchBrowser } from '../../support/browser/browser.ts'
import type { Harness } from './chromium-entry.ts'
import type { Replay, Told } from '../recipes/replay-path.ts'
import type { Walk, WalkOptions } from '../walk-part.ts'

declare const harness: Harness

export interface BuiltApp {
  parts(machine: MachineName): Promise<readonly string[]>
  walk(options: WalkOptions): Promise<Walk>
  /** Repeats one path and tells its course; the page waits while `tell` does. */
  replay(wanted: Replay, tell: (told: Told) => Promise<void>): Promise<Told>
  close(): Promise<void>
}

/**
 * Builds the app with its own Vite configuration: its page and, as a second entry over the same
 * chunks, the web drivers. So the walks use minified code, React's production build, the server's
 * content policy, and a browser with real events, focus, layout and style.
 */
export async function openBuiltApp({ isHeaded = false } = {}): Promise<BuiltApp> {
  const folder = mkdtempSync(join(tmpdir(), 'jiaowu-paths-'))
  await buildInto(folder)
  const browser = await launchBrowser(isHeaded)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const faults: string[] = []
  const page = await openPage(browser, faults)
  await serveFiles(page, folder, files)
  await page.goto('http://paths.test/')
  await page.waitForFunction(() => 'harness' in globalThis)
  await importLazyChunks(page, files)
  return {
    parts: (machine) => page.evaluate((name) => harness.parts(name), machine),
    // Errors of the browser itself (exceptions, violations of the content policy) fail the walk.
    walk: async (options) => {
      faults.length = 0
      const walk = await page.evaluate((given) => harness.walk(given) as Promise<Walk>, options)
      return faults.length === 0
        ? walk
        : { ...walk, failures: [...walk.failures, ...new Set(faults)] }
    },
    replay: async (wanted, tell) => {
      await page.exposeFunction('tellReplay', tell)
      return await page.evaluate((given) => harness.replay(given), wanted)
    },
    close: async () => {
      await browser.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function buildInto(folder: string): Promise<void> {
  const here = import.meta.dirname
  const web = join(here, '../../../apps/web')
  // Vite reads NODE_ENV, which is `test` here.
  const { NODE_ENV } = process.env
  process.env.NODE_ENV = 'production'
  const found = await loadConfigFromFile(
    { command: 'build', mode: 'production' },
    join(web, 'vite.config.ts'),
  )
  if (found === null) throw new Error('the web has no Vite configuration')
  // The drivers compare with texts of every page, in both languages: this build carries all of them.
  // Files are grouped for the product's pages alone.
  const plugins = found.config.plugins?.flat() as Plugin[] | undefined
  const config = {
    ...found.config,
    plugins: plugins?.filter(({ name }) => name !== 'texts-by-language'),
    build: { ...found.config.build, rolldownOptions: {} },
  }
  const own = {
    configFile: false as const,
    logLevel: 'error' as const,
    mode: 'production',
    define: { 'process.env': '{}', 'process.env.NODE_ENV': '"production"' },
    resolve: {
      alias: {
        'node:timers/promises': join(here, 'chromium-shims.ts'),
        'node:module': join(here, 'chromium-module.ts'),
      },
    },
    build: {
      outDir: folder,
      emptyOutDir: true,
      chunkSizeWarningLimit: 100_000,
      reportCompressedSize: false,
      rollupOptions: {
        input: { app: join(web, 'index.html'), paths: join(here, 'chromium-entry.ts') },
      },
    },
  }
  await build(mergeConfig(config, own))
  process.env.NODE_ENV = NODE_ENV
}

/** Exceptions and violations of the content policy are added to `faults`. */
async function openPage(browser: Browser, faults: string[]): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'zh-CN',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  page.on('pageerror', ({ message }) => faults.push(message))
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted/.test(message.text())) faults.push(message.text())
  })
  await page.addInitScript(shortenPauses)
  await page.exposeFunction('photograph', async () =>
    (await page.screenshot({ animations: 'disabled' })).toString('base64'),
  )
  return page
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Answers requests of the page from the built files; `/` is a page that loads the drivers. */
async function serveFiles(page: Page, folder: string, files: readonly string[]): Promise<void> {
  const named = (pattern: RegExp) => files.filter((name) => pattern.test(name))
  const sheets = named(/\.css$/)
    .map((name) => `<link rel="stylesheet" href="/${name}">`)
    .join('')
  const entry = named(/^assets\/paths-[^/]*\.js$/)
    .map((name) => `<script type="module" src="/${name}"></script>`)
    .join('')
  await page.route('**/*', async (route) => {
    const name = new URL(route.request().url()).pathname.slice(1)
    if (name === '')
      await route.fulfill({
        headers: {
          ...Object.fromEntries(withSecurityHeaders(new Response(), { id: '' }).headers),
          'content-type': types['.html'] ?? '',
        },
        body: `<!doctype html><html lang="zh-CN"><meta charset="utf-8">${sheets}<body>${entry}</body></html>`,
      })
    else if (files.includes(name))
      await route.fulfill({
        contentType: types[extname(name)] ?? 'application/octet-stream',
        body: readFileSync(join(folder, name)),
      })
    else await route.fulfill({ status: 404, body: '' })
  })
}

/**
 * Loads the lazy chunks before any walk: a fetch takes real time, and the clock of a walk stands
 * still. Without `#root` the app itself does not start.
 */
async function importLazyChunks(page: Page, files: readonly string[]): Promise<void> {
  const chunks = files.filter(
    (name) => /^assets\/[^/]*\.js$/.test(name) && !name.includes('worker'),
  )
  await page.evaluate(
    `Promise.all(${JSON.stringify(chunks)}.map((name) => import('/' + name))).then(() => {})`,
  )
}

/**
 * React keeps a placeholder for at least 300 ms, with timers it captured before time was frozen.
 * This makes those run in the next turn. Runs in the page, before anything else.
 */
function shortenPauses(): void {
  const { port1, port2 } = new MessageChannel()
  const waiting = new Map<number, () => void>()
  let last = 1_000_000
  port1.onmessage = ({ data }: MessageEvent<number>) => {
    const call = waiting.get(data)
    waiting.delete(data)
    call?.()
  }
  const { clearTimeout: clear } = globalThis
  Object.assign(globalThis, {
    setTimeout: (call: (...args: unknown[]) => void, _ms?: number, ...args: unknown[]) => {
      last += 1
      waiting.set(last, () => call(...args))
      port2.postMessage(last)
      return last
    },
    clearTimeout: (id: number | undefined) => {
      if (id === undefined || !waiting.delete(id)) clear(id)
    },
  })
}

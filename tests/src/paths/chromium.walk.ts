import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll } from 'vitest'
import { pdfData } from '../../../apps/web/vite-pdf-data.ts'
import type { MachineName } from '../models/registry.ts'
import { launchBrowser } from '../support/browser.ts'
import type { Harness } from './chromium-entry.ts'
import { optionsOf, walkTest, wantedMachines } from './walk.ts'
import type { Walk, WalkOptions } from './walk-part.ts'

declare const harness: Harness

// The same drivers as in the emulated browser, bundled for a real one: its own events, focus, layout and style sheets.
const folder = mkdtempSync(join(tmpdir(), 'jiaowu-paths-'))
const here = import.meta.dirname
await build({
  configFile: false, root: here, logLevel: 'error', mode: 'development', plugins: [pdfData()],
  define: { 'process.env.NODE_ENV': '"development"', 'process.env': '{}', global: 'globalThis' },
  resolve: { alias: { 'node:timers/promises': join(here, 'chromium-shims.ts'), 'node:module': join(here, 'chromium-module.ts') } },
  build: { outDir: folder, emptyOutDir: true, minify: false, target: 'esnext', modulePreload: false, chunkSizeWarningLimit: 100_000, rollupOptions: { input: join(here, 'chromium-entry.ts'), output: { entryFileNames: 'entry.js' } } },
})
const browser = await launchBrowser()
afterAll(async () => { await browser.close(); rmSync(folder, { recursive: true, force: true }) })

const types: Readonly<Record<string, string>> = { '.js': 'text/javascript; charset=utf-8', '.css': 'text/css', '.html': 'text/html; charset=utf-8' }
const files = new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }))
const sheets = [...files].filter((name) => name.endsWith('.css')).map((name) => `<link rel="stylesheet" href="/${name}">`).join('')
const page: Page = await (await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'zh-CN' })).newPage()
await page.route('**/*', async (route) => {
  const name = new URL(route.request().url()).pathname.slice(1)
  if (name === '') await route.fulfill({ contentType: types['.html'] ?? '', body: `<!doctype html><meta charset="utf-8">${sheets}<body><script type="module" src="/entry.js"></script>` })
  else if (files.has(name)) await route.fulfill({ contentType: types[extname(name)] ?? 'application/octet-stream', body: readFileSync(join(folder, name)) })
  else await route.fulfill({ status: 404, body: '' })
})
await page.goto('http://paths.test/')
await page.waitForFunction(() => 'harness' in globalThis)

for (const machine of wantedMachines()) for (const part of await page.evaluate((name) => harness.parts(name as MachineName), machine as string)) {
  const options = optionsOf(machine, 'chromium', part)
  walkTest(options, () => page.evaluate((given) => harness.walk(given as WalkOptions) as Promise<Walk>, options))
}

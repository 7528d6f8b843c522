import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Picture } from '@jiaowu/path-tests'
import type { Walk } from '../walk-part.ts'

const web = join(import.meta.dirname, '../../../apps/web')
const resolve = createRequire(join(web, 'package.json')).resolve

/**
 * Writes the pictures of failures beside the report. Then `data` of a page is its file name (`png`,
 * or `html` without a browser); the text of a terminal stays.
 */
export async function keepPictures(out: string, walks: readonly Walk[]): Promise<readonly Walk[]> {
  if (
    !walks.some(({ pictures }) =>
      pictures.some((picture) => picture !== null && picture.kind !== 'text'),
    )
  )
    return walks
  mkdirSync(join(out, 'pictures'), { recursive: true })
  const pages: string[] = []
  const kept = walks.map((walk) => ({
    ...walk,
    pictures: walk.pictures.map((picture, index): Picture | null => {
      if (picture === null || picture.kind === 'text') return picture
      const name = `pictures/${walk.machine}-${walk.surface}-${walk.part}-${index + 1}.${picture.kind}`
      if (picture.kind === 'html') pages.push(join(out, name))
      writeFileSync(
        join(out, name),
        picture.kind === 'png'
          ? Buffer.from(picture.data, 'base64')
          : buildPicturePage(picture.data),
      )
      return { kind: picture.kind, data: name }
    }),
  }))
  await photographPages(pages).catch(() => {}) // the pages are there
  return kept
}

function buildPicturePage(body: string): string {
  return `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><title>At the failing step</title><style>${styles()}</style><body>${body}</body></html>\n`
}

/** The style sheets of the console in one file, so that saved HTML looks as in a browser. */
function styles(): string {
  const folder = join(web, 'src/styles')
  const own = readFileSync(join(folder, 'index.css'), 'utf8').replaceAll(
    /@import '\.\/([\w-]+\.css)';/g,
    (_all, name: string) => readFileSync(join(folder, name), 'utf8'),
  )
  return [
    ...[
      '@blueprintjs/core/lib/css/blueprint.css',
      '@blueprintjs/datetime/lib/css/blueprint-datetime.css',
    ].map((name) => readFileSync(resolve(name), 'utf8')),
    own,
  ].join('\n')
}

/** Screenshots of saved pages, taken by a browser if there is one; else the pages themselves. */
async function photographPages(pages: readonly string[]): Promise<void> {
  if (pages.length === 0) return
  const { launchBrowser } = await import('../../support/browser/browser.ts')
  const browser = await launchBrowser().catch(() => null)
  if (browser === null) return
  try {
    const tab = await (
      await browser.newContext({ viewport: { width: 1280, height: 800 }, javaScriptEnabled: false })
    ).newPage()
    for (const file of pages) {
      await tab.goto(`file://${file}`)
      await tab.screenshot({ path: file.replace(/html$/, 'png') })
    }
  } finally {
    await browser.close()
  }
}

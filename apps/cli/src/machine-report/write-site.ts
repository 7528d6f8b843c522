import type { Locale } from '@jiaowu/api/locale'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { formatFailures, type Runs } from './failures.ts'
import { buildIndexPage, buildMachinePage } from './page.ts'
import type { PathBook } from './path-book.ts'

/** `pictures`: the folder of the result's pictures. */
export interface SiteOptions extends Runs {
  readonly locale: Locale
  readonly pictures: string | null
}

/** Writes the report: a page for all machines, one for each, and `paths.json`. Returns the first page. */
export async function writeSite(
  folder: string,
  book: PathBook,
  { locale, pictures, ...runs }: SiteOptions,
): Promise<string> {
  await mkdir(folder, { recursive: true })
  const write = async (file: string, text: string) => {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, await withPictures(text, pictures))
  }
  const index = join(folder, 'index.html')
  await write(index, buildIndexPage(book, { locale, failures: formatFailures(book, runs) }))
  for (const machine of book.machines) {
    const failures = hasWalk(runs, machine.id) ? formatFailures(book, runs, machine.id) : ''
    await write(
      join(folder, basename(machine.id), 'index.html'),
      buildMachinePage(machine, { locale, failures }),
    )
  }
  await writeFile(join(folder, 'paths.json'), `${JSON.stringify(book, null, 1)}\n`)
  return index
}

function hasWalk({ result }: Runs, machine: string): boolean {
  return result?.walks.some((walk) => walk.machine === machine) === true
}

/** Pictures of a walk are put into the page, so that it can be sent to somebody by itself. */
async function withPictures(text: string, folder: string | null): Promise<string> {
  const places = [...text.matchAll(/src="data:," data-picture="([^"]+)"/g)]
  let shown = text
  for (const [place, name = ''] of places) {
    const file = folder === null ? '' : join(folder, basename(name))
    const data = existsSync(file) ? (await readFile(file)).toString('base64') : ''
    shown = shown.replace(place, () => `src="data:image/png;base64,${data}"`)
  }
  return shown
}

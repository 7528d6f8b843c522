// Reports the import's readings of sheets as people make them, beside another checkout
// (BENCH_BEFORE); writes the last part of docs/imports.md.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dirtyFiles } from '../../tests/server/import/dirty/files.ts'
import {
  compareOutcome,
  type Outcome,
  importToOutcome,
} from '../../tests/server/import/dirty/outcome.ts'
import type { DirtyFile } from '../../tests/server/import/dirty/parts.ts'
import { folder, root, seed, startServer } from '../place.ts'

export async function benchDirty(): Promise<void> {
  const before = process.env.BENCH_BEFORE
  if (before === undefined) {
    process.stderr.write('BENCH_BEFORE names the other checkout\n')
    return
  }
  const earlier = await outcomesIn(before, 'before')
  const now = await outcomesIn(root, 'now')
  const file = join(root, 'docs/imports.md')
  const [above = ''] = readFileSync(file, 'utf8').split(heading)
  writeFileSync(file, above + formatDirtyPage(earlier, now))
}

const heading = '## Sheets as people make them'

function formatDirtyPage(earlier: readonly string[], now: readonly string[]): string {
  return [
    heading,
    '',
    `${dirtyFiles.length} files made by [a script](../tests/server/import/dirty/files.ts), each imported as students; what is expected is what a`,
    `registrar means by it. ${asMeant(now)} come out so, and ${asMeant(earlier)} did at commit 70354d26, before sheets were read as people make them. Where a`,
    'file did not, the table says what came instead. A test imports each of them; cells of every usual form are',
    '[tested apart](../tests/server/import/dirty/cells.ts).',
    '',
    'Written by `BENCH_BEFORE=CHECKOUT npm run bench -- dirty`, with a checkout of that commit.',
    '',
    '| file | expected | before | now |',
    '|---|---|---|---|',
    ...dirtyFiles.map(
      (file, i) =>
        `| ${file.what} | ${formatExpectation(file)} | ${cell(earlier[i])} | ${cell(now[i])} |`,
    ),
    '',
  ].join('\n')
}

const asMeant = (found: readonly string[]) => found.filter((difference) => difference === '').length

/** For each file where it is not as expected; empty: it is. */
async function outcomesIn(checkout: string, name: string): Promise<string[]> {
  const data = join(folder, `dirty-${name}`)
  mkdirSync(data, { recursive: true })
  seed(100, checkout, data)
  const server = await startServer({ DATA_DIR: data }, checkout)
  const found: string[] = []
  for (const file of dirtyFiles) {
    const outcome = await importToOutcome(server.api, await file.file()).catch(
      (error: unknown): Outcome => ({ refused: String(error) }),
    )
    found.push(compareOutcome(file, outcome).join('; '))
  }
  await server.stop()
  return found
}

function cell(difference: string | undefined): string {
  return difference === '' ? '✓' : (difference ?? '').replaceAll('|', '/').replaceAll('\n', ' ')
}

function formatExpectation({ refused, asks, wrong, rows, note }: DirtyFile): string {
  if (refused !== undefined) return `named: ${refused}`
  if (asks !== undefined) return `asks: ${asks}`
  if (wrong !== undefined) return `wrong: ${wrong.join(', ')}`
  return [
    rows === undefined ? 'read' : `${rows} ${rows === 1 ? 'row' : 'rows'}`,
    ...(note === undefined ? [] : [`said: ${note}`]),
  ].join(', ')
}

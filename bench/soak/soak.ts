// Whether the console keeps memory over a day: the same work in rounds, and the heap after each few.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openConsole } from '../console.ts'
import { machine } from '../lists/report.ts'
import { table } from '../measure.ts'
import { root, startServer } from '../place.ts'
import { census, growth, type HeapSize, sizeAfterCollection, snapshotText } from './heap.ts'
import { workRound } from './rounds.ts'

const warmUp = 3
const roundsBetween = 3

interface Measured extends HeapSize {
  readonly round: number
  readonly minutes: number
}

/** Needs the built web. `minutes` of work after the first rounds, which load code and fill caches. */
export async function benchSoak(minutes: number): Promise<void> {
  const server = await startServer({ APP_ENV: 'test' })
  const { browser, page, errors } = await openConsole(server.url, { reducedMotion: 'reduce' })
  try {
    for (let round = 0; round < warmUp; round += 1) await workRound(page, server.url)
    const session = await page.context().newCDPSession(page)
    const found: Measured[] = []
    const start = performance.now()
    const passed = () => (performance.now() - start) / 60_000
    const measure = async (round: number) => {
      found.push({ round, minutes: passed(), ...(await sizeAfterCollection(session)) })
      process.stderr.write(`${JSON.stringify(found.at(-1))}\n`)
    }
    await measure(0)
    const before = await census(session)
    for (let round = 1; passed() < minutes; round += 1) {
      await workRound(page, server.url)
      if (round % roundsBetween === 0) await measure(round)
    }
    const grown = growth(before, await census(session))
    if (process.env.SOAK_SNAPSHOT !== undefined)
      writeFileSync(process.env.SOAK_SNAPSHOT, await snapshotText(session))
    writeSoakResults(found, grown, errors)
  } finally {
    await browser.close()
    await server.stop()
  }
}

function writeSoakResults(
  found: readonly Measured[],
  grown: readonly string[],
  errors: readonly string[],
): void {
  const rows = found.map(({ round, minutes, heap, nodes, listeners }) => [
    String(round),
    minutes.toFixed(1),
    (heap / 2 ** 20).toFixed(2),
    String(nodes),
    String(listeners),
  ])
  const text = [
    '# Memory of the console over time\n',
    `\`npm run bench -- soak\`, ${new Date().toISOString().slice(0, 10)}, ${machine()}, Chromium. After each ${roundsBetween} rounds the garbage is`,
    'collected and the rest counted. A round searches, sorts and pages a list, opens its column menu, filter, forms and views, edits a cell in the grid',
    `and undoes it, opens three more lists and closes their tabs. ${errors.length} errors in the page.\n`,
    table([['round', 'minutes', 'heap MB', 'DOM nodes', 'listeners'], ...rows]),
    '\nWhat there is more of at the end:\n',
    ...grown.slice(0, 12).map((line) => `- ${line}`),
    '',
  ].join('\n')
  const results = join(root, 'bench/results')
  mkdirSync(results, { recursive: true })
  writeFileSync(join(results, 'soak.md'), text)
  process.stdout.write(text)
  for (const error of errors) process.stderr.write(`${error}\n`)
}

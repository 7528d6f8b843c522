// Which of the tests that a change can affect `npm test -- --changed` runs: as many as fit into half a
// minute, by the seconds of earlier runs. The others are named, and are left to `npm run test:all`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { compareCodes } from '../packages/api/src/compare-names.ts'

const root = join(import.meta.dirname, '..')

/** Where the seconds of earlier runs are kept. */
export const secondsFile = join(root, 'node_modules', '.cache', 'test-seconds.json')

/** Seconds by test file, relative to the repository. */
export type Seconds = Readonly<Record<string, number>>

export interface Choice {
  readonly chosen: readonly string[]
  readonly left: readonly string[]
}

const workers = 2
/**
 * Times of files that never ran here: those of browsers, of servers that are started or killed, of
 * walks.
 */
const usualSeconds: readonly (readonly [path: RegExp, seconds: number])[] = [
  [/^tests\/machines\/entity-list\/entity-list\.test/, 100],
  [/^tests\/journeys\//, 60],
  [/^tests\/(?:crash|start)\/|\.system\.test/, 45],
  [/^tests\/paths\/documents\/|^tests\/cli\/|^tests\/machines\/[^/]+\/web\.test/, 30],
  [/^tests\//, 15],
]
const usualSecondsBeside = 3
/** Seconds of a file that no test counts: its modules, and its hooks. */
const loading = 2
const generic: readonly string[] = [
  'src',
  'test',
  'tests',
  'packages',
  'apps',
  'ts',
  'tsx',
  'index',
]

/**
 * Changed tests always run. Then come those whose paths share the most words with a changed file, and
 * of equal ones the quickest, while they fit.
 * @param budget seconds that the chosen files may take on two workers
 */
export function chooseTests(
  affected: readonly string[],
  changed: readonly string[],
  seconds: Seconds,
  budget: number,
): Choice {
  const changedWords = changed.map(listPathWords)
  const ranked = affected
    .map((file) => ({
      file,
      isChanged: changed.includes(file),
      near: Math.max(
        0,
        ...changedWords.map((words) => countSharedWords(words, listPathWords(file))),
      ),
      takes: takes(file, seconds),
    }))
    .toSorted(
      (a, b) =>
        Number(b.isChanged) - Number(a.isChanged) ||
        b.near - a.near ||
        a.takes - b.takes ||
        compareCodes(a.file, b.file),
    )
  let sum = 0
  const chosen = ranked.filter(({ isChanged, takes }) => {
    const fits = isChanged || (sum + takes + loading) / workers <= budget
    if (fits) sum += takes + loading
    return fits
  })
  return {
    chosen: chosen.map(({ file }) => file),
    left: ranked.filter((each) => !chosen.includes(each)).map(({ file }) => file),
  }
}

/** A path as in the keys of `Seconds`. */
export function inRepository(file: string): string {
  return relative(root, file).split(sep).join('/')
}

/** Seconds that a test file takes: of its last run, or by its place where it never ran. */
function takes(file: string, seconds: Seconds): number {
  return seconds[file] ?? usualSeconds.find(([path]) => path.test(file))?.[1] ?? usualSecondsBeside
}

function listPathWords(file: string): ReadonlySet<string> {
  return new Set(file.split(/[/.]/).filter((word) => !generic.includes(word)))
}

function countSharedWords(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return [...a].filter((word) => b.has(word)).length
}

/** Empty where no run has been kept. */
export function readSeconds(file: string): Seconds {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Seconds
  } catch {
    return {}
  }
}

/** Keeps the seconds of a run beside those of files that did not run. */
export function keepSeconds(file: string, run: Seconds): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ ...readSeconds(file), ...run }))
}

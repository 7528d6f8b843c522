// Functions are verbs and comments are statements (docs/rules/design.md#names-and-comments). The
// numbers only fall: who lowers one writes the lower number here.
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  isBareWord,
  isGenitive,
  listFragments,
  listFunctions,
  listRepeated,
  type NamedFunction,
} from './names.ts'

const root = resolve(import.meta.dirname, '../..')

const budgets: Readonly<Record<string, Budget>> = {
  'apps/cli': { genitives: 0, bareWords: 0, fragments: 0 },
  'apps/server': { genitives: 9, bareWords: 2, fragments: 1 },
  'apps/web': { genitives: 0, bareWords: 0, fragments: 0 },
  bench: { genitives: 0, bareWords: 0, fragments: 0 },
  'packages/api': { genitives: 0, bareWords: 0, fragments: 0 },
  'packages/machines': { genitives: 0, bareWords: 0, fragments: 0 },
  'packages/mock': { genitives: 0, bareWords: 0, fragments: 0 },
  'packages/path-tests': { genitives: 0, bareWords: 0, fragments: 0 },
  'packages/validation': { genitives: 0, bareWords: 0, fragments: 0 },
  scripts: { genitives: 0, bareWords: 0, fragments: 0 },
  tests: { genitives: 0, bareWords: 0, fragments: 0 },
}

/** Names that stand in more than four files, such as `isIn` of the machines' rules. */
const repeatedNames = 5

interface Budget {
  /** Functions called `...Of`. */
  readonly genitives: number
  /** Functions called by a participle or pronoun alone. */
  readonly bareWords: number
  /** Comments that begin with What, Who, Whose, Those or Of. */
  readonly fragments: number
}

interface Found {
  readonly genitives: string[]
  readonly bareWords: string[]
  readonly fragments: string[]
}

const found = new Map<string, Found>()
const functions: NamedFunction[] = []

beforeAll(async () => {
  const patterns = ['{apps,packages}/*/**/*.{ts,tsx}', '{tests,bench,scripts}/**/*.{ts,tsx}']
  const exclude = ['**/node_modules/**', '**/dist/**', '**/*.d.ts']
  for await (const path of glob(patterns, { cwd: root, exclude })) {
    const file = path.replaceAll('\\', '/')
    const source = readFileSync(resolve(root, file), 'utf8')
    const named = listFunctions(source, file)
    functions.push(...named)
    const place = findWorkspace(file)
    const lists = found.get(place) ?? { genitives: [], bareWords: [], fragments: [] }
    found.set(place, lists)
    lists.genitives.push(...named.filter(({ name }) => isGenitive(name)).map(formatFunction))
    lists.bareWords.push(...named.filter(({ name }) => isBareWord(name)).map(formatFunction))
    lists.fragments.push(...listFragments(source).map((text) => `${file}: ${text}`))
  }
}, 60_000)

describe.each(Object.entries(budgets))('%s', (place, budget) => {
  it.each(['genitives', 'bareWords', 'fragments'] as const)('has no more %s', (kind) => {
    const list = found.get(place)?.[kind] ?? []
    expect(list.length, list.join('\n')).toBeLessThanOrEqual(budget[kind])
  })
})

it('every workspace has a budget', () => {
  expect([...found.keys()].filter((place) => !Object.hasOwn(budgets, place))).toEqual([])
  expect(functions.length).toBeGreaterThan(5_000)
})

it('a name stands in at most four files, or is one of few', () => {
  const repeated = listRepeated(functions)
  expect(repeated.length, repeated.join('\n')).toBeLessThanOrEqual(repeatedNames)
})

it('finds such names and comments', () => {
  const source = [
    'export const keyOf = (row) => row.id',
    'function settled() { function own() {} }',
    '<* What is read. *>',
    '<> A statement.',
    '<> Of two lines.',
    '<*\n * Who calls.\n *>',
    '<> Those are two.',
  ]
    .join('\n')
    .replaceAll('<*', '/**')
    .replaceAll('*>', '*/')
    .replaceAll('<>', '//')
  const names = listFunctions(source, 'a.ts').map(({ name }) => name)
  expect(names).toEqual(['settled', 'own', 'keyOf'])
  expect(names.filter(isGenitive)).toEqual(['keyOf'])
  expect(['settled', 'own', 'read', 'seed'].filter(isBareWord)).toEqual(['settled', 'own'])
  expect(listFragments(source)).toEqual(['What is read. */', 'Who calls.', 'Those are two.'])
})

function findWorkspace(file: string): string {
  const [first = '', second = ''] = file.split('/')
  return first === 'apps' || first === 'packages' ? `${first}/${second}` : first
}

function formatFunction({ name, file }: NamedFunction): string {
  return `${name} ${file}`
}

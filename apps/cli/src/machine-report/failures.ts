import { escapeHtml } from '@jiaowu/api/escape-html'
import { bothLanguages } from './chart.ts'
import { pageWords } from './page-words.ts'
import type { BookMachine, PathBook, Sentence } from './path-book.ts'
import {
  type Difference,
  type FailedPath,
  type FailureGroup,
  groupFailures,
  listFailedPaths,
  type RunResult,
} from './run-result.ts'

const formatWord = (name: keyof typeof pageWords): string => bothLanguages(pageWords[name])

const surfaces: Readonly<Record<string, Sentence>> = {
  bare: { zh: '只有程序逻辑', en: 'the logic alone' },
  web: { zh: '网页（模拟浏览器）', en: 'the web (emulated browser)' },
  chromium: { zh: '网页（Chromium）', en: 'the web (Chromium)' },
  terminal: { zh: '终端', en: 'the terminal' },
  server: { zh: '服务器', en: 'the server' },
}
const parts: Readonly<Record<string, Sentence>> = {
  says: { zh: '画面上的文字', en: 'Texts on the screen' },
  offers: { zh: '可用的操作', en: 'What can be done' },
  effects: { zh: '发出的请求和提示', en: 'Requests and messages' },
  'pending calls': { zh: '等待中的请求', en: 'Requests that wait' },
}

export interface Runs {
  readonly result: RunResult | null
  readonly against: RunResult | null
}

/** The failures of a run in words, those of one cause together; of one machine or of all. */
export function formatFailures(
  book: PathBook,
  { result, against }: Runs,
  machine?: string,
): string {
  if (result === null) return ''
  const isWanted = (each: { readonly machine: string }) =>
    machine === undefined || each.machine === machine
  const groups = groupFailures(listFailedPaths(result).filter(isWanted))
  const walked = result.walks.filter(isWanted).reduce((sum, { paths }) => sum + paths, 0)
  const before = against === null ? null : groupFailures(listFailedPaths(against).filter(isWanted))
  const head = `<h2>${formatWord('failures')} <small>${groups.length} ${formatWord('causes')} · ${walked} ${formatWord('walked')}</small></h2>`
  const body =
    groups.length === 0
      ? `<p class="ok">${formatWord('green')}</p>`
      : groups.map((group) => formatGroup(book, group, before)).join('')
  return head + (before === null ? '' : compareGroups(book, groups, before)) + body
}

function compareGroups(
  book: PathBook,
  groups: readonly FailureGroup[],
  before: readonly FailureGroup[],
): string {
  const [now, then] = [groups, before].map((list) => new Set(list.map(({ cause }) => cause)))
  const lines = [
    ...groups.map((group) => ({
      group,
      word: then?.has(group.cause) === true ? 'still' : 'fresh',
    })),
    ...before
      .filter(({ cause }) => now?.has(cause) !== true)
      .map((group) => ({ group, word: 'mended' })),
  ] as const
  const row = ({ group, word }: (typeof lines)[number]) =>
    `<tr><td class="${word === 'mended' ? 'ok' : 'bad'}">${formatWord(word as 'still' | 'fresh' | 'mended')}</td><td>${bothLanguages(nameMachine(book, group.failures[0].machine))}</td><td>${bothLanguages(nameFailingStep(book, group.failures[0]))}</td><td class="number">${group.failures.length}</td></tr>`
  return `<div class="card wide"><b>${formatWord('compared')}</b><table>${lines.map(row).join('')}</table></div>`
}

function findMachine({ machines }: PathBook, id: string): BookMachine | undefined {
  return machines.find((machine) => machine.id === id)
}

function nameMachine(book: PathBook, id: string): Sentence {
  return findMachine(book, id)?.name ?? { zh: id, en: id }
}

function nameFailingStep(book: PathBook, { machine, steps }: FailedPath): Sentence {
  return listStepWords(findMachine(book, machine)).get(steps.at(-1) ?? '') ?? pageWords.begin
}

const stepWords = new WeakMap<BookMachine, ReadonlyMap<string, Sentence>>()

/** The sentences of a machine's steps by their names in walks. */
export function listStepWords(machine: BookMachine | undefined): ReadonlyMap<string, Sentence> {
  if (machine === undefined) return new Map()
  const known = stepWords.get(machine)
  if (known !== undefined) return known
  const found = new Map(
    machine.paths.flatMap(({ again, steps }) => {
      const [, ...names] = again.split(' | ')
      return names.map((name, index) => [name, steps[index]?.do ?? pageWords.begin] as const)
    }),
  )
  stepWords.set(machine, found)
  return found
}

function formatGroup(
  book: PathBook,
  { cause, failures }: FailureGroup,
  before: readonly FailureGroup[] | null,
): string {
  const [first] = failures
  const words = listStepWords(findMachine(book, first.machine))
  const unknown = { zh: '（操作一步）', en: '(a step)' }
  const steps = first.steps.map(
    (step, at) =>
      `<li${at === first.steps.length - 1 ? ' class="fails"' : ''}><span></span><span class="no">${at + 1}</span><div class="do">${bothLanguages(words.get(step) ?? unknown)}</div></li>`,
  )
  const where = [...new Set(failures.map(({ surface }) => surface))]
    .map((name) => bothLanguages(surfaces[name] ?? { zh: name, en: name }))
    .join(' · ')
  const isKnown = before?.some((each) => each.cause === cause)
  const state =
    isKnown === undefined ? '' : ` <small>${formatWord(isKnown ? 'still' : 'fresh')}</small>`
  const more =
    failures.length === 1 ? '' : ` <small>${failures.length} × ${formatWord('same')}</small>`
  return `<section class="card failure"><h3>${bothLanguages(nameMachine(book, first.machine))}: ${bothLanguages(nameFailingStep(book, first))}${more}${state}</h3><p class="soft">${formatWord('onSurface')}: ${where}</p><ol class="steps">${steps.join('')}</ol>${formatDifferences(first.differences, words)}${formatPicture(first)}<details class="all"><summary>${formatWord('developer')}</summary>${failures.map(({ text }) => `<pre>${escapeHtml(text)}</pre>`).join('')}</details></section>`
}

function formatDifferences(
  differences: readonly Difference[],
  words: ReadonlyMap<string, Sentence>,
): string {
  const join = (sentences: readonly Sentence[]) => sentences.map(bothLanguages).join(' · ')
  const rows = describeDifferences(differences, words).map(
    ({ name, wanted, found }) =>
      `<tr><td>${bothLanguages(name)}</td><td>${join(wanted)}</td><td>${join(found)}</td></tr>`,
  )
  return rows.length === 0
    ? ''
    : `<div class="wide"><table><tr><th></th><th>${formatWord('expected')}</th><th>${formatWord('found')}</th></tr>${rows.join('')}</table></div>`
}

interface DescribedDifference {
  readonly name: Sentence
  readonly wanted: readonly Sentence[]
  readonly found: readonly Sentence[]
}

/** Differences for a person. Requests have no words, and are left to the developer. */
export function describeDifferences(
  differences: readonly Difference[],
  words: ReadonlyMap<string, Sentence>,
): readonly DescribedDifference[] {
  return differences.map(({ part, model, screen }) => ({
    name: parts[part] ?? { zh: '画面', en: 'The screen' },
    wanted: orNothing(readValues(part, model, words)),
    found: orNothing(readValues(part, screen, words)),
  }))
}

function orNothing(sentences: readonly Sentence[]): readonly Sentence[] {
  const shown = sentences.filter(({ zh }) => zh !== '')
  return shown.length === 0 ? [{ zh: '（无）', en: '(nothing)' }] : shown
}

function readValues(
  part: string,
  value: string,
  words: ReadonlyMap<string, Sentence>,
): readonly Sentence[] {
  const text = value.replace(/^"(.*)"$/s, '$1')
  if (part === 'offers')
    return text
      .split(/,(?![^(]*\))/)
      .flatMap((label) => words.get(`user:${label.replace(/\(default\)$/, '')}`) ?? [])
  const shown = part === 'effects' || part === 'pending calls' ? ['…'] : text.split('|')
  return shown.map((each) => ({ zh: each, en: each }))
}

function formatPicture({ picture }: FailedPath): string {
  if (picture === null) return ''
  if (picture.kind === 'text') return `<pre>${escapeHtml(picture.data)}</pre>`
  const file = picture.data.replace(/html$/, 'png').replace(/^.*\//, '')
  return `<p><img loading="lazy" src="data:," data-picture="${escapeHtml(file)}" alt=""></p>`
}

import type { Locale } from '@jiaowu/api/locale'
import { escapeHtml } from '@jiaowu/api/escape-html'
import { bothLanguages, drawChart } from './chart.ts'
import { pageWords } from './page-words.ts'
import type {
  BookMachine,
  BookPath,
  BookScreen,
  BookStep,
  PathBook,
  Sentence,
} from './path-book.ts'
import { reportScript } from './report-script.ts'
import { reportStyle } from './report-style.ts'

const formatWord = (name: keyof typeof pageWords): string => bothLanguages(pageWords[name])

/** A page of the report. `parts` are the failures above the content. */
export function buildMachinePage(
  machine: BookMachine,
  { locale, failures }: { readonly locale: Locale; readonly failures: string },
): string {
  const paths = machine.paths.map((path, index) => formatPath(machine, path, index))
  const content = `<p>${formatWord('place')}${locale === 'en' ? ': ' : '：'}${bothLanguages(machine.place)}</p>${failures}<h2>${formatWord('chart')}</h2><p class="soft">${formatWord('chartHint')}</p><div class="card wide">${drawChart(machine)}</div><h2>${formatWord('paths')} <small><span data-shown>${machine.paths.length}</span> ${formatWord('shown')}</small></h2><p id="picked" class="chip" hidden>${formatWord('through')}<span class="zh"></span><span class="en"></span><button type="button">×</button></p><p id="none" hidden>${formatWord('none')}</p>${paths.join('')}`
  return wrapPage(locale, machine.name, content, {
    back: '../index.html',
    list: listTitles([machine]),
    hasFilter: true,
  })
}

/** The first page: all machines, and what failed. */
export function buildIndexPage(
  { machines }: PathBook,
  { locale, failures }: { readonly locale: Locale; readonly failures: string },
): string {
  const rows = machines.map((machine) => {
    const { id, name, place, states, paths } = machine
    const steps = paths.reduce((sum, path) => sum + path.steps.length, 0)
    return `<tr data-text><td><a href="${encodeURIComponent(id)}/index.html">${bothLanguages(name)}</a><br><small>${bothLanguages(place)}</small></td><td class="number">${states.length}</td><td class="number">${paths.length}</td><td class="number">${steps}</td></tr>`
  })
  const content = `<p>${formatWord('intro')}</p>${failures}<div class="card wide"><table><thead><tr><th>${formatWord('part')}</th><th class="number">${formatWord('states')}</th><th class="number">${formatWord('paths')}</th><th class="number">${formatWord('stepCount')}</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`
  return wrapPage(locale, pageWords.title, content, {
    back: null,
    list: listTitles(machines),
    hasFilter: false,
  })
}

interface Frame {
  readonly back: string | null
  readonly list: readonly object[]
  readonly hasFilter: boolean
}

function wrapPage(
  locale: Locale,
  title: Sentence,
  content: string,
  { back, list, hasFilter }: Frame,
): string {
  const language = locale === 'en' ? 'en' : 'zh'
  const input = (id: string, type: string, words: Sentence) =>
    `<input id="${id}" type="${type}" data-zh="${escapeHtml(words.zh)}" data-en="${escapeHtml(words.en)}" placeholder="${escapeHtml(words[language])}" aria-label="${escapeHtml(`${words.zh} ${words.en}`)}">`
  const option = (value: string, words: Sentence) =>
    `<option value="${value}" data-label-zh="${words.zh}" data-label-en="${words.en}">${words[language]}</option>`
  const which = hasFilter
    ? `<select id="which" aria-label="${pageWords.result.zh} ${pageWords.result.en}">${option('', pageWords.all)}${option('open', pageWords.open)}${option('ok', pageWords.passed)}${option('bad', pageWords.failed)}</select><button type="button" id="open-all">${formatWord('unfold')}</button>`
    : ''
  const link = back === null ? '' : `<a href="${back}">← ${formatWord('back')}</a>`
  const progress = hasFilter ? '<small data-count></small>' : ''
  return `<!doctype html><html lang="${locale}" data-lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title[language])}</title><style>${reportStyle}</style></head><body><header><div class="row">${link}<h1>${bothLanguages(title)} ${progress}</h1><button type="button" data-language>${bothLanguages(pageWords.language)}</button></div><div class="tools">${input('search', 'search', pageWords.search)}${which}${input('tester', 'text', pageWords.tester)}<button type="button" id="csv">${formatWord('csv')}</button><button type="button" id="html">${formatWord('html')}</button><button type="button" onclick="print()">${formatWord('print')}</button></div></header><main>${content}</main><script type="application/json" id="paths">${JSON.stringify(list).replaceAll('<', String.raw`\u003c`)}</script><script>${reportScript}</script></body></html>\n`
}

function listTitles(machines: readonly BookMachine[]): readonly object[] {
  return machines.flatMap((machine) =>
    machine.paths.map((path) => ({
      id: path.id,
      machine: machine.name,
      title: describePath(machine, path),
    })),
  )
}

/** A path by its way: where it comes through, at most five states. */
export function describePath({ states }: BookMachine, { begin, steps, start }: BookPath): Sentence {
  const inner = new Set(states.flatMap(({ parent }) => parent ?? []))
  const names = new Map(states.filter(({ id }) => !inner.has(id)).map(({ id, name }) => [id, name]))
  const met = new Set(begin.states)
  const way: Sentence[] = []
  for (const step of steps)
    for (const id of step.states) {
      const name = names.get(id)
      if (!met.has(id) && name !== undefined) way.push(name)
      met.add(id)
    }
  const most = 5
  const join = (language: keyof Sentence) =>
    way.length === 0
      ? start[language]
      : way
          .slice(0, most)
          .map((name) => name[language])
          .join(' → ') + (way.length > most ? ' …' : '')
  return { zh: join('zh'), en: join('en') }
}

function formatPath(machine: BookMachine, path: BookPath, index: number): string {
  const numbers = (list: readonly { readonly id: string }[], ids: readonly string[]) => {
    const wanted = new Set(ids)
    return list.flatMap(({ id }, at) => (wanted.has(id) ? [at] : [])).join(' ')
  }
  const screens = [path.begin, ...path.steps]
  const states = numbers(
    machine.states,
    screens.flatMap((each) => each.states),
  )
  const taken = numbers(
    machine.transitions,
    screens.flatMap((each) => each.taken),
  )
  const steps = path.steps.map((step, at) =>
    formatStep(machine, step, path.steps[at - 1] ?? path.begin, at),
  )
  const option = (value: string, words: Sentence) =>
    `<option value="${value}" data-label-zh="${words.zh}" data-label-en="${words.en}">${words.zh}</option>`
  return `<details class="path" id="${escapeHtml(path.id)}" data-no="${index + 1}" data-s="${states}" data-t="${taken}"><summary><span class="badge">${index + 1}</span><span class="title">${bothLanguages(describePath(machine, path))}</span><small>${path.steps.length}&nbsp;${formatWord('steps')}</small></summary><div><p><b>${formatWord('begin')}</b> ${bothLanguages(path.start)} <small>${escapeHtml(path.id)}</small></p>${formatPrepare(path.prepare)}${formatBegin(path.begin)}<ol class="steps">${steps.join('')}</ol><div class="result"><select class="outcome" aria-label="${pageWords.result.zh} ${pageWords.result.en}">${option('', pageWords.undone)}${option('ok', pageWords.pass)}${option('bad', pageWords.fail)}${option('skip', pageWords.skip)}</select><input class="note" data-zh="${pageWords.note.zh}" data-en="${pageWords.note.en}" placeholder="${pageWords.note.zh}" aria-label="${pageWords.note.zh}"></div></div></details>`
}

function formatPrepare(sentences: readonly Sentence[]): string {
  return sentences
    .map((each) => `<p class="prepare"><b>${formatWord('prepare')}</b> ${bothLanguages(each)}</p>`)
    .join('')
}

function formatBegin({ see }: BookScreen): string {
  return see.length === 0
    ? ''
    : `<p class="soft">${formatWord('sees')}: ${see.map(bothLanguages).join(' · ')}</p>`
}

function formatStep(
  machine: BookMachine,
  step: BookStep,
  before: BookScreen,
  index: number,
): string {
  return `<li class="${step.kind}"><input type="checkbox" aria-label="${index + 1}"><span class="no">${index + 1}</span><div>${formatPrepare(step.prepare)}<div class="do">${bothLanguages(step.do)}</div>${step.hurry ? `<small class="hurry">${formatWord('hurry')}</small>` : ''}${formatSeen(machine, step, before)}</div></li>`
}

/** The sentences that are new on the screen, those that are gone, and where the machine is; the rest can be opened. */
function formatSeen(machine: BookMachine, step: BookScreen, before: BookScreen): string {
  const known = new Set(before.see.map(({ zh }) => zh)),
    kept = new Set(step.see.map(({ zh }) => zh))
  const lines = [
    ...step.see
      .filter(({ zh }) => !known.has(zh))
      .map((each) => `<li class="plus">${bothLanguages(each)}</li>`),
    ...before.see
      .filter(({ zh }) => !kept.has(zh))
      .map(
        (each) =>
          `<li class="minus">${bothLanguages(each)} <small>${formatWord('gone')}</small></li>`,
      ),
  ]
  const now = listNewStates(machine, step, before)
  const current =
    now.length === 0 ? '' : `${formatWord('now')} ${now.map(bothLanguages).join(' · ')}`
  const unchanged = lines.length === 0 && now.length === 0 ? formatWord('nothing') : ''
  const whole = [
    ...(step.see.length === 0 ? [] : [`<p>${step.see.map(bothLanguages).join(' · ')}</p>`]),
    ...(step.can.length === 0
      ? []
      : [`<p>${formatWord('canDo')}: ${step.can.map(bothLanguages).join(' · ')}</p>`]),
  ]
  return `<p class="now">${current}${unchanged}</p>${lines.length === 0 ? '' : `<ul class="see">${lines.join('')}</ul>`}${whole.length === 0 ? '' : `<details class="all"><summary>${formatWord('screen')}</summary>${whole.join('')}</details>`}`
}

/** The innermost states that were entered. */
function listNewStates(
  { states }: BookMachine,
  step: BookScreen,
  before: BookScreen,
): readonly Sentence[] {
  const inner = new Set(states.flatMap(({ parent }) => parent ?? []))
  const earlier = new Set(before.states)
  return step.states.flatMap((id) =>
    earlier.has(id) || inner.has(id) ? [] : (states.find((each) => each.id === id)?.name ?? []),
  )
}

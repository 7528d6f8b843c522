import { t, type TextKey, texts } from '@jiaowu/api/texts/index'
import { toTemplatePattern } from '../../surfaces/sentences.ts'
import type { Step } from '@jiaowu/path-tests'
import type { Sentence } from '../../../apps/cli/src/machine-report/path-book.ts'
import type { MachineWords, Words } from './words/machine-words.ts'
import { arrangements, chooseArrangement, commonEndings } from './words/shared.ts'

/** A step in words, and how to bring it about. */
export interface Said {
  readonly do: Sentence
  readonly arrange: Sentence | null
}

const locales = { zh: 'zh-CN', en: 'en' } as const

/** Fills the product's texts and the step's values in. @throws for a text that the product does not have */
export function fillWords([zh, en]: Words, values: unknown = {}): Sentence {
  const fill = (sentence: string, side: keyof typeof locales) =>
    sentence
      .replaceAll(/\{([a-zA-Z]+(?:\.[a-zA-Z]+)+)\}/g, (_all, key: string) => findText(key, side))
      .replaceAll(/\{(\w+)\}/g, (_all, name: string) => formatValue(values, name))
  return { zh: fill(zh, 'zh'), en: fill(en, 'en') }
}

/** Parameters of a text stand for whatever the page shows there. */
function findText(key: string, side: keyof typeof locales): string {
  if (!(key in texts)) throw new Error(`there is no text ${key}`)
  return (t as (locale: string, key: TextKey) => string)(locales[side], key as TextKey)
    .replaceAll(/\{\w+\}/g, '…')
    .replaceAll('<1/>', '')
}

function formatValue(values: unknown, name: string): string {
  const value = (values as Readonly<Record<string, unknown>> | null | undefined)?.[name]
  return typeof value === 'string' ? value.trim() : value === undefined ? '…' : String(value)
}

/** @throws for a step of which the words say nothing */
export function sayStep(words: MachineWords, step: Step): Said {
  if (step.kind === 'user')
    return {
      do: fillWords(findEvent(words, step.event.type, step.sample), step.event),
      arrange: null,
    }
  if (step.kind === 'settle') return sayAnswer(words, step)
  if (step.kind === 'time')
    return { do: fillWords(findTime(words, step.label, step.timer)), arrange: null }
  throw new Error(`no words for ${step.label}`)
}

/** The sentence of an event; that of its sample where the words have one. */
export function findEvent(words: MachineWords, type: string, sample: string | null): Words {
  const found =
    (sample === null ? undefined : words.events[`${type}(${sample})`]) ?? words.events[type]
  if (found === undefined) throw new Error(`${words.name[1]}: no words for the event ${type}`)
  return found
}

function findTime(words: MachineWords, label: string, timer: string): Words {
  const name = label
    .replace(/^after /, '')
    .replace(/ runs out$/, '')
    .replace(/ \(.*\)$/, '')
  const found = words.times?.[name] ?? words.times?.[timer]
  if (found === undefined) throw new Error(`${words.name[1]}: no words for the time ${label}`)
  return found
}

function sayAnswer(words: MachineWords, step: Extract<Step, { kind: 'settle' }>): Said {
  const { source, outcome } = step
  const call = words.calls[source]
  const ending = words.endings?.[`${source}.${outcome.name}`] ?? commonEndings[outcome.name]
  if (call === undefined || ending === undefined)
    throw new Error(`${words.name[1]}: no words for the answer ${source}.${outcome.name}`)
  const values = outcome.ok ? outcome.output : outcome.error
  const said = fillWords(ending, values)
  const asked = fillWords(call)
  return {
    do: {
      zh: `等待“${asked.zh}”的结果：${said.zh}`,
      en: `Wait for the result of ${asked.en}: ${said.en}`,
    },
    arrange: outcome.ok ? null : arrangeFailure(outcome.error),
  }
}

function arrangeFailure(error: unknown): Sentence | null {
  const problem = (error as { readonly problem?: { kind?: string; code?: number } } | null)?.problem
  const group = chooseArrangement(problem?.kind ?? '', problem?.code ?? 1)
  const found = group === null ? undefined : arrangements[group]
  return found === undefined ? null : fillWords(found)
}

/** The cause that leads from one state to the next, for the chart. */
export function sayTransition(words: MachineWords, event: string): Sentence {
  const [, kind = '', name = ''] = /^(done|error|after|snapshot) (.*)$/.exec(event) ?? []
  const timed = words.times?.[name]
  if (kind === 'after' || (kind === 'done' && timed !== undefined))
    return fillWords(findTime(words, `after ${name}`, name))
  if (kind !== '') {
    const call = words.calls[name]
    if (call === undefined) return { zh: '子步骤结束', en: 'a part of it ends' }
    const { zh, en } = fillWords(call)
    return kind === 'error'
      ? { zh: `${zh}：失败`, en: `${en}: it fails` }
      : { zh: `${zh}：成功`, en: `${en}: it succeeds` }
  }
  return event === 'always'
    ? { zh: '自动', en: 'at once' }
    : event === '*'
      ? { zh: '其他', en: 'anything else' }
      : fillWords(findEvent(words, event, null))
}

/**
 * Texts that the product has, by their Chinese form with anything in the place of parameters; those that say most
 * come first.
 */
const patterns = Object.values(texts as Readonly<Record<string, Words>>)
  .filter(([zh]) => zh.length > 3)
  .map(([zh, en]) => ({
    pattern: new RegExp(`^${toTemplatePattern(zh).replaceAll('.+', '(.+)')}$`),
    zh,
    en,
  }))
  .sort((a, b) => countSigns(b.zh) - countSigns(a.zh))

function countSigns(text: string): number {
  return text.replaceAll(/\{\w+\}/g, '').length
}
/** Reasons that servers of the models give. */
const serverReasons = new Set([
  'no',
  'down',
  'wrong',
  'prove',
  'no match',
  'gone',
  'too often',
  'captcha error!',
])
const translated = new Map<string, Sentence[]>()

/** The sentences in a text that a page shows: `field:fault,other`. */
export function translateSeen(text: string): Sentence[] {
  const known = translated.get(text)
  if (known !== undefined) return known
  const found = text.split(/[,|]/).flatMap((part): Sentence[] => {
    const bare = part.replace(/^\w+:/, '').trim()
    if (/^m\d{3}/.test(bare) || serverReasons.has(bare))
      return [{ zh: '（服务器给出的原因）', en: '(the reason that the server gives)' }]
    const [exact] = patterns.flatMap(({ pattern, zh, en }) => {
      const values = pattern.exec(bare)?.slice(1)
      if (values === undefined) return []
      const names = [...zh.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
      return [
        {
          zh: bare,
          en: en.replaceAll(
            /\{(\w+)\}/g,
            (_all, name: string) => values[names.indexOf(name)] ?? '…',
          ),
        },
      ]
    })
    return exact === undefined ? [] : [exact]
  })
  translated.set(text, found)
  return found
}

import {
  type Locale,
  type Message,
  messageText,
  t,
  type TextKey,
  type TextParams,
  texts,
} from '@jiaowu/api'

/** Whether a sentence is shown, or with which parameters (several when it is shown several times). */
type When<View> = (view: View) => boolean | TextParams | readonly TextParams[] | null | undefined
export type SentenceTable<View> = Readonly<Partial<Record<TextKey, When<View>>>>

/** A sentence of the catalogue as the page shows it. */
export function zh(key: TextKey, params?: TextParams): string {
  return translated('zh-CN', key, params)
}

function translated(locale: Locale, key: TextKey, params?: TextParams): string {
  return (t as (...given: unknown[]) => string)(locale, key, params)
}

/** A message as the page shows it; empty when there is none. */
export function sentence(message: Message | string | undefined): string {
  return message === undefined
    ? ''
    : typeof message === 'string'
      ? message
      : messageText('zh-CN', message)
}

/** A name in any language of the page, with any parameters; which one is shown is compared by `says`. */
export function inAnyLanguage(key: TextKey): RegExp {
  const both = (texts as Readonly<Record<TextKey, readonly string[]>>)[key]
  return new RegExp(`^(?:${both.map(patternOf).join('|')})$`)
}

/** Compares which sentences of a table the page shows with which it should. */
export function sentences<View>(
  table: SentenceTable<View>,
  language: () => Locale = () => 'zh-CN',
): {
  expected(view: View): string
  shown(): string
} {
  const rows = Object.entries(table) as [TextKey, When<View>][]
  const tests = {
    'zh-CN': testOf(rows.map(([key]) => texts[key][0])),
    en: testOf(rows.map(([key]) => texts[key][1])),
  }
  return {
    expected: (view) =>
      joined(
        rows.flatMap(([key, when]) => {
          const found = when(view)
          if (found === true) return [translated(language(), key)]
          if (found === false || found === null || found === undefined) return []
          return (Array.isArray(found) ? (found as TextParams[]) : [found as TextParams]).map(
            (params) => translated(language(), key, params),
          )
        }),
      ),
    shown: () => joined(textsOnPage().filter(tests[language()])),
  }
}

/** Whether a text is one of these sentences, with any parameters. */
function testOf(templates: readonly string[]): (text: string) => boolean {
  const whole = new Set(templates)
  const patterns = templates
    .filter((template) => template.includes('{'))
    .map((template) => new RegExp(`^${patternOf(template)}$`))
  return (text) => whole.has(text) || patterns.some((pattern) => pattern.test(text))
}

function joined(found: readonly string[]): string {
  return [...new Set(found)].sort().join('|')
}

/** The pattern of a text with any parameters. */
function patternOf(template: string): string {
  return template
    .split(/\{\w+\}/)
    .map(escaped)
    .join('.+')
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

/** The texts of the page, one by one; without toasts, which are compared as effects. */
export function textsOnPage(): string[] {
  const skipped = document.querySelectorAll('[data-hidden-by-mutant],.bp6-toast')
  const isSkipped = (node: Node) => [...skipped].some((each) => each.contains(node))
  const walker = document.createTreeWalker(document.body, 4)
  const found: string[] = []
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.textContent?.trim() ?? ''
    if (text !== '' && (skipped.length === 0 || !isSkipped(node))) found.push(text)
  }
  return found
}

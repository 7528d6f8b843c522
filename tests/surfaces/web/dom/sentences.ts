import type { Locale } from '@jiaowu/api/locale'
import {
  expectedSentences,
  hasParams,
  joinDistinct,
  toTemplatePattern,
  type SentenceTable,
  listTemplates,
} from '../../sentences.ts'

export { zh } from '../../sentences.ts'

/** Compares which sentences of a table the page shows with which it should. */
export function sentences<View>(
  table: SentenceTable<View>,
  language: () => Locale = () => 'zh-CN',
): {
  expected(view: View): string
  shown(): string
} {
  const tests = {
    'zh-CN': createSentenceTest(listTemplates(table, 'zh-CN')),
    en: createSentenceTest(listTemplates(table, 'en')),
  }
  return {
    expected: (view) => expectedSentences(table, view, language()),
    shown: () => joinDistinct(textsOnPage().filter(tests[language()])),
  }
}

/** Whether a text is one of these sentences, with any parameters. */
function createSentenceTest(templates: readonly string[]): (text: string) => boolean {
  const whole = new Set(templates)
  const patterns = templates
    .filter(hasParams)
    .map((template) => new RegExp(`^${toTemplatePattern(template)}$`))
  return (text) => whole.has(text) || patterns.some((pattern) => pattern.test(text))
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

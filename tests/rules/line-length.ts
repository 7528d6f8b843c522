// Lines longer than the formatter's limit that it cannot break (docs/rules/design.md).

/** Columns. The formatter aims at 100 and leaves what it cannot break. */
const longestLine = 120

export interface LongLine {
  /** From 1. */
  readonly line: number
  readonly text: string
}

/**
 * The lines of TypeScript source longer than `longestLine` columns, without those that are long
 * because of a text: a string, a template or a regular expression. Comments are no texts.
 */
export function longLines(source: string): LongLine[] {
  let template = false
  return source.split('\n').flatMap((text, index) => {
    const startsInTemplate = template
    if ((text.replaceAll('\\`', '').split('`').length - 1) % 2 === 1) template = !template
    if (text.length <= longestLine || (startsInTemplate && !isComment(text))) return []
    return isComment(text) ? (hasDirective(text) ? [] : [{ line: index + 1, text }]) : ofCode()

    function ofCode(): LongLine[] {
      const [code = '', ...comment] = withoutTexts(text).split(' // ')
      return code.length > longestLine || comment.length > 0 ? [{ line: index + 1, text }] : []
    }
  })
}

function isComment(text: string): boolean {
  return /^\s*(\/\/|\/\*|\*)/.test(text)
}

function hasDirective(text: string): boolean {
  return /oxlint-disable|https?:\/\/\S{60,}/.test(text)
}

function withoutTexts(text: string): string {
  return text
    .replace(/'(?:[^'\\]|\\.)*'/g, "''")
    .replace(/"(?:[^"\\]|\\.)*"/g, '""')
    .replace(/`(?:[^`\\]|\\.)*(`|$)/g, '``')
    .replace(/^[^`]*`(?=[,)\s.]|$)/, '``')
    .replace(/\/(?:[^/\\\s]|\\.| ){30,}\/[a-z]*/g, '//')
}

// The cells of a table in the HTML of a clipboard. Read as text: pages with Trusted Types parse no HTML.
import type { Block } from './clipboard.ts'

const part =
  /<!--[\s\S]*?-->|<(style|script|head)\b[\s\S]*?<\/\1>|<(\/?)([a-z][a-z0-9]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>|[^<]+|</gi

/** Null without a table, or with several. Merged cells hold their text once. */
export function parseHtmlTable(html: string): Block | null {
  const rows: Cell[][] = []
  let cell: Cell | null = null
  let tables = 0
  for (const [text, skipped, slash, name, attributes = ''] of html.matchAll(part)) {
    if (skipped !== undefined || text.startsWith('<!--')) continue
    const tag = `${slash ?? ''}${(name ?? '').toLowerCase()}`
    if (tag === 'table') tables += 1
    else if (tag === 'tr') {
      rows.push([])
      cell = null
    } else if (tag === 'td' || tag === 'th') {
      cell = { text: '', isKept: /white-space:\s*pre/i.test(attributes), span: spanIn(attributes) }
      rows.at(-1)?.push(cell)
    } else if (['/td', '/th', '/tr', '/table'].includes(tag)) cell = null
    else if (cell !== null && tag === 'br') cell.text += '\n'
    else if (cell !== null && name === undefined) cell.text += decodeShownText(text, cell.isKept)
  }
  return tables === 1 ? rows.map((row) => row.flatMap(repeatCellText)) : null
}

interface Cell {
  text: string
  /** Blanks stay as they are. */
  readonly isKept: boolean
  readonly span: number
}

function repeatCellText({ text, isKept, span }: Cell): string[] {
  const plain = isKept ? text : text.replace(/ *\n */g, '\n').replace(/^ +| +$/g, '')
  return [plain, ...Array.from({ length: span - 1 }, () => '')]
}

/** Columns of a merged cell; more than any sheet has is no number of columns. */
function spanIn(attributes: string): number {
  const [, digits] = /\bcolspan\s*=\s*["']?(\d{1,4})/i.exec(attributes) ?? []
  return Math.min(1000, Math.max(1, Number(digits ?? 1)))
}

/** Text as it is shown: blanks collapse, and references are the characters that they stand for. */
function decodeShownText(text: string, isKept: boolean): string {
  return (isKept ? text : text.replace(/[ \t\r\n]+/g, ' ')).replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi,
    (all: string, digits?: string, hex?: string, name?: string) => {
      if (name !== undefined) return names[name.toLowerCase()] ?? all
      const code = digits === undefined ? Number.parseInt(hex ?? '', 16) : Number(digits)
      return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : all
    },
  )
}

const names: Readonly<Record<string, string | undefined>> = Object.assign(Object.create(null), {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
})

import { ExpressionError, expressionLimits } from './ast.ts'

export interface Token {
  readonly kind: 'number' | 'string' | 'name' | 'mark' | 'end'
  readonly text: string
  readonly at: number
}

const space = /\s/
const marks = [
  '===',
  '!==',
  '==',
  '!=',
  '<=',
  '>=',
  '&&',
  '||',
  '<',
  '>',
  '!',
  '+',
  '-',
  '*',
  '/',
  '?',
  ':',
  '.',
  ',',
  '(',
  ')',
  '[',
  ']',
]
const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  "'": "'",
  '"': '"',
}

/**
 * @throws ExpressionError on a character outside the grammar, an unterminated text or more than
 * 2,000 characters
 */
export function tokenize(source: string): Token[] {
  if (source.length > expressionLimits.characters)
    throw new ExpressionError('tooLong', expressionLimits.characters)
  const tokens: Token[] = []
  let at = 0
  while (at < source.length) {
    if (space.test(source[at] ?? '')) {
      at += 1
      continue
    }
    const { token, end } = tokenAt(source, at)
    tokens.push(token)
    at = end
  }
  return [...tokens, { kind: 'end', text: '', at: source.length }]
}

function tokenAt(source: string, at: number): { token: Token; end: number } {
  const c = source[at] ?? ''
  if (c === "'" || c === '"') {
    const { text, end } = readString(source, at)
    return { token: { kind: 'string', text, at }, end }
  }
  if (/\d/.test(c)) {
    const end = findRunEnd(source, at, /[\d.]/)
    const text = source.slice(at, end)
    if (!/^\d+(\.\d+)?$/.test(text)) throw new ExpressionError('unexpected', at, text)
    return { token: { kind: 'number', text, at }, end }
  }
  if (/[A-Za-z_$]/.test(c)) {
    const end = findRunEnd(source, at, /[\w$]/)
    return { token: { kind: 'name', text: source.slice(at, end), at }, end }
  }
  const mark = marks.find((m) => source.startsWith(m, at))
  if (mark === undefined) throw new ExpressionError('character', at, c)
  return { token: { kind: 'mark', text: mark, at }, end: at + mark.length }
}

function readString(source: string, start: number): { text: string; end: number } {
  const quote = source[start]
  let text = ''
  for (let i = start + 1; i < source.length; i += 1) {
    const c = source[i] ?? ''
    if (c === quote) return { text, end: i + 1 }
    if (c === '\\') {
      i += 1
      text += escapes[source[i] ?? ''] ?? source[i] ?? ''
    } else text += c
  }
  throw new ExpressionError('unfinished', start, quote ?? '')
}

function findRunEnd(source: string, start: number, part: RegExp): number {
  let end = start
  while (end < source.length && part.test(source[end] ?? '')) end += 1
  return end
}

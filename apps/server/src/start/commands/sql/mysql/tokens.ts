// Words, names, values and marks of a statement of MySQL whose comments are gone.
import { ScriptError } from '../script-error.ts'

export type Token =
  /** A keyword or an unquoted name. */
  | { readonly kind: 'word'; readonly text: string; readonly at: number }
  /** A name in backticks. */
  | { readonly kind: 'name'; readonly text: string; readonly at: number }
  /** A string without its quotes and escapes; one character a byte. */
  | { readonly kind: 'string'; readonly text: string; readonly at: number }
  | { readonly kind: 'number'; readonly text: string; readonly at: number }
  /** `0x…`, `x'…'` and `b'…'`, as bytes. */
  | {
      readonly kind: 'bytes'
      readonly text: string
      readonly at: number
      readonly bytes: Uint8Array
    }
  | { readonly kind: 'mark'; readonly text: string; readonly at: number }

const pattern =
  /\s+|`((?:``|[^`])*)`|'((?:\\[\s\S]|''|[^'\\])*)'|"((?:\\[\s\S]|""|[^"\\])*)"|0x([0-9a-fA-F]+)\b|[xX]'([0-9a-fA-F]*)'|[bB]'([01]*)'|0b([01]+)\b|(\d+(?:\.\d*)?(?:[eE][-+]?\d+)?(?![\w$])|\.\d+(?:[eE][-+]?\d+)?)|([\w$@\u0080-\u00ff]+)|(<=>|<=|>=|<>|!=|:=|\|\||&&|[\s\S])/gy

/** The tokens of a statement; `at` counts characters of `text`. */
export function* readTokens(text: string): Generator<Token> {
  pattern.lastIndex = 0
  let at = 0
  while (at < text.length) {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found === null) throw new ScriptError(`cannot be read at ${text.slice(at, at + 40)}`)
    const token = toToken(found, at)
    at = found.index + found[0].length
    if (token !== null) yield token
  }
}

function toToken(found: RegExpExecArray, at: number): Token | null {
  const [, name, single, double, hex, quotedHex, quotedBits, bits, number, word, mark] = found
  if (name !== undefined) return { kind: 'name', text: decodeText(name.replaceAll('``', '`')), at }
  const string = single ?? double
  if (string !== undefined)
    return { kind: 'string', text: unescape(string, single === undefined ? '"' : "'"), at }
  const digits = hex ?? quotedHex
  if (digits !== undefined) return { kind: 'bytes', text: found[0], at, bytes: fromHex(digits) }
  const binary = quotedBits ?? bits
  if (binary !== undefined)
    return {
      kind: 'bytes',
      text: found[0],
      at,
      bytes: fromHex(binary === '' ? '' : BigInt(`0b${binary}`).toString(16)),
    }
  if (number !== undefined) return { kind: 'number', text: number, at }
  if (word !== undefined) return { kind: 'word', text: decodeText(word), at }
  return mark === undefined ? null : { kind: 'mark', text: mark, at }
}

function fromHex(digits: string): Uint8Array {
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex')
}

/** https://dev.mysql.com/doc/refman/8.4/en/string-literals.html, table of escape sequences */
const escapes: ReadonlyMap<string, string> = new Map([
  ['0', '\0'],
  ['b', '\b'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['Z', '\u001a'],
])

function unescape(text: string, quote: "'" | '"'): string {
  if (!text.includes('\\') && !text.includes(quote)) return text
  const marks = quote === "'" ? /\\([\s\S])|''/g : /\\([\s\S])|""/g
  return text.replace(marks, (_all, code: string | undefined) =>
    code === undefined ? quote : (escapes.get(code) ?? code),
  )
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The text of characters that are bytes of UTF-8. @throws ScriptError for other bytes */
export function decodeText(bytes: string): string {
  // eslint-disable-next-line no-control-regex
  if (!/[\u0080-\u00ff]/.test(bytes)) return bytes
  try {
    return decoder.decode(Buffer.from(bytes, 'latin1'))
  } catch (error) {
    throw new ScriptError(
      'holds bytes that are not UTF-8; write the dump again with ' +
        'mysqldump --default-character-set=utf8mb4 --hex-blob',
      { cause: error },
    )
  }
}

/** Reads tokens one after another. */
export class TokenReader {
  readonly #tokens: readonly Token[]
  #at = 0
  constructor(tokens: Iterable<Token>) {
    this.#tokens = [...tokens]
  }
  peek(ahead = 0): Token | undefined {
    return this.#tokens[this.#at + ahead]
  }
  next(): Token | undefined {
    const token = this.#tokens[this.#at]
    if (token !== undefined) this.#at += 1
    return token
  }
  /** Whether the next tokens are these words, in any case, or marks. */
  starts(...words: readonly string[]): boolean {
    return words.every((word, ahead) => isWord(this.peek(ahead), word))
  }
  /** Takes these words or marks if they are next. */
  take(...words: readonly string[]): boolean {
    if (!this.starts(...words)) return false
    this.#at += words.length
    return true
  }
  /** @throws ScriptError when something else is next */
  expect(word: string): void {
    if (!this.take(word)) throw this.unexpected(word)
  }
  /** A quoted or unquoted name. @throws ScriptError when no name is next */
  name(): string {
    const token = this.next()
    if (token?.kind === 'name' || token?.kind === 'word') return token.text
    throw this.unexpected('a name', -1)
  }
  /** The tokens between `(`, which is next, and its `)`, without both. */
  inParentheses(): Token[] {
    this.expect('(')
    const inside: Token[] = []
    for (let depth = 1; ;) {
      const token = this.next()
      if (token === undefined) throw this.unexpected(')')
      if (isWord(token, '(')) depth += 1
      if (isWord(token, ')')) depth -= 1
      if (depth === 0) return inside
      inside.push(token)
    }
  }
  unexpected(wanted: string, ahead = 0): ScriptError {
    return new ScriptError(`expected ${wanted} at ${this.peek(ahead)?.text ?? 'the end'}`)
  }
}

export function isWord(token: Token | undefined, text: string): boolean {
  return (
    token !== undefined &&
    (token.kind === 'word' || token.kind === 'mark') &&
    token.text.toLowerCase() === text
  )
}

/** Splits at commas outside of parentheses. */
export function splitAtCommas(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if (isWord(token, '(')) depth += 1
    if (isWord(token, ')')) depth -= 1
    if (depth === 0 && isWord(token, ',')) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
}

// Writes the values of an INSERT of MySQL as texts that PostgreSQL casts to the type of their column.
import { schoolTimeZone, zonedTime } from '@jiaowu/api/zoned-time'
import { ScriptError } from '../script-error.ts'
import { decodeText, isWord, type Token } from './tokens.ts'
import type { Family } from './types.ts'

export interface ValueTarget {
  readonly family: Family
  /** A BIT(n) is a number; an ENUM has these options. */
  readonly options: readonly string[]
}

export interface ValueContext {
  /** The zone of the script's timestamps: `SET TIME_ZONE`, which mysqldump writes, else the school's. */
  readonly zone: string
  readonly now: Date
  /** Told of a value that is stored otherwise. */
  readonly change: (reason: Change) => void
}
export type Change = 'zero date' | 'NUL' | 'no option'

const isDated = new Set<Family>(['date', 'local time', 'instant'])
/** 0000-00-00 and dates whose month or day is 00, which no calendar has. */
export function isZeroDate(text: string): boolean {
  return zeroDate.test(text)
}

const zeroDate = /^(?:0000-\d\d-\d\d|\d{4}-00-\d\d|\d{4}-\d\d-00)/

/** `null` for NULL. @throws ScriptError for an expression that is no value */
export function writeValue(
  tokens: readonly Token[],
  { family, options }: ValueTarget,
  context: ValueContext,
): string | null {
  const token = findValue(tokens)
  if (isWord(token, 'null')) return null
  if (token.kind === 'word') return writeWord(token.text.toLowerCase(), family, context)
  if (family === 'bytes') return `\\x${readBytes(token).toString('hex')}`
  if (family === 'boolean') return String(readBits(token) !== 0n)
  if (family === 'bits') return String(readBits(token))
  if (token.kind === 'bytes')
    return family === 'number'
      ? String(readBits(token))
      : decodeText(Buffer.from(token.bytes).toString('latin1'))
  const sign = tokens.length > 1 && isWord(tokens[0], '-') ? '-' : ''
  let text = sign + decodeText(token.text)
  if (isDated.has(family)) return writeTime(text, family, context)
  if (text.includes('\0')) {
    context.change('NUL')
    text = text.replaceAll('\0', '')
  }
  if (family === 'options' && !options.includes(text)) {
    // MySQL stores '' where a value was none of the options.
    if (text !== '') return text
    context.change('no option')
    return null
  }
  return text
}

/** The value itself, without a sign, a character set before it, or a cast around it. */
function findValue(tokens: readonly Token[]): Token {
  const [first, second] = tokens
  if (first === undefined) throw new ScriptError('a value is missing')
  const isIntroduced =
    isWord(first, '-') ||
    isWord(first, '+') ||
    (first.kind === 'word' && first.text.startsWith('_') && second?.kind !== 'mark')
  if (isIntroduced && second !== undefined && tokens.length === 2) return second
  const isCast = isWord(first, 'cast') || isWord(first, 'convert')
  if (isCast && isWord(second, '(')) {
    const end = tokens.findIndex((token) => isWord(token, 'as') || isWord(token, 'using'))
    if (end > 2) return findValue(tokens.slice(2, end))
  }
  const isCall = first.kind === 'word' && isWord(second, '(')
  if (tokens.length === 1 || isCall) return first
  throw new ScriptError(`${tokens.map(({ text }) => text).join(' ')} is no plain value`)
}

function writeWord(word: string, family: Family, { now }: ValueContext): string {
  switch (word) {
    case 'true':
      return family === 'boolean' ? 'true' : '1'
    case 'false':
      return family === 'boolean' ? 'false' : '0'
    case 'now':
    case 'sysdate':
    case 'current_timestamp':
    case 'localtime':
    case 'localtimestamp':
    case 'curdate':
    case 'current_date':
      return family === 'instant' ? now.toISOString() : zonedTime(now, schoolTimeZone)
    case 'utc_timestamp':
      return family === 'instant' ? now.toISOString() : zonedTime(now, 'UTC')
    case 'curtime':
    case 'current_time':
      return zonedTime(now, schoolTimeZone).slice(11)
    case 'unix_timestamp':
      return String(Math.floor(now.getTime() / 1_000))
    case 'uuid':
      return crypto.randomUUID()
    default:
      throw new ScriptError(`the function ${word}() cannot be read`)
  }
}

function writeTime(text: string, family: Family, { zone, change }: ValueContext): string | null {
  if (isZeroDate(text) || text === '' || text === '0') {
    change('zero date')
    return null
  }
  return family === 'instant' && !/[+-]\d\d:\d\d$/.test(text) ? `${text} ${zone}` : text
}

function readBytes(token: Token): Buffer {
  return token.kind === 'bytes' ? Buffer.from(token.bytes) : Buffer.from(token.text, 'latin1')
}

function readBits(token: Token): bigint {
  if (token.kind === 'number') return BigInt(token.text)
  if (token.kind === 'string' && /^\d+$/.test(token.text)) return BigInt(token.text)
  const hex = readBytes(token).toString('hex')
  return hex === '' ? 0n : BigInt(`0x${hex}`)
}

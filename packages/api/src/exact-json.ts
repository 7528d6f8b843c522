// The one reader of JSON. A number that a double cannot hold becomes its own text, as numbers of
// more than 15 digits have on the wire (docs/rules/contract.md#entity-data): a field of numbers
// takes the text exactly, and what takes numbers alone refuses it under its own path.

import * as v from 'valibot'

/** Facts that a reviver learns about a primitive besides its value (ECMA-262, JSON.parse). */
interface Token {
  readonly source?: string
}

/** Text without such a token holds no number that a double rounds: 16 digits, an exponent or `-0`. */
const maybeRounded = /(?:\d\.?){16}|\d[eE]|-0(?!\d)/

/**
 * Parses a JSON text. Numbers are numbers where JavaScript writes the same number back, and texts
 * with the digits of the source elsewhere: `9007199254740993`, `0.1234567890123456789`, `1e400`.
 * @throws SyntaxError when it is no JSON, and in engines without sources for unsafe numbers
 */
export function parseJson(text: string): unknown {
  return JSON.parse(text, maybeRounded.test(text) ? exactNumber : undefined) as unknown
}

/** A text of JSON within another value, such as a field of a multipart body. */
export const jsonText = v.rawTransform<string, unknown>(({ dataset, addIssue, NEVER }) => {
  try {
    return parseJson(dataset.value)
  } catch {
    addIssue({ message: 'no JSON' })
    return NEVER
  }
})

function exactNumber(_key: string, value: unknown, token?: Token): unknown {
  if (typeof value !== 'number') return value
  const source = token?.source
  if (source === undefined) {
    // Firefox before 135 and Safari before 18.4 give no source; most numbers need none.
    if (Number.isFinite(value) && Math.abs(value) < Number.MAX_SAFE_INTEGER) return value + 0
    throw new SyntaxError(`The number ${value} may have been rounded: send it as text`)
  }
  // No double has more digits than it needs; a longer text is not worth its BigInt.
  return source.length <= 400 && isSameNumber(source, String(value)) ? value + 0 : source
}

/** Whether two texts of JSON numbers stand for one number. */
export function isSameNumber(one: string, other: string): boolean {
  const [a, b] = [parseDigits(one), parseDigits(other)]
  return a !== null && b !== null && a.digits === b.digits && a.exponent === b.exponent
}

/** `-12.50e3` is the digits `-125` with the exponent 2; null for `Infinity`. */
function parseDigits(text: string): { readonly digits: string; readonly exponent: bigint } | null {
  const found = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text)
  if (found === null) return null
  const [, sign = '', whole = '', decimals = '', exponent = '0'] = found
  const all = `${whole}${decimals}`.replace(/^0+/, '')
  const digits = all.replace(/0+$/, '')
  if (digits === '') return { digits: '0', exponent: 0n }
  return {
    digits: sign === '-' ? `-${digits}` : digits,
    exponent: BigInt(exponent) - BigInt(decimals.length) + BigInt(all.length - digits.length),
  }
}

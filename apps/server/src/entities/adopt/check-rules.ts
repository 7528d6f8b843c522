// Rules of a form that check constraints on one column say: not empty, a length, a range.
import type { FieldDraft } from '@jiaowu/api/entity/definition/definition'

type Rules = NonNullable<FieldDraft['valids']>

const cast = String.raw`(?:::[a-z_ ]+(?:\(\d+(?:,\d+)?\))?)*`
const number = String.raw`\(*'?(-?\d+(?:\.\d+)?)'?\)*${cast}\)*`

/**
 * Tells what `check (length(x) = 2)`, `check (x is not null)` and `check (x between 0 and 100)` demand of a
 * value. All parts of a check must hold, so each part that is understood counts by itself.
 */
export function rulesOfChecks(
  { name, checks }: { readonly name: string; readonly checks: readonly string[] },
  isNumber: boolean,
): Rules {
  return checks.reduce<Rules>(
    (found, check) => ({ ...found, ...rulesOfCheck(check, name, isNumber) }),
    {},
  )
}

function rulesOfCheck(definition: string, column: string, isNumber: boolean): Rules {
  const body = /^CHECK \((.*)\)(?: NOT VALID)?$/s.exec(definition.trim())?.[1]
  if (body === undefined || /\sOR\s/.test(body)) return {}
  const name = String.raw`\(*(?:"${escapePattern(column.replaceAll('"', '""'))}"|${escapePattern(column)}|VALUE)\)*${cast}\)*`
  const found: { -readonly [K in keyof Rules]: Rules[K] } = {}
  for (const part of body.split(/\sAND\s/)) Object.assign(found, readPart(part, name, isNumber))
  return found
}

function readPart(part: string, name: string, isNumber: boolean): Rules {
  const matches = (pattern: string) => new RegExp(String.raw`^\(*${pattern}\)*$`, 'i').exec(part)
  if (matches(String.raw`${name} IS NOT NULL`) !== null) return { required: true }
  const [, blank] = matches(String.raw`(?:b?trim\()?${name} <> (''${cast})`) ?? []
  if (blank !== undefined) return { required: true }
  const length = matches(
    String.raw`(?:char_|character_)?length\(${name}\)* (=|>=|>|<=|<) ${number}`,
  )
  if (length !== null) return lengthRules(length[1] ?? '', Number(length[2]))
  const range = matches(String.raw`${name} (>=|>|<=|<) ${number}`)
  return range === null || !isNumber ? {} : rangeRules(range[1] ?? '', Number(range[2]))
}

/** Texts are counted in characters; the form's least length counts those above code 128 twice. */
function lengthRules(operator: string, n: number): Rules {
  const [least, most] =
    operator === '='
      ? [n, n]
      : operator.startsWith('>')
        ? [operator === '>' ? n + 1 : n, null]
        : [null, operator === '<' ? n - 1 : n]
  return {
    ...(least !== null && least > 0 && { minLength: least }),
    ...(most !== null && most > 0 && { maxChars: most }),
  }
}

/** A bound that is itself refused is left to the database, whose refusal names the check. */
function rangeRules(operator: string, n: number): Rules {
  if (operator === '>=') return { min: n }
  return operator === '<=' ? { max: n } : {}
}

const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

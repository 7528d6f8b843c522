import { type Token, tokenize } from './tokens.ts'

const plainName = /^[A-Za-z_$][\w$]*$/

/**
 * The expression with the properties that it reads from `row` renamed; everything else stays as
 * written. A name that is no identifier is written as `row["…"]`.
 * @throws ExpressionError when it cannot be split into tokens; it may still fail to parse
 */
export function renameRowProperties(source: string, rename: (name: string) => string): string {
  return renameRowReads(source, (name, property) => [rename(name), property])
}

/** A property of `row`, and the property that the expression reads from its value; null without one. */
export type RowRead = readonly [name: string, property: string | null]

/**
 * As `renameRowProperties`, together with one step into the value: `row.course.teacher` is renamed as
 * `course` and `teacher`. The property of an answer is ignored where the expression reads none.
 * @throws ExpressionError when it cannot be split into tokens
 */
export function renameRowReads(source: string, rename: (...read: RowRead) => RowRead): string {
  const tokens = tokenize(source)
  let [text, copied] = ['', 0]
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'name' || token.text !== 'row' || isMark(tokens[index - 1], '.')) continue
    const own = propertyAt(tokens, index + 1)
    if (own === null) continue
    const step = propertyAt(tokens, own.next)
    const [name, property] = rename(own.name, step?.name ?? null)
    text += source.slice(copied, own.from) + access(name)
    copied = own.to
    if (step === null || property === null) continue
    text += source.slice(copied, step.from) + access(property)
    copied = step.to
  }
  return text + source.slice(copied)
}

interface Property {
  readonly name: string
  /** Its place in the source, with the point or the brackets. */
  readonly from: number
  readonly to: number
  /** The token after it. */
  readonly next: number
}

/** The literal property that the tokens read here: `.name` or `["name"]`. */
function propertyAt(tokens: readonly Token[], index: number): Property | null {
  const [opening, property, closing] = tokens.slice(index, index + 3)
  if (opening === undefined || property === undefined) return null
  const from = opening.at
  if (isMark(opening, '.') && property.kind === 'name')
    return { name: property.text, from, to: property.at + property.text.length, next: index + 2 }
  return isMark(opening, '[') && property.kind === 'string' && isMark(closing, ']')
    ? { name: property.text, from, to: (closing?.at ?? 0) + 1, next: index + 3 }
    : null
}

function isMark(token: Token | undefined, text: string): boolean {
  return token?.kind === 'mark' && token.text === text
}

function access(name: string): string {
  return plainName.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
}

import { type Token, tokenize } from './tokens.ts'

const plainName = /^[A-Za-z_$][\w$]*$/

/**
 * The expression with the properties that it reads from `row` renamed; everything else stays as
 * written. A name that is no identifier is written as `row["…"]`.
 * @throws ExpressionError when it cannot be split into tokens; it may still fail to parse
 */
export function renameRowProperties(source: string, rename: (name: string) => string): string {
  const tokens = tokenize(source)
  let [text, copied] = ['', 0]
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'name' || token.text !== 'row' || isMark(tokens[index - 1], '.')) continue
    const [opening, property] = [tokens[index + 1], tokens[index + 2]]
    if (opening === undefined || property === undefined) continue
    if (isMark(opening, '.') && property.kind === 'name') {
      text += source.slice(copied, opening.at) + access(rename(property.text))
      copied = property.at + property.text.length
    }
    const closing = tokens[index + 3]
    if (isMark(opening, '[') && property.kind === 'string' && isMark(closing, ']')) {
      text += source.slice(copied, opening.at) + access(rename(property.text))
      copied = (closing?.at ?? 0) + 1
    }
  }
  return text + source.slice(copied)
}

function isMark(token: Token | undefined, text: string): boolean {
  return token?.kind === 'mark' && token.text === text
}

function access(name: string): string {
  return plainName.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
}

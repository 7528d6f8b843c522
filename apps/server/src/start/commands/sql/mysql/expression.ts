// Writes expressions of MySQL for PostgreSQL: names, texts and functions of another name. What is left
// may be refused by the database; the callers then leave the object out and say so.
import { decodeText, isWord, splitAtCommas, type Token } from './tokens.ts'

/** Names that every table of PostgreSQL has already. */
const systemNames = new Set(['tableoid', 'ctid', 'xmin', 'xmax', 'cmin', 'cmax'])

/** A name of the system gets an underscore. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}${systemNames.has(name) ? '_' : ''}"`
}

export function quoteText(text: string): string {
  return text.includes('\\')
    ? ` E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
    : `'${text.replaceAll("'", "''")}'`
}

const functions: ReadonlyMap<string, string> = new Map([
  ['ifnull', 'coalesce'],
  ['curdate', 'current_date'],
  ['curtime', 'localtime'],
  ['sysdate', 'now'],
  ['ucase', 'upper'],
  ['lcase', 'lower'],
  ['uuid', 'gen_random_uuid'],
])
const withoutParentheses = new Set(['current_date', 'localtime', 'current_timestamp'])
const operators: ReadonlyMap<string, string> = new Map([
  ['&&', 'and'],
  ['||', 'or'],
  ['<=>', 'is not distinct from'],
  ['!', 'not'],
  ['regexp', '~*'],
  ['rlike', '~*'],
])

/** `databases`: names that may stand before a table's and are left out. */
export function writeExpression(
  tokens: readonly Token[],
  databases: ReadonlySet<string> = new Set(),
): string {
  const words: string[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined) break
    const next = tokens[at + 1]
    if (token.kind === 'name' && databases.has(token.text) && isWord(next, '.')) at += 1
    else if (token.kind === 'word' && token.text.startsWith('_') && next?.kind === 'string')
      continue
    else if (isWord(token, 'concat') && isWord(next, '(')) {
      const end = findClosing(tokens, at + 1)
      words.push(writeConcat(tokens.slice(at + 2, end), databases))
      at = end
    } else if (token.kind === 'word' && isWord(next, '(')) {
      const lower = token.text.toLowerCase()
      const name = functions.get(lower) ?? lower
      words.push(name)
      if (withoutParentheses.has(name) && isWord(tokens[at + 2], ')')) at += 2
    } else {
      if (isWord(token, 'join') && isCrossJoin(tokens, at)) words.push('cross')
      words.push(writeToken(token))
    }
  }
  return joinWords(words)
}

/** NULL when a part is NULL, as in MySQL; PostgreSQL's own concat leaves such parts out. */
function writeConcat(tokens: readonly Token[], databases: ReadonlySet<string>): string {
  const parts = splitAtCommas(tokens).map((part) => `(${writeExpression(part, databases)})::text`)
  return `(${parts.join(' || ')})`
}

/** The place of the parenthesis that closes the one at `from`. */
function findClosing(tokens: readonly Token[], from: number): number {
  let depth = 0
  for (let at = from; at < tokens.length; at += 1) {
    if (isWord(tokens[at], '(')) depth += 1
    if (isWord(tokens[at], ')')) depth -= 1
    if (depth === 0) return at
  }
  return tokens.length
}

/** With blanks between words, but not around the point of a qualified name. */
function joinWords(words: readonly string[]): string {
  let text = ''
  for (const word of words)
    text += text === '' || word === '.' || text.endsWith('.') ? word : ` ${word}`
  return text
}

const joinKinds = ['left', 'right', 'outer', 'cross', 'natural']
const joinEnds = ['join', 'where', 'group', 'having', 'order', 'limit', 'union', ',']

/** MySQL takes a join without a condition for a cross join. */
function isCrossJoin(tokens: readonly Token[], at: number): boolean {
  if (joinKinds.some((kind) => isWord(tokens[at - 1], kind))) return false
  let depth = 0
  for (const token of tokens.slice(at + 1)) {
    if (isWord(token, '(')) depth += 1
    if (isWord(token, ')')) depth -= 1
    if (depth < 0) return true
    if (depth > 0) continue
    if (isWord(token, 'on') || isWord(token, 'using')) return false
    if (joinEnds.some((end) => isWord(token, end))) return true
  }
  return true
}

function writeToken(token: Token): string {
  if (token.kind === 'name') return quoteName(token.text)
  if (token.kind === 'string') return quoteText(decodeText(token.text))
  if (token.kind === 'bytes') return `'\\x${Buffer.from(token.bytes).toString('hex')}'::bytea`
  return operators.get(token.text.toLowerCase()) ?? token.text
}

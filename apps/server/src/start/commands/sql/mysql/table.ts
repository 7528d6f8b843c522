// Reads CREATE TABLE and the parts of ALTER TABLE of MySQL into a model of the table.
// https://dev.mysql.com/doc/refman/8.4/en/create-table.html
import { ScriptError } from '../script-error.ts'
import { decodeText, isWord, splitAtCommas, type Token, TokenReader } from './tokens.ts'

export interface Column {
  readonly name: string
  /** In lower case. */
  readonly type: string
  /** Length, precision and scale; the options of enum and set. */
  readonly size: readonly string[]
  readonly isUnsigned: boolean
  readonly isRequired: boolean
  readonly isAuto: boolean
  /** Sets itself at each change. */
  readonly touches: boolean
  /** `null` without one. */
  readonly fallback: readonly Token[] | null
  /** The expression of a generated column. */
  readonly generated: readonly Token[] | null
  readonly comment: string
}

/** A part of a key: a column with the length of its prefix, or an expression. */
export type KeyPart =
  | { readonly column: string; readonly prefix: number | null }
  | { readonly expression: readonly Token[] }

export type Key =
  | {
      readonly kind: 'primary' | 'unique' | 'index'
      readonly name: string
      readonly parts: KeyPart[]
    }
  | { readonly kind: 'left out'; readonly name: string; readonly reason: string }
  | {
      readonly kind: 'foreign'
      readonly name: string
      readonly columns: readonly string[]
      readonly target: string
      readonly targetColumns: readonly string[]
      /** `on delete cascade` and the like. */
      readonly actions: string
    }
  | { readonly kind: 'check'; readonly name: string; readonly expression: readonly Token[] }

export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  readonly keys: readonly Key[]
  readonly comment: string
  /** The next number of the AUTO_INCREMENT column; 0 when the script names none. */
  readonly nextNumber: number
}

/** Reads what follows `create table`. @throws ScriptError */
export function readTable(reader: TokenReader): Table {
  reader.take('if', 'not', 'exists')
  const name = readTableName(reader)
  if (!isWord(reader.peek(), '(') || isWord(reader.peek(1), 'like'))
    throw new ScriptError(`create table ${name} like or as another table cannot be read`)
  const columns: Column[] = []
  const keys: Key[] = []
  for (const part of splitAtCommas(reader.inParentheses())) {
    const inside = new TokenReader(part)
    const key = readKey(inside)
    if (key !== null) keys.push(key)
    else {
      const { column, keys: own } = readColumn(inside)
      columns.push(column)
      keys.push(...own)
    }
  }
  return { name, columns, keys, ...readTableOptions(reader) }
}

/** The name of a table, without the database before it. */
export function readTableName(reader: TokenReader): string {
  const first = reader.name()
  return reader.take('.') ? reader.name() : first
}

/** `null` when a column is next. */
export function readKey(reader: TokenReader): Key | null {
  let name = ''
  if (reader.take('constraint')) {
    const next = reader.peek()
    if (next?.kind === 'name' || !isAny(reader, ['primary', 'unique', 'foreign', 'check']))
      name = reader.name()
  }
  if (reader.take('primary', 'key')) return readIndex(reader, 'primary', name)
  if (isAny(reader, ['fulltext', 'spatial']) && reader.peek()?.kind === 'word') {
    const kind = reader.name().toLowerCase()
    if (!reader.take('key')) reader.take('index')
    return { kind: 'left out', name: reader.name(), reason: `an index of kind ${kind}` }
  }
  if (reader.take('unique')) {
    if (!reader.take('key')) reader.take('index')
    return readIndex(reader, 'unique', name)
  }
  if (reader.take('key') || reader.take('index')) return readIndex(reader, 'index', name)
  if (reader.take('foreign', 'key')) return readForeignKey(reader, name)
  if (reader.take('check')) return { kind: 'check', name, expression: reader.inParentheses() }
  if (name !== '') throw reader.unexpected('a constraint')
  return null
}

function isAny(reader: TokenReader, words: readonly string[]): boolean {
  return words.some((word) => reader.starts(word))
}

function readIndex(
  reader: TokenReader,
  kind: 'primary' | 'unique' | 'index',
  constraint: string,
): Key {
  let name = constraint
  if (!isWord(reader.peek(), '(') && !reader.starts('using')) name = reader.name()
  if (reader.take('using')) reader.next()
  const parts = splitAtCommas(reader.inParentheses()).map(readKeyPart)
  return { kind, name, parts }
}

function readKeyPart(tokens: readonly Token[]): KeyPart {
  const reader = new TokenReader(tokens)
  if (isWord(reader.peek(), '(')) return { expression: reader.inParentheses() }
  const column = reader.name()
  const prefix = isWord(reader.peek(), '(') ? Number(reader.inParentheses()[0]?.text) : null
  return { column, prefix }
}

function readForeignKey(reader: TokenReader, constraint: string): Key {
  let name = constraint
  if (!isWord(reader.peek(), '(')) name = reader.name()
  const columns = readNames(reader)
  reader.expect('references')
  const target = readTableName(reader)
  const targetColumns = readNames(reader)
  let actions = ''
  while (reader.take('on')) {
    const event = reader.name().toLowerCase()
    const first = reader.name().toLowerCase()
    const action =
      first === 'set' || first === 'no' ? `${first} ${reader.name().toLowerCase()}` : first
    // PostgreSQL refuses at the end of the statement where MySQL refuses at once.
    if (action !== 'restrict' && action !== 'no action') actions += ` on ${event} ${action}`
  }
  return { kind: 'foreign', name, columns, target, targetColumns, actions }
}

function readNames(reader: TokenReader): string[] {
  return splitAtCommas(reader.inParentheses()).map((part) => new TokenReader(part).name())
}

/** A column with the keys that its own line declares. */
export function readColumn(reader: TokenReader): { column: Column; keys: Key[] } {
  const name = reader.name()
  let type = reader.name().toLowerCase()
  if (type === 'double') reader.take('precision')
  if (type === 'national' || type === 'long') type = reader.name().toLowerCase()
  const size = isWord(reader.peek(), '(')
    ? splitAtCommas(reader.inParentheses()).map(([token]) =>
        token?.kind === 'string' ? decodeText(token.text) : (token?.text ?? ''),
      )
    : []
  const read: Attributes = { ...plain, keys: [] }
  while (reader.peek() !== undefined)
    // The rest says how and where a value is stored.
    if (!attributes.some((take) => take(reader, read, name))) reader.next()
  const { keys, ...rest } = read
  return { column: { name, type, size, ...rest }, keys }
}

type Attributes = {
  -readonly [Name in Exclude<keyof Column, 'name' | 'type' | 'size'>]: Column[Name]
} & { readonly keys: Key[] }
const plain = {
  isUnsigned: false,
  isRequired: false,
  isAuto: false,
  touches: false,
  fallback: null,
  generated: null,
  comment: '',
}

/** Each takes what a column says after its type, if it is next. */
const attributes: readonly ((reader: TokenReader, read: Attributes, column: string) => boolean)[] =
  [
    (reader, read) => takeAny(reader, [['unsigned'], ['zerofill']], () => (read.isUnsigned = true)),
    (reader, read) => takeAny(reader, [['not', 'null']], () => (read.isRequired = true)),
    (reader, read) => takeAny(reader, [['null']], () => (read.isRequired = false)),
    (reader, read) => takeAny(reader, [['auto_increment']], () => (read.isAuto = true)),
    (reader, read, column) =>
      takeAny(reader, [['primary', 'key'], ['primary'], ['key']], () =>
        read.keys.push(toOwnKey('primary', column)),
      ),
    (reader, read, column) =>
      takeAny(reader, [['unique', 'key'], ['unique']], () =>
        read.keys.push(toOwnKey('unique', column)),
      ),
    (reader, read) => takeAny(reader, [['default']], () => (read.fallback = readFallback(reader))),
    (reader, read) =>
      takeAny(reader, [['on', 'update']], () => {
        read.touches = true
        readFallback(reader)
      }),
    (reader, read) => takeAny(reader, [['comment']], () => (read.comment = readString(reader))),
    (reader, read) =>
      takeAny(
        reader,
        [['generated', 'always', 'as'], ['as']],
        () => (read.generated = reader.inParentheses()),
      ),
    (reader, read) =>
      takeAny(reader, [['check']], () =>
        read.keys.push({ kind: 'check', name: '', expression: reader.inParentheses() }),
      ),
    // A reference in the line of a column is read and ignored by MySQL before 9.
    (reader) =>
      takeAny(reader, [['references']], () => {
        readTableName(reader)
        readNames(reader)
      }),
    (reader) =>
      takeAny(reader, [['character', 'set'], ['charset'], ['collate']], () => reader.next()),
  ]

function takeAny(
  reader: TokenReader,
  phrases: readonly (readonly string[])[],
  then: () => unknown,
): boolean {
  if (!phrases.some((words) => reader.take(...words))) return false
  then()
  return true
}

function toOwnKey(kind: 'primary' | 'unique', column: string): Key {
  return { kind, name: '', parts: [{ column, prefix: null }] }
}

/** A value, a name with its parentheses, or an expression in parentheses. */
function readFallback(reader: TokenReader): Token[] {
  if (isWord(reader.peek(), '(')) return reader.inParentheses()
  const token = reader.next()
  if (token === undefined) throw reader.unexpected('a default')
  const value = [token]
  const isSign = isWord(token, '-') || isWord(token, '+')
  const isIntroducer = token.kind === 'word' && token.text.startsWith('_')
  if (isSign || isIntroducer) {
    const next = reader.next()
    if (next !== undefined) value.push(next)
  }
  if (token.kind === 'word' && isWord(reader.peek(), '(')) reader.inParentheses()
  return value
}

function readString(reader: TokenReader): string {
  const token = reader.next()
  if (token?.kind !== 'string') throw reader.unexpected('a text in quotes', -1)
  return decodeText(token.text)
}

function readTableOptions(reader: TokenReader): {
  readonly comment: string
  readonly nextNumber: number
} {
  let [comment, nextNumber] = ['', 0]
  while (reader.peek() !== undefined) {
    if (reader.take('comment')) {
      reader.take('=')
      comment = readString(reader)
    } else if (reader.take('auto_increment')) {
      reader.take('=')
      nextNumber = Number(reader.next()?.text)
    } else reader.next()
  }
  return { comment, nextNumber }
}

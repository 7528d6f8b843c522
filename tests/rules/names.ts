// Names of functions and first words of comments, as docs/rules/design.md asks for them.
import { parseAst } from 'vite'

export interface NamedFunction {
  readonly name: string
  readonly file: string
}

/** Functions with a name: declarations and named expressions anywhere, arrows at the top of a file. */
export function listFunctions(source: string, file: string): NamedFunction[] {
  const program = parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' })
  const names = new Set([...listDeclared(program), ...program.body.flatMap(listArrows)])
  return [...names].map((name) => ({ name, file }))
}

/** `keyOf`, `rowsOf`: such a name says whose the result is, but not what the function does. */
export function isGenitive(name: string): boolean {
  return /[a-z0-9]Of$/.test(name)
}

/** A participle or a pronoun alone (`settled`, `own`) names a state or a thing, and no work. */
export function isBareWord(name: string): boolean {
  return pronouns.has(name) || irregular.has(name) || (/^[a-z]+ed$/.test(name) && !verbs.has(name))
}

/** Names that are defined in more than four files, without those that a framework asks for. */
export function listRepeated(functions: readonly NamedFunction[]): string[] {
  const groups = Map.groupBy(functions, ({ name }) => name)
  return [...groups.values()]
    .filter((group) => group.length > 4 && !given.has(group[0]?.name ?? ''))
    .map((group) => `${group[0]?.name} x${group.length}`)
}

/** Comments whose first word is a relative pronoun or `of`: fragments, where a statement belongs. */
export function listFragments(source: string): string[] {
  const starts = /(?<!\/\/[^\n]*\n[ \t]*)\/\/[ \t]*([^\n]*)|\/\*\*?\s*(?:\*[ \t]*)?([^\n]*)/g
  return [...source.matchAll(starts)]
    .map(([, line, block]) => (line ?? block ?? '').trim())
    .filter((text) => /^(?:what|who|whose|whom|those|of)\b/i.test(text))
}

function listDeclared(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  const { type, id } = node as { readonly type?: string; readonly id?: { readonly name?: string } }
  const isFunction = type === 'FunctionDeclaration' || type === 'FunctionExpression'
  const own = isFunction && typeof id?.name === 'string' ? [id.name] : []
  return [...own, ...Object.values(node).flatMap(listDeclared)]
}

function listArrows(statement: ReturnType<typeof parseAst>['body'][number]): string[] {
  const inner =
    statement.type === 'ExportNamedDeclaration' ? (statement.declaration ?? statement) : statement
  if (inner.type !== 'VariableDeclaration') return []
  return inner.declarations.flatMap(({ id, init }) =>
    id.type === 'Identifier' && init?.type === 'ArrowFunctionExpression' ? [id.name] : [],
  )
}

// Verbs that end like a participle.
const verbs = new Set(
  'need feed seed embed speed exceed proceed succeed breed bleed shed wed heed weed'.split(' '),
)

// Words that are a verb's present form too, such as `read` and `put`, may stand alone.
const irregular = new Set(
  (
    'begun kept gone known told drawn given taken written shown said held sent lost made done ' +
    'seen met paid laid borne built bought brought broken caught chosen dealt driven fallen felt ' +
    'flown forgotten frozen heard hidden hung meant mistaken ridden risen sold spent spoken stood ' +
    'stolen struck sunk sworn swept taught thought thrown torn understood undone unseen worn ' +
    'withdrawn unknown'
  ).split(' '),
)

const pronouns = new Set(
  (
    'that this these those its it own rest of only most such same other others another both each ' +
    'either neither whose which what who whom there here then thus so'
  ).split(' '),
)

const given = new Set(['main', 'run', 'start', 'setup', 'render', 'App', 'default'])

// Bounds the size of every value that a custom SQL can make, from the widths of columns and the
// literals of the statement. The planner's cost does not see this growth: nested `replace` over one
// column ran for 61 s at a cost below the limit (docs/rules/security.md#i3).
import type { Catalog } from '../../model/definition/catalog.ts'
import type { Column } from '../../model/fields/column.ts'

/** A value or a collection of values that may become larger is refused. In bytes. */
const maxValueBytes = 1024 * 1024
/** Longest value of a parameter, in bytes; `run` refuses longer ones. */
export const maxBindBytes = 4_000
/** Assumed for columns without a width. Longer texts exist, but a choice or default is never one. */
const openTextBytes = 16 * 1024
/** Numbers, dates, booleans. */
const smallBytes = 64
/** PostgreSQL's longest numeric: 131,072 digits before the point and 16,383 after it. */
const numericBytes = 150_000
/** UTF-8. */
const bytesOfCharacter = 4
/** The longest pattern of `to_char` is a month's name for 2 characters of format. */
const bytesOfFormatCharacter = 16

type Tree = { readonly [key: string]: unknown }
/** Output columns of a table or select, by name, in order, with their bounds. */
export type Columns = ReadonlyMap<string, number>

interface Source {
  readonly columns: Columns
  /** Most rows; Infinity for a table. */
  readonly rows: number
}
interface Scope {
  readonly catalog: Catalog
  readonly ctes: ReadonlyMap<string, Source>
  /** Alias → columns, of this select. */
  readonly aliases: ReadonlyMap<string, Columns>
  /** Rows of the FROM clause, which an aggregate collects. */
  readonly rows: number
  /** The enclosing select. */
  readonly outer: Scope | null
}
type Arguments = readonly { readonly node: unknown; readonly bytes: number }[]
type Bound = (args: Arguments, rows: number) => number

const small: Bound = () => smallBytes
const numeric: Bound = () => numericBytes
const longest: Bound = (args) => Math.max(smallBytes, ...args.map(({ bytes }) => bytes))
const first: Bound = ([text]) => text?.bytes ?? smallBytes
const sum: Bound = (args) => args.reduce((total, { bytes }) => total + bytes, 0)

function part(length: number): Bound {
  return (args) => {
    const wanted = readIntegerLiteral(args[length]?.node)
    const whole = first(args, 0)
    return wanted === null || wanted < 0 ? whole : Math.min(whole, wanted * bytesOfCharacter)
  }
}

/** Each call multiplies, so every function that the allow list has must be here. */
const bounds: Readonly<Record<string, Bound>> = {
  count: small,
  sum: numeric,
  avg: numeric,
  min: longest,
  max: longest,
  any_value: longest,
  string_agg: ([text, separator], rows) => rows * ((text?.bytes ?? 0) + (separator?.bytes ?? 0)),
  array_agg: ([element], rows) => rows * (element?.bytes ?? 0),
  bool_and: small,
  bool_or: small,
  // A character of UTF-8 grows to at most three bytes from two when its case changes.
  lower: (args) => first(args, 0) * 2,
  upper: (args) => first(args, 0) * 2,
  initcap: (args) => first(args, 0) * 2,
  trim: first,
  btrim: first,
  ltrim: first,
  rtrim: first,
  reverse: first,
  split_part: first,
  length: small,
  char_length: small,
  left: part(1),
  right: part(1),
  substr: part(2),
  substring: part(2),
  replace: ([text, from, to]) =>
    (text?.bytes ?? 0) *
    Math.max(
      1,
      Math.ceil((to?.bytes ?? 0) / Math.max(1, readTextLiteral(from?.node)?.length ?? 1)),
    ),
  concat: sum,
  concat_ws: ([separator, ...rest]) =>
    sum(rest, 0) + (separator?.bytes ?? 0) * Math.max(0, rest.length - 1),
  position: small,
  strpos: small,
  to_char: ([, format]) => (format?.bytes ?? 0) * bytesOfFormatCharacter + smallBytes,
  to_number: numeric,
  to_date: small,
  abs: numeric,
  round: numeric,
  ceil: numeric,
  floor: numeric,
  mod: numeric,
  power: numeric,
  sign: small,
  greatest: longest,
  least: longest,
  coalesce: longest,
  nullif: first,
  now: small,
  date_trunc: small,
  date_part: small,
  extract: small,
  age: small,
  make_date: small,
  row_number: small,
  rank: small,
  dense_rank: small,
}
export const boundedFunctions: ReadonlySet<string> = new Set(Object.keys(bounds))

/** A value may become too large. `name`: the function or operator that makes it. */
export class TooLarge extends Error {
  readonly culprit: string
  constructor(culprit: string) {
    super(`${culprit} may make a value of more than ${maxValueBytes} bytes`)
    this.culprit = culprit
  }
}

/** The output columns of a parsed SELECT with their bounds. @throws TooLarge */
export function computeOutput(select: Tree, catalog: Catalog): Columns {
  return sourceOfSelect(select, {
    catalog,
    ctes: new Map(),
    aliases: new Map(),
    rows: 1,
    outer: null,
  }).columns
}

function sourceOfSelect(select: Tree, outer: Scope): Source {
  const ctes = new Map(outer.ctes)
  const within: Scope = { ...outer, ctes }
  const { withClause } = select
  for (const { CommonTableExpr: cte } of isTree(withClause) ? treesIn(withClause['ctes']) : [])
    if (isTree(cte))
      ctes.set(
        String(cte['ctename']),
        renameColumns(sourceOfSelect(selectIn(cte['ctequery']), within), cte['aliascolnames']),
      )
  const { larg, rarg } = select
  const whole =
    isTree(larg) && isTree(rarg)
      ? unionSources(sourceOfSelect(selectIn(larg), within), sourceOfSelect(selectIn(rarg), within))
      : sourceOfPlain(select, within)
  const limit = readIntegerLiteral(select['limitCount'])
  return limit === null ? whole : { ...whole, rows: Math.min(whole.rows, Math.max(0, limit)) }
}

const otherClauses = [
  'whereClause',
  'groupClause',
  'havingClause',
  'sortClause',
  'distinctClause',
  'windowClause',
  'valuesLists',
]

function sourceOfPlain(select: Tree, outer: Scope): Source {
  const aliases = new Map<string, Columns>()
  const scope = { ...outer, aliases, rows: 1, outer }
  for (const item of treesIn(select['fromClause']))
    scope.rows = times(scope.rows, addRange(item, scope, aliases))
  const columns = new Map<string, number>()
  for (const { ResTarget: target } of treesIn(select['targetList'])) {
    if (!isTree(target)) continue
    const starred = expandStar(target['val'], scope)
    for (const [name, bytes] of starred ?? [
      [findOutputName(target), boundSize(target['val'], scope)],
    ])
      columns.set(name, Math.max(bytes, columns.get(name) ?? 0))
  }
  for (const key of otherClauses) boundSize(select[key], scope)
  const collapses = select['groupClause'] === undefined && callsAggregate(select['targetList'])
  return { columns, rows: collapses ? 1 : scope.rows }
}

/** Adds the aliases of an item of FROM and returns its rows. */
function addRange(item: Tree, scope: Scope, aliases: Map<string, Columns>): number {
  const { RangeVar: table, RangeSubselect: nested, JoinExpr: join } = item
  const add = (source: Source, alias: unknown, own: string) => {
    const name = isTree(alias) ? String(alias['aliasname']) : own
    aliases.set(name, renameColumns(source, isTree(alias) ? alias['colnames'] : undefined).columns)
    return source.rows
  }
  if (isTree(table)) {
    const name = String(table['relname'])
    const cte = table['schemaname'] === undefined ? scope.ctes.get(name) : undefined
    return add(
      cte ?? tableSource(scope.catalog, `${String(table['schemaname'])}.${name}`),
      table['alias'],
      name,
    )
  }
  if (isTree(nested))
    return add(sourceOfSelect(selectIn(nested['subquery']), scope), nested['alias'], '')
  if (!isTree(join)) return Number.POSITIVE_INFINITY
  const rows = times(
    isTree(join['larg']) ? addRange(join['larg'], scope, aliases) : 1,
    isTree(join['rarg']) ? addRange(join['rarg'], scope, aliases) : 1,
  )
  boundSize(join['quals'], scope)
  return rows
}

function tableSource(catalog: Catalog, key: string): Source {
  const columns = [...(catalog.get(key)?.columns.values() ?? [])]
  return {
    columns: new Map(columns.map((column) => [column.name, computeColumnWidth(column)])),
    rows: Number.POSITIVE_INFINITY,
  }
}

function computeColumnWidth({ type, length, precision }: Column): number {
  if (length !== null) return length * bytesOfCharacter
  const isFixed = /^(int[248]|float[48]|bool|date|time|interval|uuid)/.test(type)
  return isFixed || precision !== null ? smallBytes : openTextBytes
}

/** The bound of an expression, after those of its parts. @throws TooLarge */
function boundSize(node: unknown, scope: Scope): number {
  if (Array.isArray(node))
    return node.reduce((total: number, each) => total + boundSize(each, scope), 0)
  if (!isTree(node)) return 0
  const [kind = ''] = Object.keys(node)
  const inner = node[kind]
  if (!/^[A-Z]/.test(kind) || !isTree(inner)) return longestPart(node, scope)
  switch (kind) {
    case 'A_Const':
      return readTextLiteral(node) === null
        ? smallBytes
        : Buffer.byteLength(readTextLiteral(node) ?? '')
    case 'ParamRef':
      return maxBindBytes
    case 'ColumnRef':
      return columnSize(inner, scope)
    case 'FuncCall':
      return callSize(inner, scope)
    case 'A_Expr':
      return operatorSize(inner, scope)
    case 'TypeCast':
      return Math.max(smallBytes, boundSize(inner['arg'], scope))
    case 'SubLink':
      return linkSize(inner, scope)
    case 'RowExpr':
    case 'A_ArrayExpr':
      return checkSize(kind === 'RowExpr' ? 'row' : 'array', longestSum(inner, scope))
    case 'SelectStmt':
      return rowSize(sourceOfSelect(inner, scope))
    default:
      return longestPart(inner, scope)
  }
}

const longestPart = (node: Tree, scope: Scope): number =>
  Math.max(0, ...Object.values(node).map((value) => partSize(value, scope)))
const partSize = (value: unknown, scope: Scope): number =>
  Array.isArray(value)
    ? Math.max(0, ...value.map((each) => boundSize(each, scope)))
    : boundSize(value, scope)
const longestSum = (node: Tree, scope: Scope): number =>
  Object.values(node).reduce((total: number, value) => total + boundSize(value, scope), 0)

function columnSize({ fields }: Tree, scope: Scope): number {
  const path = treesIn(fields).map((field) => (isTree(field['String']) ? textOfString(field) : '*'))
  const [table, column] = path.length > 1 ? path.slice(-2) : [undefined, path[0]]
  for (let at: Scope | null = scope; at !== null; at = at.outer) {
    const found = [...at.aliases]
      .filter(([alias]) => table === undefined || alias === table)
      .map(([alias, columns]) =>
        // A whole row: `t` or `t.*`.
        column === '*' || (table === undefined && alias === column)
          ? rowSize({ columns })
          : columns.get(column ?? ''),
      )
      .filter((bytes) => bytes !== undefined)
    if (found.length > 0) return Math.max(...found)
  }
  return openTextBytes
}

function callSize(call: Tree, scope: Scope): number {
  const name = treesIn(call['funcname']).map(textOfString).at(-1) ?? ''
  const args = treesIn(call['args']).map((node) => ({ node, bytes: boundSize(node, scope) }))
  boundSize(call['agg_order'], scope)
  boundSize(call['agg_filter'], scope)
  boundSize(call['over'], scope)
  // A function without a bound is treated as one that may return anything.
  return checkSize(name, bounds[name]?.(args, scope.rows) ?? Number.POSITIVE_INFINITY)
}

function operatorSize(expression: Tree, scope: Scope): number {
  const [left, right] = [
    boundSize(expression['lexpr'], scope),
    boundSize(expression['rexpr'], scope),
  ]
  const name = treesIn(expression['name']).map(textOfString)[0] ?? ''
  if (expression['kind'] === 'AEXPR_NULLIF') return left
  if (name === '||') return checkSize(name, left + right)
  return ['+', '-', '*', '/', '%'].includes(name)
    ? Math.min(numericBytes, Math.max(smallBytes, left + right))
    : smallBytes
}

function linkSize(link: Tree, scope: Scope): number {
  boundSize(link['testexpr'], scope)
  const source = sourceOfSelect(selectIn(link['subselect']), scope)
  if (link['subLinkType'] === 'EXPR_SUBLINK') return rowSize(source)
  return link['subLinkType'] === 'ARRAY_SUBLINK'
    ? checkSize('array', times(source.rows, rowSize(source)))
    : smallBytes
}

const rowSize = ({ columns }: Pick<Source, 'columns'>): number =>
  [...columns.values()].reduce((total, bytes) => total + bytes, 0)

function checkSize(culprit: string, bytes: number): number {
  if (bytes > maxValueBytes) throw new TooLarge(culprit)
  return bytes
}

/** The columns behind `*` or `t.*`; null for another target. */
function expandStar(value: unknown, { aliases }: Scope): [string, number][] | null {
  const reference = isTree(value) ? value['ColumnRef'] : undefined
  const fields = isTree(reference) ? treesIn(reference['fields']) : []
  if (fields.at(-1)?.['A_Star'] === undefined) return null
  const table = fields.length > 1 ? textOfString(fields.at(-2) ?? {}) : undefined
  return [...aliases].flatMap(([alias, columns]) =>
    table === undefined || alias === table ? [...columns] : [],
  )
}

/** As PostgreSQL names an output column. */
function findOutputName(target: Tree): string {
  if (typeof target['name'] === 'string') return target['name']
  let value: unknown = target['val']
  while (isTree(value) && isTree(value['TypeCast'])) value = value['TypeCast']['arg']
  if (!isTree(value)) return '?column?'
  const { ColumnRef: reference, FuncCall: call } = value
  const path = isTree(reference) ? reference['fields'] : isTree(call) ? call['funcname'] : []
  return treesIn(path).map(textOfString).at(-1) ?? '?column?'
}

function callsAggregate(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(callsAggregate)
  if (!isTree(node)) return false
  const { FuncCall: call, SubLink: link } = node
  if (link !== undefined) return false
  if (isTree(call)) {
    const name = treesIn(call['funcname']).map(textOfString).at(-1) ?? ''
    if (aggregates.has(name) && call['over'] === undefined) return true
  }
  return Object.values(node).some(callsAggregate)
}
const aggregates: ReadonlySet<string> = new Set([
  'count',
  'sum',
  'avg',
  'min',
  'max',
  'any_value',
  'string_agg',
  'array_agg',
  'bool_and',
  'bool_or',
])

function renameColumns(source: Source, names: unknown): Source {
  const given = treesIn(names).map(textOfString)
  return given.length === 0
    ? source
    : {
        ...source,
        columns: new Map(
          [...source.columns].map(([name, bytes], index) => [given[index] ?? name, bytes]),
        ),
      }
}

function unionSources(left: Source, right: Source): Source {
  const others = [...right.columns.values()]
  return {
    columns: new Map(
      [...left.columns].map(([name, bytes], index) => [name, Math.max(bytes, others[index] ?? 0)]),
    ),
    rows: left.rows + right.rows,
  }
}

/** The parse tree wraps a select or leaves the wrapper out. */
function selectIn(node: unknown): Tree {
  if (!isTree(node)) return {}
  return isTree(node['SelectStmt']) ? node['SelectStmt'] : node
}

/** Zero rows stay zero, also of a table. */
const times = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : a * b)

/** The value of an integer literal; null for anything else. */
function readIntegerLiteral(node: unknown): number | null {
  const constant = isTree(node) ? node['A_Const'] : undefined
  const whole = isTree(constant) ? constant['ival'] : undefined
  // The parser leaves out zero.
  return isTree(whole) ? Number(whole['ival'] ?? 0) : null
}

/** The text of a literal; null for anything else. */
function readTextLiteral(node: unknown): string | null {
  const constant = isTree(node) ? node['A_Const'] : undefined
  const text = isTree(constant) ? constant['sval'] : undefined
  return isTree(text) ? String(text['sval'] ?? '') : null
}

const textOfString = ({ String: text }: Tree): string =>
  isTree(text) ? String(text['sval'] ?? '') : ''
const treesIn = (list: unknown): Tree[] => (Array.isArray(list) ? list.filter(isTree) : [])

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

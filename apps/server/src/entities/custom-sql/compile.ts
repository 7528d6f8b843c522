// Checks a custom SQL node by node and restricts its tables to the caller's tenant. Runs when a
// definition is saved and again before every execution (docs/rules/security.md#i3).
import type { Message } from '@jiaowu/api/texts/index'
import { soundsSecret } from '@jiaowu/api/entity/definition/secret-names'
import { deparseSync, loadModule, parseSync, type ParseResult } from '@pgsql/parser'
import type { Catalog, CatalogTable } from '../../model/definition/catalog.ts'
import { isSqlName, rowAlias } from '../../model/definition/names.ts'
import { listBases, isSecretIn } from '../../model/definition/origins/view-guard.ts'
import { UserFacingError } from '../../platform/user-facing-error.ts'
import * as allowed from './allowed.ts'
import { numberParameters } from './binds.ts'
import { computeOutput, TooLarge } from './growth.ts'
import type { ReaderView, SqlPart, TableView } from './reader-view.ts'

await loadModule()

export class SqlRefusal extends UserFacingError {
  constructor(text: Message) {
    super('SqlRefusal', text)
  }
}

/** A statement ready to run: `$1` … `$n` for `names`, `$n+1` for the tenant, then `values`. */
export interface CompiledSql {
  readonly text: string
  readonly names: readonly string[]
  /** The values of the reader's row rules. */
  readonly values: readonly unknown[]
  /** The tables of the business schema it reads. */
  readonly tables: readonly CatalogTable[]
  /** The names of its output columns. */
  readonly columns: readonly string[]
}

type Tree = { [key: string]: unknown }
const listNodeNames = (list: unknown): string[] =>
  Array.isArray(list) ? list.map(readNodeText) : []

const string = (sval: string) => ({ String: { sval } })
const buildColumnRef = (name: string) => ({ ColumnRef: { fields: [string(name)], location: -1 } })

/** Keys whose value is a bare node: the parse tree leaves out the wrapper with the node's name. */
const unnamed: Readonly<Record<string, string>> = {
  typeName: 'TypeName',
  alias: 'Alias',
  withClause: 'WithClause',
  larg: 'SelectStmt',
  rarg: 'SelectStmt',
  over: 'WindowDef',
}

interface Walk {
  /** The tables of the statement, as the reader sees them. */
  readonly found: Map<CatalogTable, TableView | undefined>
  readonly catalog: Catalog
  readonly ctes: ReadonlySet<string>
  readonly tenantNumber: number
  readonly reader: ReaderView
  readonly values: unknown[]
}

/**
 * `binds`: the parameter names that may occur; null allows any name. `reader`: what the statement
 * sees of each table; everything where it is undefined.
 * @throws SqlRefusal with the message to show
 */
export function compileSql(
  source: string,
  catalog: Catalog,
  binds: readonly string[] | null,
  reader: ReaderView = () => undefined,
): CompiledSql {
  if (source.length > allowed.sqlLimits.characters)
    refuseSql('sql.tooLong', { n: allowed.sqlLimits.characters })
  const { text, names } = numberParameters(source)
  const unknown = binds === null ? undefined : names.find((name) => !binds.includes(name))
  if (unknown !== undefined) refuseSql('sql.bind', { name: unknown })
  const statements = parse(text).stmts ?? []
  const statement = statements[0]?.stmt as Tree | undefined
  if (statements.length !== 1 || statement === undefined || !isTree(statement['SelectStmt']))
    return refuseSql('sql.notSelect')
  const found: Walk['found'] = new Map()
  const values: unknown[] = []
  const walked = walk(statement, '', {
    found,
    catalog,
    ctes: new Set(cteNames(statement)),
    tenantNumber: names.length + 1,
    reader,
    values,
  })
  const secret = columnNames(statement).find((name) => soundsSecret(name, null))
  if (secret !== undefined) refuseSql('sql.secretColumn', { name: secret })
  const columns = listOutputColumns(statement['SelectStmt'], catalog)
  refuseMaskedJoins(statement, [...found.values()])
  return {
    text: deparseSync({ version: 170004, stmts: [{ stmt: walked }] } as ParseResult),
    names,
    values,
    tables: [...found.keys()],
    columns,
  }
}

/** @throws SqlRefusal when a value may become too large */
function listOutputColumns(select: Tree, catalog: Catalog): string[] {
  try {
    return [...computeOutput(select, catalog).keys()]
  } catch (error) {
    if (error instanceof TooLarge) return refuseSql('sql.growth', { name: error.culprit })
    throw error
  }
}

function refuseSql(key: Message['key'], params?: Message['params']): never {
  throw new SqlRefusal({ key, ...(params === undefined ? {} : { params }) })
}

function parse(text: string): ParseResult {
  try {
    return parseSync(text)
  } catch {
    return refuseSql('sql.syntax')
  }
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Copies the tree with every table scoped. @throws SqlRefusal at the first node not allowed */
function walk(value: unknown, key: string, how: Walk): unknown {
  if (Array.isArray(value)) return value.map((each) => walk(each, key, how))
  if (!isTree(value)) return value
  const keys = Object.keys(value)
  const only = keys.length === 1 ? (keys[0] ?? '') : ''
  const inner = value[only]
  // A wrapped node has one key, its name, which starts with a capital letter.
  if (/^[A-Z]/.test(only) && isTree(inner)) {
    checkNode(only, inner)
    if (only === 'A_Const' && isTrue(inner)) return truth
    return only === 'RangeVar' ? rewriteRange(inner, how) : { [only]: walkInside(inner, how) }
  }
  const name = unnamed[key]
  // `larg` and `rarg` are bare selects in a union, and wrapped nodes in a join (handled above).
  if (name !== undefined && !(name === 'SelectStmt' && !('targetList' in value || 'op' in value)))
    checkNode(name, value)
  return walkInside(value, how)
}

/** The deparser prints the constant `true` as `false`; a cast of a text comes out as it went in. */
const truth = {
  TypeCast: {
    arg: { A_Const: { sval: { sval: 't' }, location: -1 } },
    typeName: { names: [string('bool')], typemod: -1, location: -1 },
    location: -1,
  },
}

function isTrue({ boolval }: Tree): boolean {
  return isTree(boolval) && boolval['boolval'] === true
}

function checkNode(name: string, node: Tree): void {
  if (!allowed.nodes.has(name)) refuseSql('sql.node', { name })
  for (const key of Object.keys(node))
    if (allowed.refusedKeys.has(key) && node[key] !== false) refuseSql('sql.node', { name: key })
  if (name === 'FuncCall') {
    const path = listNodeNames(node['funcname'])
    if (!isBuiltIn(path, allowed.functions)) refuseSql('sql.function', { name: path.join('.') })
  }
  if (name === 'TypeName') {
    const path = listNodeNames(node['names'])
    if (!isBuiltIn(path, allowed.types)) refuseSql('sql.type', { name: path.join('.') })
  }
  if (name === 'A_Expr') {
    const path = listNodeNames(node['name'])
    if (path.length !== 1 || !allowed.operators.has(path[0] ?? ''))
      refuseSql('sql.node', { name: path.join('.') })
  }
  if (name === 'SQLValueFunction' && !allowed.valueFunctions.has(String(node['op'])))
    refuseSql('sql.function', { name: String(node['op']).replace('SVFOP_', '').toLowerCase() })
}

/** The parser qualifies `extract(…)`, `substring(… from …)` and some types with pg_catalog. */
function isBuiltIn(path: readonly string[], names: ReadonlySet<string>): boolean {
  const isQualifiedRight = path.length === 1 || (path.length === 2 && path[0] === 'pg_catalog')
  return isQualifiedRight && names.has(path.at(-1) ?? '')
}

function rewriteRange(range: Tree, how: Walk): Tree {
  const { catalog, ctes, found } = how
  const [schema, name] = [String(range['schemaname'] ?? ''), String(range['relname'] ?? '')]
  if (range['catalogname'] !== undefined) refuseSql('sql.table', { name })
  if (schema === '' && ctes.has(name)) return { RangeVar: range }
  // The catalog has the schemas of BUSINESS_SCHEMAS, and the product's own.
  const table = schema === 'sys' ? undefined : catalog.get(`${schema}.${name}`)
  if (table === undefined || !isSqlName(table.name))
    return refuseSql('sql.table', { name: schema === '' ? name : `${schema}.${name}` })
  if (!found.has(table)) {
    const view = how.reader(table)
    if (view === null) return refuseSql('sql.table', { name: `${schema}.${name}` })
    found.set(table, view)
  }
  return scopeTable(range, table, how)
}

/**
 * Replaces `biz.t` by `(select its columns from biz.t where tenant_id = $k and deleted_at is null)
 * as t`, without the columns that hold or sound like secrets (docs/rules/security.md#secrets), and
 * with what the reader may see of the rest.
 */
function scopeTable(range: Tree, table: CatalogTable, how: Walk): Tree {
  const { tenantNumber, found } = how
  const view = found.get(table)
  const conditions: unknown[] = []
  // Columns of these names mean something else in tables from elsewhere, whose rows the reader's view
  // limits.
  const isOwn = table.schema === 'biz'
  if (isOwn && table.columns.has('tenant_id')) {
    const type = {
      TypeCast: {
        arg: { ParamRef: { number: tenantNumber, location: -1 } },
        typeName: {
          names: [string(table.columns.get('tenant_id')?.type ?? 'int8')],
          typemod: -1,
          location: -1,
        },
        location: -1,
      },
    }
    conditions.push({
      A_Expr: {
        kind: 'AEXPR_OP',
        name: [string('=')],
        lexpr: buildColumnRef('tenant_id'),
        rexpr: type,
        location: -1,
      },
    })
  }
  if (isOwn && table.columns.has('deleted_at'))
    conditions.push({
      NullTest: { arg: buildColumnRef('deleted_at'), nulltesttype: 'IS_NULL', location: -1 },
    })
  if (view?.rows) conditions.push(parseSqlPart(view.rows, how))
  const columns = [...table.columns.keys()]
    .filter((name) => !isSecretIn(table, name))
    .filter((name) =>
      [name, ...listBases(table, name).map((base) => base.column)].every(
        (each) => !soundsSecret(each, null),
      ),
    )
    .filter((name) => view?.columns.get(name) !== null)
  const select = {
    targetList: columns.map((name) => ({ ResTarget: buildTarget(name, view, how) })),
    fromClause: [
      {
        RangeVar: {
          schemaname: table.schema,
          relname: table.name,
          inh: true,
          relpersistence: 'p',
          ...(view === undefined ? {} : { alias: { aliasname: rowAlias } }),
          location: -1,
        },
      },
    ],
    ...(conditions.length === 0
      ? {}
      : {
          whereClause:
            conditions.length === 1
              ? conditions[0]
              : { BoolExpr: { boolop: 'AND_EXPR', args: conditions, location: -1 } },
        }),
    limitOption: 'LIMIT_OPTION_DEFAULT',
    op: 'SETOP_NONE',
  }
  return {
    RangeSubselect: {
      subquery: { SelectStmt: select },
      alias: range['alias'] ?? { aliasname: table.name },
    },
  }
}

/** A column as the reader sees it. */
function buildTarget(name: string, view: TableView | undefined, how: Walk): Tree {
  const part = view?.columns.get(name)
  return part
    ? { name, val: parseSqlPart(part, how), location: -1 }
    : { val: buildColumnRef(name), location: -1 }
}

/** The parse tree of a part that the server wrote, with its values numbered after the others. */
function parseSqlPart({ text, values }: SqlPart, { tenantNumber, values: all }: Walk): unknown {
  const before = tenantNumber + all.length
  all.push(...values)
  const select = parse(`select ${text}`).stmts?.[0]?.stmt as Tree | undefined
  const targets = isTree(select?.['SelectStmt']) ? select['SelectStmt']['targetList'] : undefined
  const target = Array.isArray(targets) ? (targets[0] as Tree)['ResTarget'] : undefined
  if (!isTree(target)) throw new Error('the part is not an expression')
  return renumberParameters(target['val'], before)
}

function renumberParameters(value: unknown, by: number): unknown {
  if (Array.isArray(value)) return value.map((each) => renumberParameters(each, by))
  if (!isTree(value)) return value
  if (isTree(value['A_Const']) && isTrue(value['A_Const'])) return truth
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'ParamRef' && isTree(inner)
        ? { ...inner, number: Number(inner['number']) + by }
        : renumberParameters(inner, by),
    ]),
  )
}

/**
 * Rows that are joined by a masked column would be joined wrongly, since different values have the
 * same mask.
 * @throws SqlRefusal
 */
function refuseMaskedJoins(statement: Tree, views: readonly (TableView | undefined)[]): void {
  const masked = new Set(views.flatMap((view) => [...(view?.masked ?? [])]))
  if (masked.size === 0) return
  const name = joinedBy(statement, masked)
  if (name !== undefined) refuseSql('sql.personalJoin', { name })
}

/** A masked column that is compared with another column. */
function joinedBy(value: unknown, masked: ReadonlySet<string>): string | undefined {
  if (Array.isArray(value)) {
    for (const each of value) {
      const found = joinedBy(each, masked)
      if (found !== undefined) return found
    }
    return undefined
  }
  if (!isTree(value)) return undefined
  if (isTree(value['JoinExpr']) && value['JoinExpr']['isNatural'] === true) return [...masked][0]
  const sides = listSides(value)
  const named = sides.map(columnNames)
  if (named.length === 2 && named.every((names) => names.length > 0)) {
    const found = named.flat().find((name) => masked.has(name))
    if (found !== undefined) return found
  }
  return joinedBy(Object.values(value), masked)
}

/** The two sides of a comparison, of `using` or of `in (select …)`. */
function listSides(node: Tree): readonly unknown[] {
  const [compared, joined, sub] = [node['A_Expr'], node['JoinExpr'], node['SubLink']]
  if (isTree(compared) && listNodeNames(compared['name'])[0] !== '||')
    return [compared['lexpr'], compared['rexpr']]
  if (isTree(joined) && Array.isArray(joined['usingClause'])) {
    const using = listNodeNames(joined['usingClause']).map(buildColumnRef)
    return [using, using]
  }
  return isTree(sub) && sub['testexpr'] !== undefined ? [sub['testexpr'], sub['subselect']] : []
}

function walkInside(node: Tree, how: Walk): Tree {
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, walk(value, key, how)]),
  )
}

/** Every word of every column that the statement names. */
function columnNames(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(columnNames)
  if (!isTree(value)) return []
  const reference = value['ColumnRef']
  return [
    ...(isTree(reference) ? listNodeNames(reference['fields']) : []),
    ...Object.values(value).flatMap(columnNames),
  ]
}

function cteNames(value: unknown): string[] {
  return Array.isArray(value)
    ? value.flatMap(cteNames)
    : !isTree(value)
      ? []
      : [
          ...(isTree(value['CommonTableExpr'])
            ? [String(value['CommonTableExpr']['ctename'])]
            : []),
          ...Object.values(value).flatMap(cteNames),
        ]
}

function readNodeText(node: unknown): string {
  return isTree(node) && isTree(node['String']) ? String(node['String']['sval'] ?? '') : ''
}

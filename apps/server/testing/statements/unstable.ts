// Parts of an update whose result depends on the session, applied to columns: a distributed engine
// cannot send them to another node.
import { isTree, lastName, readColumnPath, type Tree, treesIn } from './tree.ts'

const castsByFormat: ReadonlySet<string> = new Set([
  'date',
  'time',
  'timetz',
  'timestamp',
  'timestamptz',
  'interval',
])
const functionsByFormat: ReadonlySet<string> = new Set([
  'date',
  'to_char',
  'to_date',
  'to_timestamp',
  'age',
])
const moments: ReadonlySet<string> = new Set([
  'now',
  'transaction_timestamp',
  'statement_timestamp',
  'clock_timestamp',
  'random',
  'gen_random_uuid',
])
/** Names of columns of type timestamptz, as far as a name can say it. */
const isMoment = (name: string): boolean => /(_at|_time|_until|_cut)$/.test(name)

/** One sentence for each such part. Sub-selects are read before the rows are changed, and may have them. */
export function unstableParts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(unstableParts)
  if (!isTree(value) || isTree(value['SelectStmt'])) return []
  const { TypeCast: cast, FuncCall: call, CoalesceExpr: coalesce, CaseExpr: choice } = value
  const here = [
    ...(isTree(cast) ? castFault(cast) : []),
    ...(isTree(call) && functionsByFormat.has(lastName(call['funcname'])) && hasColumn(call['args'])
      ? [`${lastName(call['funcname'])}() of a column depends on the session`]
      : []),
    ...((isTree(coalesce) || isTree(choice)) && hasMoment(coalesce ?? choice)
      ? ['now() inside coalesce or case: pass the moment as a parameter']
      : []),
  ]
  return [...here, ...Object.values(value).flatMap(unstableParts)]
}

function castFault(cast: Tree): string[] {
  const type = isTree(cast['typeName']) ? cast['typeName'] : {}
  const name = lastName(type['names'])
  const isArray = treesIn(type['arrayBounds']).length > 0
  if ((isArray || castsByFormat.has(name)) && hasColumn(cast['arg']))
    return [`the cast of a column to ${name}${isArray ? '[]' : ''} depends on the session`]
  const path = readColumnPath(cast['arg'])
  return name === 'text' && path !== null && isMoment(path.at(-1) ?? '')
    ? [`the text of ${path.at(-1)} depends on the session`]
    : []
}

function hasColumn(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasColumn)
  if (!isTree(value) || isTree(value['SelectStmt'])) return false
  return readColumnPath(value) !== null || Object.values(value).some(hasColumn)
}

function hasMoment(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasMoment)
  if (!isTree(value) || isTree(value['SelectStmt'])) return false
  const { FuncCall: call, SQLValueFunction: special } = value
  if (isTree(special) || (isTree(call) && moments.has(lastName(call['funcname'])))) return true
  return Object.values(value).some(hasMoment)
}

// The statements of a list's first page by which plans without and with an index are compared.
import type { Where } from '@jiaowu/api/entity/list/list-query'
import { type Kysely, sql } from 'kysely'
import { baseRows, type EntityAccess, everything } from '../../access/access.ts'
import type { LoadedEntity, LoadedField } from '../../model/definition/loaded.ts'
import { columnRef, formatTyped } from '../../model/definition/names.ts'
import { compileQuery, orderBy } from '../read/query.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import type { IndexUse } from './propose-index.ts'

const pageSize = 20

interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

export interface PageStatements {
  readonly now: Statement
  readonly indexed: Statement
}

/**
 * The first page by the use alone, with a value that the table has: as it is read now, and as it is read once
 * the pairs of characters are indexed. Null without a value.
 */
export async function pageStatements(
  db: Kysely<unknown>,
  entity: LoadedEntity,
  tenant: string,
  field: LoadedField,
  use: IndexUse,
): Promise<PageStatements | null> {
  const access = (over: LoadedEntity): EntityAccess => ({
    entity: over,
    tenant,
    grants: [everything],
    rows: baseRows(over, tenant),
  })
  const where = use === 'order' ? undefined : await sampleWhere(db, access(entity), field, use)
  if (where === null) return null
  const { attrName } = field.definition
  const sorts = use === 'order' ? [{ column: attrName, asc: true }] : []
  const statement = (over: LoadedEntity): Statement => {
    const plan = compileQuery(access(over), { queries: {}, where, sorts })
    const page = sql`order by ${orderBy(plan.order)} limit ${sql.lit(pageSize)}`
    const { sql: text, parameters } = sql`select * from ${fromTable(over)} where ${plan.where}
      ${use === 'order' ? page : sql``}`.compile(db)
    return { text, values: parameters }
  }
  const bigrams = new Set([...(entity.table.bigrams ?? []), field.column?.name ?? ''])
  return {
    now: statement(entity),
    indexed: statement({ ...entity, table: { ...entity.table, bigrams } }),
  }
}

async function sampleWhere(
  db: Kysely<unknown>,
  { entity, rows: own }: EntityAccess,
  { column, definition, sealer }: LoadedField,
  use: Exclude<IndexUse, 'order'>,
): Promise<Where | null> {
  if (column === null || sealer !== null) return null
  const ref = columnRef(column.name)
  const { rows } = await sql<{ value: string }>`
    select ${ref}::text as value from ${fromTable(entity)} where ${own} and ${ref} is not null
    limit ${formatTyped(1, 'int8')}`.execute(db)
  const sample = rows[0]?.value
  if (sample === undefined || sample === '') return null
  const value = use.toLowerCase().endsWith('like')
    ? [...sample].slice(...(use === 'rightLike' ? [0, 3] : [-3])).join('')
    : use === 'between'
      ? [sample, sample]
      : use === 'in' || use === 'multiContains'
        ? [sample]
        : sample
  return { and: [{ column: definition.attrName, op: use, value }] }
}

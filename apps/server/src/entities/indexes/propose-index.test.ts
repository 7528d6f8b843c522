import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testDatabase } from '../../../testing/database/database.ts'
import { type Catalog, readCatalog } from '../../model/definition/catalog.ts'
import { type IndexUse, proposeIndex } from './propose-index.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
let db: Kysely<unknown>
let catalog: Catalog
beforeAll(async () => {
  database = await testDatabase()
  db = database.kysely as unknown as Kysely<unknown>
  await sql`create table biz.x_book (id bigint primary key, tenant_id bigint not null, title varchar(80), "书名" text,
    price numeric, tags text[], labels varchar[], counts int4[], place jsonb, net inet, deleted_at timestamptz)`.execute(
    db,
  )
  await sql`create schema x_other`.execute(db)
  await sql`create table x_other."Order" (no int4 primary key, "user" text, code char(8), tenant_id text)`.execute(
    db,
  )
  await sql`create view x_other.seen as select * from x_other."Order"`.execute(db)
  catalog = await readCatalog(db, ['biz', 'x_other'])
})
afterAll(async () => {
  await database.close()
})

const trigrams = { trigrams: true, bigrams: false }

function propose(name: string, columnName: string, use: IndexUse, extensions = trigrams) {
  const table = catalog.get(name)
  const column = table?.columns.get(columnName)
  if (table === undefined || column === undefined) throw new Error(`no ${name}.${columnName}`)
  return proposeIndex(table, column, use, extensions)
}

/** The names of the indexes that the planner uses when it avoids reading the whole table. */
async function indexesUsed(statement: string | undefined, query: string): Promise<string> {
  const trx = await db.startTransaction().execute()
  try {
    if (statement !== undefined) await sql.raw(statement).execute(trx)
    await sql`set local enable_seqscan = off`.execute(trx)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${sql.raw(query)}`.execute(trx)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  } finally {
    await trx.rollback().execute()
  }
}

it.each<[column: string, use: IndexUse, condition: string]>([
  ['title', 'equal', `title = 'a'::text`],
  ['price', 'between', 'price >= 1 and price < 3'],
  ['title', 'like', `sys.bigrams(tenant_id, title) @> sys.bigrams(1, '书名')`],
  ['书名', 'rightLike', `sys.bigrams(tenant_id, "书名") @> sys.bigrams(1, '书名')`],
  ['tags', 'multiContains', `tags @> '{a}'::text[]`],
  ['labels', 'in', `labels::text[] && '{a}'::text[]`],
  ['counts', 'in', `counts::int8[] && '{1}'::int8[]`],
])('the index for %s by %s serves its condition', async (column, use, condition) => {
  const proposed = propose('biz.x_book', column, use)
  const plan = await indexesUsed(
    proposed?.statement,
    `select * from biz.x_book where tenant_id = 1 and deleted_at is null and ${condition}`,
  )
  expect(plan).toContain(proposed?.name)
})

it('one index serves the order of a list and its next page', async () => {
  const proposed = propose('biz.x_book', 'price', 'order')
  expect(proposed?.statement).toBe(
    'create index "x_book_price_list" on "biz"."x_book" ("tenant_id", "price", "id") where "deleted_at" is null;',
  )
  expect(proposed?.concurrently).toBe(
    proposed?.statement.replace('create index', 'create index concurrently'),
  )
  const plan = await indexesUsed(
    proposed?.statement,
    'select * from biz.x_book where tenant_id = 1 and deleted_at is null order by price desc, id desc limit 10',
  )
  expect(plan).toContain('Backward using x_book_price_list')
  expect(plan).not.toContain('Sort')
})

it('tables from elsewhere have no school, and their names are quoted', async () => {
  expect(propose('x_other.Order', 'tenant_id', 'equal')?.statement).toBe(
    'create index "Order_tenant_id_list" on "x_other"."Order" ("tenant_id", "no");',
  )
  expect(propose('x_other.Order', 'user', 'like')?.statement).toContain('("user" gin_trgm_ops)')
  const both = { trigrams: true, bigrams: true }
  expect(propose('x_other.Order', 'user', 'like', both)?.statement).toContain(
    '("user" gin_bigm_ops)',
  )
  const prefix = propose('x_other.Order', 'user', 'rightLike', { trigrams: false, bigrams: false })
  const query = `select * from x_other."Order" where "user" like '20%'`
  expect(await indexesUsed(prefix?.statement, query)).toContain('Order_user_prefix')
})

it('nothing is proposed where no index helps', () => {
  const none = { trigrams: false, bigrams: false }
  expect(propose('biz.x_book', 'price', 'notEqual')).toBe(null)
  expect(propose('biz.x_book', 'price', 'like')).toBe(null)
  expect(propose('biz.x_book', 'place', 'equal')).toBe(null)
  expect(propose('biz.x_book', 'net', 'order')).toBe(null)
  expect(propose('biz.x_book', 'tags', 'order')).toBe(null)
  expect(propose('x_other.Order', 'user', 'like', none)).toBe(null)
  expect(propose('x_other.Order', 'code', 'like')).toBe(null)
  expect(propose('x_other.seen', 'user', 'equal')).toBe(null)
})

it('long names are cut and stay different', () => {
  const table = catalog.get('biz.x_book')
  const column = table?.columns.get('title')
  if (table === undefined || column === undefined) throw new Error('no table')
  const names = ['一', '二'].map(
    (end) =>
      proposeIndex({ ...table, name: `${'长'.repeat(20)}${end}` }, column, 'equal', trigrams)
        ?.name ?? '',
  )
  expect(new Set(names).size).toBe(2)
  for (const name of names) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63)
})

import type { QueryOperator } from '@jiaowu/api/entity/enums'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Fixture, openFixture } from '../../../../testing/entities/fixture.ts'
import { accessTo } from '../../../access/access.ts'
import { readOrderKeys } from './keyset.ts'
import { findListPlan } from '../plan/list-plan.ts'
import { listFields } from '../page.ts'
import { orderBy } from '../query.ts'
import type { RawRow } from '../rows.ts'
import { fromTable } from '../../../model/definition/from-table.ts'
import { databaseOf } from '../../../platform/database/any-database.ts'
import { sampledBookmarks } from './sampled-bookmarks.ts'

const count = 30_000
let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
  // Each third row has no quantity, some seven share one, and quantities are in another order than ids.
  await sql`insert into biz.t_sample (id, tenant_id, code, quantity, memo)
    select n, 10000, 'c' || n, case when n % 3 > 0 then hashint4(n) & 4095 end, 'part ' || n % 2
    from generate_series(1, ${sql.lit(count)}) n`.execute(databaseOf(fixture))
  await sql`analyze biz.t_sample`.execute(databaseOf(fixture))
})
afterAll(async () => {
  await fixture.close()
})

/** The list, its keys in order as the database sorts them, and the bookmarks for an offset. */
async function listBy(
  column: string,
  asc: boolean,
  where?: { column: string; op: QueryOperator; value: string },
) {
  const context = fixture.context()
  const entity = await context.registry.get(context.subject.tenant, 'T_SAMPLE')
  const access = await accessTo(context, entity, 'view')
  const { plan } = findListPlan(
    context,
    access,
    {
      queries: {},
      sorts: [{ column, asc }],
      ...(where !== undefined && { where: { and: [where] } }),
    },
    listFields,
  )
  const keys = plan.order.map(({ ref }, index) => sql`(${ref})::text as ${sql.id(`k${index}`)}`)
  const { rows } = await sql<RawRow>`select ${sql.join(keys)} from ${fromTable(entity)}
    where ${plan.where} order by ${orderBy(plan.order)}`.execute(databaseOf(fixture))
  return {
    keys: rows.map((row) => readOrderKeys(plan.order, row)),
    marksFor: (offset: number, total: number) => sampledBookmarks(context, plan, offset, total),
  }
}

describe('bookmarks from a sample', () => {
  it.each([
    ['id', true, 25_000],
    ['id', false, 25_000],
    ['quantity', true, 15_000],
    // Rows without a quantity come first.
    ['quantity', false, 27_000],
  ])('of the order by %s, ascending %s, are where they say', async (column, asc, offset) => {
    const { keys, marksFor } = await listBy(column, asc)
    expect(keys).toHaveLength(count)
    // An estimate of the total may be off.
    for (const total of [count, count * 1.5]) {
      const marks = await marksFor(offset, total)
      expect(marks.length).toBeGreaterThan(0)
      for (const mark of marks) expect(keys[mark.offset - 1]).toEqual(mark.keys)
    }
  })

  it('come near to the offset from before', async () => {
    const { marksFor } = await listBy('id', true)
    const offsets = (await marksFor(25_000, count)).map((mark) => mark.offset)
    expect(offsets.some((each) => each <= 25_000 && each >= 15_000)).toBe(true)
  })

  it('count only rows that meet the condition', async () => {
    const { keys, marksFor } = await listBy('id', true, {
      column: 'memo',
      op: 'equal',
      value: 'part 1',
    })
    expect(keys).toHaveLength(count / 2)
    const marks = await marksFor(14_000, count / 2)
    expect(marks.length).toBeGreaterThan(0)
    for (const mark of marks) expect(keys[mark.offset - 1]).toEqual(mark.keys)
  })

  it('stop at rows without a value in the first column', async () => {
    const { marksFor } = await listBy('quantity', false)
    expect(await marksFor(9_000, count)).toEqual([])
  })

  it('are not made of few rows', async () => {
    const { marksFor } = await listBy('code', true, {
      column: 'code',
      op: 'rightLike',
      value: 'c777',
    })
    expect(await marksFor(9, 11)).toEqual([])
  })
})

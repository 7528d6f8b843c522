// Rows of T_SAMPLE for tests of lists, and a second entity over them whose fields hide more.
import { sql } from 'kysely'
import { databaseOf } from '../../src/platform/database/any-database.ts'
import { definition, type Fixture, sampleFields } from './fixture.ts'

/** The tag of the entity with a masked, a bounded and a hidden field. */
export const narrowed = 'T_NARROW'

export async function fillSamples(fixture: Fixture): Promise<void> {
  await sql`
    insert into biz.t_sample (id, tenant_id, create_time, name, code, amount, quantity, kind, tags,
      choices, born, seen_at, grade_year, memo)
    values
      (1, 10000, '2026-01-01 10:00+08', 'a', 'X1', 1.50, 1, '1', '{1}', '["1"]',
        '2026-01-01', '2026-01-31 23:30+08', '2024', ''),
      (2, 10000, '2026-01-02 10:00+08', 'b', 'X2', 2.25, 2, '2', '{}', '[]',
        '2026-01-20', '2026-02-01 00:30+08', '2025', 'm'),
      (3, 10000, '2026-02-03 10:00+08', 'c', '', 3.00, 3, '1', null, null,
        '2026-02-03', null, '2024', null),
      (4, 10000, '2026-02-04 10:00+08', 'd', null, null, null, null, null, null, null, null, null, null),
      (5, 10001, '2026-02-04 10:00+08', 'z', 'X1', 9, 9, '1', null, null, null, null, null, null)
    `.execute(databaseOf(fixture))
  const fields = sampleFields.map((each) => ({
    ...each,
    id: `n${each.id}`,
    ...(each.attrName === 'memo' && { pii: 'idCard' as const }),
    ...(each.attrName === 'amount' && { options: { ...each.options, warnBelow: 3 } }),
    ...(each.attrName === 'ratio' && { isQuery: 0 as const, isList: 0 as const }),
  }))
  await fixture.define(definition(narrowed, 't_sample', fields))
}

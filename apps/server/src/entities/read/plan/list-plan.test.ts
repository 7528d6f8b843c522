import { afterAll, beforeAll, expect, it } from 'vitest'
import { accessTo } from '../../../access/access.ts'
import type { Context } from '../../../model/context.ts'
import { type Fixture, openFixture } from '../../../../testing/entities/fixture.ts'
import { findListPlan } from './list-plan.ts'
import { listFields } from '../page.ts'

let fixture: Fixture
let now = new Date('2026-01-05T01:02:03Z')
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(async () => {
  await fixture.close()
})

async function listFor(
  asked: Partial<Parameters<typeof findListPlan>[2]>,
  more: Partial<Context> = {},
) {
  const context = { ...fixture.context(), now: () => now, ...more }
  const entity = await context.registry.get(context.subject.tenant, 'T_SAMPLE')
  const access = await accessTo(context, entity, 'view')
  return findListPlan(context, access, { queries: {}, sorts: [], ...asked }, listFields)
}

it('the plan of a list is kept for its pages', async () => {
  const asked = { queries: { name: 'x' }, sorts: [{ column: 'code', asc: true }] }
  const list = await listFor(asked)
  expect(await listFor(asked)).toBe(list)
  expect(await listFor({ ...asked, queries: { name: 'y' } })).not.toBe(list)
  expect(await listFor({ ...asked, sorts: [] })).not.toBe(list)
})

it('a caller with other rights gets a plan of its own', async () => {
  const { subject } = fixture.context()
  const limited = {
    ...subject,
    roles: [],
    permissions: new Set(['entity:T_SAMPLE:view']),
    grants: [
      {
        id: '1',
        code: 'own',
        permissions: ['entity:T_SAMPLE:view'],
        rules: { 'biz.t_sample': { scope: 'own' as const, expression: null, overrides: {} } },
      },
    ],
  }
  const [whole, own] = [await listFor({}), await listFor({}, { subject: limited })]
  expect(own).not.toBe(whole)
  expect(await listFor({}, { subject: limited })).toBe(own)
  expect(await listFor({}, { subject: { ...limited } })).not.toBe(own)
})

it('a period is that of the day on which it is asked for', async () => {
  const where = { and: [{ column: 'born', op: 'during' as const, value: 'month' }] }
  const january = await listFor({ where })
  expect(await listFor({ where })).toBe(january)
  now = new Date('2026-02-05T01:02:03Z')
  expect(await listFor({ where })).not.toBe(january)
})

it('a long query is not kept', async () => {
  const value = Array.from({ length: 400 }, (_, n) => `name${n}`)
  const long = { where: { and: [{ column: 'name', op: 'in' as const, value }] } }
  expect(await listFor(long)).not.toBe(await listFor(long))
})

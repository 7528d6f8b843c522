import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testDatabase } from '../../../testing/database/database.ts'
import { quietLog } from '../../../testing/quiet-log.ts'
import type { PlatformServices } from '../context.ts'
import { findDue, firstInSchools, inEachSchool } from './schools.ts'

let services: PlatformServices
const warnings: unknown[] = []
beforeAll(async () => {
  const database = await testDatabase()
  for (const id of ['1', '2', '3'])
    await database.kysely
      .insertInto('sys.tenant')
      .values({ id, tenant_id: id, code: id, name: id })
      .execute()
  const log = { ...quietLog, warn: (fields: { tenant: string }) => warnings.push(fields.tenant) }
  services = { database, log } as unknown as PlatformServices
})
afterAll(() => services.database.close())

/** As when the node of a school does not answer. */
function unavailable(): never {
  throw Object.assign(new pg.DatabaseError('connection lost', 1, 'error'), { code: '08006' })
}

it('works for each school and for the rows of none, and logs those that fail', async () => {
  const done: string[] = []
  await inEachSchool(services, 'the test', (tenant) => {
    if (tenant === '2') unavailable()
    done.push(tenant)
    return Promise.resolve()
  })
  expect(done).toEqual(['0', '1', '3'])
  expect(warnings).toEqual(['2'])
})

it('finds the first answer, past a school that does not answer', async () => {
  const find = (tenant: string) =>
    tenant === '1' ? unavailable() : Promise.resolve(tenant === '3' ? 'here' : undefined)
  expect(await firstInSchools(services, async (tenant) => await find(tenant))).toBe('here')
  await expect(
    firstInSchools(services, async (tenant) => (tenant === '1' ? unavailable() : undefined)),
  ).rejects.toThrow('connection lost')
  const asked: string[] = []
  await firstInSchools(
    services,
    (tenant) => Promise.resolve(void asked.push(tenant)),
    (schools) => schools.toReversed(),
  )
  expect(asked).toEqual(['3', '2', '1'])
})

it('finds what is due at once, and school by school when a node does not answer', async () => {
  const asked: (string | null)[] = []
  const find = (lost: boolean) => async (tenant: string | null) => {
    asked.push(tenant)
    if (lost && (tenant === null || tenant === '2')) unavailable()
    return [`due of ${tenant ?? 'all'}`]
  }
  expect(await findDue(services, 'the test', find(false))).toEqual(['due of all'])
  expect(asked).toEqual([null])
  expect(await findDue(services, 'the test', find(true))).toEqual([
    'due of 0',
    'due of 1',
    'due of 3',
  ])
  await expect(
    findDue(services, 'the test', () => Promise.reject(new Error('a bug'))),
  ).rejects.toThrow('a bug')
})

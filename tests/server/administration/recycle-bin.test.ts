import { toProblem } from '@jiaowu/api/problem'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runHousekeeping } from '../../../apps/server/src/start/housekeeping.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  app = await testApp({ RECYCLE_DAYS: '30', HISTORY_DAYS: '90' })
  admin = await app.signIn('admin')
})
afterAll(() => app.close())

const captureRemovalProblem = (work: Promise<unknown>) => work.then(() => null, toProblem)
const captureRemovalCode = async (work: Promise<unknown>) =>
  (await captureRemovalProblem(work))?.code ?? 200
const station = 'SYS_STATION'
async function make(code: string, name = code) {
  return (await admin.entityData.create({ params: { tag: station }, body: { code, name } })).id
}
async function bin(searchKey = '', as = admin) {
  return (
    await as.history.recycled({ params: { tag: station }, body: { searchKey, pageSize: 100 } })
  ).records.map(({ id }) => id)
}
const removeStations = (ids: string, tag = station) =>
  admin.entityData.remove({ params: { tag, ids } })
function purge(ids: string, count: number, tag = station, as = admin) {
  return as.history.purge({ params: { tag, ids }, body: { count } })
}
const day = 86_400_000
/** Sets the permissions of the role of `viewer`. */
async function give(codes: readonly string[]) {
  const roles = (await admin.entityData.page({ params: { tag: 'SYS_ROLE' }, body: {} })).records
  const id = roles.find((row) => row['code'] === 'ROLE_VIEWER')?.id ?? ''
  const { version } = await admin.role.permissions({ params: { id } })
  await admin.role.savePermissions({
    params: { id },
    body: { version, codes: [...codes], rules: [] },
  })
}

describe('the recycle bin', () => {
  it('is searched by list columns, and purged with the permission and the right count', async () => {
    const [one, two] = [await make('BIN_1', '会被找到'), await make('BIN_2', '百分之百%')]
    const files = app.services.database.kysely
    await files
      .insertInto('sys.attachment')
      .values({
        id: '77',
        tenant_id: '10000',
        biz_type: station,
        biz_id: one,
        name: 'a.txt',
        size: '1',
        type: 'text/plain',
        storage_name: 'x',
        sha256: '',
      })
      .execute()
    await removeStations(`${one},${two}`)
    expect([await bin('找到'), await bin('%'), await bin('BIN_'), await bin('没有')]).toEqual([
      [one],
      [two],
      [two, one],
      [],
    ])
    expect((await admin.history.recycled({ params: { tag: station }, body: {} })).keptDays).toBe(30)
    await give(['entity:SYS_STATION:view', 'entity:SYS_STATION:delete'])
    expect(await captureRemovalCode(purge(one, 1, station, await app.signIn('viewer')))).toBe(403)
    expect([
      await captureRemovalCode(purge(one, 2)),
      await captureRemovalCode(purge(`${one},1`, 2)),
      await bin('BIN_'),
    ]).toEqual([42200, 404, [two, one]])
    expect(await purge(one, 1)).toEqual({ purged: 1 })
    expect([
      await bin('BIN_'),
      await captureRemovalCode(admin.history.restore({ params: { tag: station, ids: one } })),
    ]).toEqual([[two], 404])
    const left = await files
      .selectFrom('sys.row_history')
      .select('id')
      .where('row_id', '=', one)
      .execute()
    const file = await files
      .selectFrom('sys.attachment')
      .select('deleted_at')
      .where('id', '=', '77')
      .executeTakeFirstOrThrow()
    const audited = await files
      .selectFrom('sys.audit_log')
      .select(['account', 'object'])
      .where('action', '=', 'entity.purge')
      .where('object_id', '=', one)
      .execute()
    expect([left, file.deleted_at === null, audited]).toEqual([
      [],
      false,
      [{ account: 'admin', object: station }],
    ])
  })
  it('keeps records that others refer to, and purges no live record', async () => {
    const referenced = await make('KEPT')
    const user = await admin.entityData.create({
      params: { tag: 'SYS_USER' },
      body: {
        account: 'sits-there',
        name: '坐着',
        password: 'correct horse battery',
        station: referenced,
      },
    })
    expect(await captureRemovalCode(purge(referenced, 1))).toBe(404)
    await removeStations(user.id, 'SYS_USER')
    await removeStations(referenced)
    expect((await captureRemovalProblem(purge(referenced, 1)))?.message).toBe(
      '回收站或系统中还有数据引用它，请先处理那些数据',
    )
    await purge(user.id, 1, 'SYS_USER')
    expect(await purge(referenced, 1)).toEqual({ purged: 1 })
    const role = await admin.entityData.create({
      params: { tag: 'SYS_ROLE' },
      body: { code: 'ROLE_GOING', name: '要走的' },
    })
    await admin.role.savePermissions({
      params: { id: role.id },
      body: { version: Number(role.version), codes: ['entity:EDU_STUDENT:view'], rules: [] },
    })
    await removeStations(role.id, 'SYS_ROLE')
    expect(await purge(role.id, 1, 'SYS_ROLE')).toEqual({ purged: 1 })
  })
  it('is purged after RECYCLE_DAYS, and the history after HISTORY_DAYS', async () => {
    const [old, used, user] = [await make('OLD'), await make('USED'), 'still-here']
    await admin.entityData.create({
      params: { tag: 'SYS_USER' },
      body: { account: user, name: '仍在', password: 'correct horse battery' },
    })
    await removeStations(`${old},${used}`)
    await app.services.database.kysely
      .updateTable('sys.app_user')
      .set({ station_id: used })
      .where('account', '=', user)
      .execute() // as another program might
    const count = async () =>
      Number(
        (
          await app.services.database.kysely
            .selectFrom('sys.row_history')
            .select((e) => e.fn.countAll<string>().as('n'))
            .executeTakeFirstOrThrow()
        ).n,
      )
    app.advance(29 * day)
    await runHousekeeping(app.services)
    expect(
      (
        await app.services.database.kysely
          .selectFrom('sys.station')
          .select('id')
          .where('id', 'in', [old, used])
          .execute()
      ).length,
    ).toBe(2)
    app.advance(2 * day)
    await runHousekeeping(app.services)
    expect(
      await app.services.database.kysely
        .selectFrom('sys.station')
        .select('id')
        .where('id', 'in', [old, used])
        .execute(),
    ).toEqual([{ id: used }])
    expect(await count()).toBeGreaterThan(0)
    app.advance(60 * day)
    await runHousekeeping(app.services)
    expect(await count()).toBe(0)
    // The session has expired meanwhile.
    admin = await app.signIn('admin')
  })
})

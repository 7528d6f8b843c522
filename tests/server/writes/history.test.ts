import { differencesBetween, stateAt } from '@jiaowu/api/entity/definition/history'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toCsv, importFile } from '../../support/imports.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
})
afterAll(() => app.close())

function captureHistoryStatus(work: Promise<unknown>) {
  return work.then(
    () => 'ok',
    (error: { problem: { code: number } }) => error.problem.code,
  )
}
const tag = 'EDU_STUDENT'
async function students() {
  return (await admin.entityData.page({ params: { tag }, body: { pageSize: 10 } })).records
}
async function update(id: string, values: object, as = admin) {
  return as.entityData.update({
    params: { tag, id },
    body: { version: (await admin.entityData.get({ params: { tag, id } }))['version'], ...values },
  })
}
const loadHistory = (id: string, as = admin) => as.history.of({ params: { tag, id } })

describe('the history of a record', () => {
  it('lists who changed which values, and restores them by an ordinary update', async () => {
    const id = (await students())[0]?.id ?? ''
    const first = await update(id, { dormitory: '1 号楼', political: '01' })
    await (
      await app.signIn('registrar')
    ).entityData.update({
      params: { tag, id },
      body: {
        version: first['version'],
        dormitory: '2 号楼',
        introduction: '<p>好</p><script>x</script>',
      },
    })
    const found = await loadHistory(id)
    const [latest, before] = found.entries
    expect(latest).toMatchObject({
      action: 'update',
      user: { name: '教务管理员' },
      changes: expect.arrayContaining([
        { attrName: 'dormitory', from: '1 号楼', to: '2 号楼' },
        expect.objectContaining({ attrName: 'introduction', to: '<p>好</p>' }),
      ]),
    })
    expect(before?.user?.name).toBe('系统管理员')
    expect(before?.changes.find(({ attrName }) => attrName === 'political')?.to).toEqual([
      { id: '01', name: expect.not.stringMatching(/^01$/) },
    ])
    const then = stateAt(found, before?.id ?? '')
    const differing = differencesBetween(found.row, then, [
      'dormitory',
      'political',
      'introduction',
    ])
    expect(differing.map(({ attrName }) => attrName)).toEqual(['dormitory', 'introduction'])
    await update(id, Object.fromEntries(differing.map(({ attrName, to }) => [attrName, to])))
    expect((await admin.entityData.get({ params: { tag, id } }))['dormitory']).toBe('1 号楼')
    expect(
      (await loadHistory(id)).entries[0]?.changes.find(({ attrName }) => attrName === 'dormitory'),
    ).toEqual({ attrName: 'dormitory', from: '2 号楼', to: '1 号楼' })
  })
  it('omits hidden fields, and entries that change only those', async () => {
    const id = (await students())[1]?.id ?? ''
    await update(id, { dormitory: 'secret-1', mobile: '13900000001' })
    await update(id, { dormitory: 'secret-2' })
    const role =
      (await admin.entityData.page({ params: { tag: 'SYS_ROLE' }, body: {} })).records.find(
        (row) => row['code'] === 'ROLE_VIEWER',
      )?.id ?? ''
    const { version, codes } = await admin.role.permissions({ params: { id: role } })
    await admin.role.savePermissions({
      params: { id: role },
      body: {
        version,
        codes: [...codes],
        rules: [
          {
            tag,
            scope: 'all',
            expression: null,
            overrides: { dormitory: { isDetail: 0, isEdit: 0, isAdd: 0, isExport: 0 } },
          },
        ],
      },
    })
    const seen = await loadHistory(id, await app.signIn('viewer'))
    expect(seen.entries.map(({ changes }) => changes.map(({ attrName }) => attrName))).toEqual([
      ['mobile'],
    ])
    expect(JSON.stringify(seen)).not.toMatch(/dormitory|secret/)
    expect((await loadHistory(id)).entries).toHaveLength(2)
  })
  it('is refused for invisible rows, and holds no password', async () => {
    const clerk = await app.signIn('clerk')
    expect(
      await captureHistoryStatus(clerk.history.of({ params: { tag: 'EDU_GRADE', id: '1' } })),
    ).toBe(403)
    expect(await captureHistoryStatus(loadHistory('1'))).toBe(404)
    const user = await admin.entityData.create({
      params: { tag: 'SYS_USER' },
      body: { account: 'fresh', name: '新', password: 'correct horse battery' },
    })
    const lines = await app.services.database.kysely
      .selectFrom('sys.row_history')
      .selectAll()
      .where('row_id', '=', user.id)
      .execute()
    expect(lines.map(({ action }) => action)).toEqual(['add'])
    expect(JSON.stringify(lines)).not.toMatch(/password|correct horse/)
  })
  it('includes imports', async () => {
    const row = (await students())[2]
    const sheet = toCsv(
      `学号,姓名,宿舍\n${String(row?.['studentNo'])},${String(row?.['name'])},导入楼\n`,
    )
    expect(await importFile(admin, tag, sheet, { mode: 'update', key: 'studentNo' })).toMatchObject(
      { status: 'done', updated: 1 },
    )
    expect(
      (await loadHistory(row?.id ?? '')).entries.map(({ action, changes }) => [
        action,
        changes.map(({ attrName, to }) => [attrName, to]),
      ]),
    ).toEqual([['update', [['dormitory', '导入楼']]]])
  })
  it('omits refused changes', async () => {
    const [a, b] = await students()
    const before = await app.services.database.kysely
      .selectFrom('sys.row_history')
      .select('id')
      .execute()
    expect(await captureHistoryStatus(update(b?.id ?? '', { name: '' }))).toBe(42200)
    expect(
      await captureHistoryStatus(
        admin.entityData.update({
          params: { tag, id: a?.id ?? '' },
          body: { version: 999, dormitory: 'x' },
        }),
      ),
    ).toBe(40900)
    expect(
      await app.services.database.kysely.selectFrom('sys.row_history').select('id').execute(),
    ).toHaveLength(before.length)
  })
})

describe('the recycle bin', () => {
  const create = (as = admin) =>
    as.entityData.create({ params: { tag: 'SYS_STATION' }, body: { code: 'S1', name: '辅导员' } })
  const bin = (as = admin) => as.history.recycled({ params: { tag: 'SYS_STATION' }, body: {} })
  it('lists deleted rows with time and user, and restores them', async () => {
    const { id } = await create()
    await admin.entityData.remove({ params: { tag: 'SYS_STATION', ids: id } })
    expect((await bin()).records).toEqual([
      expect.objectContaining({
        id,
        name: '辅导员',
        deletedBy: '系统管理员',
        deletedAt: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:/),
      }),
    ])
    expect(await admin.history.restore({ params: { tag: 'SYS_STATION', ids: id } })).toEqual({
      restored: 1,
    })
    expect((await bin()).total).toBe(0)
    expect(
      (await admin.history.of({ params: { tag: 'SYS_STATION', id } })).entries.map(
        ({ action }) => action,
      ),
    ).toEqual(['restore', 'delete', 'add'])
    expect(
      await captureHistoryStatus(
        admin.history.restore({ params: { tag: 'SYS_STATION', ids: id } }),
      ),
    ).toBe(404)
    await admin.entityData.remove({ params: { tag: 'SYS_STATION', ids: id } })
    await create() // takes its unique key
    expect(
      await captureHistoryStatus(
        admin.history.restore({ params: { tag: 'SYS_STATION', ids: id } }),
      ),
    ).toBe(409)
    expect((await bin()).total).toBe(1)
  })
  it('needs the permission to delete, and omits rows of other tenants', async () => {
    const viewer = await app.signIn('viewer')
    expect(await captureHistoryStatus(viewer.history.recycled({ params: { tag }, body: {} }))).toBe(
      403,
    )
    const other = await app.signIn('admin', '10001')
    expect((await bin(other)).total).toBe(0)
    const [lost] = (await bin()).records
    expect(
      await captureHistoryStatus(
        other.history.restore({ params: { tag: 'SYS_STATION', ids: lost?.id ?? '' } }),
      ),
    ).toBe(404)
    expect(
      await captureHistoryStatus(
        admin.history.recycled({ params: { tag: 'RPT_ORDER' }, body: {} }),
      ),
    ).toBe(403)
  })
})

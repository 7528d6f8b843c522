import type { Job } from '@jiaowu/api/contract/job'
import { toProblem } from '@jiaowu/api/problem'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
})
afterAll(() => app.close())

function captureItemCode(attempt: Promise<unknown>) {
  return attempt.then(
    () => 200,
    (error: unknown) => toProblem(error).code,
  )
}
function csv(...rows: string[]) {
  return new File([['字典代码,项代码,名称', ...rows].join('\n')], 'items.csv', { type: 'text/csv' })
}
function waitForJobEnd(job: Job) {
  return vi.waitFor(
    async () => {
      const now = await admin.job.get({ params: { id: job.id } })
      if (!['done', 'failed'].includes(now.status))
        throw new Error(`${now.status} ${now.phase} ${now.message ?? ''}`)
      return now
    },
    { timeout: 20_000, interval: 50 },
  )
}
async function heads() {
  return (await admin.entityData.config({ params: { tag: 'SYS_DICT_ITEM' } })).fields
    .filter(({ isAdd }) => isAdd === 1)
    .map(({ uiLabel }) => uiLabel)
}

describe('dictionary items under their own paths', () => {
  it('list, create, update and remove rows of SYS_DICT_ITEM', async () => {
    const made = await admin.dictionaryItem.create({
      body: { dictCode: 'gender', itemCode: '9', name: '未说明' },
    })
    expect(
      (await admin.entityData.get({ params: { tag: 'SYS_DICT_ITEM', id: made.id } })).name,
    ).toBe('未说明')
    const changed = await admin.dictionaryItem.update({
      body: { id: made.id, version: made.version ?? 1, name: '不便说明' },
    })
    expect(changed.name).toBe('不便说明')
    expect(
      await captureItemCode(
        admin.dictionaryItem.update({
          body: { id: made.id, version: made.version ?? 1, name: '旧' },
        }),
      ),
    ).toBe(40900)
    expect(
      (
        await admin.dictionaryItem.page({ body: { queries: { dictCode: 'gender' }, pageSize: 50 } })
      ).records.map(({ id }) => id),
    ).toContain(made.id)
    expect(await admin.dictionaryItem.remove({ query: { ids: made.id } })).toEqual({ deleted: 1 })
    expect(
      await captureItemCode(admin.dictionaryItem.update({ body: { id: 'x', version: 1 } })),
    ).toBe(404)
  })
  it('are exported, previewed without a job, and imported', async () => {
    const response = await app.call('/dictionaryItem/export', {
      method: 'POST',
      headers: { authorization: `bearer ${admin.token}`, 'content-type': 'application/json' },
      body: '{"format":"csv"}',
    })
    expect([response.status, (await response.text()).length > 100]).toEqual([200, true])
    expect(await heads()).toEqual(expect.arrayContaining(['字典代码', '项代码', '名称']))
    const count = async () =>
      (await admin.dictionaryItem.page({ body: { queries: { dictCode: 'gender' }, pageSize: 50 } }))
        .total
    const before = await count()
    const preview = await waitForJobEnd(
      await admin.dictionaryItem.preview({
        body: { file: csv('gender,7,甲', 'gender,8,'), onError: 'skip' },
      }),
    )
    expect([preview.dryRun, preview.review, preview.inserted, await count()]).toEqual([
      true,
      { fresh: 1, changed: 0, same: 0, wrong: 1 },
      0,
      before,
    ])
    const done = await waitForJobEnd(
      await admin.dictionaryItem.import({
        body: { file: csv('gender,7,甲', 'gender,8,'), onError: 'skip', confirm: true },
      }),
    )
    expect([done.status, done.inserted, done.failed, await count()]).toEqual([
      'done',
      1,
      1,
      Number(before) + 1,
    ])
  })
  it('need the permissions of the entity', async () => {
    const viewer = await app.signIn('viewer')
    expect(
      await captureItemCode(
        viewer.dictionaryItem.create({ body: { dictCode: 'gender', itemCode: '6', name: 'x' } }),
      ),
    ).toBe(403)
    expect(
      await captureItemCode(viewer.dictionaryItem.import({ body: { file: csv('gender,6,x') } })),
    ).toBe(403)
    expect(await captureItemCode(viewer.dictionaryItem.remove({ query: { ids: '1' } }))).toBe(403)
  })
})

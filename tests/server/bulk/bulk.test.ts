import type { BulkJob } from '@jiaowu/api/contract/entity/bulk'
import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import { isJobOver } from '@jiaowu/api/contract/job'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testApp, type TestApp } from '../../../apps/server/testing/app.ts'
import { readSheetCells } from '../../support/imports.ts'

type Api = Client<typeof contract>
let app: TestApp
let [admin, clerk, viewer, foreign] = [] as unknown as [Api, Api, Api, Api]
beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
  clerk = await app.signIn('clerk')
  viewer = await app.signIn('viewer')
  foreign = await app.signIn('admin', '10001')
})
afterAll(() => app.close())

const openBulkDatabase = () => app.services.database.kysely
async function waitUntilStill(api: Api, id: string): Promise<BulkJob> {
  for (;;) {
    const job = await api.bulk.get({ params: { id } })
    if (isJobOver(job) || job.status === 'paused') return job
    await new Promise((resolve) => {
      setTimeout(resolve, 40)
    })
  }
}
type Selection = Parameters<Api['bulk']['remove']>[0]['body']
async function look(api: Api, tag: string, selection: Selection, set: Record<string, unknown>) {
  return waitUntilStill(
    api,
    (await api.bulk.update({ params: { tag }, body: { ...selection, set } })).id,
  )
}
async function lookAtDelete(api: Api, tag: string, selection: Selection) {
  return waitUntilStill(api, (await api.bulk.remove({ params: { tag }, body: selection })).id)
}
async function apply(api: Api, { id, changed }: BulkJob, onError: 'abort' | 'skip' = 'skip') {
  await api.bulk.apply({ params: { id }, body: { count: changed, onError } })
  return await waitUntilStill(api, id)
}
function loadPage(api: Api, tag: string, queries: Record<string, unknown> = {}, pageSize = 1000) {
  return api.entityData.page({ params: { tag }, body: { queries, pageSize } })
}
const refusedWith = (code: number) => ({ problem: { code } })

it('previews the change of every row of a filter, and applies exactly that when confirmed', async () => {
  const before = await loadPage(admin, 'EDU_TEACHER', { onJob: '1' })
  const [first, second] = before.records
  const marked = await look(admin, 'EDU_TEACHER', { ids: [second?.id ?? ''] }, { research: '已有' })
  await apply(admin, marked)
  const job = await look(
    admin,
    'EDU_TEACHER',
    { queries: { onJob: '1' }, except: [first?.id ?? ''] },
    { research: '已有', rating: 4 },
  )
  expect(job).toMatchObject({
    kind: 'bulk',
    status: 'paused',
    phase: 'review',
    total: Number(before.total) - 1,
    failed: 0,
    updated: 0,
    can: { apply: true, cancel: true },
    set: [
      { label: '评教星级', text: '4' },
      { label: '研究方向', text: '已有' },
    ],
  })
  expect(job.changed + job.skipped).toBe(job.total)
  const cells = job.rows.flatMap((row) => row.cells)
  expect(cells.length).toBeLessThanOrEqual(101)
  expect(
    job.rows.find(({ id }) => id === second?.id)?.cells ?? [{ attrName: 'rating' }],
  ).toMatchObject([{ attrName: 'rating' }])
  expect(cells).toContainEqual({
    attrName: 'research',
    label: '研究方向',
    before: null,
    after: '已有',
  })
  const unchanged = await admin.entityData.get({
    params: {
      tag: 'EDU_TEACHER',
      id: before.records.slice(2).find(({ rating }) => rating !== 4)?.id ?? '',
    },
  })
  expect(unchanged.research ?? '').not.toBe('已有')
  await expect(
    admin.bulk.apply({ params: { id: job.id }, body: { count: job.changed - 1 } }),
  ).rejects.toMatchObject(refusedWith(409))
  const [done, again] = await Promise.all([apply(admin, job), apply(admin, job)])
  expect([done.status, done.updated, again.updated]).toEqual(['done', job.changed, job.changed])
  expect(
    (await admin.entityData.get({ params: { tag: 'EDU_TEACHER', id: first?.id ?? '' } }))
      .research ?? '',
  ).not.toBe('已有')
  const row = await admin.entityData.get({ params: { tag: 'EDU_TEACHER', id: unchanged.id } })
  expect(row).toMatchObject({ research: '已有', rating: 4, version: Number(unchanged.version) + 1 })
  const { entries } = await admin.history.of({ params: { tag: 'EDU_TEACHER', id: row.id } })
  expect(entries[0]?.changes.map(({ attrName, to }) => [attrName, to])).toEqual([
    ['rating', 4],
    ['research', '已有'],
  ])
  const { rows: audited } = await sql<{
    action: string
    detail: unknown
  }>`select action, detail from sys.audit_log where object_id = ${job.id} order by id`.execute(
    openBulkDatabase(),
  )
  expect(audited.map(({ action }) => action)).toEqual([
    'entity.bulk.update.apply',
    'entity.bulk.update.rows',
    'entity.bulk.update',
  ])
  // Emptying is a value of its own.
  const emptied = await look(admin, 'EDU_TEACHER', { ids: [row.id] }, { research: '' })
  expect(emptied).toMatchObject({
    set: [{ text: null }],
    rows: [{ cells: [{ before: '已有', after: null }] }],
  })
  await apply(admin, emptied, 'abort')
  expect(
    (await admin.entityData.get({ params: { tag: 'EDU_TEACHER', id: row.id } })).research ?? '',
  ).toBe('')
})

it('excludes keys, generated numbers, passwords, pictures and fields of other entities, and values that the form refuses', async () => {
  const ids = [(await loadPage(clerk, 'EDU_STUDENT')).records[0]?.id ?? '']
  const asked = (
    api: Api,
    tag: string,
    set: Record<string, unknown>,
    selection: Selection = { ids },
  ) => api.bulk.update({ params: { tag }, body: { ...selection, set } })
  for (const set of [
    { studentNo: '1' },
    { photo: [] },
    { createTime: '2020-01-01 00:00:00' },
    { id: '1' },
    { tenant_id: '2' },
    { constructor: 'x' },
    {},
  ])
    await expect(asked(clerk, 'EDU_STUDENT', set), JSON.stringify(set)).rejects.toMatchObject(
      refusedWith(42200),
    )
  await expect(
    asked(admin, 'SYS_USER', { password: 'New-pass-2026' }, { queries: {} }),
  ).rejects.toMatchObject(refusedWith(42200))
  for (const selection of [{}, { ids: [] }, { queries: { syllabus: 'x' } }])
    await expect(
      asked(clerk, 'EDU_STUDENT', { name: '甲' }, selection),
      JSON.stringify(selection),
    ).rejects.toMatchObject(refusedWith(42200))
  await expect(asked(viewer, 'EDU_STUDENT', { name: '甲' })).rejects.toMatchObject(refusedWith(403))
  await expect(asked(admin, 'SYS_LOG', { action: 'x' }, { queries: {} })).rejects.toMatchObject(
    refusedWith(403),
  )
  await expect(
    clerk.bulk.remove({ params: { tag: 'EDU_STUDENT' }, body: { ids } }),
  ).rejects.toMatchObject(refusedWith(403))
  // The rules of the form, for each row: required, format, a choice that is there, a child of its parent.
  const wrong = async (tag: string, set: Record<string, unknown>) =>
    await look(admin, tag, { queries: {} }, set)
  const nameless = await wrong('EDU_TEACHER', { name: '' })
  expect([nameless.changed, nameless.can.apply, nameless.refused[0]?.errors]).toMatchObject([
    0,
    false,
    [{ rule: 'required', column: '姓名' }],
  ])
  expect((await wrong('EDU_TEACHER', { email: 'nobody' })).refused[0]?.errors).toMatchObject([
    { column: '邮箱' },
  ])
  expect((await wrong('EDU_TEACHER', { title: 'no-such' })).refused[0]?.errors).toMatchObject([
    { rule: 'choice', column: '职称' },
  ])
  const faculties = (await loadPage(admin, 'EDU_FACULTY')).records
  const cascaded = await wrong('EDU_COURSE', { faculty: faculties[0]?.id })
  expect(cascaded.failed).toBeGreaterThan(0)
  expect(
    cascaded.refused.every(
      ({ errors }) => errors[0]?.rule === 'cascade' && errors[0].column === '主讲教师',
    ),
  ).toBe(true)
  expect(cascaded.changed + cascaded.skipped + cascaded.failed).toBe(cascaded.total)
})

it('is visible to its owner only, and stays within the tenant', async () => {
  const ids = (await loadPage(admin, 'EDU_FACULTY')).records.slice(0, 2).map(({ id }) => id)
  const theirs = await look(foreign, 'EDU_FACULTY', { ids }, { dean: '抢' })
  expect(theirs).toMatchObject({
    total: 2,
    changed: 0,
    failed: 2,
    refused: [{ errors: [{ rule: 'noRecord' }] }, {}],
  })
  const mine = await look(admin, 'EDU_FACULTY', { ids }, { dean: '院长' })
  for (const api of [foreign, clerk]) {
    await expect(api.bulk.get({ params: { id: mine.id } })).rejects.toMatchObject(refusedWith(404))
    await expect(
      api.bulk.apply({ params: { id: mine.id }, body: { count: 2 } }),
    ).rejects.toMatchObject(refusedWith(404))
    await expect(api.bulk.result({ params: { id: mine.id } })).rejects.toMatchObject(
      refusedWith(404),
    )
  }
  await expect(admin.job.get({ params: { id: mine.id } })).rejects.toMatchObject(refusedWith(404))
})

it('skips and names rows saved since the preview; all or none then changes none', async () => {
  const rows = (await loadPage(admin, 'EDU_FACULTY')).records
  const ids = rows.map(({ id }) => id)
  const asked = { dean: '同一人' }
  const saved = async (id: string) => {
    const row = await admin.entityData.get({ params: { tag: 'EDU_FACULTY', id } })
    await admin.entityData.update({
      params: { tag: 'EDU_FACULTY', id },
      body: { version: row.version, phone: `0731-${row.version}` },
    })
  }
  const deans = async () =>
    (await loadPage(admin, 'EDU_FACULTY')).records.filter(({ dean }) => dean === '同一人').length
  const strict = await look(admin, 'EDU_FACULTY', { ids }, asked)
  await saved(ids[0] ?? '')
  expect(await apply(admin, strict, 'abort')).toMatchObject({
    status: 'failed',
    updated: 0,
    refused: [{ id: ids[0], errors: [{ rule: 'changed' }] }],
  })
  expect(await deans()).toBe(0)
  const loose = await look(admin, 'EDU_FACULTY', { ids }, asked)
  await saved(ids[1] ?? '')
  const done = await apply(admin, loose)
  expect(done).toMatchObject({
    status: 'done',
    updated: ids.length - 1,
    failed: 1,
    refused: [{ id: ids[1], errors: [{ rule: 'changed' }] }],
  })
  expect(await deans()).toBe(ids.length - 1)
  const file = await admin.bulk.result({ params: { id: done.id }, query: { only: 'refused' } })
  expect(await readSheetCells(file.stream)).toMatchObject([
    ['名称', 'ID', '变化', '结果', '原因'],
    [
      rows[1]?.name,
      ids[1],
      expect.stringContaining('→ 同一人'),
      '不能修改',
      expect.stringContaining('修改过'),
    ],
  ])
  const stale = await look(admin, 'EDU_FACULTY', { ids }, { dean: '又一人' })
  await sql`update sys.entity set version = version + 1 where tag = 'EDU_FACULTY'`.execute(
    openBulkDatabase(),
  )
  app.services.registry.invalidate()
  expect(await apply(admin, stale)).toMatchObject({ status: 'failed', updated: 0 })
})

it('moves unreferenced rows to the recycle bin, children with their parents', async () => {
  const inUse = await lookAtDelete(admin, 'EDU_FACULTY', { queries: {} })
  expect(inUse).toMatchObject({
    action: 'delete',
    changed: 0,
    refused: [{ errors: [{ rule: 'inUse' }] }, {}, {}, {}, {}, {}],
  })
  const add = async (name: string, pid?: string) =>
    (
      await admin.entityData.create({
        params: { tag: 'SYS_ORG' },
        body: { name, code: name, ...(pid === undefined ? {} : { pid }) },
      })
    ).id
  const parent = await add('甲处')
  const child = await add('乙科', parent)
  const other = await add('丙处')
  const below = await add('丁科', other)
  const job = await lookAtDelete(admin, 'SYS_ORG', { ids: [parent, child, other] })
  expect(job).toMatchObject({
    changed: 2,
    failed: 1,
    refused: [{ id: other, errors: [{ rule: 'inUse' }] }],
  })
  expect(await apply(admin, job)).toMatchObject({ status: 'done', updated: 2 })
  expect(
    (await admin.history.recycled({ params: { tag: 'SYS_ORG' }, body: {} })).records
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual([parent, child].toSorted())
  expect((await admin.entityData.get({ params: { tag: 'SYS_ORG', id: below } })).name).toBe('丁科')
})

const many = Number(process.env.BULK_ROWS ?? 10_500) // more than may go together; 20,000 and 100,000 were tried
it('processes thousands of rows in batches, serves others in between, and can be stopped', async () => {
  await sql`insert into biz.course (id, tenant_id, code, name, faculty_id, credit) select 800000000000000 + i, 10000, 'BULK' || i, '批量' || i, (select id from biz.faculty where tenant_id = 10000 order by id limit 1), 1 from generate_series(1, ${many}::int) i`.execute(
    openBulkDatabase(),
  )
  const selection = { queries: { code: 'BULK' } }
  const { records } = await loadPage(admin, 'EDU_COURSE', selection.queries, 1)
  expect(records).toHaveLength(1)
  const job = await look(admin, 'EDU_COURSE', selection, { hours: 48, startTime: '08:00:00' })
  expect(job).toMatchObject({ total: many, changed: many, failed: 0 })
  await expect(
    admin.bulk.apply({ params: { id: job.id }, body: { count: many, onError: 'abort' } }),
  ).rejects.toMatchObject(refusedWith(409))
  await admin.bulk.apply({ params: { id: job.id }, body: { count: many } })
  let seen = 0
  for (
    let now = await admin.bulk.get({ params: { id: job.id } });
    now.updated < 2_000;
    now = await admin.bulk.get({ params: { id: job.id } })
  ) {
    await loadPage(admin, 'EDU_STUDENT', {}, 10) // a list in between
    seen += 1
    await new Promise((resolve) => {
      setTimeout(resolve, 40)
    })
  }
  expect(seen).toBeGreaterThan(0)
  await admin.bulk.cancel({ params: { id: job.id } })
  const stopped = await waitUntilStill(admin, job.id)
  expect(stopped.status).toBe('cancelled')
  const changed = async () =>
    Number(
      (
        await sql<{
          n: string
        }>`select count(*) as n from biz.course where code like 'BULK%' and hours = 48`.execute(
          openBulkDatabase(),
        )
      ).rows[0]?.n,
    )
  // Whole batches, and exactly those it tells of.
  expect(stopped.updated % 500).toBe(0)
  expect(await changed()).toBe(stopped.updated)
})

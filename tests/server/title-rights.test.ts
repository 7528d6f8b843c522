// A title shows no more of its fields than the fields themselves do, on every way out of the server.
import { entityActions, entityPermission } from '@jiaowu/api/entity/permission'
import { type BulkJob } from '@jiaowu/api/contract/entity/bulk'
import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import type { Row } from '@jiaowu/api/entity/values'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { importFile, toCsv } from '../support/imports.ts'
import { newStaff } from '../support/staff.ts'

type Api = Client<typeof contract>
let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
let student: Row
let grade: Row
const students = { tag: 'EDU_STUDENT' }
const grades = { tag: 'EDU_GRADE' }
const idCard = '11010519491231002X'
const hidden = { isList: 0, isQuery: 0, isDetail: 0, isExport: 0, isAdd: 0, isEdit: 0 }

beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
  const [first] = (await admin.entityData.page({ params: grades, body: { pageSize: 1 } })).records
  grade = first as Row
  const id = (grade['student'] as readonly { id: string }[])[0]?.id ?? ''
  student = await admin.entityData.get({ params: { ...students, id } })
})
afterAll(() => app.close())

async function waitForReview(api: Api, { id }: BulkJob): Promise<BulkJob> {
  for (;;) {
    const job = await api.bulk.get({ params: { id } })
    if (job.status !== 'queued' && job.status !== 'running') return job
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
  }
}
async function readText(stream: ReadableStream<Uint8Array>): Promise<string> {
  return await new Response(stream).text()
}
/** The answer, or the refusal with its words. */
async function settle(call: Promise<unknown>): Promise<unknown> {
  return await call.catch((error: { problem?: unknown }) => error.problem ?? String(error))
}

/** Everything that names the student or the mark, by the way that it comes. */
async function readSurfaces(api: Api): Promise<Readonly<Record<string, string>>> {
  const [own, mark] = [
    { ...students, id: student.id },
    { ...grades, id: grade.id },
  ]
  const name = String(student['name'])
  const all = { pageSize: -1, pageNum: -1, sorts: [], format: 'csv' as const }
  const ofStudent = { student: [{ id: student.id, name: '' }] }
  const current = await api.entityData.get({ params: mark })
  const review = await importFile(
    api,
    'EDU_GRADE',
    toCsv(`id,备注\n${grade.id},改 ${Math.random()}`),
    { mode: 'update', pauseAt: 'review' },
  )
  const found: Record<string, unknown> = {
    lists: await api.entityData.page({ params: students, body: { queries: { name } } }),
    'lists of marks': await api.entityData.page({ params: grades, body: { queries: ofStudent } }),
    'a record': await api.entityData.get({ params: own }),
    'a record of marks': current,
    'an update': await api.entityData.update({
      params: mark,
      body: { remarks: `r${Math.random()}`, version: current.version ?? 0 },
    }),
    lookups: await api.entityData.lookup({
      params: grades,
      body: { fieldId: 'student', searchKey: name, pageSize: 50 },
    }),
    history: await api.history.of({ params: own }),
    'history of marks': await api.history.of({ params: mark }),
    exports: await readText(
      (await api.entityData.export({ params: students, body: { ...all, queries: { name } } }))
        .stream,
    ),
    'exports of marks': await readText(
      (await api.entityData.export({ params: grades, body: { ...all, queries: ofStudent } }))
        .stream,
    ),
    'bulk changes': await waitForReview(
      api,
      await api.bulk.update({ params: grades, body: { ids: [grade.id], set: { remarks: 'b' } } }),
    ),
    'bulk deletions': await waitForReview(
      api,
      await api.bulk.remove({ params: students, body: { ids: [student.id] } }),
    ),
    'a refused deletion': await settle(
      api.entityData.remove({ params: { ...students, ids: student.id } }),
    ),
    'the review of an import': await api.job.rows({
      params: { id: review.id },
      query: { verdict: 'changed', pageNum: 1, pageSize: 10 },
    }),
    'what changed in the meantime': await settle(
      api.entityData.update({ params: mark, body: { remarks: 'late', version: 0 } }),
    ),
  }
  await api.entityData.remove({ params: { ...grades, ids: grade.id } })
  found['the recycle bin'] = await api.history.recycled({ params: grades, body: {} })
  await api.history.restore({ params: { ...grades, ids: grade.id } })
  return Object.fromEntries(
    // The addresses of the demo's students hold their numbers.
    Object.entries(found).map(([way, answer]) => [
      way,
      JSON.stringify(answer).replaceAll(/[\w.]+@[\w.]+/g, ''),
    ]),
  )
}

const allCodes = ['EDU_STUDENT', 'EDU_GRADE', 'EDU_COURSE'].flatMap((tag) =>
  entityActions.map((action) => entityPermission(tag, action)),
)

function waysWith(found: Readonly<Record<string, string>>, secret: string): string[] {
  return Object.entries(found).flatMap(([way, text]) => (text.includes(secret) ? [way] : []))
}

it('of a field that the reader may not see', async () => {
  const number = String(student['studentNo'])
  const seen = await readSurfaces(admin)
  // The same ways do name it to those who may see it.
  expect(waysWith(seen, number).length).toBeGreaterThan(8)
  const { token } = await newStaff(app, admin, 'no-numbers', {
    codes: allCodes,
    rules: [
      { ...students, scope: 'all', expression: null, overrides: { studentNo: hidden } },
      { ...grades, scope: 'all', expression: null, overrides: {} },
    ],
  })
  expect(waysWith(await readSurfaces(app.client(token)), number)).toEqual([])
}, 120_000)

it('of personal data, which stays masked', async () => {
  const { version } = await admin.entityData.get({ params: { ...students, id: student.id } })
  await admin.entityData.update({
    params: { ...students, id: student.id },
    body: { idCard, version: version ?? 0 },
  })
  const {
    version: revision,
    drift: _drift,
    findings: _findings,
    ...stored
  } = await admin.design.load({ params: students })
  await admin.design.save({
    params: students,
    body: {
      ...stored,
      version: revision,
      options: { ...stored.options, titlePattern: '{name} {idCard}' },
    } as never,
  })
  const row = await admin.entityData.get({ params: { ...students, id: student.id } })
  expect(row['$title']).toMatch(/\*{4}/)
  const found = await readSurfaces(admin)
  expect([waysWith(found, idCard), waysWith(found, '19491231')]).toEqual([[], []])
}, 120_000)

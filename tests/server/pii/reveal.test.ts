// Full values: one at a time for a recorded reason, or in an export with its own right.
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { toCsv, importFile } from '../../support/imports.ts'

const tag = 'EDU_STUDENT'
const [idCard, mobile] = ['110105194912310021', '13912345678']
let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
let id: string

beforeAll(async () => {
  app = await testApp({ LIMIT_REVEAL: '4' })
  admin = await app.signIn('admin')
  const [first] = (await admin.entityData.page({ params: { tag }, body: { pageSize: 1 } })).records
  id = first?.id ?? ''
  await saveRevealValues({ idCard, mobile })
})
afterAll(() => app.close())

async function saveRevealValues(values: object) {
  const { version } = await admin.entityData.get({ params: { tag, id } })
  return await admin.entityData.update({ params: { tag, id }, body: { version, ...values } })
}
function captureRevealStatus(work: Promise<unknown>) {
  return work.then(
    () => 'ok',
    (error: { problem: { code: number } }) => error.problem.code,
  )
}
const reveal = (field: string, reason: string, as = admin) =>
  as.entityData.reveal({ params: { tag, id }, body: { field, reason } })

async function readRevealAudit(action: string) {
  const { rows } = await app.services.database.kysely
    .selectFrom('sys.audit_log')
    .select(['object_id', 'result', 'detail'])
    .where('action', '=', action)
    .orderBy('seq')
    .execute()
    .then((found) => ({ rows: found }))
  return rows
}

it('refuses those without the right, and records it', async () => {
  const viewer = await app.signIn('viewer')
  expect(await captureRevealStatus(reveal('idCard', '核对学籍', viewer))).toBe(403)
  expect(await readRevealAudit('pii.reveal')).toMatchObject([{ object_id: id, result: 'denied' }])
})

it('asks for a reason, and for a field of personal data of a row that exists', async () => {
  expect(await captureRevealStatus(reveal('idCard', ' 无 '))).toBe(42200)
  expect(await captureRevealStatus(reveal('name', '核对学籍'))).toBe(42200)
  expect(await captureRevealStatus(reveal('password', '核对学籍'))).toBe(42200)
  expect(
    await captureRevealStatus(
      admin.entityData.reveal({
        params: { tag, id: '1' },
        body: { field: 'idCard', reason: '核对学籍' },
      }),
    ),
  ).toBe(404)
})

it('answers the value for 60 s and records row, field and reason, never a value', async () => {
  expect(await reveal('idCard', `核对学籍 ${idCard} ${mobile}`)).toEqual({
    value: idCard,
    seconds: 60,
  })
  const line = (await readRevealAudit('pii.reveal')).at(-1)
  expect(line).toMatchObject({ object_id: id, result: 'ok', detail: { field: 'idCard' } })
  expect(JSON.stringify(line)).toContain('核对学籍')
  expect(JSON.stringify(line)).not.toContain(idCard)
  expect(JSON.stringify(line)).not.toContain(mobile)
})

it('ends with the budget of the hour, which starts again after it', async () => {
  for (let n = 0; n < 3; n += 1)
    expect(await captureRevealStatus(reveal('mobile', '核对学籍'))).toBe('ok')
  expect(await captureRevealStatus(reveal('mobile', '核对学籍'))).toBe(429)
  expect((await readRevealAudit('pii.reveal')).at(-1)).toMatchObject({ result: 'denied' })
})

it('keeps the stored value when a form sends its mask, and refuses any other mask', async () => {
  await saveRevealValues({ idCard: '1****************1', mobile: '139****5678', dormitory: '7' })
  expect(await captureRevealStatus(saveRevealValues({ idCard: '1****************2' }))).toBe(42200)
  const { rows } = await filterRows({ idCard })
  expect(rows).toBe(1)
})

async function filterRows(queries: Record<string, unknown>) {
  const found = await admin.entityData.page({ params: { tag }, body: { pageSize: 10, queries } })
  return { rows: found.records.filter((row) => row.id === id).length }
}

it('finds by the whole value, not by a part, and does not sort', async () => {
  expect((await filterRows({ idCard: idCard.slice(0, 17) })).rows).toBe(0)
  const sorted = admin.entityData.page({
    params: { tag },
    body: { pageSize: 10, sorts: [{ column: 'idCard', asc: true }] },
  })
  expect(await captureRevealStatus(sorted)).toBe(42200)
})

it('names a mask in an imported row, and overwrites nothing', async () => {
  const { studentNo } = await admin.entityData.get({ params: { tag, id } })
  const sheet = (mask: string) => toCsv(`studentNo,idCard,dormitory\n${studentNo},${mask},8\n`)
  const choices = { mode: 'update', key: 'studentNo' } as const
  const wrong = await importFile(admin, tag, sheet('1****************9'), choices)
  expect(wrong.errors).toMatchObject([{ row: 2, attrName: 'idCard', rule: 'masked' }])
  const same = await importFile(admin, tag, sheet('1****************1'), choices)
  expect(same).toMatchObject({ status: 'done', updated: 1 })
  expect((await filterRows({ idCard })).rows).toBe(1)
})

it('exports full values with the right and a reason only, and records the count', async () => {
  const ask = (as: typeof admin, body: object) =>
    as.entityData.export({
      params: { tag },
      body: { ids: [id], format: 'csv', reveal: true, ...body },
    })
  const registrar = await app.signIn('registrar')
  expect(await captureRevealStatus(ask(registrar, { reason: '上级核查' }))).toBe(403)
  expect(await captureRevealStatus(ask(admin, {}))).toBe(42200)
  const { stream } = await ask(admin, { reason: '上级核查' })
  expect(await new Response(stream).text()).toContain(idCard)
  expect((await readRevealAudit('pii.export')).at(-1)).toMatchObject({
    result: 'ok',
    detail: { rows: 1, reason: '上级核查', fields: ['idCard', 'mobile'] },
  })
})

it('masks a second entity on the table, whatever it calls the attribute', async () => {
  const student = await admin.design.load({ params: { tag } })
  const fields = student.fields
    .filter(({ columnName }) => ['id', 'id_card', 'student_no'].includes(columnName ?? ''))
    .map((field) => ({
      ...field,
      pii: null,
      ...(field.columnName === 'id_card' ? { attrName: 'code2', valids: {} } : {}),
    }))
  await admin.design.create({
    body: {
      tag: 'EDU_COPY',
      name: '副本',
      tableName: 'student',
      idField: student.idField,
      tagField: null,
      fields,
    } as never,
  })
  const { records } = await admin.entityData.page({
    params: { tag: 'EDU_COPY' },
    body: { pageSize: 10, queries: { code2: idCard } },
  })
  expect(records.map((row) => row['code2'])).toEqual(['1****************1'])
})

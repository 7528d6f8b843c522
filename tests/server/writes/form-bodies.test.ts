// Rows as HTML forms send them (docs/spec/1-entity-console.md §7), with the checks of JSON bodies.
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'

let app: TestApp
let token: string
let major: string
let faculty: string
beforeAll(async () => {
  app = await testApp()
  const admin = await app.signIn('admin')
  token = admin.token
  const page = await admin.entityData.page({ params: { tag: 'EDU_MAJOR' }, body: { pageSize: 1 } })
  const [first] = page.records
  const [of] = (first?.faculty ?? []) as unknown as { id: string }[]
  major = String(first?.id)
  faculty = of?.id ?? ''
})
afterAll(() => app.close())

async function sendForm(
  method: 'POST' | 'PUT',
  path: string,
  form: string | Record<string, string>,
  more: Record<string, string> = {},
) {
  const response = await app.call(path, {
    method,
    headers: {
      authorization: `bearer ${token}`,
      'content-type': 'application/x-www-form-urlencoded',
      ...more,
    },
    body: new URLSearchParams(form).toString(),
  })
  const { code, data } = (await response.json()) as {
    code: number
    data: Record<string, unknown> & { issues?: { path: string; rule: string }[] }
  }
  return { status: response.status, code, data }
}
const issues = ({ data }: Awaited<ReturnType<typeof sendForm>>) =>
  data.issues?.map(({ path, rule }) => `${path} ${rule}`)

it('are created and updated', async () => {
  const made = await sendForm('POST', '/entity/EDU_CLASS/data', {
    code: 'FORM1',
    name: '表单班',
    faculty: JSON.stringify([{ id: faculty }]),
    major,
    gradeYear: '2024',
  })
  expect([made.status, made.data.name]).toEqual([200, '表单班'])
  expect(made.data).toMatchObject({ major: [{ id: major }], faculty: [{ id: faculty }] })
  const { id, version } = made.data
  const saved = await sendForm('PUT', `/entity/EDU_CLASS/data/${String(id)}`, {
    name: '表单二班',
    version: String(version),
  })
  expect([saved.status, saved.data.name, saved.data.code]).toEqual([200, '表单二班', 'FORM1'])
  const stale = await sendForm('PUT', `/entity/EDU_CLASS/data/${String(id)}`, {
    name: '迟到',
    version: String(version),
  })
  expect([stale.status, stale.code]).toEqual([409, 40_900])
})

it('go through the same checks', async () => {
  const path = '/entity/EDU_CLASS/data'
  expect(issues(await sendForm('POST', path, { nothing: '1', name: 'x' }))).toContain(
    'nothing unknownField',
  )
  expect(issues(await sendForm('POST', path, { name: '' }))).toContain('name required')
  expect((await sendForm('POST', path, 'name=a&name=b')).status).toBe(422)
  expect((await sendForm('POST', path, { __proto__x: '1' })).status).toBe(422)
  expect((await sendForm('POST', path, { constructor: '1' })).status).toBe(422)
  expect((await sendForm('POST', path, { name: 'a\0b' })).status).toBe(422)
  expect((await sendForm('POST', path, { name: 'x'.repeat(1_100_000) })).status).toBe(413)
  expect((await sendForm('POST', path, {}, { 'content-type': 'text/plain' })).status).toBe(415)
})

it('are refused from the page of another site', async () => {
  const theirs = await sendForm(
    'POST',
    '/entity/EDU_CLASS/data',
    { name: 'x' },
    { origin: 'http://evil.test' },
  )
  expect(theirs.status).toBe(403)
})

it('may be sent as multipart forms without files', async () => {
  const send = async (more: Record<string, string | File>) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(more)) body.append(name, value)
    const response = await app.call('/entity/EDU_CLASS/data', {
      method: 'POST',
      headers: { authorization: `bearer ${token}` },
      body,
    })
    const { data } = (await response.json()) as { data: Record<string, unknown> }
    return { status: response.status, data }
  }
  const row = { code: 'FORM9', name: '多段班', faculty: JSON.stringify([{ id: faculty }]), major }
  const made = await send({ ...row, gradeYear: '2024' })
  expect([made.status, made.data['name']]).toEqual([200, '多段班'])
  expect(made.data).toMatchObject({ major: [{ id: major }], gradeYear: '2024' })
  const file = new File(['x'], 'a.txt')
  expect(await send({ ...row, code: 'FORM8', name: file })).toMatchObject({
    status: 422,
    data: { issues: [{ path: 'name', rule: 'value' }] },
  })
  const many = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`f${n}`, '1']))
  expect((await send(many)).status).toBe(413)
})

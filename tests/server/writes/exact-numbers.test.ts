// A number that JSON carries bare is stored as it was written, or refused with its field: wherever
// the server reads JSON from outside (docs/rules/contract.md#entity-data).
import { isJobOver } from '@jiaowu/api/contract/job'
import { parseJson } from '@jiaowu/api/exact-json'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importFile } from '../../support/imports.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
const tag = 'BIZ_LEDGER'
const at = `/entity/${tag}/data`

beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
  await sql
    .raw(
      `create table biz.ledger (id serial primary key, big int8, exact numeric, wide numeric(80,40),
        double float8, single float4, note text, meta jsonb)`,
    )
    .execute(app.services.database.kysely)
  const { definition: draft } = await admin.design.draft({
    params: { name: 'ledger' },
    query: { tag },
  })
  const fields = draft.fields.map((field) =>
    field.attrName === 'big'
      ? { ...field, isQuery: 1 as const, queryType: 'equal' as const }
      : field,
  )
  await admin.design.create({ body: { ...draft, fields } })
})
afterAll(() => app.close())

interface Reply {
  readonly status: number
  readonly data: Record<string, unknown>
}
/** Sends text as it is: `JSON.stringify` would round it before the server could. */
async function sendRawJson(method: string, path: string, body: string): Promise<Reply> {
  const response = await app.call(path, {
    method,
    headers: { authorization: `bearer ${admin.token}`, 'content-type': 'application/json' },
    body,
  })
  const { data } = parseJson(await response.text()) as { data: Record<string, unknown> }
  return { status: response.status, data }
}
async function storedIn(column: string, id: unknown): Promise<string | undefined> {
  const { rows } = await sql<{ value: string }>`
    select ${sql.ref(column)}::text as value from biz.ledger where id = ${String(id)}::int4`.execute(
    app.services.database.kysely,
  )
  return rows[0]?.value
}

/** Waits until a bulk change is over or waits for a person. */
async function waitForPause(id: string) {
  for (;;) {
    const job = await admin.bulk.get({ params: { id } })
    if (isJobOver(job) || job.status === 'paused') return job
    await new Promise((resolve) => {
      setTimeout(resolve, 40)
    })
  }
}

/** A field, a bare number, and what the column holds afterwards; null where it is refused. */
const cases: readonly [string, string, string | null][] = [
  ['big', '9007199254740993', '9007199254740993'],
  ['big', '-9223372036854775808', '-9223372036854775808'],
  ['big', '9223372036854775808', null],
  ['big', '1e400', null],
  ['big', '-0', '0'],
  ['big', '1e3', '1000'],
  ['big', '1.5', null],
  ['exact', '0.1234567890123456789', '0.1234567890123456789'],
  ['exact', '123456789012345.67', '123456789012345.67'],
  ['exact', '9007199254740993.0000000000000000001', '9007199254740993.0000000000000000001'],
  ['exact', '1e-7', '0.0000001'],
  ['exact', '1e21', '1000000000000000000000'],
  ['exact', '1e400', null],
  ['exact', '-0', '0'],
  [
    'wide',
    '0.1234567890123456789012345678901234567891',
    '0.1234567890123456789012345678901234567891',
  ],
  ['double', '9007199254740993', null],
  ['double', '0.1', '0.1'],
  ['double', '0.1234567890123456789', null],
  ['double', '1e400', null],
  ['double', '1.5e300', '1.5e+300'],
  ['single', '0.1', '0.1'],
  ['single', '16777217', null],
  ['note', '9007199254740993', '9007199254740993'],
]

describe('a bare number', () => {
  it.each(cases)('in %s, %s, is created as %s', async (field, number, stored) => {
    const { status, data } = await sendRawJson('POST', at, `{"${field}":${number}}`)
    if (stored === null) {
      expect([status, data]).toMatchObject([422, { issues: [{ path: field }] }])
      return
    }
    expect(status).toBe(200)
    expect(await storedIn(field, data.id)).toBe(stored)
  })

  it.each(cases)(
    'in %s, %s, is edited to %s and sent back unchanged',
    async (field, number, stored) => {
      const made = await sendRawJson('POST', at, '{}')
      const path = `${at}/${String(made.data.id)}`
      const { status, data } = await sendRawJson(
        'PUT',
        path,
        `{"${field}":${number},"version":${String(made.data.version)}}`,
      )
      if (stored === null) {
        expect([status, data]).toMatchObject([422, { issues: [{ path: field }] }])
        return
      }
      expect(status).toBe(200)
      const shown = await admin.entityData.get({ params: { tag, id: String(made.data.id) } })
      expect((await sendRawJson('PUT', path, JSON.stringify(shown))).status).toBe(200)
      expect(await storedIn(field, made.data.id)).toBe(stored)
    },
  )
})

describe('a bare number of', () => {
  const close = ['9007199254740992', '9007199254740993', '9007199254740994']
  let ids: string[]
  beforeAll(async () => {
    ids = []
    for (const number of close)
      ids.push(String((await sendRawJson('POST', at, `{"big":${number},"note":"close"}`)).data.id))
  })
  const found = async (body: string) =>
    ((await sendRawJson('POST', `${at}/page`, body)).data.records as { id: string; note: string }[])
      .filter(({ note }) => note === 'close')
      .map(({ id }) => id)

  it('a filter finds the row of that number', async () => {
    expect(await found('{"queries":{"big":9007199254740993}}')).toEqual([ids[1]])
    expect(
      await found('{"where":{"and":[{"column":"big","op":"equal","value":9007199254740993}]}}'),
    ).toEqual([ids[1]])
    expect(
      await found('{"where":{"and":[{"column":"big","op":"in","value":[9007199254740993]}]}}'),
    ).toEqual([ids[1]])
  })

  it('a bulk change is written as it is', async () => {
    const { data } = await sendRawJson(
      'POST',
      `${at}/bulk/update`,
      `{"ids":["${String(ids[0])}"],"set":{"exact":0.1234567890123456789}}`,
    )
    const id = String(data.id)
    const { changed } = await waitForPause(id)
    await admin.bulk.apply({ params: { id }, body: { count: changed, onError: 'abort' } })
    await waitForPause(id)
    expect(await storedIn('exact', ids[0])).toBe('0.1234567890123456789')
  })

  it('an ndjson sheet is imported as it is', async () => {
    const job = await importFile(
      admin,
      tag,
      new File(
        ['{"big":9007199254740993,"exact":0.1234567890123456789,"note":"sheet"}\n'],
        'rows.ndjson',
      ),
      { format: 'ndjson' },
    )
    expect(job).toMatchObject({ status: 'done', inserted: 1 })
    const { rows } = await sql<{ value: string }>`
      select big || ' ' || exact as value from biz.ledger where note = 'sheet'`.execute(
      app.services.database.kysely,
    )
    expect(rows).toEqual([{ value: '9007199254740993 0.1234567890123456789' }])
  })

  it('the protocol is refused with its name', async () => {
    for (const name of ['pageSize', 'pageNum'])
      expect(await sendRawJson('POST', `${at}/page`, `{"${name}":9007199254740993}`)).toMatchObject(
        {
          status: 422,
          data: { issues: [{ path: name }] },
        },
      )
  })

  it('a saved view keeps its digits', async () => {
    const { data } = await sendRawJson(
      'POST',
      `/entity/${tag}/views`,
      '{"name":"close","scope":"mine","queries":{"big":9007199254740993}}',
    )
    expect(JSON.stringify(data)).toContain('"9007199254740993"')
  })
})

// A user who may not see personal data does not get at it by asking (docs/rules/security.md#d4): by
// filters with many values, by many filters, or by the rows that a rule of a role would select.
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newStaff } from '../../support/staff.ts'

type Api = Awaited<ReturnType<TestApp['signIn']>>
const tag = 'EDU_STUDENT'
const params = { tag }
const budget = 3
const buildGuessedNumber = (n: number) => `1101051949123${String(n).padStart(5, '0')}`
let app: TestApp
let [admin, viewer] = [] as unknown as [Api, Api]
beforeAll(async () => {
  app = await testApp({ LIMIT_REVEAL: String(budget) })
  admin = await app.signIn('admin')
  viewer = await app.signIn('viewer')
})
afterAll(() => app.close())

function captureGuessCode(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 200,
    (error: { problem: { code: number } }) => error.problem.code,
  )
}
const leaf = (value: unknown, op: 'equal' | 'in' | 'notEqual' = 'equal') => ({
  column: 'idCard',
  op,
  value,
})

describe('a search in personal data without the right to see it', () => {
  const many: [string, object][] = [
    ['a list of values', { queries: { idCard: [buildGuessedNumber(1), buildGuessedNumber(2)] } }],
    [
      'a text that lists values',
      { queries: { idCard: `${buildGuessedNumber(1)},${buildGuessedNumber(2)}` } },
    ],
    [
      'two leaves',
      { queries: {}, where: { or: [leaf(buildGuessedNumber(1)), leaf(buildGuessedNumber(2))] } },
    ],
    [
      'a leaf with a list',
      { queries: {}, where: { and: [leaf([buildGuessedNumber(1), buildGuessedNumber(2)], 'in')] } },
    ],
    [
      'a filter and a leaf',
      { queries: { idCard: buildGuessedNumber(1) }, where: { and: [leaf(buildGuessedNumber(2))] } },
    ],
    [
      'exclusions',
      {
        queries: {},
        where: {
          and: [leaf(buildGuessedNumber(1), 'notEqual'), leaf(buildGuessedNumber(2), 'notEqual')],
        },
      },
    ],
  ]
  const calls: [string, (api: Api, body: object) => Promise<unknown>][] = [
    ['a page', (api, body) => api.entityData.page({ params, body: body as never })],
    ['a count', (api, body) => api.entityData.count({ params, body: body as never })],
  ]

  describe.each(calls)('through %s', (_call, ask) => {
    it.each(many)('is for one value at a time, not %s', async (_name, body) => {
      expect(await captureGuessCode(ask(viewer, body))).toBe(42200)
    })
  })

  it('has a budget an hour of different values, and the same again is free', async () => {
    const ask = (n: number) =>
      captureGuessCode(
        viewer.entityData.page({ params, body: { queries: { idCard: buildGuessedNumber(n) } } }),
      )
    for (let n = 0; n < budget; n++) expect(await ask(n)).toBe(200)
    expect(await ask(0)).toBe(200)
    expect(await ask(budget)).toBe(429)
    expect(await ask(1)).toBe(200)
    expect(await captureGuessCode(viewer.entityData.page({ params, body: { queries: {} } }))).toBe(
      200,
    )
    const { rows } = await sql<{ result: string; detail: unknown }>`
      select result, detail from sys.audit_log where action = 'pii.search'`.execute(
      app.services.database.kysely,
    )
    expect(rows[0]).toEqual({ result: 'denied', detail: { why: 'budget', field: 'idCard' } })
    app.advance(61 * 60_000)
    viewer = await app.signIn('viewer')
    expect(await ask(budget)).toBe(200)
  })

  it('is as free as before for those with the right', async () => {
    admin = await app.signIn('admin')
    const values = Array.from({ length: 40 }, (_, n) => buildGuessedNumber(n))
    expect(
      await captureGuessCode(
        admin.entityData.page({
          params,
          body: { queries: {}, where: { and: [leaf(values, 'in')] } },
        }),
      ),
    ).toBe(200)
  })
})

describe('the check of a row rule', () => {
  it('reads no column that the caller may not read, by whatever name', async () => {
    const hidden = { isList: 0, isQuery: 0, isDetail: 0, isExport: 0, isAdd: 0, isEdit: 0 }
    const { token } = await newStaff(app, admin, 'roles-reader', {
      codes: ['entity:SYS_ROLE:view', `entity:${tag}:view`],
      rules: [{ tag, scope: 'all', expression: null, overrides: { dormitory: hidden } }],
    })
    const roles = app.client(token)
    const entity = await app.services.registry.get('10000', tag)
    const open: string[] = []
    const check = async (expression: string) =>
      (await roles.role.checkScope({ body: { tag, expression } })).fault === null
    for (const column of entity.table.columns.keys()) {
      const field = entity.fields.find((each) => each.column?.name === column)
      const isPersonal = field !== undefined && field.pii !== null
      const mayRead =
        column === 'id' || (field !== undefined && !isPersonal && column !== 'dormitory')
      for (const name of [`row["@${column}"]`, `row.${field?.definition.attrName ?? column}`])
        for (const operator of ['==', '!=', '>', '>='])
          if (!mayRead && (await check(`${name} ${operator} "0"`))) open.push(name)
    }
    expect(open).toEqual([])
    expect(await check('row["@student_no"] > "0"')).toBe(true)
    expect(await check('row.name == "x"')).toBe(true)
  })

  it('compares personal data by whole values, for everybody', async () => {
    const check = async (expression: string) =>
      (await admin.role.checkScope({ body: { tag, expression } })).fault === null
    expect(await check('row.mobile == "13900000000"')).toBe(true)
    expect(await check('row["@mobile"] in ["13900000000"]')).toBe(true)
    for (const operator of ['>', '>=', '<', '<='])
      for (const name of ['row.mobile', 'row["@mobile"]'])
        expect(await check(`${name} ${operator} "139"`)).toBe(false)
  })
})

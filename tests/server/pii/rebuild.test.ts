// Tries to rebuild masked values from everything that a viewer can read of a person: all renderings
// of the mask laid over each other, the birth date, the gender and the check digit.
import type { Row } from '@jiaowu/api/entity/values'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listFittingIdNumbers } from './id-numbers.ts'
import { sendJson } from './send-json.ts'

const tag = 'EDU_STUDENT'
const people = 40
let app: TestApp
let viewer: Awaited<ReturnType<TestApp['signIn']>>
let rows: readonly Row[]

beforeAll(async () => {
  app = await testApp()
  viewer = await app.signIn('viewer')
  rows = (await viewer.entityData.page({ params: { tag }, body: { pageSize: people } })).records
})
afterAll(() => app.close())

/** The texts of all answers about one person that a viewer may ask for. */
async function textsAbout(row: Row): Promise<readonly string[]> {
  const queries = { studentNo: String(row['studentNo']) }
  const asked: readonly (readonly [path: string, body?: unknown])[] = [
    [`/entity/${tag}/data/page`, { queries }],
    [`/entity/${tag}/data/${row.id}`],
    [`/entity/${tag}/data/${row.id}/history`],
    [`/entity/${tag}/data/export`, { queries, format: 'csv', fileName: 'x' }],
    [`/entity/${tag}/data/export`, { queries, format: 'ndjson', fileName: 'x' }],
    ['/entity/EDU_GRADE/data/page', { queries: { student: [{ id: row.id }] } }],
    [
      '/entity/EDU_GRADE/data/dicts/page',
      { fieldId: 'student', type: '1', searchKey: queries.studentNo },
    ],
  ]
  return await Promise.all(
    asked.map(async ([path, body]) => (await sendJson(app, viewer.token, path, body)).text()),
  )
}

/** All masks of a length in the texts, laid over each other: a sign, or null where each one has `*`. */
function overlay(texts: readonly string[], length: number): readonly (string | null)[] {
  const known: (string | null)[] = Array.from({ length }, () => null)
  const masks = texts.flatMap((text) => text.match(/[0-9Xx]*\*{3,}[0-9Xx]*/g) ?? [])
  for (const mask of masks.filter((each) => each.length === length))
    for (const [at, sign] of [...mask].entries()) if (sign !== '*') known[at] = sign
  return known
}

function readPersonFacts(row: Row, idNumber: string) {
  const [gender] = row['gender'] as readonly { readonly id: string }[]
  return {
    region: idNumber.slice(0, 6),
    birth: String(row['birthDate']).replaceAll('-', ''),
    isMale: gender?.id === '1',
  }
}

async function trueNumbers(): Promise<ReadonlyMap<string, string>> {
  const { rows: stored } = await sql<{ id: string; id_card: string }>`
    select id::text as id, id_card from biz.student
    where tenant_id = 10000 and id = any(${rows.map(({ id }) => id)}::int8[])`.execute(
    app.services.database.kysely,
  )
  return new Map(
    stored.map(({ id, id_card }) => [id, app.services.keys.open('biz.student.id_card', id_card)]),
  )
}

describe('the masks that a viewer reads', () => {
  it('leave dozens of ID numbers open, also to somebody who knows the region of birth', async () => {
    const numbers = await trueNumbers()
    for (const row of rows) {
      const idNumber = numbers.get(row.id) ?? ''
      const found = listFittingIdNumbers(
        overlay(await textsAbout(row), 18),
        readPersonFacts(row, idNumber),
      )
      expect(found).toContain(idNumber)
      expect(found.length).toBeGreaterThan(30)
    }
  })

  it('keep four digits of a mobile, wherever it is read', async () => {
    for (const row of rows) {
      const known = overlay(await textsAbout(row), 11)
      expect(known.filter((sign) => sign !== null)).toHaveLength(7)
    }
  })
})

it('finds the number behind a mask that keeps the region and the last four', async () => {
  const numbers = await trueNumbers()
  for (const row of rows) {
    const idNumber = numbers.get(row.id) ?? ''
    const mask = `${idNumber.slice(0, 6)}********${idNumber.slice(-4)}`
    expect(listFittingIdNumbers(overlay([mask], 18), readPersonFacts(row, idNumber))).toEqual([
      idNumber,
    ])
  }
})

import { dictTypes } from '@jiaowu/api/entity/enums'
import type { DictItem, Row } from '@jiaowu/api/entity/values'
import type { Field } from '@jiaowu/api/entity/config'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../../testing/app.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
})
afterAll(() => app.close())
// Calls are counted by the minute.
beforeEach(() => app.advance(61_000))

const tags = [
  'EDU_STUDENT',
  'EDU_TEACHER',
  'EDU_COURSE',
  'EDU_GRADE',
  'EDU_CLASS',
  'EDU_MAJOR',
  'EDU_FACULTY',
  'RPT_REPORT',
  'SYS_NOTICE',
  'SYS_USER',
  'SYS_ROLE',
  'SYS_MENU',
  'SYS_ORG',
  'SYS_DICT',
  'SYS_AREA',
  'SYS_PARAM',
  'SYS_APPLICATION',
  'SYS_API',
] as const

/** The order of people: case and width alike, Chinese by Pinyin, numbers by value. */
const people = new Intl.Collator('zh-u-kn', { sensitivity: 'base' })
const formatShown = (row: Row, { attrName }: Field): string => {
  const value = row[attrName]
  return Array.isArray(value)
    ? (value as readonly DictItem[]).map(({ name }) => name).join()
    : String(value ?? '')
}

async function loadOrderedList(
  tag: string,
  column: string,
  asc: boolean,
  pageSize = 1_000,
  pageNum = 1,
) {
  const body = { pageSize, pageNum, sorts: [{ column, asc }], queries: {} }
  return (await admin.entityData.page({ params: { tag }, body })).records
}

it.each(tags)('every column of %s is in the order of what it shows', async (tag) => {
  const { fields } = await admin.entityData.config({ params: { tag } })
  const sorted = fields.filter(({ isList, sortable }) => isList === 1 && sortable === true)
  let texts = 0
  for (const field of sorted) {
    const rows = await loadOrderedList(tag, field.attrName, true)
    const ids = rows.map(({ id }) => id)
    const where = `${tag}.${field.attrName}`
    const down = (await loadOrderedList(tag, field.attrName, false)).map(({ id }) => id)
    if (rows.length < 1_000) expect([where, down.toReversed()]).toEqual([where, ids])
    // Pages are pieces of the whole list, also those that start at a bookmark.
    for (const pageNum of [1, 2, 3, Math.max(1, Math.ceil(rows.length / 7))]) {
      const page = await loadOrderedList(tag, field.attrName, true, 7, pageNum)
      const piece = ids.slice((pageNum - 1) * 7, pageNum * 7)
      expect([where, pageNum, page.map(({ id }) => id)]).toEqual([where, pageNum, piece])
    }
    const names = rows.map((row) => formatShown(row, field)).filter((name) => name !== '')
    const isText = rows.some((row) => typeof row[field.attrName] === 'string')
    if (field.dictType === dictTypes.dictionary) {
      const items = (field.dictData ?? []).map(({ name }) => name)
      const places = names.map((name) => items.indexOf(name)).filter((place) => place >= 0)
      expect([where, places]).toEqual([where, places.toSorted((a, b) => a - b)])
    } else if (field.dictType === dictTypes.entity || isText) {
      texts += 1
      for (const [at, name] of names.slice(1).entries())
        expect([where, names[at], name, people.compare(names[at] ?? '', name) <= 0]).toEqual([
          where,
          names[at],
          name,
          true,
        ])
    }
  }
  expect(texts).toBeGreaterThan(0)
})

it.each([
  ['EDU_GRADE', 'course'],
  ['EDU_GRADE', 'student'],
  ['EDU_STUDENT', 'name'],
  ['EDU_STUDENT', 'class'],
] as const)('an export of %s by %s is in the order of the list', async (tag, column) => {
  const { fields } = await admin.entityData.config({ params: { tag } })
  const field = fields.find(({ attrName }) => attrName === column)
  if (field === undefined) throw new Error(`${tag} has no ${column}`)
  const rows = await loadOrderedList(tag, column, true)
  const file = await admin.entityData.export({
    params: { tag },
    body: {
      sorts: [{ column, asc: true }],
      queries: {},
      format: 'ndjson',
      columns: [column],
    },
  })
  const lines = (await new Response(file.stream).text()).trim().split('\n')
  const exported = lines.map((line) => formatShown(JSON.parse(line) as Row, field))
  expect(exported).toEqual(rows.map((row) => formatShown(row, field)))
})

// Names of records: the titles that rows carry, in every shipped entity and on every way out of the server.
import type { Row } from '@jiaowu/api/entity/values'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newStaff } from '../support/staff.ts'

type Api = Awaited<ReturnType<TestApp['signIn']>>
let app: TestApp
let admin: Api

beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
})
afterAll(() => app.close())

/** Rows of the audit log are named by their number, of which no two schools need to agree. */
const shipped = [
  'SYS_USER',
  'SYS_ROLE',
  'SYS_ORG',
  'SYS_STATION',
  'SYS_TENANT',
  'SYS_NOTICE',
  'SYS_LOG',
  'SYS_SMS_TEMPLATE',
  'SYS_SMS_TASK',
  'SYS_MESSAGE',
  'SYS_ATTACHMENT',
  'SYS_CALENDAR_DAY',
  'SYS_MENU',
  'SYS_DICT',
  'SYS_DICT_ITEM',
  'SYS_AREA',
  'SYS_PARAM',
  'SYS_APPLICATION',
  'SYS_API',
  'EDU_FACULTY',
  'EDU_MAJOR',
  'EDU_CLASS',
  'EDU_TEACHER',
  'EDU_COURSE',
  'EDU_STUDENT',
  'EDU_GRADE',
  'RPT_REPORT',
  'RPT_ORDER',
  'RPT_DOCUMENT',
]

async function loadTableRows(tag: string, api: Api = admin): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (let pageNum = 1; ; pageNum += 1) {
    const { records } = await api.entityData.page({
      params: { tag },
      body: { pageSize: 1000, pageNum, sorts: [{ column: 'id', asc: true }], withTotal: false },
    })
    rows.push(...records)
    if (records.length < 1000) return rows
  }
}

describe('every shipped entity', () => {
  it.each(shipped)('%s names its rows, and no two of the demo alike', async (tag) => {
    const rows = await loadTableRows(tag)
    const titles = rows.map(({ $title }) => $title)
    expect(titles.filter((title) => typeof title !== 'string' || title === '')).toEqual([])
    const seen = new Map<unknown, number>()
    for (const title of titles) seen.set(title, (seen.get(title) ?? 0) + 1)
    expect([...seen].filter(([, n]) => n > 1)).toEqual([])
  })
})

const hidden = { isList: 0, isQuery: 0, isDetail: 0, isExport: 0, isAdd: 0, isEdit: 0 }
const codes = (tag: string) =>
  ['view', 'add', 'update', 'delete'].map((action) => `entity:${tag}:${action}`)

describe('a title of relations', () => {
  it('says who and what a mark is of, alike in lists, single rows and their history', async () => {
    const params = { tag: 'EDU_GRADE' }
    const [row] = (await admin.entityData.page({ params, body: { pageSize: 1 } })).records
    const name = (value: Row[string]) => (Array.isArray(value) ? value[0]?.name : value)
    const parts = ['student', 'studentNo', 'course', 'term'].map((each) => name(row?.[each]))
    const title = `${parts.slice(0, 2).join(' ')} · ${parts.slice(2).join(' · ')}`
    expect(row?.['$title']).toBe(title)
    const id = row?.id ?? ''
    expect((await admin.entityData.get({ params: { ...params, id } }))['$title']).toBe(title)
    const saved = await admin.entityData.update({
      params: { ...params, id },
      body: { ...row, remarks: 'seen' },
    })
    expect([saved['$title'], saved['remarks']]).toEqual([title, 'seen'])
  })

  it('tells a retake in another term from the first mark', async () => {
    const params = { tag: 'EDU_GRADE' }
    const [first] = (await admin.entityData.page({ params, body: { pageSize: 1 } })).records
    const { records: terms } = (await admin.entityData.lookup({
      params,
      body: { fieldId: 'term', pageSize: 50 },
    })) as { records: readonly { id: string; name: string }[] }
    const [own] = (first?.['term'] ?? []) as readonly { id: string }[]
    const term = terms.filter(({ id }) => id !== own?.id).slice(0, 1)
    const retake = await admin.entityData.create({
      params,
      body: { student: first?.['student'] ?? null, course: first?.['course'] ?? null, term },
    })
    expect(retake['$title']).not.toBe(first?.['$title'])
    expect(retake['$title']).toContain(term[0]?.name)
    await admin.entityData.remove({ params: { ...params, ids: retake.id } })
  })

  it('leaves out what its reader may not see, wherever the row appears', async () => {
    const { token } = await newStaff(app, admin, 'marks-without-numbers', {
      codes: [...codes('EDU_GRADE'), ...codes('EDU_STUDENT')],
      rules: [
        {
          tag: 'EDU_STUDENT',
          scope: 'all',
          expression: null,
          overrides: { studentNo: hidden },
        },
      ],
    })
    const reader = app.client(token)
    const params = { tag: 'EDU_STUDENT' }
    const body = { pageSize: 1, sorts: [{ column: 'id', asc: true }] }
    const [row] = (await reader.entityData.page({ params, body })).records
    const [whole] = (await admin.entityData.page({ params, body })).records
    const number = String(whole?.['studentNo'])
    expect([row?.['name'], row?.['$title'], whole?.['$title']]).toEqual([
      whole?.['name'],
      whole?.['name'],
      `${whole?.['name']} ${number}`,
    ])
    const id = row?.id ?? ''
    const asked = { fieldId: 'student', searchKey: String(row?.['name']), pageSize: 50 }
    const grades = { tag: 'EDU_GRADE' }
    const answers = [
      row,
      await reader.entityData.get({ params: { ...params, id } }),
      await reader.entityData.lookup({ params: grades, body: asked }),
      await reader.entityData.lookup({ params: grades, body: { ...asked, searchKey: number } }),
    ]
    const named = JSON.stringify(answers).match(/"(\$title|name|note)":"[^"]*"/g) ?? []
    expect(named.length).toBeGreaterThan(2)
    expect(named.filter((text) => text.includes(number))).toEqual([])
  })
})

describe('a choice', () => {
  it('tells namesakes apart by its second line, and is found by the number in it', async () => {
    const params = { tag: 'EDU_GRADE' }
    const [first, second] = await loadTableRows('EDU_STUDENT')
    const name = String(first?.['name'])
    await admin.entityData.update({
      params: { tag: 'EDU_STUDENT', id: second?.id ?? '' },
      body: { name, version: second?.version ?? 0 },
    })
    const alike = (await loadTableRows('EDU_STUDENT')).filter((row) => row['name'] === name)
    expect(alike.length).toBeGreaterThan(1)
    const body = { fieldId: 'student', pageSize: 50, searchKey: name }
    const answer = await admin.entityData.lookup({ params, body })
    const found = 'records' in answer ? answer.records.filter((item) => item.name === name) : []
    const className = (row: Row) =>
      Array.isArray(row['class']) ? (row['class'][0]?.name ?? '') : ''
    expect(found.map(({ note }) => note).toSorted()).toEqual(
      alike.map((row) => `${String(row['studentNo'])} · ${className(row)}`).toSorted(),
    )
    const searchKey = String(alike[0]?.['studentNo'])
    const one = await admin.entityData.lookup({ params, body: { ...body, searchKey } })
    expect('records' in one ? one.records.map(({ id }) => id) : []).toEqual([alike[0]?.id])
  })

  it('has no second line for a caller who may not view its entity', async () => {
    const { token } = await newStaff(app, admin, 'marks-only', { codes: codes('EDU_GRADE') })
    const answer = await app.client(token).entityData.lookup({
      params: { tag: 'EDU_GRADE' },
      body: { fieldId: 'student', pageSize: 5 },
    })
    const notes = 'records' in answer ? answer.records.flatMap(({ note }) => note ?? []) : ['none']
    expect(notes).toEqual([])
  })
})

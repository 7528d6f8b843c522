import { afterAll, beforeAll, expect, it } from 'vitest'
import { entityDataHandlers } from '../../entities/handlers/entity-data.ts'
import { type Fixture, missingKinds, openFixture } from '../../../testing/entities/fixture.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(async () => {
  await fixture.close()
})

const row = {
  code: 'A-1',
  name: '张三',
  memo: '多行\n文本 %_\\',
  amount: 1234.56,
  quantity: -7,
  big: '9007199254740993',
  ratio: 0.1,
  kind: [{ id: '1', name: '甲' }],
  tags: ['2', '1'],
  marks: ['1', '3'],
  numbers: [7, 8],
  choices: [{ id: '2', name: '' }],
  gender: '2',
  active: '1',
  ready: '0',
  born: '2001-02-03',
  moment: '2026-01-05 08:09:10',
  seenAt: '2026-01-05 08:09:10',
  gradeYear: '2024',
  founded: '1956',
  wake: '06:30:00',
  stars: 4.5,
  photo: [{ id: '5', name: 'a.png' }],
  html: '<p onclick="x()">好<script>alert(1)</script><img src="javascript:x"><a href="https://a.cn" target="_blank">l</a></p>',
  nick: '小张',
  score: 59.5,
  likes: ['3'],
  pass: 'correct horse battery',
}

it('covers every uiType', () => expect(missingKinds()).toEqual([]))

it('stores and reads back every kind of field', async () => {
  const context = fixture.context()
  const made = await entityDataHandlers.create(
    { params: { tag: 'T_SAMPLE' }, query: undefined, body: row },
    context,
  )
  const expected = {
    code: 'A-1',
    name: '张三',
    memo: '多行\n文本 %_\\',
    amount: 1234.56,
    quantity: -7,
    big: '9007199254740993',
    ratio: 0.1,
    kind: [{ id: '1', name: '甲' }],
    tags: [
      { id: '2', name: '乙' },
      { id: '1', name: '甲' },
    ],
    marks: [
      { id: '1', name: '甲' },
      { id: '3', name: '丙' },
    ],
    numbers: [
      { id: '7', name: '7' },
      { id: '8', name: '8' },
    ],
    choices: [{ id: '2', name: '乙' }],
    gender: [{ id: '2', name: '乙' }],
    active: '1',
    ready: '0',
    born: '2001-02-03',
    moment: '2026-01-05 08:09:10',
    seenAt: '2026-01-05 08:09:10',
    gradeYear: '2024',
    founded: '1956',
    wake: '06:30:00',
    stars: 4.5,
    photo: [{ id: '5', name: 'a.png' }],
    html: '<p>好<img /><a href="https://a.cn" target="_blank" rel="noopener noreferrer">l</a></p>',
    nick: '小张',
    score: 59.5,
    likes: [{ id: '3', name: '丙' }],
    deptId: [],
    teamId: [],
    branch: [],
    branches: [],
    version: 1,
  }
  expect(made).toEqual({ ...expected, id: made.id })
  const got = await entityDataHandlers.get(
    { params: { tag: 'T_SAMPLE', id: made.id }, query: undefined, body: undefined },
    context,
  )
  expect(got).toEqual(made)
  expect(JSON.stringify(got)).not.toContain('correct horse')
  const { records } = await entityDataHandlers.page(
    {
      params: { tag: 'T_SAMPLE' },
      query: undefined,
      body: { pageSize: 10, pageNum: 1, sorts: [], queries: {} },
    },
    context,
  )
  expect(records).toEqual([made])
  const again = await entityDataHandlers.update(
    { params: { tag: 'T_SAMPLE', id: made.id }, query: undefined, body: { ...made } },
    context,
  )
  expect(again).toEqual(made)
  expect(fixture.audited.map(({ action }) => action)).toEqual(['entity.add'])
})

it('empties every kind of field', async () => {
  const context = fixture.context({}, 'en')
  const {
    records: [first],
  } = await entityDataHandlers.page(
    {
      params: { tag: 'T_SAMPLE' },
      query: undefined,
      body: { pageSize: 10, pageNum: 1, sorts: [], queries: {} },
    },
    context,
  )
  expect(first?.kind).toEqual([{ id: '1', name: 'First' }])
  const emptied = Object.fromEntries(
    Object.keys(row)
      .filter((key) => key !== 'pass')
      .map((key) => [key, '']),
  )
  const cleared = await entityDataHandlers.update(
    {
      params: { tag: 'T_SAMPLE', id: first?.id ?? '' },
      query: undefined,
      body: { ...emptied, version: first?.version },
    },
    context,
  )
  for (const [key, value] of Object.entries(cleared))
    if (!['id', 'version'].includes(key))
      expect([key, Array.isArray(value) ? value.length : value]).toEqual([
        key,
        Array.isArray(value) ? 0 : null,
      ])
  expect(cleared.version).toBe(2)
})

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../model/context.ts'
import { entityDataHandlers } from '../handlers/entity-data.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { type Fixture, openFixture } from '../../../testing/entities/fixture.ts'
import { refused } from '../../../testing/refused.ts'

let fixture: Fixture
let context: Context
beforeAll(async () => {
  fixture = await openFixture()
  context = fixture.context()
  await sql`
    insert into biz.t_dept (id, tenant_id, pid, name)
    values (1, 10000, 0, '理学院'), (2, 10000, 1, '数学系'), (3, 10000, 1, '100%_系')`.execute(
    databaseOf(fixture),
  )
  await sql`
    insert into biz.t_team (id, tenant_id, name, dept_id)
    select n, 10000, '班' || lpad(n::text, 2, '0'), 2 + n % 2
    from generate_series(1, 25) n`.execute(databaseOf(fixture))
})
afterAll(async () => {
  await fixture.close()
})

function lookup(fieldId: string, more: object = {}, as = context) {
  return Promise.resolve(
    entityDataHandlers.lookup(
      {
        params: { tag: 'T_SAMPLE' },
        query: undefined,
        body: { fieldId, pageNum: 1, pageSize: 10, ...more },
      },
      as,
    ),
  )
}

describe('lookup', () => {
  it('pages and searches another entity by name', async () => {
    expect(await lookup('111')).toEqual({
      records: Array.from({ length: 10 }, (_, i) => ({
        id: String(i + 1),
        name: `班${String(i + 1).padStart(2, '0')}`,
      })),
      total: 25,
    })
    expect(await lookup('111', { pageNum: 3 })).toMatchObject({
      records: [{ id: '21' }, { id: '22' }, { id: '23' }, { id: '24' }, { id: '25' }],
      total: 25,
    })
    expect(await lookup('111', { searchKey: '班1' })).toMatchObject({ total: 10 })
    expect(await lookup('111', { searchKey: '%' })).toEqual({ records: [], total: 0 })
    expect(await lookup('teamId', { searchKey: '25' })).toEqual({
      records: [{ id: '25', name: '班25' }],
      total: 1,
    })
  })
  it('filters by the parent of a cascade, sent in any form', async () => {
    for (const deptId of ['2', ['2'], [{ id: '2', name: '数学系' }], { id: '2' }, 2])
      expect(await lookup('111', { cascades: { deptId } })).toMatchObject({ total: 12 })
    for (const deptId of [null, '', []])
      expect(await lookup('111', { cascades: { deptId } })).toMatchObject({ total: 25 })
    expect(await lookup('111', { cascades: { deptId: "2' or 1=1" } })).toEqual({
      records: [],
      total: 0,
    })
    expect(await lookup('111', { cascades: { nothing: '2' } })).toMatchObject({ total: 25 })
  })
  it('answers a tree as one flat list', async () => {
    expect(await lookup('126')).toEqual([
      { id: '3', name: '100%_系', pid: '1' },
      { id: '1', name: '理学院', pid: '0' },
      { id: '2', name: '数学系', pid: '1' },
    ])
  })
  it('pages dictionaries too', async () => {
    expect(await lookup('109', { pageSize: 2 })).toEqual({
      records: [
        { id: '1', name: '甲' },
        { id: '2', name: '乙' },
      ],
      total: 3,
    })
    expect(await lookup('109', { searchKey: 'sec' }, fixture.context({}, 'en'))).toEqual({
      records: [{ id: '2', name: 'Second' }],
      total: 1,
    })
  })
  it('answers a form-encoded request the same, with or without the tag', async () => {
    const form = (body: object) =>
      Promise.resolve(
        entityDataHandlers.lookupForm(
          {
            params: {},
            query: undefined,
            body: { fieldId: '111', pageNum: 1, pageSize: 10, ...body },
          },
          context,
        ),
      )
    expect(await form({ cascades: '{"deptId":"2"}' })).toMatchObject({ total: 12 })
    expect(await form({ tag: 'T_SAMPLE' })).toMatchObject({ total: 25 })
    expect(await refused(form({ cascades: '{' }))).toBe('cascades value')
    expect(await refused(form({ fieldId: 'nothing' }))).toBe('fieldId unknownField')
    expect(await refused(form({ tag: 'NOTHING' }))).toBe(404)
  })
  it('refuses fields without choices, unknown fields, and pages out of range', async () => {
    expect(await refused(lookup('101'))).toBe('fieldId unknownField')
    expect(await refused(lookup('99999'))).toBe('fieldId unknownField')
    expect(await refused(lookup('111', { pageNum: 0 }))).toBe('pageNum range')
    expect(await refused(lookup('111', { pageNum: 5000 }))).toBe('pageNum range')
    expect(await refused(lookup('111', { searchKey: 'a\u0000' }))).toBe('searchKey value')
  })
})

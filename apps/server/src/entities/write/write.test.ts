import type { Row } from '@jiaowu/api/entity/values'
import { snowflake } from '../../platform/id.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../model/context.ts'
import { entityDataHandlers } from '../handlers/entity-data.ts'
import { Invalid, Refusal } from '../../platform/refusal.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import {
  definition,
  type Fixture,
  openFixture,
  sampleFields,
} from '../../../testing/entities/fixture.ts'

let fixture: Fixture
let context: Context
beforeAll(async () => {
  fixture = await openFixture()
  context = fixture.context()
})
afterAll(async () => {
  await fixture.close()
})

function add(tag: string, body: Record<string, unknown>, as = context): Promise<Row> {
  return Promise.resolve(entityDataHandlers.create({ params: { tag }, query: undefined, body }, as))
}
function put(tag: string, row: Row, body: Record<string, unknown>, as = context): Promise<Row> {
  return Promise.resolve(
    entityDataHandlers.update(
      { params: { tag, id: row.id }, query: undefined, body: { version: row.version, ...body } },
      as,
    ),
  )
}
function get(tag: string, id: string): Promise<Row> {
  return Promise.resolve(
    entityDataHandlers.get({ params: { tag, id }, query: undefined, body: undefined }, context),
  )
}
function remove(tag: string, ids: string) {
  return Promise.resolve(
    entityDataHandlers.remove({ params: { tag, ids }, query: undefined, body: undefined }, context),
  )
}
async function catchRefusal(work: Promise<unknown>): Promise<Refusal> {
  const error = await work.then(
    () => null,
    (e: unknown) => e,
  )
  if (!(error instanceof Refusal)) throw new Error(`not a Refusal: ${String(error)}`)
  return error
}
async function faults(work: Promise<unknown>) {
  const error = await catchRefusal(work)
  if (!(error instanceof Invalid)) throw new Error(`not Invalid: ${error.status} ${error.text.key}`)
  return error.faults.map(({ path, rule }) => `${path} ${rule}`)
}
const id = (row: Row, attrName: string) => (row[attrName] as unknown as { id: string }[])[0]?.id

describe('writable fields', () => {
  const flags = (isAdd: 0 | 1 | 2, isEdit: 0 | 1 | 2) =>
    sampleFields.map((field) => (field.attrName === 'memo' ? { ...field, isAdd, isEdit } : field))
  it.each([
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
    [1, 2],
    [2, 1],
    [2, 2],
  ] as const)('isAdd %i, isEdit %i', async (isAdd, isEdit) => {
    await fixture.define(
      definition(
        'T_FLAGS',
        't_sample',
        flags(isAdd, isEdit).map((field) => ({ ...field, id: `f${field.id}` })),
      ),
    )
    const adding = add('T_FLAGS', { name: 'x', memo: 'mine' })
    if (isAdd === 1) expect((await adding).memo).toBe('mine')
    else expect(await faults(adding)).toEqual(['memo notWritable'])
    const row = await add('T_FLAGS', { name: 'x', memo: isAdd === 1 ? 'kept' : null })
    const editing = put('T_FLAGS', row, { memo: 'other' })
    if (isEdit === 1) expect((await editing).memo).toBe('other')
    else expect(await faults(editing)).toEqual(['memo notWritable'])
    const now = await get('T_FLAGS', row.id)
    expect((await put('T_FLAGS', now, { memo: now.memo, name: 'y' })).name).toBe('y')
  })
  it('exclude unknown keys and system columns', async () => {
    expect(
      await faults(
        add('T_SAMPLE', { name: 'x', nothing: 1, tenant_id: '1', version: 3, createUser: '5' }),
      ),
    ).toEqual(['nothing unknownField', 'tenant_id unknownField', 'createUser unknownField'])
    const [id, late, early] = [0, 25, -25].map((hours) =>
      snowflake(7, () => Date.now() + hours * 3_600_000)(),
    )
    const row = await add('T_SAMPLE', { name: 'x', id })
    expect(row.id).toBe(id)
    // The same id again by the same person answers the stored row.
    expect(await add('T_SAMPLE', { name: 'y', id: row.id })).toMatchObject({
      id: row.id,
      name: 'x',
    })
    expect(await faults(add('T_SAMPLE', { name: 'x', id: '5' }))).toEqual(['id notWritable'])
    // A row that would stay the newest of all, and a form that was opened too long ago.
    for (const other of [late, early, '9223372036854775807'])
      expect(await faults(add('T_SAMPLE', { name: 'x', id: other }))).toEqual(['id formId'])
    const { rows } = await sql<
      Record<string, unknown>
    >`select tenant_id, org_id, create_user, update_user from biz.t_sample where id = ${id}::int8`.execute(
      databaseOf(fixture),
    )
    expect(rows).toEqual([{ tenant_id: '10000', org_id: '50', create_user: '1', update_user: '1' }])
  })
  it('keep their values in a partial save, which increments the version', async () => {
    const row = await add('T_SAMPLE', { name: 'x', memo: 'm', amount: 5, nick: 'n' })
    const saved = await put('T_SAMPLE', row, { amount: 6 })
    expect(saved).toMatchObject({ name: 'x', memo: 'm', amount: 6, nick: 'n', version: 2 })
    expect(await put('T_SAMPLE', saved, { amount: '6.00' })).toMatchObject({ version: 2 })
    expect(await put('T_SAMPLE', saved, { id: row.id, tag: 'T_SAMPLE', nick: 'm' })).toMatchObject({
      id: row.id,
      nick: 'm',
      version: 3,
    })
    expect(await faults(put('T_SAMPLE', { ...saved, version: 3 }, { id: '5', nick: 'l' }))).toEqual(
      ['id notWritable'],
    )
  })
})

describe('validation', () => {
  it('gives one fault per field', async () => {
    expect(
      await faults(
        add('T_SAMPLE', {
          name: '中文中文中文中',
          amount: 'abc',
          quantity: 1.5,
          born: '2026-02-30',
          active: 'x',
          kind: ['1', '2'],
          big: '9223372036854775808',
          stars: 12.5,
          wake: '25:00',
          pass: 'p\u0000',
        }),
      ),
    ).toEqual([
      'name maxLength',
      'pass value',
      'amount value',
      'quantity value',
      'big value',
      'kind value',
      'active value',
      'born value',
      'wake value',
      'stars value',
    ])
    expect(await faults(add('T_SAMPLE', { name: 'x', code: 'c'.repeat(21) }))).toEqual([
      'code maxLength',
    ])
    expect(await faults(add('T_SAMPLE', { name: 'a\u0000b' }))).toEqual(['name value'])
    expect(await faults(add('T_DEPT', {}))).toEqual(['name required'])
  })
  it('requires choices to exist', async () => {
    expect(
      await faults(
        add('T_SAMPLE', { kind: '9', tags: ['1', '9'], deptId: '424242', branches: ['1'] }),
      ),
    ).toEqual(['kind choice', 'deptId choice', 'tags choice', 'branches choice'])
    const [math, arts] = [
      await add('T_DEPT', { name: '数学' }),
      await add('T_DEPT', { name: '艺术' }),
    ]
    const team = await add('T_TEAM', { name: '一班', deptId: math.id })
    expect(
      await add('T_SAMPLE', { deptId: [{ id: math.id, name: '' }], teamId: team.id }),
    ).toMatchObject({ deptId: [{ name: '数学' }], teamId: [{ name: '一班' }] })
    expect(await faults(add('T_SAMPLE', { deptId: arts.id, teamId: team.id }))).toEqual([
      'teamId cascade',
    ])
    const row = await add('T_SAMPLE', { deptId: math.id, teamId: team.id })
    expect(await faults(put('T_SAMPLE', row, { deptId: arts.id }))).toEqual(['teamId cascade'])
    expect(id(await put('T_SAMPLE', row, { deptId: arts.id, teamId: null }), 'deptId')).toBe(
      arts.id,
    )
  })
  it('accepts an unchanged choice that is no longer active', async () => {
    const row = await add('T_SAMPLE', { kind: '3' })
    await sql`update sys.dict_item set status = '0' where item_code = '3'`.execute(
      databaseOf(fixture),
    )
    expect(await put('T_SAMPLE', row, { ...row, memo: 'new' })).toMatchObject({
      kind: [{ id: '3', name: '丙' }],
      memo: 'new',
    })
    expect(await faults(add('T_SAMPLE', { kind: '3' }))).toEqual(['kind choice'])
    await sql`update sys.dict_item set status = '1' where item_code = '3'`.execute(
      databaseOf(fixture),
    )
  })
  it('names the field of a unique value', async () => {
    await add('T_SAMPLE', { code: 'U-1' })
    expect(await faults(add('T_SAMPLE', { code: 'U-1' }))).toEqual(['code unique'])
    const other = fixture.context({ tenant: '10001' })
    expect((await add('T_SAMPLE', { code: 'U-1' }, other)).code).toBe('U-1')
  })
  it('stores a secret as typed, and keeps it when none is sent', async () => {
    const row = await add('T_SAMPLE', { name: 'p', pass: 'long enough words' })
    const stored = async () =>
      (
        await sql<{
          pass: string
        }>`select pass from biz.t_sample where id = ${row.id}::int8`.execute(databaseOf(fixture))
      ).rows[0]?.pass ?? ''
    const before = await stored()
    expect(before).toBe('long enough words')
    const saved = await put('T_SAMPLE', row, { pass: '', name: 'q' })
    expect([await stored(), saved.name, saved.pass]).toEqual([before, 'q', undefined])
  })
})

describe('defaults', () => {
  it('come from text, the caller, the clock and the system constants', async () => {
    await sql`
      insert into sys.param (id, tenant_id, code, name, value)
      values (1, 0, 'start.year', 'y', '2020'), (2, 10000, 'start.year', 'y', '2021')`.execute(
      databaseOf(fixture),
    )
    const draft = (attrName: string, more: object) =>
      ({
        ...sampleFields.find((field) => field.attrName === attrName),
        ...more,
        id: `d-${attrName}`,
      }) as (typeof sampleFields)[number]
    await fixture.define(
      definition('T_DEFAULTS', 't_sample', [
        draft('id', {}),
        draft('name', { uiDefaultType: 0, defaultValue: '无名' }),
        draft('kind', { uiDefaultType: 0, defaultValue: '2', isAdd: 2 }),
        draft('tags', { uiDefaultType: 0, defaultValue: '1,2', isAdd: 0 }),
        draft('memo', { uiDefaultType: 1, defaultValue: 'currentUser' }),
        draft('code', { uiDefaultType: 1, defaultValue: 'currentOrg' }),
        draft('moment', { uiDefaultType: 1, defaultValue: 'currentTime' }),
        draft('born', { uiDefaultType: 1, defaultValue: 'currentTime', isAdd: 2 }),
        draft('gradeYear', { uiDefaultType: 2, defaultValue: 'start.year' }),
        draft('stars', { uiDefaultType: 3, defaultValue: 'select 1' }),
      ]),
    )
    const made = await add('T_DEFAULTS', {})
    expect(made).toMatchObject({
      name: '无名',
      kind: [{ id: '2', name: '乙' }],
      tags: [{ id: '1' }, { id: '2' }],
      memo: '管理员',
      code: '教务处',
      moment: '2026-01-05 09:02:03',
      born: '2026-01-05',
      gradeYear: '2021',
      stars: 1,
    })
    expect(await add('T_DEFAULTS', { name: null, kind: '2', code: 'own' })).toMatchObject({
      name: null,
      code: 'own',
    })
    expect(await faults(add('T_DEFAULTS', { kind: '1' }))).toEqual(['kind notWritable'])
    const config = await entityDataHandlers.config(
      { params: { tag: 'T_DEFAULTS' }, query: undefined, body: undefined },
      context,
    )
    expect(config.fields.find(({ attrName }) => attrName === 'gradeYear')).toMatchObject({
      uiDefaultType: 0,
      defaultValue: '2021',
    })
    expect(config.fields.find(({ attrName }) => attrName === 'stars')).toMatchObject({
      uiDefaultType: 0,
      defaultValue: '1',
    })
  })
})

describe('a new row', () => {
  it('is answered as it is read afterwards', async () => {
    const row = await add('T_SAMPLE', {
      name: 'whole',
      amount: '12.5',
      quantity: 7,
      born: '2001-02-03',
      moment: '2026-01-02 03:04:05',
      active: true,
      pass: 'secret-word',
    })
    expect(row).toEqual(await get('T_SAMPLE', row.id))
    expect([row.version, row.born, row.pass]).toEqual([1, '2001-02-03', undefined])
  })
  it.each(['before', 'after'])(
    'shows what a trigger %s the insert has made of it',
    async (time) => {
      const db = databaseOf(fixture)
      const name = sql.id(`t_made_${time}`)
      const changed =
        time === 'before'
          ? sql`new.memo := 'by a trigger'`
          : sql`update biz.t_sample set memo = 'by a trigger', version = 2 where id = new.id`
      await sql`create function biz.${name}() returns trigger language plpgsql as $$
      begin ${changed}; return new; end $$`.execute(db)
      await sql`create trigger ${name} ${sql.raw(time)} insert on biz.t_sample
      for each row execute function biz.${name}()`.execute(db)
      fixture.registry.invalidate()
      try {
        const row = await add('T_SAMPLE', { name: 'triggered', memo: 'mine' })
        expect([row.memo, row.version]).toEqual(['by a trigger', time === 'before' ? 1 : 2])
        expect(row).toEqual(await get('T_SAMPLE', row.id))
      } finally {
        await sql`drop function biz.${name}() cascade`.execute(db)
        fixture.registry.invalidate()
      }
    },
  )
})

describe('serial numbers', () => {
  it('have no gaps, also when an insert fails', async () => {
    const fields = sampleFields.map((field) => ({
      ...field,
      id: `s${field.id}`,
      ...(field.attrName === 'code' && { isAdd: 2 as const }),
    }))
    await fixture.define(
      definition('T_SERIAL', 't_sample', fields, {
        options: {
          serialNumType: 2,
          serialNumField: 'code',
          serialNumConfig: [
            { type: 3, text: 'S' },
            { type: 2, format: 2 },
            { type: 1, length: 4, period: 'month' },
          ],
        },
      }),
    )
    expect((await add('T_SERIAL', {})).code).toBe('S2026010001')
    await sql`alter table biz.t_sample add constraint never_x check (memo <> 'fail')`.execute(
      databaseOf(fixture),
    )
    expect((await catchRefusal(add('T_SERIAL', { memo: 'fail' }))).status).toBe(422)
    const made = await Promise.all(Array.from({ length: 20 }, () => add('T_SERIAL', {})))
    expect(made.map(({ code }) => code).toSorted()).toEqual(
      Array.from({ length: 20 }, (_, i) => `S202601${String(i + 2).padStart(4, '0')}`),
    )
  })
})

describe('stale writes', () => {
  it('answers 409 with the current row, and 422 without a version', async () => {
    const row = await add('T_SAMPLE', { name: 'x', kind: '1' })
    const saved = await put('T_SAMPLE', row, { name: 'y' })
    const error = await catchRefusal(put('T_SAMPLE', row, { name: 'z' }))
    expect([error.status, error.code, error.data]).toEqual([409, 40900, saved])
    expect(await faults(put('T_SAMPLE', row, { version: undefined, name: 'z' }))).toEqual([
      'version versionRequired',
    ])
    for (const version of ['x', -1, 1.5, ''])
      expect(await faults(put('T_SAMPLE', row, { version, name: 'z' }))).toEqual(['version value'])
  })
  it('accepts one of two concurrent writers', async () => {
    const row = await add('T_SAMPLE', { name: 'x' })
    const outcomes = await Promise.allSettled(
      ['1', '2', '3', '4', '5'].map((name) => put('T_SAMPLE', row, { name })),
    )
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
      'rejected',
    ])
  })
  it('uses xmin as version for tables without a version column', async () => {
    const row = await add('T_PLAIN', { name: 'x' })
    expect(row).toMatchObject({ name: 'x', note: 'none' })
    const saved = await put('T_PLAIN', row, { name: 'y' })
    expect(saved.version).not.toBe(row.version)
    expect((await catchRefusal(put('T_PLAIN', row, { name: 'z' }))).code).toBe(40900)
    expect(await remove('T_PLAIN', row.id)).toEqual({ deleted: 1 })
  })
  it('answers 404 for a row that does not exist', async () => {
    for (const unknown of ['1', 'x', '99999999999999999999', "1' or '1'='1"]) {
      expect((await catchRefusal(get('T_SAMPLE', unknown))).status).toBe(404)
      expect(
        (await catchRefusal(put('T_SAMPLE', { id: unknown, version: 1 }, { name: 'x' }))).status,
      ).toBe(404)
    }
  })
})

describe('trees', () => {
  it('refuse a row below itself', async () => {
    const top = await add('T_DEPT', { name: 'top' })
    const middle = await add('T_DEPT', { name: 'middle', pid: top.id })
    const low = await add('T_DEPT', { name: 'low', pid: middle.id })
    for (const below of [top, middle, low])
      expect(await faults(put('T_DEPT', top, { pid: below.id }))).toEqual(['pid parent'])
    expect(id(await put('T_DEPT', low, { pid: top.id }), 'pid')).toBe(top.id)
  })
})

describe('deleting', () => {
  it('deletes all rows or none', async () => {
    const [a, b] = [await add('T_SAMPLE', { name: 'a' }), await add('T_SAMPLE', { name: 'b' })]
    expect((await catchRefusal(remove('T_SAMPLE', `${a.id},1`))).status).toBe(404)
    expect((await get('T_SAMPLE', a.id)).name).toBe('a')
    expect(await remove('T_SAMPLE', `${a.id},${b.id},${a.id}`)).toEqual({ deleted: 2 })
    expect((await catchRefusal(get('T_SAMPLE', a.id))).status).toBe(404)
    expect((await catchRefusal(remove('T_SAMPLE', a.id))).status).toBe(404)
    expect((await catchRefusal(remove('T_SAMPLE', ','))).status).toBe(404)
    expect(
      await faults(remove('T_SAMPLE', Array.from({ length: 501 }, (_, i) => i).join(','))),
    ).toEqual(['ids range'])
  })
  it('refuses rows that others refer to, until those are deleted', async () => {
    const dept = await add('T_DEPT', { name: 'used' })
    const team = await add('T_TEAM', { name: 'team', deptId: dept.id })
    expect(await catchRefusal(remove('T_DEPT', dept.id))).toMatchObject({
      status: 409,
      text: { key: 'problem.inUseBy', params: { n: 1, names: 'team' } },
    })
    const child = await add('T_DEPT', { name: 'child', pid: dept.id })
    const sample = await add('T_SAMPLE', { branches: [child.id] })
    expect(await catchRefusal(remove('T_DEPT', dept.id))).toMatchObject({
      status: 409,
      text: { key: 'tree.hasChildren', params: { n: 1 } },
    })
    await remove('T_TEAM', team.id)
    expect((await catchRefusal(remove('T_DEPT', dept.id))).status).toBe(409)
    expect((await catchRefusal(remove('T_DEPT', `${dept.id},${child.id}`))).status).toBe(409)
    await remove('T_SAMPLE', sample.id)
    expect(await remove('T_DEPT', `${dept.id},${child.id}`)).toEqual({ deleted: 2 })
  })
  it('audits who changed which fields', async () => {
    fixture.audited.length = 0
    const row = await add('T_DEPT', { name: 'logged' })
    await put('T_DEPT', row, { secret: 's' })
    await remove('T_DEPT', row.id)
    expect(fixture.audited).toEqual([
      {
        action: 'entity.add',
        object: 'T_DEPT',
        objectId: row.id,
        result: 'ok',
        detail: { fields: ['name', 'pid', 'secret'] },
      },
      {
        action: 'entity.update',
        object: 'T_DEPT',
        objectId: row.id,
        result: 'ok',
        detail: { fields: ['secret'] },
      },
      { action: 'entity.delete', object: 'T_DEPT', objectId: row.id, result: 'ok' },
    ])
  })
})

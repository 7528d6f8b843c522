import { ApiProblem } from '@jiaowu/api/problem'
import {
  type EntityDefinition,
  entityDefinitionSchema,
} from '@jiaowu/api/entity/definition/definition'
import type { SavedEntity } from '@jiaowu/api/contract/design'
import { builtIn } from '@jiaowu/server/definitions'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
const run = (text: string) => sql.raw(text).execute(app.services.database.kysely)
beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
  await run(`
    create table biz.loan (id bigint primary key, tenant_id bigint not null, loan_no varchar(32),
      title varchar(200) not null, price numeric(8,2), pages integer, lent_on date, at_time time,
      remarks text, extra jsonb, state varchar(2), student_id bigint,
      version integer not null default 1, create_user bigint,
      create_time timestamptz not null default now(), deleted_at timestamptz)`)
  await run(`comment on table biz.loan is '图书借阅'`)
  await run(`comment on column biz.loan.loan_no is '借阅单号'`)
  await run(`comment on column biz.loan.title is '书名'`)
  app.services.registry.invalidate()
})
afterAll(() => app.close())

async function fail(attempt: Promise<unknown>) {
  const error = await attempt.then(
    () => null,
    (caught: unknown) => caught,
  )
  if (!(error instanceof ApiProblem)) throw new Error('it was not refused', { cause: error })
  return {
    code: error.problem.code,
    rules: error.problem.issues.map(({ path, rule }) => `${path} ${rule}`),
    text: error.problem.message,
  }
}
async function draft() {
  return {
    ...(await admin.design.draft({ params: { name: 'loan' } })).definition,
    tag: 'LIB_LOAN',
  }
}
const load = async (): Promise<SavedEntity> => admin.design.load({ params: { tag: 'LIB_LOAN' } })

describe('tables', () => {
  it('of the business schema are listed with their comments and entities', async () => {
    const tables = await admin.design.tables({})
    expect(tables.find(({ name }) => name === 'loan')).toEqual({
      schema: 'biz',
      name: 'loan',
      comment: '图书借阅',
      kind: 'table',
      rows: 0,
      key: ['id'],
      readOnly: false,
      reason: null,
      tags: [],
    })
    expect(tables.find(({ name }) => name === 'student')).toMatchObject({
      entityTag: 'EDU_STUDENT',
      tags: ['EDU_STUDENT'],
    })
    expect(tables.map(({ name }) => name)).not.toContain('app_user')
    expect((await fail(admin.design.columns({ params: { name: 'app_user' } }))).code).toBe(404)
    expect(
      (await fail(admin.design.columns({ params: { name: 'loan; drop table biz.loan' } }))).code,
    ).toBe(404)
  })
  it('list their columns in the shape of the spec', async () => {
    const columns = await admin.design.columns({ params: { name: 'loan' } })
    expect(columns.find(({ columnName }) => columnName === 'id')).toEqual({
      columnName: 'id',
      columnComment: '',
      columnKey: 'PRI',
      isKey: true,
      columnType: 'bigint',
      dataType: 'int8',
      dataLength: null,
      isNullable: 'NO',
      hasDefault: false,
    })
    expect(columns.find(({ columnName }) => columnName === 'loan_no')).toMatchObject({
      columnComment: '借阅单号',
      columnType: 'varchar(32)',
      dataType: 'varchar',
      dataLength: 32,
      isNullable: 'YES',
    })
    expect(columns.find(({ columnName }) => columnName === 'price')).toMatchObject({
      columnType: 'numeric(8,2)',
      dataType: 'numeric',
    })
  })
})

describe('from a table to a working entity', () => {
  it('a draft has a control for each column by its type, without system columns', async () => {
    const { fields, name, tagField, idField } = await draft()
    expect(Object.fromEntries(fields.map(({ attrName, uiType }) => [attrName, uiType]))).toEqual({
      id: 'inputNumber',
      loanNo: 'input',
      title: 'input',
      price: 'inputNumber',
      pages: 'inputNumber',
      lentOn: 'date',
      atTime: 'time',
      remarks: 'textarea',
      extra: 'textarea',
      state: 'input',
      studentId: 'inputNumber',
      createUser: 'select',
      createTime: 'datetime',
    })
    expect([name, tagField, idField]).toEqual(['图书借阅', 'title', 'id'])
    expect(fields.find(({ attrName }) => attrName === 'title')).toMatchObject({
      uiLabel: '书名',
      isNull: 0,
      valids: { required: true, maxChars: 200 },
    })
  })
  it('a saved draft has a list, a form, an export and a menu entry', async () => {
    const saved = await admin.design.create({ body: { ...(await draft()), note: '第一版' } })
    expect([
      saved.version,
      saved.builtIn,
      saved.findings.filter(({ severity }) => severity === 'error'),
    ]).toEqual([1, false, []])
    expect(saved.fields.every(({ id }) => /^\d{15,19}$/.test(id))).toBe(true)
    const row = await admin.entityData.create({
      params: { tag: 'LIB_LOAN' },
      body: { title: '教务管理', price: '12.50', lentOn: '2026-03-01' },
    })
    expect(
      (
        await admin.entityData.page({
          params: { tag: 'LIB_LOAN' },
          body: { queries: { loanNo: '' } },
        })
      ).records.map(({ id }) => id),
    ).toEqual([row.id])
    expect(
      (await fail(admin.entityData.create({ params: { tag: 'LIB_LOAN' }, body: { price: 1 } })))
        .rules,
    ).toEqual(['title required'])
    const menu = JSON.stringify(await admin.session.menu({}))
    expect(menu).toContain('/entity/LIB_LOAN/search')
    expect((await admin.session.resources({})).map(({ code }) => code)).toContain(
      'entity:LIB_LOAN:export',
    )
    expect(
      await (
        await app.call('/entity/LIB_LOAN/data/export', {
          method: 'POST',
          headers: { authorization: `bearer ${admin.token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ format: 'csv' }),
        })
      ).text(),
    ).toContain('教务管理')
  })
  it('a tag that is taken is refused', async () =>
    expect(await fail(admin.design.create({ body: { ...(await draft()) } }))).toMatchObject({
      code: 409,
    }))
})

describe('saving', () => {
  it('gives ids to new fields, keeps those of others, and adds a revision', async () => {
    const before = await load()
    const added = {
      ...before.fields[1],
      id: '-1',
      attrName: 'shelf',
      uiLabel: '书架',
      columnName: null,
      tableName: null,
      uiType: 'input',
    }
    const saved = await admin.design.save({
      params: { tag: 'LIB_LOAN' },
      body: { ...before, fields: [...before.fields, added], note: '加书架' },
    })
    expect(saved.version).toBe(2)
    expect(saved.fields.slice(0, -1).map(({ id }) => id)).toEqual(before.fields.map(({ id }) => id))
    expect(saved.fields.at(-1)?.id).toMatch(/^\d{15,19}$/)
    const revisions = await admin.design.revisions({ params: { tag: 'LIB_LOAN' } })
    expect(revisions.map(({ version, note }) => [version, note])).toEqual([
      [2, '加书架'],
      [1, '第一版'],
    ])
    expect(
      (await admin.design.revision({ params: { tag: 'LIB_LOAN', version: '1' } })).definition
        .fields,
    ).toHaveLength(before.fields.length)
    const row = await admin.entityData.create({
      params: { tag: 'LIB_LOAN' },
      body: { title: '一', shelf: 'A-1' },
    })
    expect((await admin.entityData.get({ params: { tag: 'LIB_LOAN', id: row.id } })).shelf).toBe(
      'A-1',
    )
  })
  it('with a stale version is refused with the current definition', async () => {
    const now = await load()
    expect(
      await fail(
        admin.design.save({
          params: { tag: 'LIB_LOAN' },
          body: { ...now, version: now.version - 1 },
        }),
      ),
    ).toMatchObject({ code: 40900 })
    expect(
      (
        await fail(
          admin.design.save({ params: { tag: 'LIB_LOAN' }, body: { ...now, version: undefined } }),
        )
      ).rules,
    ).toEqual(['version versionRequired'])
    const both = await Promise.allSettled(
      [1, 2, 3, 4].map((n) =>
        admin.design.save({ params: { tag: 'LIB_LOAN' }, body: { ...now, name: `图书借阅${n}` } }),
      ),
    )
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await load()).version).toBe(now.version + 1)
  })
  it('with errors is refused with the ids of the checks, and changes nothing', async () => {
    const now = await load()
    const broken = {
      ...now,
      fields: now.fields.map((field) =>
        field.attrName === 'price'
          ? { ...field, columnName: 'cost', uiDefaultType: 0, defaultValue: 'dear' }
          : field,
      ),
    }
    expect(
      (
        await fail(admin.design.save({ params: { tag: 'LIB_LOAN' }, body: broken }))
      ).rules.toSorted(),
    ).toEqual(['fields.price.columnName entity.E003', 'fields.price.defaultValue entity.E023'])
    expect((await load()).version).toBe(now.version)
    expect(
      (
        await fail(
          admin.design.save({ params: { tag: 'LIB_LOAN' }, body: { ...now, tag: 'LIB_OTHER' } }),
        )
      ).rules,
    ).toEqual(['tag fixed'])
    expect(
      (
        await fail(
          admin.design.save({ params: { tag: 'LIB_LOAN' }, body: { ...now, fields: 'none' } }),
        )
      ).rules,
    ).toEqual(['fields entity.E000'])
  })
  it('a shipped definition creates one of the tenant; deleting it restores the shipped one', async () => {
    const shipped = await admin.design.load({ params: { tag: 'EDU_COURSE' } })
    expect(shipped.builtIn).toBe(true)
    expect((await fail(admin.design.remove({ params: { id: shipped.id } }))).code).toBe(403)
    const mine = await admin.design.save({
      params: { tag: 'EDU_COURSE' },
      body: { ...shipped, name: '我们的课程' },
    })
    expect([
      mine.builtIn,
      mine.version,
      (await admin.entityData.config({ params: { tag: 'EDU_COURSE' } })).name,
    ]).toEqual([false, shipped.version + 1, '我们的课程'])
    expect(
      (
        await (
          await app.signIn('admin', '10001')
        ).entityData.config({ params: { tag: 'EDU_COURSE' } })
      ).name,
    ).toBe(shipped.name)
    await admin.design.remove({ params: { id: mine.id } })
    expect((await admin.entityData.config({ params: { tag: 'EDU_COURSE' } })).name).toBe(
      shipped.name,
    )
    expect(JSON.stringify(await admin.session.menu({}))).toContain('/entity/EDU_COURSE/search')
  })
  it('needs the permission to design, and is invisible to other tenants', async () => {
    const { id } = await load()
    expect(
      (await fail((await app.signIn('registrar')).design.load({ params: { tag: 'EDU_STUDENT' } })))
        .code,
    ).toBe(403)
    const other = await app.signIn('admin', '10001')
    expect((await fail(other.design.load({ params: { tag: 'LIB_LOAN' } }))).code).toBe(404)
    expect((await fail(other.design.remove({ params: { id } }))).code).toBe(404)
    expect((await other.design.page({ body: { queries: { tag: 'lib_loan' } } })).total).toBe(0)
  })
})

describe('before saving', () => {
  it('lists what depends on a removed field', async () => {
    const shipped = await admin.design.load({ params: { tag: 'EDU_MAJOR' } })
    const { impact } = await admin.design.check({
      body: { ...shipped, fields: shipped.fields.filter(({ attrName }) => attrName !== 'faculty') },
    })
    expect(impact.filter(({ kind }) => kind === 'cascade').map(({ object }) => object)).toContain(
      'EDU_STUDENT',
    )
    const loan = await load()
    const removed = await admin.design.check({
      body: { ...loan, fields: loan.fields.filter(({ attrName }) => attrName !== 'shelf') },
    })
    expect(removed.impact.map(({ kind, object, breaks }) => [kind, object, breaks])).toEqual([
      ['customValue', 'shelf', true],
      ['template', 'shelf', false],
    ])
    expect(removed.impact[0]?.msg).toBe('自定义字段「书架」已有 1 个值，将不再显示')
  })
  it('lists the drift of the table, and the list of definitions marks it', async () => {
    await run('alter table biz.loan drop column pages')
    await run('alter table biz.loan add column isbn varchar(20)')
    await run('alter table biz.loan alter column state type varchar(8)')
    app.services.registry.invalidate()
    const loan = await load()
    expect(loan.drift).toEqual({
      missing: ['pages'],
      unused: ['isbn'],
      added: ['isbn'],
      changed: [{ columnName: 'state', from: 'varchar(2)', to: 'varchar(8)' }],
    })
    expect(loan.findings.map(({ id }) => id)).toContain('entity.E003')
    const { records } = await admin.design.page({ body: { queries: { keyword: 'loan' } } })
    expect(records).toEqual([
      expect.objectContaining({ tag: 'LIB_LOAN', hasDrift: true, builtIn: false }),
    ])
    expect((await admin.entityData.page({ params: { tag: 'LIB_LOAN' }, body: {} })).total).toBe(2)
    // After a save without it, the column counts as unused and no longer as added.
    const fields = loan.fields.filter(({ attrName }) => attrName !== 'pages')
    expect((await admin.design.check({ body: { ...loan, fields } })).drift).toMatchObject({
      missing: [],
      added: ['isbn'],
    })
    expect(
      (await admin.design.save({ params: { tag: 'LIB_LOAN' }, body: { ...loan, fields } })).drift,
    ).toMatchObject({ missing: [], unused: ['isbn'], added: [] })
  })
})

describe('custom SQL', () => {
  const withSql = (entity: EntityDefinition, source: string) => ({
    ...entity,
    fields: entity.fields
      .filter(({ attrName }) => attrName !== 'pages')
      .map((field) =>
        field.attrName === 'studentId'
          ? { ...field, uiType: 'select', dictType: 2, dictValue: source }
          : field,
      ),
  })
  it('gives choices of the tenant, searched and paged', async () => {
    const saved = await admin.design.save({
      params: { tag: 'LIB_LOAN' },
      body: withSql(
        await load(),
        `select id, name from biz.student where name like '%' || coalesce(:searchKey, '') || '%' order by student_no`,
      ),
    })
    const fieldId = saved.fields.find(({ attrName }) => attrName === 'studentId')?.id ?? ''
    const first = await admin.entityData.lookup({
      params: { tag: 'LIB_LOAN' },
      body: { fieldId, pageSize: 5 },
    })
    if (!('records' in first)) throw new Error('a page was expected')
    expect([first.records.length, first.total]).toEqual([5, 96])
    const chosen = first.records[0] ?? { id: '', name: '' }
    const row = await admin.entityData.create({
      params: { tag: 'LIB_LOAN' },
      body: { title: '借', studentId: chosen.id },
    })
    expect(
      (await admin.entityData.get({ params: { tag: 'LIB_LOAN', id: row.id } })).studentId,
    ).toEqual([chosen])
    expect(
      (
        await fail(
          admin.entityData.create({
            params: { tag: 'LIB_LOAN' },
            body: { title: '借', studentId: '1' },
          }),
        )
      ).rules,
    ).toEqual(['studentId choice'])
    expect(
      JSON.stringify(await admin.entityData.config({ params: { tag: 'LIB_LOAN' } })),
    ).not.toContain('biz.student')
  })
  it('gives defaults', async () => {
    const entity = await load()
    const saved = await admin.design.save({
      params: { tag: 'LIB_LOAN' },
      body: {
        ...entity,
        fields: entity.fields.map((field) =>
          field.attrName === 'remarks'
            ? { ...field, uiDefaultType: 3, defaultValue: 'select count(*) from biz.student' }
            : field,
        ),
      },
    })
    expect(saved.findings).toEqual([])
    expect(
      (await admin.entityData.config({ params: { tag: 'LIB_LOAN' } })).fields.find(
        ({ attrName }) => attrName === 'remarks',
      ),
    ).toMatchObject({ uiDefaultType: 0, defaultValue: '96' })
    const row = await admin.entityData.create({
      params: { tag: 'LIB_LOAN' },
      body: { title: '默认' },
    })
    expect((await admin.entityData.get({ params: { tag: 'LIB_LOAN', id: row.id } })).remarks).toBe(
      '96',
    )
  })
  it.each([
    `select id, password_hash as name from sys.app_user`,
    `delete from biz.student returning id, name`,
    `select pg_sleep(9)::text as id, '' as name`,
    `with x as (delete from biz.student returning id, name) select * from x`,
  ])('is refused at save: %s', async (source) =>
    expect(
      (
        await fail(
          admin.design.save({
            params: { tag: 'LIB_LOAN' },
            body: withSql(await load(), source),
          }),
        )
      ).rules,
    ).toEqual(['fields.studentId.dictValue entity.E037']),
  )
  it('is checked again when it runs, also when written directly to the database', async () => {
    const entity = await load()
    const stored = (source: string) =>
      JSON.stringify(v.parse(v.object(entityDefinitionSchema.entries), withSql(entity, source)))
    await app.services.database.kysely
      .updateTable('sys.entity')
      .set({ definition: stored('select id, account as name from sys.app_user') })
      .where('id', '=', entity.id)
      .execute()
    app.services.registry.invalidate()
    const fieldId = entity.fields.find(({ attrName }) => attrName === 'studentId')?.id ?? ''
    expect(
      await fail(admin.entityData.lookup({ params: { tag: 'LIB_LOAN' }, body: { fieldId } })),
    ).toMatchObject({ code: 422, text: '不能读取表 sys.app_user，请写成 biz.表名' })
    expect(
      (await admin.entityData.page({ params: { tag: 'LIB_LOAN' }, body: {} })).records.length,
    ).toBeGreaterThan(0)
    await app.services.database.kysely
      .updateTable('sys.entity')
      .set({
        definition: stored(
          'select count(*)::text as id, min(a.name) as name from biz.student a, biz.student b, biz.student c, biz.student d',
        ),
      })
      .where('id', '=', entity.id)
      .execute()
    app.services.registry.invalidate()
    expect(
      await fail(admin.entityData.lookup({ params: { tag: 'LIB_LOAN' }, body: { fieldId } })),
    ).toMatchObject({ code: 422, text: '查询代价过高，请缩小范围' })
  })
})

describe('shipped definitions', () => {
  it.each(builtIn.map(({ tag }) => tag))('%s has no findings', async (tag) => {
    const { findings } = await admin.design.check({
      body: { ...builtIn.find((entity) => entity.tag === tag) },
    })
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
  })
})

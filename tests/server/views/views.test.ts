import {
  blankContent,
  type SavedView,
  type SavedViews,
  type ViewInput,
} from '@jiaowu/api/entity/list/view'
import { limits } from '@jiaowu/api/limits'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let app: TestApp
type StaffUser = Awaited<ReturnType<TestApp['signIn']>>
let admin: StaffUser
let clerk: StaffUser
let viewer: StaffUser
beforeAll(async () => {
  app = await testApp()
  ;[admin, clerk, viewer] = [
    await app.signIn('admin'),
    await app.signIn('clerk'),
    await app.signIn('viewer'),
  ]
})
afterAll(() => app.close())

const tag = 'EDU_STUDENT'
function captureViewCode(work: Promise<unknown>) {
  return work.then(
    () => 'ok',
    (error: { problem: { code: number } }) => error.problem.code,
  )
}
function captureViewIssues(work: Promise<unknown>) {
  return work.then(
    () => 'ok',
    (error: { problem: { issues: { path: string; rule: string; msg: string }[] } }) =>
      error.problem.issues.map(({ path, rule }) => [path, rule]),
  )
}
const plain = {
  name: 'v',
  scope: 'mine',
  roleId: null,
  isDefault: false,
  ...blankContent,
} as const satisfies ViewInput
/** The input as a request body with mutable lists. */
function buildViewBody(input: Partial<ViewInput>) {
  const { sorts, columns, queries, footer, ...rest } = { ...plain, ...input }
  return {
    ...rest,
    queries: { ...queries },
    sorts: [...sorts],
    footer: [...footer],
    columns: columns === null ? null : [...columns],
  }
}
function createView(as: StaffUser, input: Partial<ViewInput> = {}, of = tag) {
  return as.view.create({ params: { tag: of }, body: buildViewBody(input) })
}
function update(
  as: StaffUser,
  seen: SavedView,
  change: Partial<ViewInput>,
  version = seen.version,
) {
  const { name, scope, roleId, isDefault, queries, sorts, columns, pageSize } = {
    ...seen,
    ...change,
  }
  return as.view.update({
    params: { tag, id: seen.id },
    body: {
      ...buildViewBody({ name, scope, roleId, isDefault, queries, sorts, columns, pageSize }),
      version,
    },
  })
}
const listViews = (as: StaffUser, of = tag) => as.view.list({ params: { tag: of } })
const removeView = (as: StaffUser, id: string) => as.view.remove({ params: { tag, id } })
const openView = (as: StaffUser, opens: string) =>
  as.view.open({ params: { tag }, body: { opens } })
function findView({ views }: SavedViews, id: string): SavedView {
  const found = views.find((view) => view.id === id)
  if (found === undefined) throw new Error(`no view ${id}`)
  return found
}
async function roleId(code: string) {
  return (
    (await admin.entityData.page({ params: { tag: 'SYS_ROLE' }, body: {} })).records.find(
      (row) => row['code'] === code,
    )?.id ?? ''
  )
}

describe('saved views', () => {
  it('store filters, sorts and columns for their owner', async () => {
    const content = {
      queries: { enrolYear: '2024', name: '张' },
      sorts: [{ column: 'studentNo', asc: false }],
      columns: ['name', 'studentNo'],
      pageSize: 50,
      where: {
        or: [
          { column: 'name', op: 'like' as const, value: '李' },
          { and: [{ column: 'createTime', op: 'notEmpty' as const }] },
        ],
      },
      group: { column: 'birthDate', by: 'month' as const },
      footer: [{ column: 'enrolYear', fn: 'distinct' as const }],
      frozen: 'name',
    }
    const { id, ...answer } = await createView(clerk, { ...content, name: ' 新生 ' })
    expect(findView(answer, id)).toMatchObject({
      ...content,
      name: '新生',
      scope: 'mine',
      editable: true,
      isDefault: false,
      lacks: { queries: 0, sorts: 0, columns: 0 },
    })
    expect(findView(await listViews(clerk), id).columns).toEqual(['name', 'studentNo'])
    for (const other of [admin, viewer]) {
      expect((await listViews(other)).views).toEqual([])
      expect(await captureViewCode(removeView(other, id))).toBe(404)
      expect(await captureViewCode(update(other, findView(answer, id), { name: 'x' }))).toBe(404)
      expect(await captureViewCode(openView(other, id))).toBe(42200)
    }
    const renamed = await update(clerk, findView(answer, id), { name: '新同学' })
    expect(findView(renamed, id)).toMatchObject({ name: '新同学', version: 2 })
    const late = await update(clerk, findView(answer, id), { name: 'late' }, 1).catch(
      (error: { problem: { code: number; data: SavedViews } }) => error.problem,
    )
    expect(late).toMatchObject({ code: 40900, data: { views: [{ name: '新同学' }] } })
    expect((await removeView(clerk, id)).views).toEqual([])
  })
  it('for a role or everyone need the permission, and reach their audience', async () => {
    const clerks = await roleId('ROLE_CLERK')
    expect(await captureViewCode(createView(clerk, { scope: 'everyone' }))).toBe(403)
    expect(await captureViewCode(createView(clerk, { scope: 'role', roleId: clerks }))).toBe(403)
    expect(await listViews(clerk)).toMatchObject({ mayShare: false, roles: [] })
    const all = await createView(admin, { name: '毕业生', scope: 'everyone', isDefault: true })
    const some = await createView(admin, {
      name: '文员',
      scope: 'role',
      roleId: clerks,
      isDefault: true,
    })
    expect(await captureViewIssues(createView(admin, { scope: 'role', roleId: '1' }))).toEqual([
      ['roleId', 'required'],
    ])
    expect(
      (await listViews(clerk)).views.map(({ name, roleName, editable }) => [
        name,
        roleName !== null,
        editable,
      ]),
    ).toEqual([
      ['文员', true, false],
      ['毕业生', false, false],
    ])
    expect((await listViews(viewer)).views.map(({ name }) => name)).toEqual(['毕业生'])
    expect((await listViews(admin)).views.map(({ name, editable }) => [name, editable])).toEqual([
      ['文员', true],
      ['毕业生', true],
    ])
    expect(
      await captureViewCode(update(clerk, findView(await listViews(clerk), all.id), { name: 'x' })),
    ).toBe(403)
    expect(await captureViewCode(removeView(clerk, some.id))).toBe(403)
    // A user's own default has priority over the role's, and the role's over everyone's.
    const openings = async () => [
      (await listViews(clerk)).opening,
      (await listViews(viewer)).opening,
    ]
    expect(await openings()).toEqual([some.id, all.id])
    const own = await createView(clerk, { name: '我的', isDefault: true })
    expect([own.opening, own.opens, findView(own, own.id).isDefault]).toEqual([
      own.id,
      own.id,
      true,
    ])
    expect((await openView(clerk, 'plain')).opening).toBeNull()
    expect((await openView(clerk, all.id)).opening).toBe(all.id)
    expect((await openView(clerk, 'shared')).opening).toBe(some.id)
    // A new default of the same audience replaces the first; a deleted view is no default.
    const next = await createView(admin, { name: '在读', scope: 'everyone', isDefault: true })
    expect(findView(next, all.id).isDefault).toBe(false)
    expect(await openings()).toEqual([some.id, next.id])
    await openView(viewer, all.id)
    await removeView(admin, all.id)
    expect(await openings()).toEqual([some.id, next.id])
    expect(
      (
        await app.services.database.kysely
          .selectFrom('sys.audit_log')
          .select(['action', 'object_id'])
          .where('action', 'like', 'view.%')
          .where('result', '=', 'ok')
          .orderBy('seq')
          .execute()
      ).map(({ action }) => action),
    ).toEqual(['view.create', 'view.create', 'view.create', 'view.delete'])
    for (const { id, scope } of (await listViews(admin)).views)
      if (scope !== 'mine') await removeView(admin, id)
    await removeView(clerk, own.id)
    await openView(viewer, 'shared')
  })
  it('have unique names per scope, and limits', async () => {
    const { id } = await createView(clerk, { name: 'Same' })
    expect(await captureViewIssues(createView(clerk, { name: 'same' }))).toEqual([
      ['name', 'unique'],
    ])
    expect(await captureViewCode(createView(viewer, { name: 'same' }))).toBe('ok')
    expect(await captureViewIssues(createView(clerk, { name: ' ' }))).toEqual([
      ['name', 'required'],
    ])
    expect(
      await captureViewIssues(createView(clerk, { name: '长'.repeat(limits.viewName + 1) })),
    ).toEqual([['name', 'maxLength']])
    expect(
      await captureViewIssues(
        createView(clerk, {
          name: 'big',
          queries: { status: [{ id: '1', name: '长'.repeat(limits.viewBytes / 3) }] },
        }),
      ),
    ).toEqual([['queries', 'maxLength']])
    expect(
      await captureViewIssues(
        createView(clerk, {
          queries: { nothing: 1, idCard: 'x' },
          sorts: [{ column: 'nothing', asc: true }],
        }),
      ),
    ).toContainEqual(['queries.nothing', 'unknownField'])
    expect(
      await captureViewIssues(createView(clerk, { columns: ['name', 'name', 'introduction'] })),
    ).toEqual([
      ['columns.name', 'unknownField'],
      ['columns.introduction', 'unknownField'],
    ])
    expect(await captureViewIssues(createView(clerk, { columns: [] }))).toEqual([
      ['columns', 'required'],
    ])
    const leaf = (column: string) => ({ and: [{ column, op: 'equal' as const, value: '1' }] })
    expect(await captureViewIssues(createView(clerk, { where: leaf('gone') }))).toEqual([
      ['where.and.0.column', 'unknownField'],
    ])
    expect(await captureViewIssues(createView(admin, { where: leaf('idCard') }))).toEqual([
      ['where', 'personal'],
    ])
    expect(await captureViewIssues(createView(clerk, { group: { column: 'gone' } }))).toEqual([
      ['group.column', 'unknownField'],
    ])
    expect(
      await captureViewIssues(createView(clerk, { footer: [{ column: 'name', fn: 'sum' }] })),
    ).toEqual([['footer.0.fn', 'value']])
    expect(await captureViewIssues(createView(clerk, { frozen: 'gone' }))).toEqual([
      ['columns.gone', 'unknownField'],
    ])
    const { kysely } = app.services.database
    const { tenant_id, owner_id } = await kysely
      .selectFrom('sys.list_view')
      .select(['tenant_id', 'owner_id'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await kysely
      .insertInto('sys.list_view')
      .values(
        Array.from({ length: limits.viewsPerPlace - 1 }, (_none, n) => ({
          id: app.services.newId(),
          tenant_id,
          owner_id,
          role_id: null,
          scope: 'mine' as const,
          tag,
          name: `n${n}`,
          content: '{}',
        })),
      )
      .execute()
    expect(await captureViewIssues(createView(clerk, { name: 'one more' }))).toEqual([
      ['name', 'tooMany'],
    ])
    expect(await captureViewCode(createView(clerk, { name: 'elsewhere' }, 'EDU_CLASS'))).toBe(403)
    await kysely.deleteFrom('sys.list_view').execute()
  })
  it('belong to one tenant', async () => {
    const other = await app.signIn('admin', '10001')
    const { id } = await createView(admin, { name: 'here', scope: 'everyone', isDefault: true })
    expect(await listViews(other)).toMatchObject({ views: [], opening: null })
    expect(await captureViewCode(removeView(other, id))).toBe(404)
    expect(
      await captureViewIssues(other.entityData.page({ params: { tag }, body: { view: id } })),
    ).toEqual([['view', 'unknownView']])
    expect(
      await captureViewIssues(
        createView(other, { scope: 'role', roleId: await roleId('ROLE_CLERK') }),
      ),
    ).toEqual([['roleId', 'required']])
    await removeView(admin, id)
  })
})

describe('a list with a view', () => {
  it('applies the filters and sorts of the view after those of the call', async () => {
    const { id } = await createView(admin, {
      name: 'through',
      scope: 'everyone',
      queries: { status: '1' },
      sorts: [{ column: 'studentNo', asc: false }],
      columns: ['name', 'studentNo'],
    })
    const page = (as: StaffUser, body: object) =>
      as.entityData.page({ params: { tag }, body: { pageSize: 5, ...body } })
    const [by, plainly] = [
      await page(viewer, { view: id }),
      await page(viewer, {
        queries: { status: '1' },
        sorts: [{ column: 'studentNo', asc: false }],
      }),
    ]
    expect(by.records).toEqual(plainly.records)
    expect(by.viewLacks).toBeUndefined()
    expect((await page(viewer, { view: id, queries: { status: null } })).total).toBe(
      (await page(viewer, {})).total,
    )
    expect(
      (await page(viewer, { view: id, sorts: [{ column: 'studentNo', asc: true }] })).records[0]
        ?.id,
    ).not.toBe(by.records[0]?.id)
    const sheet = async (body: object) =>
      await new Response(
        (
          await admin.entityData.export({
            params: { tag },
            body: { format: 'csv', view: id, pageNum: 1, pageSize: 2, ...body },
          })
        ).stream,
      ).text()
    expect((await sheet({})).replace('\ufeff', '').split('\r\n')[0]).toBe('姓名,学号')
    expect((await sheet({ columns: ['studentNo'] })).replace('\ufeff', '').split('\r\n')[0]).toBe(
      '学号',
    )
    await removeView(admin, id)
  })
  it('applies the conditions in groups of the view with those of the call', async () => {
    const { id } = await createView(admin, {
      scope: 'everyone',
      where: {
        or: [
          { column: 'enrolYear', op: 'equal', value: '2023' },
          { column: 'enrolYear', op: 'equal', value: '2024' },
        ],
      },
    })
    const totalOf = async (body: object) =>
      (await viewer.entityData.page({ params: { tag }, body })).total ?? 0
    const year = (value: string) => totalOf({ queries: { enrolYear: value } })
    expect(await totalOf({ view: id })).toBe((await year('2023')) + (await year('2024')))
    const where = { and: [{ column: 'enrolYear', op: 'notEqual' as const, value: '2024' }] }
    expect(await totalOf({ view: id, where })).toBe(await year('2023'))
    await removeView(admin, id)
  })
  it('omits hidden fields, and returns only their number', async () => {
    const { id } = await createView(admin, {
      name: 'rights',
      scope: 'everyone',
      queries: { enrolYear: '2024', status: '1' },
      sorts: [{ column: 'enrolYear', asc: true }],
      columns: ['name', 'enrolYear', 'studentNo'],
    })
    const role = await roleId('ROLE_VIEWER')
    const { version, codes, rules } = await admin.role.permissions({ params: { id: role } })
    await admin.role.savePermissions({
      params: { id: role },
      body: {
        version,
        codes: [...codes],
        rules: [
          {
            tag,
            scope: 'all',
            expression: null,
            overrides: {
              enrolYear: { isList: 0, isQuery: 0, isDetail: 0, isEdit: 0, isAdd: 0, isExport: 0 },
            },
          },
        ],
      },
    })
    const seen = findView(await listViews(viewer), id)
    expect(seen).toMatchObject({
      queries: { status: '1' },
      sorts: [],
      columns: ['name', 'studentNo'],
      lacks: { queries: 1, sorts: 1, columns: 1 },
    })
    expect(JSON.stringify(seen)).not.toMatch(/enrolYear|2024/)
    expect(
      await viewer.entityData.page({ params: { tag }, body: { view: id, pageSize: 5 } }),
    ).toMatchObject({ viewLacks: 2 })
    expect(findView(await listViews(admin), id).lacks).toEqual({ queries: 0, sorts: 0, columns: 0 })
    await admin.role.savePermissions({
      params: { id: role },
      body: {
        version: version + 1,
        codes: [...codes],
        rules: rules.map((rule) => ({ ...rule, overrides: {} })),
      },
    })
    await removeView(admin, id)
  })
  it('survives the removal of a field, which the designer announces', async () => {
    const { id } = await createView(admin, {
      name: '两年',
      scope: 'everyone',
      queries: { enrolYear: '2024' },
      columns: ['name', 'enrolYear'],
    })
    await createView(clerk, { name: '私事', sorts: [{ column: 'enrolYear', asc: true }] })
    const stored = await admin.design.load({ params: { tag } })
    const without = {
      ...stored,
      fields: stored.fields.filter(({ attrName }) => attrName !== 'enrolYear'),
    }
    const { impact } = await admin.design.check({ body: without })
    expect(
      impact.filter(({ kind }) => kind === 'view').map(({ breaks, msg }) => [breaks, msg]),
    ).toEqual([
      [true, '视图「两年」将失去 筛选 入学年份、列 入学年份'],
      [false, '教学秘书的个人视图将失去 排序 入学年份'],
    ])
    expect(
      (
        await admin.design.check({
          body: {
            ...stored,
            fields: stored.fields.map((field) =>
              field.attrName === 'enrolYear' ? { ...field, isQuery: 0 } : field,
            ),
          },
        })
      ).impact.filter(({ kind }) => kind === 'view'),
    ).toHaveLength(1)
    const { version } = await admin.design.save({ params: { tag }, body: { ...without } })
    expect(findView(await listViews(admin), id)).toMatchObject({
      queries: {},
      columns: ['name'],
      lacks: { queries: 1, sorts: 0, columns: 1 },
    })
    await update(admin, findView(await listViews(admin), id), { name: '两届' })
    await admin.design.save({ params: { tag }, body: { ...stored, version } })
    // Fields hidden from the user who renamed the view are kept.
    expect(findView(await listViews(admin), id)).toMatchObject({
      name: '两届',
      queries: { enrolYear: '2024' },
      columns: ['name', 'enrolYear'],
    })
  })
})

describe('a list without a view', () => {
  it('keeps the columns chosen by a user for that user', async () => {
    const keep = (columns: string[] | null) =>
      viewer.view.keepLayout({ params: { tag }, body: { columns } })
    expect(await keep(['status', 'name'])).toEqual({ columns: ['status', 'name'] })
    expect((await listViews(viewer)).layout).toEqual(['status', 'name'])
    expect((await listViews(clerk)).layout).toBeNull()
    expect(await captureViewIssues(keep(['gone']))).toEqual([['columns.gone', 'unknownField']])
    await keep(null)
    expect((await listViews(viewer)).layout).toBeNull()
    expect(await captureViewCode(app.client('').view.list({ params: { tag } }))).toBe(401)
  })
  it('keeps column widths per user in every view', async () => {
    const keep = (widths: Record<string, number | null>) =>
      viewer.view.keepWidths({ params: { tag }, body: { widths } })
    expect((await listViews(viewer)).widths).toEqual({})
    expect(await keep({ name: 180 })).toEqual({ widths: { name: 180 } })
    expect(await keep({ status: 60 })).toEqual({ widths: { name: 180, status: 60 } })
    expect(await keep({ name: null, status: 800 })).toEqual({ widths: { status: 800 } })
    expect([
      (await listViews(viewer)).widths,
      (await listViews(clerk)).widths,
      (await listViews(viewer)).layout,
    ]).toEqual([{ status: 800 }, {}, null])
    expect(await captureViewIssues(keep({ gone: 100 }))).toEqual([['widths.gone', 'unknownField']])
    for (const width of [59, 801, 100.5])
      expect(await captureViewCode(keep({ name: width }))).toBe(42200)
    expect((await listViews(viewer)).widths).toEqual({ status: 800 })
  })
})

// Saved views and layouts of a list after a save that renames fields of its definition.
import { blankContent, type SavedViews, type ViewInput } from '@jiaowu/api/entity/list/view'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'

type StaffUser = Awaited<ReturnType<TestApp['signIn']>>
let app: TestApp
let admin: StaffUser
beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
})
afterAll(() => app.close())

function createNamedView(as: StaffUser, tag: string, input: Partial<ViewInput>) {
  const plain = {
    name: 'v',
    scope: 'mine',
    roleId: null,
    isDefault: false,
    ...blankContent,
  } as const
  const { sorts, columns, footer, queries, ...rest } = { ...plain, ...input }
  return as.view.create({
    params: { tag },
    body: {
      ...rest,
      queries: { ...queries },
      sorts: [...sorts],
      footer: [...footer],
      columns: columns === null ? null : [...columns],
    },
  })
}
const listTagViews = (as: StaffUser, tag: string) => as.view.list({ params: { tag } })
function findTagView({ views }: SavedViews, id: string) {
  const found = views.find((view) => view.id === id)
  if (found === undefined) throw new Error(`no view ${id}`)
  return found
}

it('follows a renamed field, in views and layouts of that list and school', async () => {
  const other = await app.signIn('admin', '10001')
  const [grades, classes] = ['EDU_GRADE', 'EDU_CLASS'] as const
  const content = {
    queries: { gradeYear: '2024' },
    sorts: [{ column: 'gradeYear', asc: false }],
    columns: ['name', 'gradeYear'],
    where: { or: [{ and: [{ column: 'gradeYear', op: 'ge', value: '2020' }] }] },
    group: { column: 'gradeYear' },
    footer: [{ column: 'gradeYear', fn: 'max' }],
    frozen: 'gradeYear',
  } as const satisfies Partial<ViewInput>
  const mine = await createNamedView(admin, classes, { name: '甲', ...content })
  const shared = await createNamedView(admin, classes, {
    name: '乙',
    scope: 'everyone',
    ...content,
  })
  const foreign = await createNamedView(other, classes, { name: '丙', ...content })
  const unlike = await createNamedView(admin, grades, {
    name: '丁',
    sorts: [{ column: 'term', asc: true }],
  })
  await admin.view.keepLayout({ params: { tag: classes }, body: { columns: ['gradeYear'] } })
  await admin.view.keepWidths({ params: { tag: classes }, body: { widths: { gradeYear: 99 } } })
  const stored = await admin.design.load({ params: { tag: classes } })
  const renamed = (id: (id: string) => string) => ({
    ...stored,
    fields: stored.fields.map((field) =>
      field.attrName === 'gradeYear'
        ? { ...field, attrName: 'since', id: id(field.id) }
        : { ...field, id: id(field.id) },
    ),
  })
  // Definitions from files have other ids: their columns tell which field is which.
  for (const body of [renamed((id) => id), renamed((id) => `-${id.slice(-6)}`)])
    expect(
      (await admin.design.check({ body })).impact.filter(({ kind }) => kind === 'view'),
    ).toEqual([])
  const { version } = await admin.design.save({
    params: { tag: classes },
    body: renamed((id) => id),
  })
  const followed = JSON.parse(
    JSON.stringify(content).replaceAll('gradeYear', 'since'),
  ) as typeof content
  const own = await listTagViews(admin, classes)
  for (const { id, views } of [mine, shared]) {
    const [seen, before] = [findTagView(own, id), views.find((view) => view.id === id)]
    expect(seen).toMatchObject({ ...followed, lacks: { queries: 0, sorts: 0, columns: 0 } })
    expect(seen.version).toBe((before?.version ?? 0) + 1)
  }
  expect([own.layout, own.widths]).toEqual([['since'], { since: 99 }])
  expect(findTagView(await listTagViews(other, classes), foreign.id)).toMatchObject(content)
  expect(findTagView(await listTagViews(admin, grades), unlike.id).sorts).toEqual([
    { column: 'term', asc: true },
  ])
  // And back, by columns alone.
  await admin.design.save({ params: { tag: classes }, body: { ...stored, version } })
  expect(findTagView(await listTagViews(admin, classes), shared.id)).toMatchObject(content)
})

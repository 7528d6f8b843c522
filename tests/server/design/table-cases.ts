// Cases of tables that designers change while the server runs, for a suite with a server.
import type { TestApp } from '@jiaowu/server/testing'
import type { PlannedColumn } from '@jiaowu/api/entity/definition/sheet'
import type { TableAct } from '@jiaowu/api/entity/definition/table-change'
import { ApiProblem } from '@jiaowu/api/problem'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { createRegistry } from '../../../apps/server/src/model/definition/registry/registry.ts'
import { newStaff } from '../../support/staff.ts'

export type Admin = Awaited<ReturnType<TestApp['signIn']>>

let app: TestApp
let admin: Admin

export const makeChange = (api: Admin, tag: string, act: TableAct) =>
  api.design.changeTable({ params: { tag }, body: { preview: false, change: act } })
export const preview = (api: Admin, tag: string, act: TableAct) =>
  api.design.changeTable({ params: { tag }, body: { preview: true, change: act } })
const loadState = (api: Admin, tag: string) => api.design.tableState({ params: { tag } })

/** The text of the refusal, and of what is wrong with each column. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ApiProblem)) return error === null ? 'no refusal' : String(error)
  const { message, issues } = error.problem
  return [message, ...issues.map(({ msg }) => msg)].join(' ')
}

export const makeTable = (api: Admin, name: string, columns: readonly PlannedColumn[]) =>
  api.design.makeTable({
    body: {
      preview: false,
      plan: { name, tag: name.toUpperCase(), table: name, columns: [...columns] },
    },
  })

const addRowTo = (api: Admin, tag: string, body: Record<string, unknown>) =>
  api.entityData.create({ params: { tag }, body: body as never })

export async function listRows(api: Admin, tag: string) {
  const body = { pageNum: 1, pageSize: 50, queries: {}, sorts: [] }
  return (await api.entityData.page({ params: { tag }, body })).records
}

async function listAttributes(api: Admin, tag: string): Promise<string[]> {
  const { fields } = await api.entityData.config({ params: { tag } })
  return fields.map(({ attrName }) => attrName)
}

const text = (columnName: string, label: string) =>
  ({ columnName, label, kind: 'text', length: 40 }) as const

/** The columns of a table as PostgreSQL has them. */
async function readCatalog(table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname::text as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped
    order by attnum`.execute(app.services.database.kysely)
  return rows.map(({ name }) => name)
}

export function tableCases(scene: () => { readonly app: TestApp; readonly admin: Admin }): void {
  beforeAll(() => {
    ;({ app, admin } = scene())
  })
  describeMaking()
  describeGrowth()
  describeArchive()
  describeUndo()
  describeShipped()
  describeSupply()
}

function describeMaking(): void {
  describe('a table made in the browser', () => {
    it('is shown in words and statements, made empty, filled, extended and taken back', async () => {
      const plan = {
        name: '宿舍申请',
        tag: 'DORM_CASE',
        table: 'dorm_case',
        columns: [
          { ...text('title', '事由'), required: true },
          {
            columnName: 'student',
            label: '学生',
            kind: 'relation' as const,
            target: 'EDU_STUDENT',
          },
          { columnName: 'kind', label: '类别', kind: 'choice' as const, choices: ['调宿', '退宿'] },
        ],
      }
      const shown = await admin.design.makeTable({ body: { preview: true, plan } })
      expect(shown).toMatchObject({
        change: null,
        words: [
          expect.stringContaining('3 个字段'),
          '事由 (title): 文本，最多 40 个字',
          '学生 (student): 关系，指向「学生」',
          '类别 (kind): 选项（字典）：调宿、退宿',
        ],
      })
      expect(shown.statements).toContain(
        'create table "form"."dorm_case" (tenant_id bigint not null',
      )
      expect((await admin.design.page({ body: { queries: { tag: 'DORM_CASE' } } })).total).toBe(0)
      await admin.design.makeTable({ body: { preview: false, plan } })
      const row = await addRowTo(admin, 'DORM_CASE', { title: '换到一楼', kind: '调宿' })
      expect(row).toMatchObject({ title: '换到一楼', kind: [{ id: '调宿', name: '调宿' }] })
      expect(JSON.stringify(await admin.session.menu({}))).toContain('DORM_CASE')
      expect(await refusal(admin.design.makeTable({ body: { preview: true, plan } }))).toContain(
        'form.dorm_case 已存在',
      )
      expect(await refusal(makeChange(admin, 'DORM_CASE', { act: 'takeBack', rows: 1 }))).toContain(
        '又增加了 1 行',
      )
    })
  })
}

function describeGrowth(): void {
  describe('columns of a table with rows', () => {
    it('gets columns with defaults, unique values and relations while rows are there', async () => {
      await makeTable(admin, 'clubs', [text('name', '社团')])
      await addRowTo(admin, 'CLUBS', { name: '棋社' })
      const columns = [
        { columnName: 'places', label: '名额', kind: 'integer' as const, defaultValue: '20' },
        { ...text('code', '代码'), unique: true, required: true },
        { columnName: 'head', label: '负责人', kind: 'relation' as const, target: 'EDU_STUDENT' },
      ]
      const shown = await preview(admin, 'CLUBS', { act: 'add', columns })
      expect(shown.words).toContain('现有 1 行的「名额」得到默认值 20')
      expect(shown.words).toContain('现有 1 行的「代码」为空')
      expect(await readCatalog('form.clubs')).not.toContain('places')
      const { change: id } = await makeChange(admin, 'CLUBS', { act: 'add', columns })
      expect(id).toMatch(/^\d+$/)
      expect(await listRows(admin, 'CLUBS')).toEqual([
        expect.objectContaining({ name: '棋社', places: 20, code: null }),
      ])
      await addRowTo(admin, 'CLUBS', { name: '书社', code: 'B' })
      expect(await refusal(addRowTo(admin, 'CLUBS', { name: '诗社', code: 'B' }))).toContain(
        '已有其他记录',
      )
      expect(await refusal(addRowTo(admin, 'CLUBS', { name: '诗社' }))).toContain('必填')
      expect(
        await refusal(makeChange(admin, 'CLUBS', { act: 'undo', change: id ?? '' })),
      ).toContain('3 个值')
      const { changes } = await loadState(admin, 'CLUBS')
      expect(changes.map(({ kind, columns: names }) => [kind, names])).toEqual([
        ['add', ['places', 'code', 'head']],
        ['create', ['name']],
      ])
    })
  })
}

function describeArchive(): void {
  describe('a column that is removed', () => {
    it('loses a column to the archive with its values, gets it back, and drops it only when told how many', async () => {
      await makeTable(admin, 'archived', [
        { ...text('name', '名称'), required: true },
        { ...text('note', '说明'), required: true },
      ])
      for (const name of ['甲', '乙'])
        await addRowTo(admin, 'ARCHIVED', { name, note: `${name}说明` })
      const archive = { act: 'archive', column: 'note' } as const
      expect((await preview(admin, 'ARCHIVED', archive)).words[0]).toContain('2 个值保留')
      await makeChange(admin, 'ARCHIVED', archive)
      expect(await listAttributes(admin, 'ARCHIVED')).not.toContain('note')
      expect(Object.keys((await listRows(admin, 'ARCHIVED'))[0] ?? {})).not.toContain('note')
      // The column was required: new rows come without it.
      await addRowTo(admin, 'ARCHIVED', { name: '丙' })
      expect((await loadState(admin, 'ARCHIVED')).archived).toEqual([
        expect.objectContaining({ column: 'note', label: '说明', values: 2 }),
      ])
      await makeChange(admin, 'ARCHIVED', { act: 'restore', column: 'note' })
      expect((await listRows(admin, 'ARCHIVED')).map(({ note }) => note ?? '').toSorted()).toEqual([
        '',
        '乙说明',
        '甲说明',
      ])
      const [last] = (await loadState(admin, 'ARCHIVED')).changes
      expect(last).toMatchObject({ kind: 'restore', canUndo: true })
      await makeChange(admin, 'ARCHIVED', { act: 'undo', change: last?.id ?? '' })
      expect(await listAttributes(admin, 'ARCHIVED')).not.toContain('note')
      const drop = { act: 'drop', column: 'note' } as const
      expect(await preview(admin, 'ARCHIVED', drop)).toMatchObject({ lost: 2, change: null })
      expect(await refusal(makeChange(admin, 'ARCHIVED', drop))).toContain('请先预览')
      expect(await refusal(makeChange(admin, 'ARCHIVED', { ...drop, values: 1 }))).toContain(
        '现在是 2 个',
      )
      await makeChange(admin, 'ARCHIVED', { ...drop, values: 2 })
      expect(await readCatalog('form.archived')).not.toContain('note')
      expect(
        await refusal(makeChange(admin, 'ARCHIVED', { act: 'drop', column: 'name' })),
      ).toContain('没有归档')
    })

    it('takes an addition without values back, and nothing else with it', async () => {
      await makeTable(admin, 'undone', [text('name', '名称')])
      const { change: id } = await makeChange(admin, 'UNDONE', {
        act: 'add',
        columns: [text('extra', '附加')],
      })
      await makeChange(admin, 'UNDONE', { act: 'undo', change: id ?? '' })
      expect(await readCatalog('form.undone')).not.toContain('extra')
      expect(await listAttributes(admin, 'UNDONE')).not.toContain('extra')
      expect(
        await refusal(makeChange(admin, 'UNDONE', { act: 'undo', change: id ?? '' })),
      ).toContain('不能撤销')
      await makeChange(admin, 'UNDONE', { act: 'takeBack', rows: 0 })
      expect((await admin.design.page({ body: { queries: { tag: 'UNDONE' } } })).total).toBe(0)
    })
  })
}

function describeUndo(): void {
  describe('an addition', () => {
    it('refuses names, defaults and tables that cannot be, and then nothing is half done', async () => {
      await makeTable(admin, 'refused', [text('name', '名称')])
      const add = (column: object, tag = 'REFUSED') =>
        refusal(
          makeChange(admin, tag, { act: 'add', columns: [{ ...text('more', '更多'), ...column }] }),
        )
      expect(await add({ columnName: 'tenant_id' })).toContain('系统保留')
      expect(await add({ columnName: 'name' })).toContain('已使用')
      expect(await add({ kind: 'integer', defaultValue: '二十' })).toContain('默认值不符合')
      expect(await add({ kind: 'relation', target: 'SYS_USER' })).toContain('不能关联 SYS_USER')
      expect(await add({ kind: 'choice' })).toContain('没有选项')
      expect(await add({}, 'SYS_USER')).toContain('不是本系统建立的')
      expect(await readCatalog('form.refused')).not.toContain('more')
      expect((await loadState(admin, 'REFUSED')).changes.map(({ kind }) => kind)).toEqual([
        'create',
      ])
      const weak = app.client(
        (await newStaff(app, admin, 'weakest', { codes: ['entity:design'] })).token,
      )
      expect(
        await refusal(
          makeChange(weak as never, 'REFUSED', { act: 'add', columns: [text('more', '更多')] }),
        ),
      ).toContain('没有')
    })
  })
}

function describeShipped(): void {
  describe('a shipped table', () => {
    it('gets a column with the prefix, in the list of this school only', async () => {
      const other = await app.signIn('admin', '10001')
      const columns = [{ ...text('x_chuang_wei', '床位'), unique: true, defaultValue: '未定' }]
      expect(
        await refusal(preview(admin, 'EDU_COURSE', { act: 'add', columns: [text('bed', '床位')] })),
      ).toContain('x_')
      const shown = await preview(admin, 'EDU_COURSE', {
        act: 'add',
        columns: columns.map(({ unique: _unique, ...column }) => column),
      })
      expect(shown.words.join()).toContain('其他学校的不变')
      expect(shown.statements).not.toContain('default')
      await makeChange(admin, 'EDU_COURSE', {
        act: 'add',
        columns: [{ label: '床位', kind: 'text', length: 40 }],
      })
      const [first] = await listRows(admin, 'EDU_COURSE')
      const params = { tag: 'EDU_COURSE', id: String(first?.id) }
      await admin.entityData.update({
        params,
        body: { xChuangWei: '3-201', version: first?.version ?? 1 } as never,
      })
      expect((await admin.entityData.get({ params }))['xChuangWei']).toBe('3-201')
      expect(await listAttributes(admin, 'EDU_COURSE')).toContain('xChuangWei')
      expect(await listAttributes(other, 'EDU_COURSE')).not.toContain('xChuangWei')
      expect((await loadState(other, 'EDU_COURSE')).changes).toEqual([])
      expect(
        await refusal(
          makeChange(other, 'EDU_COURSE', { act: 'add', columns: [text('x_chuang_wei', '床位')] }),
        ),
      ).toContain('已使用')
      // A shipped column leaves a list by its definition, never by the table.
      expect(
        await refusal(makeChange(admin, 'EDU_COURSE', { act: 'archive', column: 'name' })),
      ).toContain('不能归档')
      await makeChange(admin, 'EDU_COURSE', { act: 'archive', column: 'x_chuang_wei' })
      expect((await loadState(admin, 'EDU_COURSE')).archived[0]).toMatchObject({ values: 1 })
    })

    it('shows the new field on another server, which reads the definition and the table anew', async () => {
      let at = 0
      const { database, log } = app.services
      const second = createRegistry(database, log, {
        now: () => at,
        schemas: app.services.settings.businessSchemas,
      })
      expect((await second.get('10000', 'EDU_MAJOR')).field('xLevel')).toBeUndefined()
      await makeChange(admin, 'EDU_MAJOR', { act: 'add', columns: [text('x_level', '层次')] })
      at += 1_001
      expect((await second.get('10000', 'EDU_MAJOR')).field('xLevel')?.column?.name).toBe('x_level')
      expect((await second.get('10001', 'EDU_MAJOR')).field('xLevel')).toBeUndefined()
    })
  })
}

function describeSupply(): void {
  describe('a definition from another installation', () => {
    it('brings its table and columns with it, after they were shown', async () => {
      await makeTable(admin, 'travels', [{ ...text('name', '名称'), required: true }])
      await makeChange(admin, 'TRAVELS', {
        act: 'add',
        columns: [
          { columnName: 'score', label: '得分', kind: 'decimal', scale: 1 },
          { columnName: 'head', label: '负责人', kind: 'relation', target: 'EDU_STUDENT' },
        ],
      })
      const definition = { ...(await admin.design.load({ params: { tag: 'TRAVELS' } })) }
      expect(
        await admin.design.supplyColumns({ body: { preview: true, definition } }),
      ).toMatchObject({ columns: [], change: null })
      await makeChange(admin, 'TRAVELS', { act: 'takeBack', rows: 0 })
      const shown = await admin.design.supplyColumns({ body: { preview: true, definition } })
      expect(shown).toMatchObject({
        table: 'form.travels',
        isNew: true,
        columns: ['name', 'score', 'head'],
      })
      expect(shown.statements).toContain('numeric(18, 1)')
      expect(shown.statements).toContain('foreign key (tenant_id, "head")')
      await admin.design.supplyColumns({ body: { preview: false, definition } })
      await admin.design.create({ body: definition })
      expect(await addRowTo(admin, 'TRAVELS', { name: '甲', score: 9.5 })).toMatchObject({
        score: 9.5,
      })
      const more = {
        ...definition,
        fields: [
          ...definition.fields,
          {
            id: '-1',
            attrName: 'born',
            uiLabel: '出生',
            uiType: 'date',
            columnName: 'born',
            columnType: 'date',
          },
        ],
      }
      expect(
        await admin.design.supplyColumns({ body: { preview: false, definition: more } }),
      ).toMatchObject({ isNew: false, columns: ['born'] })
      const wrong = {
        ...definition,
        fields: [{ id: '-1', attrName: 'x', uiLabel: 'x', columnName: 'x', columnType: 'bytea' }],
      }
      expect(
        await refusal(admin.design.supplyColumns({ body: { preview: true, definition: wrong } })),
      ).toContain('bytea')
    })
  })
}

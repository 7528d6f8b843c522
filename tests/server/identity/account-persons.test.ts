// The person of an account: a relation whose entity another field names
// (docs/rules/contract.md#relations-to-several-entities).
import { ApiProblem, proofHeader } from '@jiaowu/api/problem'
import type { BulkJob } from '@jiaowu/api/contract/entity/bulk'
import type { DictItem, Row } from '@jiaowu/api/entity/values'
import { isJobOver } from '@jiaowu/api/contract/job'
import { type TestApp, testApp, testPassword } from '@jiaowu/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  readSheetCells,
  toCsv,
  importFile,
  type SheetCell,
  toSheet,
} from '../../support/imports.ts'

type Client = Awaited<ReturnType<TestApp['signIn']>>
let app: TestApp
let admin: Client
let teachers: readonly Row[]
let students: readonly Row[]
const tag = 'SYS_USER'
beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
  teachers = await loadRows('EDU_TEACHER')
  students = await loadRows('EDU_STUDENT')
})
afterAll(() => app.close())

async function loadRows(of: string, queries: Record<string, unknown> = {}, by = admin) {
  const body = { pageSize: 50, queries }
  return (await by.entityData.page({ params: { tag: of }, body })).records
}
async function findAccountRow(account: string) {
  const [found] = await loadRows(tag, { account })
  if (found === undefined) throw new Error(`no account ${account}`)
  return found
}
const full = (id: string, by = admin) => by.entityData.get({ params: { tag, id } })
let serial = 0
function addAccount(more: Record<string, unknown>, by = admin) {
  serial += 1
  const own = { account: `linked${serial}`, name: `账号${serial}`, password: testPassword }
  const body = { ...own, ...more }
  return by.entityData.create({ params: { tag }, body })
}
async function change(id: string, more: Record<string, unknown>, by = admin) {
  const { version } = await full(id)
  return await by.entityData.update({ params: { tag, id }, body: { version, ...more } })
}
const person = (row: Row | undefined, kind: string) => ({
  personTag: [{ id: kind, name: '' }],
  personId: [{ id: row?.id ?? '', name: '' }],
})
const teacher = (n: number) => person(teachers[n], 'EDU_TEACHER')
const linkStudent = (n: number) => person(students[n], 'EDU_STUDENT')
const formatTeacherTitle = (row: Row | undefined) =>
  `${String(row?.['name'])} ${String(row?.['teacherNo'])}`
const nothing = { personTag: [], personId: [] }

/** The faults of a refused call, by path. */
async function captureFaultsByPath(work: Promise<unknown>): Promise<Record<string, string>> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  const issues = error instanceof ApiProblem ? error.problem.issues : []
  return Object.fromEntries(issues.map(({ path, msg }) => [path, msg]))
}

describe('the person of an account', () => {
  it('is shown by the name of the entity that the row names', async () => {
    const linked = await addAccount(teacher(0))
    expect(linked).toMatchObject({
      personTag: [{ id: 'EDU_TEACHER', name: '教师' }],
      personId: [{ id: teachers[0]?.id, name: formatTeacherTitle(teachers[0]) }],
    })
    const pupil = await addAccount(linkStudent(0))
    const rows = await loadRows(tag)
    const shown = (id: string) =>
      (rows.find((row) => row.id === id)?.['personId'] as readonly DictItem[] | undefined)?.[0]
    expect(shown(linked.id)?.name).toBe(formatTeacherTitle(teachers[0]))
    expect(shown(pupil.id)?.id).toBe(students[0]?.id)
    expect(shown(pupil.id)?.name).toContain(String(students[0]?.['studentNo']))
    expect((await loadRows(tag, { personId: teachers[0]?.id })).map(({ id }) => id)).toEqual([
      linked.id,
    ])
    await change(linked.id, nothing)
    await change(pupil.id, nothing)
  })

  it('is chosen among the rows of the chosen entity, which the chooser may view', async () => {
    const lookup = async (by: Client, cascades: Record<string, unknown>, more = {}) => {
      const body = { fieldId: 'personId', cascades, ...more }
      const answer = await by.entityData.lookup({ params: { tag }, body })
      return Array.isArray(answer) ? answer : answer.records
    }
    const number = String(teachers[3]?.['teacherNo'])
    const [found] = await lookup(admin, { personTag: 'EDU_TEACHER' }, { searchKey: number })
    expect(found).toMatchObject({ id: teachers[3]?.id, name: formatTeacherTitle(teachers[3]) })
    const pupils = await lookup(admin, { personTag: 'EDU_STUDENT' }, { pageSize: 100 })
    expect(pupils.map(({ id }) => id)).toContain(students[0]?.id)
    expect(await lookup(admin, {})).toEqual([])
    // An entity of no person, whose rows the caller may view.
    expect(await lookup(admin, { personTag: 'SYS_ROLE' })).toEqual([])
    const keeper = await createKeeper('KEEPER', ['EDU_STUDENT'])
    expect(await lookup(keeper, { personTag: 'EDU_TEACHER' })).toEqual([])
    expect((await lookup(keeper, { personTag: 'EDU_STUDENT' })).length).toBeGreaterThan(0)
    expect(await captureFaultsByPath(addAccount(teacher(1), keeper))).toHaveProperty('personId')
  })

  it('must exist, together with its entity', async () => {
    const only = { personId: teacher(1).personId }
    expect(await captureFaultsByPath(addAccount(only))).toEqual({
      personTag: '类别与记录须一起填写，或一起清空',
    })
    const half = { personTag: teacher(1).personTag }
    expect(await captureFaultsByPath(addAccount(half))).toEqual({
      personId: '类别与记录须一起填写，或一起清空',
    })
    // A student is no teacher.
    expect(await captureFaultsByPath(addAccount({ ...linkStudent(1), ...half }))).toHaveProperty(
      'personId',
    )
    expect(
      await captureFaultsByPath(addAccount(person({ id: '1' }, 'EDU_TEACHER'))),
    ).toHaveProperty('personId')
    expect(
      await captureFaultsByPath(addAccount(person({ id: 'x' }, 'EDU_TEACHER'))),
    ).toHaveProperty('personId')
    expect(await captureFaultsByPath(addAccount(person(teachers[1], 'SYS_ROLE')))).toHaveProperty(
      'personTag',
    )
    const linked = await addAccount(teacher(1))
    expect(
      await captureFaultsByPath(change(linked.id, { personTag: linkStudent(1).personTag })),
    ).toHaveProperty('personId')
    expect(await captureFaultsByPath(change(linked.id, { personId: [] }))).toHaveProperty(
      'personId',
    )
    expect(await change(linked.id, linkStudent(1))).toMatchObject({
      personTag: [{ id: 'EDU_STUDENT' }],
    })
    await change(linked.id, nothing)
  })

  it('has one account of the school, in forms, bulk changes and imports', async () => {
    const taken = '此人员已关联另一个账号，一个人员最多关联一个账号'
    const linked = await addAccount(teacher(2))
    expect(await captureFaultsByPath(addAccount(teacher(2)))).toEqual({ personId: taken })
    const other = await addAccount({})
    expect(await captureFaultsByPath(change(other.id, teacher(2)))).toEqual({ personId: taken })
    const third = await addAccount({})
    const ids = [other.id, third.id]
    const job = await look(admin, { ids, set: linkStudent(2) })
    const done = await apply(admin, job)
    expect(done).toMatchObject({ updated: 1, failed: 1 })
    const number = String(teachers[2]?.['teacherNo'])
    const head = '账号,姓名,密码,人员类别,对应人员\n'
    const refused = await importFile(
      admin,
      tag,
      toCsv(`${head}imp1,导入,${testPassword},教师,${number}\n`),
      {
        confirm: true,
      },
    )
    expect(refused.failed).toBe(1)
    expect(JSON.stringify(refused)).toContain(taken)
    const free = String(teachers[4]?.['teacherNo'])
    const twice = toCsv(
      `${head}imp2,导入,${testPassword},教师,${free}\nimp3,导入,${testPassword},教师,${free}\n`,
    )
    expect((await importFile(admin, tag, twice, { confirm: true })).failed).toBeGreaterThan(0)
    // A deleted account lets go of its person.
    await admin.entityData.remove({ params: { tag, ids: linked.id } })
    const next = await addAccount(teacher(2))
    await expect(admin.history.restore({ params: { tag, ids: linked.id } })).rejects.toMatchObject({
      problem: { kind: 'refused' },
    })
    await change(next.id, nothing)
  })

  it('comes and goes with sheets, by number', async () => {
    const free = String(teachers[5]?.['teacherNo'])
    const pupil = String(students[5]?.['studentNo'])
    const rows = [
      ['账号', '姓名', '密码', '人员类别', '对应人员'],
      ['sheet1', '表一', testPassword, '教师', free],
      ['sheet2', '表二', testPassword, '学生', pupil],
      ['sheet3', '表三', testPassword, '学生', free],
      ['sheet4', '表四', testPassword, null, pupil],
      ['sheet5', '表五', testPassword, '教师', null],
    ]
    const job = await importFile(admin, tag, await toSheet(rows), {
      onError: 'skip',
      confirm: true,
    })
    expect(job).toMatchObject({ inserted: 2, failed: 3 })
    const first = await findAccountRow('sheet1')
    expect(first['personId']).toEqual([
      { id: teachers[5]?.id, name: formatTeacherTitle(teachers[5]) },
    ])
    const body = {
      format: 'xlsx' as const,
      columns: ['account', 'name', 'personTag', 'personId'],
      queries: { account: 'sheet' },
    }
    const cells = await readSheetCells(
      (await admin.entityData.export({ params: { tag }, body })).stream,
    )
    expect(cells.slice(0, 2).map((row) => row.slice(0, 3))).toEqual([
      ['账号', '姓名', '人员类别'],
      ['sheet1', '表一', '教师'],
    ])
    expect(String(cells[1]?.[3])).toContain(free)
    expect(String(cells[2]?.[3])).toContain(pupil)
    // Taken back, the sheet names the same people.
    const second = await findAccountRow('sheet2')
    for (const { id } of [first, second]) await change(id, nothing)
    const back = await importFile(admin, tag, await toSheet(cells as SheetCell[][]), {
      mode: 'update',
      key: 'account',
      confirm: true,
    })
    expect(back).toMatchObject({ failed: 0 })
    expect((await full(first.id))['personId']).toMatchObject([{ id: teachers[5]?.id }])
    expect((await full(second.id))['personId']).toMatchObject([{ id: students[5]?.id }])
  })

  it('keeps the names of both sides in its history', async () => {
    const linked = await addAccount(teacher(6))
    await change(linked.id, { personId: teacher(7).personId })
    await change(linked.id, linkStudent(7))
    await change(linked.id, nothing)
    const { entries } = await admin.history.of({ params: { tag, id: linked.id } })
    const sides = entries.flatMap(({ changes }) =>
      changes
        .filter(({ attrName }) => attrName === 'personId')
        .map(({ from, to }) =>
          [from, to].map((side) => (side as readonly DictItem[] | null)?.[0]?.name ?? ''),
        ),
    )
    const pupil = expect.stringContaining(String(students[7]?.['studentNo']))
    expect(sides).toEqual([
      [pupil, ''],
      [formatTeacherTitle(teachers[7]), pupil],
      [formatTeacherTitle(teachers[6]), formatTeacherTitle(teachers[7])],
      ['', formatTeacherTitle(teachers[6])],
    ])
  })

  it('cannot be deleted while an account is linked to it', async () => {
    const row = await admin.entityData.create({
      params: { tag: 'EDU_TEACHER' },
      body: { teacherNo: 'T-LINK', name: '待删教师', faculty: teachers[0]?.['faculty'] },
    })
    const linked = await addAccount(person(row, 'EDU_TEACHER'))
    const remove = () => admin.entityData.remove({ params: { tag: 'EDU_TEACHER', ids: row.id } })
    await expect(remove()).rejects.toMatchObject({ problem: { code: 409 } })
    await change(linked.id, nothing)
    await remove()
  })
})

describe('linking an account', () => {
  it('needs a fresh proof like its roles, unlinking none', async () => {
    const linked = await addAccount({})
    const first = await app.signIn('admin')
    app.advance(61 * 60_000)
    const body = { grant_type: 'refresh_token', refresh_token: first.refreshToken } as const
    const late = app.client((await app.client('').session.signIn({ body })).access_token)
    const params = { tag, id: linked.id }
    const values = { version: linked['version'], ...teacher(8) }
    const refusal = { problem: { code: 40310 } }
    await expect(late.entityData.update({ params, body: values })).rejects.toMatchObject(refusal)
    await expect(
      late.entityData.create({
        params: { tag },
        body: { account: 'zoe1', name: 'z', password: testPassword, ...teacher(8) },
      }),
    ).rejects.toMatchObject(refusal)
    await expect(
      late.bulk.update({ params: { tag }, body: { ids: [linked.id], set: linkStudent(8) } }),
    ).rejects.toMatchObject(refusal)
    const { token } = await late.reauthentication.prove({ body: { password: testPassword } })
    const headers = { [proofHeader]: token }
    const row = await late.entityData.update({ params, body: values, headers })
    app.advance(61 * 60_000)
    admin = await app.signIn('admin')
    await change(row.id, nothing)
  })

  it('is refused for accounts that hold more than the caller', async () => {
    const keeper = await createKeeper('LESSER', ['EDU_TEACHER'])
    const { id } = await findAccountRow('registrar')
    await expect(change(id, teacher(9), keeper)).rejects.toMatchObject({ problem: { code: 403 } })
  })

  it('is refused for the own account', async () => {
    const { id } = await findAccountRow('admin')
    await expect(change(id, teacher(9))).rejects.toMatchObject({ problem: { code: 403 } })
  })

  it('acts on the next call of the account', async () => {
    const viewer = await app.signIn('viewer')
    const { id } = await findAccountRow('viewer')
    const roles = await loadRows('SYS_ROLE')
    const role = roles.find((row) => row['code'] === 'ROLE_VIEWER')?.id ?? ''
    const { version, codes } = await admin.role.permissions({ params: { id: role } })
    const rule = {
      tag: 'EDU_COURSE',
      scope: 'expression' as const,
      expression: 'row.teacher == user.person',
      overrides: {},
    }
    await admin.role.savePermissions({
      params: { id: role },
      body: { version, codes: [...codes], rules: [rule] },
    })
    const idsOf = (rows: readonly Row[]) => rows.map((row) => row.id).toSorted()
    const own = async () => idsOf(await loadRows('EDU_COURSE', {}, viewer))
    const teacherOf = (row: Row) => (row['teacher'] as readonly DictItem[])[0]?.id ?? ''
    const courses = Map.groupBy(await loadRows('EDU_COURSE'), teacherOf)
    const taken = (await loadRows(tag)).map(
      (row) => (row['personId'] as readonly DictItem[])[0]?.id ?? '',
    )
    const [first = '', second = ''] = [...courses.keys()].filter((each) => !taken.includes(each))
    expect(second).not.toBe('')
    expect(await own()).toEqual([])
    for (const one of [first, second]) {
      await change(id, person({ id: one }, 'EDU_TEACHER'))
      expect(await own()).toEqual(idsOf(courses.get(one) ?? []))
    }
    await change(id, nothing)
    expect(await own()).toEqual([])
  })
})

/** A session of a new account whose role may change accounts and view these entities. */
async function createKeeper(code: string, tags: readonly string[]): Promise<Client> {
  const role = await admin.entityData.create({
    params: { tag: 'SYS_ROLE' },
    body: { code, name: code },
  })
  const of = (entity: string, action: string) => `entity:${entity}:${action}`
  const { version } = await admin.role.permissions({ params: { id: role.id } })
  await admin.role.savePermissions({
    params: { id: role.id },
    body: {
      version,
      codes: [
        ...['view', 'add', 'update'].map((action) => of(tag, action)),
        ...tags.map((each) => of(each, 'view')),
      ],
      rules: [],
    },
  })
  const account = code.toLowerCase()
  const { id } = await addAccount({ account, roles: [{ id: role.id, name: '' }] })
  const stored = await findAccountRow('viewer')
  const db = app.services.database.kysely
  const { password_hash } = await db
    .selectFrom('sys.app_user')
    .select('password_hash')
    .where('tenant_id', '=', '10000')
    .where('id', '=', stored.id)
    .executeTakeFirstOrThrow()
  await db
    .updateTable('sys.app_user')
    .set({ password_hash, must_change_password: false })
    .where('tenant_id', '=', '10000')
    .where('id', '=', id)
    .execute()
  return await app.signIn(account)
}

async function waitForBulkPause(id: string): Promise<BulkJob> {
  for (;;) {
    const job = await admin.bulk.get({ params: { id } })
    if (isJobOver(job) || job.status === 'paused') return job
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
  }
}
async function look(by: Client, body: { ids: string[]; set: Record<string, unknown> }) {
  return await waitForBulkPause((await by.bulk.update({ params: { tag }, body })).id)
}
async function apply(by: Client, { id, changed }: BulkJob) {
  await by.bulk.apply({ params: { id }, body: { count: changed, onError: 'skip' } })
  return await waitForBulkPause(id)
}

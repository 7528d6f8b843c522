// A column that a flow owns changes by no other way (docs/rules/contract.md#flows): the status of students, which
// 学籍异动 decides on.
import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import { defaultTenant } from '@jiaowu/api/limits'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WriteKind } from '../../../apps/server/src/entities/write/writer.ts'
import { importFile, toCsv } from '../../support/imports.ts'
import { type Api, refusedBy } from './flow-school.ts'

const tag = 'EDU_STUDENT'
const reason = '“学籍状态”只能由“学籍异动”改变。请在“学籍异动”中办理。'
let app: TestApp
let admin: Api
let clerk: Api
beforeAll(async () => {
  app = await testApp({ RECYCLE_DAYS: '30' })
  admin = await app.signIn('admin')
  clerk = await app.signIn('clerk')
  const { definition } = await admin.design.draft({ params: { name: 'biz.student' } })
  await admin.design.create({ body: { ...definition, tag: 'STUDENT_SECOND', name: '另一个' } })
})
afterAll(() => app.close())

let made = 0
async function buildStudent(values: Readonly<Record<string, unknown>> = {}) {
  const { records } = await admin.entityData.page({ params: { tag }, body: { pageSize: 1 } })
  made += 1
  return {
    studentNo: `OWN${made}`,
    name: `学生${made}`,
    gender: records[0]?.['gender'],
    status: choice('1'),
    faculty: records[0]?.['faculty'],
    major: records[0]?.['major'],
    ...values,
  }
}
async function createStudent(): Promise<string> {
  return (await admin.entityData.create({ params: { tag }, body: await buildStudent() })).id
}
const readStudent = (id: string) => admin.entityData.get({ params: { tag, id } })
const choice = (id: string) => [{ id, name: '' }]
const update = { mode: 'update', key: 'id', onError: 'skip' } as const

async function importRows(file: File, expected: object, choices: object = update) {
  const job = await importFile(admin, tag, file, choices)
  expect(job).toMatchObject(expected)
  return job.errors
}

/** Tries to make the student graduate, and answers what was said. */
interface Way {
  readonly kind: WriteKind
  readonly attempt: (id: string) => Promise<string>
}
const readRefusal = async (call: Promise<unknown>) => {
  const { code, rules, texts } = await refusedBy(call)
  expect([code, rules]).toEqual([42200, ['flow']])
  return texts[0] ?? ''
}
const ways: Readonly<Record<string, Way>> = {
  'a form, a cell of a grid, a button that requests a change': {
    kind: 'update',
    attempt: async (id) => {
      const { version } = await readStudent(id)
      const body = { version, status: choice('4') }
      return await readRefusal(clerk.entityData.update({ params: { tag, id }, body }))
    },
  },
  'the administrator': {
    kind: 'update',
    attempt: async (id) => {
      const { version } = await readStudent(id)
      const body = { version, status: choice('4') }
      return await readRefusal(admin.entityData.update({ params: { tag, id }, body }))
    },
  },
  'a second entity over the table': {
    kind: 'update',
    attempt: async (id) => {
      const params = { tag: 'STUDENT_SECOND', id }
      const { version } = await admin.entityData.get({ params })
      const said = await readRefusal(
        admin.entityData.update({ params, body: { version, status: '4' } }),
      )
      return said.replace(/^“[^”]*”/u, '“学籍状态”')
    },
  },
  'a bulk change': {
    kind: 'update',
    attempt: (id) =>
      readRefusal(
        admin.bulk.update({ params: { tag }, body: { ids: [id], set: { status: choice('4') } } }),
      ),
  },
  'an import that changes': {
    kind: 'update',
    attempt: async (id) => {
      const rows = await importRows(toCsv(`id,status\n${id},毕业`), { updated: 0, failed: 1 })
      return rows[0]?.msg ?? ''
    },
  },
  'a paste into a grid': {
    kind: 'update',
    attempt: async (id) => {
      const line = toCsv(`${JSON.stringify({ id, status: '毕业' })}\n`, 'rows.ndjson')
      const rows = await importRows(line, { updated: 0, failed: 1 })
      return rows[0]?.msg ?? ''
    },
  },
  'a new record that does not begin at the start': {
    kind: 'create',
    attempt: async () => {
      const body = await buildStudent({ status: choice('4') })
      return await readRefusal(clerk.entityData.create({ params: { tag }, body }))
    },
  },
}

describe.each(Object.entries(ways))('%s', (_name, { attempt }) => {
  it('is refused with the way out named, and nothing changes', async () => {
    const id = await createStudent()
    const before = await readStudent(id)
    expect(await attempt(id)).toBe(reason)
    expect(await readStudent(id)).toEqual(before)
  })
})

it('leaves the other fields, and the same value, to whoever may edit them', async () => {
  const id = await createStudent()
  const { version } = await readStudent(id)
  const body = { version, status: choice('1'), dormitory: '3-201' }
  await admin.entityData.update({ params: { tag, id }, body })
  expect(await readStudent(id)).toMatchObject({ dormitory: '3-201', status: [{ id: '1' }] })
})

it('brings a record back from the recycle bin with the value it had', async () => {
  const id = await createStudent()
  await sql`update biz.student set status = '2'
    where tenant_id = ${defaultTenant}::int8 and id = ${id}::int8`.execute(
    app.services.database.kysely,
  )
  await admin.entityData.remove({ params: { tag, ids: id } })
  await admin.history.restore({ params: { tag, ids: id } })
  expect((await readStudent(id))['status']).toMatchObject([{ id: '2' }])
})

it('lets an import bring in new records with the status that they have elsewhere', async () => {
  const { studentNo, name, gender, faculty, major } = await buildStudent()
  const label = (value: unknown) => (value as readonly { name: string }[])[0]?.name ?? ''
  const file = toCsv(
    `studentNo,name,gender,faculty,major,status\n${studentNo},${name},${label(gender)},${label(faculty)},${label(major)},毕业`,
  )
  await importRows(file, { inserted: 1, failed: 0 }, { mode: 'insert', onError: 'skip' })
})

it('shows the field read-only, with the name of its flow', async () => {
  const config = async (by: Api) => {
    const { fields } = await by.entityData.config({ params: { tag } })
    return fields.find(({ attrName }) => attrName === 'status')
  }
  expect(await config(clerk)).toMatchObject({ isEdit: 2, isAdd: 2, owner: '学籍异动' })
})

it('does not concern a school without the roles of the flow', async () => {
  const other = await app.signIn('admin', '10001')
  const { kysely } = app.services.database
  const [own] = (await other.entityData.page({ params: { tag }, body: { pageSize: 1 } })).records
  if (own === undefined) throw new Error('the second school has no students')
  const update = (version: unknown) =>
    other.entityData.update({
      params: { tag, id: own.id },
      body: { version, status: choice('4') } as never,
    })
  const codes = ['ROLE_DEAN', 'ROLE_REGISTRAR', 'ROLE_LIBRARY', 'ROLE_FINANCE', 'ROLE_DORMITORY']
  const { rows } = await sql<{ code: string }>`
    select code from sys.role where tenant_id = 10001 and code = any(${codes}::text[])`.execute(
    kysely,
  )
  expect(rows.length).toBeLessThan(codes.length)
  await update(own.version)
  for (const code of codes)
    await sql`
      insert into sys.role (id, tenant_id, code, name, status)
      select ${app.services.newId()}::int8, 10001, ${code}, ${code}, '1'
      where not exists (select 1 from sys.role where tenant_id = 10001 and code = ${code})`.execute(
      kysely,
    )
  const { version, status } = await other.entityData.get({ params: { tag, id: own.id } })
  expect(status).toMatchObject([{ id: '4' }])
  const back = other.entityData.update({
    params: { tag, id: own.id },
    body: { version, status: choice('1') } as never,
  })
  expect((await refusedBy(back)).rules).toEqual(['flow'])
})

describe('a save of a definition', () => {
  const save = async (flowTag: string, change: (flow: NonNullable<Flow>) => void) => {
    const {
      findings: _findings,
      drift: _drift,
      ...stored
    } = await admin.design.load({
      params: { tag: flowTag },
    })
    const flow = structuredClone(stored.options.flow)
    if (flow === undefined) throw new Error('no flow')
    change(flow)
    const body = { ...stored, options: { ...stored.options, flow } }
    return { body, check: await admin.design.check({ body }) }
  }
  type Flow = EntityDefinition['options']['flow']
  const list = ({ findings }: { findings: readonly { flow?: { id: string } }[] }) =>
    findings.flatMap(({ flow }) => flow?.id ?? [])

  it('names fields that no effect writes, that a state opens, and that another flow owns', async () => {
    const owns = (names: readonly string[]) => (flow: NonNullable<Flow>) =>
      Object.assign(flow, { owns: names })
    expect(list((await save('EDU_STATUS_CHANGE', owns(['reason']))).check)).toEqual([
      'flow.fault.ownsUnwritten',
      'flow.fault.ownsOpen',
      'flow.fault.ownsDropped',
    ])
    const { body } = await save('EDU_STATUS_CHANGE', () => {})
    const second = await admin.design.check({ body: { ...body, tag: 'SECOND_CHANGE' } })
    expect(list(second)).toContain('flow.fault.ownsTwice')
  })

  it('tells which fields can be edited again without the claim', async () => {
    const { check } = await save('EDU_STATUS_CHANGE', (flow) => Object.assign(flow, { owns: [] }))
    expect(list(check)).toEqual(['flow.fault.ownsDropped'])
    expect(check.findings[0]?.severity).toBe('warning')
  })
})

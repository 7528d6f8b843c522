// Four attacks on rights by what a definition says, run against the whole server
// (docs/rules/security.md#permissions, docs/rules/security.md#secrets).
import { sql } from 'kysely'
import { ApiProblem } from '@jiaowu/api/problem'
import { withoutStoredKeys } from '@jiaowu/api/entity/definition/stored'
import type { EntityDefinition, FieldDraft } from '@jiaowu/api/entity/definition/definition'
import { type TestApp, testApp, testPassword } from '@jiaowu/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

type Client = Awaited<ReturnType<TestApp['signIn']>>
let app: TestApp
let admin: Client
beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
})
afterAll(() => app.close())

async function findRoleByCode(code: string): Promise<string> {
  const { records } = await admin.entityData.page({
    params: { tag: 'SYS_ROLE' },
    body: { pageSize: 100, queries: {} },
  })
  return records.find((row) => row['code'] === code)?.id ?? ''
}

/** Replaces all permissions and rules of a role. */
async function setRole(
  code: string,
  codes: readonly string[],
  rules: Parameters<Client['role']['savePermissions']>[0]['body']['rules'] = [],
): Promise<void> {
  const id = await findRoleByCode(code)
  const { version } = await admin.role.permissions({ params: { id } })
  await admin.role.savePermissions({ params: { id }, body: { version, codes: [...codes], rules } })
}

async function outcome(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt
    return 'allowed'
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error
    return [error.problem.code, ...error.problem.issues.map(({ rule }) => rule)].join(' ')
  }
}

function design(tag: string, change: (entity: EntityDefinition) => object, as = admin) {
  return as.design.load({ params: { tag } }).then((stored) =>
    as.design.save({
      params: { tag },
      body: { ...change(withoutStoredKeys(stored)), version: stored.version },
    }),
  )
}

function alter(attrName: string, change: Partial<FieldDraft>) {
  return (entity: EntityDefinition) => ({
    ...entity,
    fields: entity.fields.map((field) =>
      field.attrName === attrName ? { ...field, ...change } : field,
    ),
  })
}

const readPasswordHash = async (account: string): Promise<string> =>
  (
    await app.services.database.kysely
      .selectFrom('sys.app_user')
      .select('password_hash')
      .where('account', '=', account)
      .executeTakeFirstOrThrow()
  ).password_hash

describe('password hashes', () => {
  it('are not shown or searched as the labels of a lookup', async () => {
    await setRole('ROLE_VIEWER', ['entity:EDU_FACULTY:view'])
    const viewer = await app.signIn('viewer')
    const saved = await outcome(design('SYS_USER', alter('password', { uiType: 'input' })))
    const pointed = await outcome(
      design('EDU_FACULTY', (entity) => ({
        ...entity,
        fields: [
          ...entity.fields,
          {
            id: '-1',
            attrName: 'keeper',
            uiLabel: '保管人',
            uiType: 'select',
            columnName: 'create_user',
            tableName: 'faculty',
            dictType: 1,
            dictValue: 'SYS_USER.password',
            isList: 1,
            isAdd: 0,
            isEdit: 0,
          },
        ],
      })),
    )
    const { fields } = await viewer.entityData.config({ params: { tag: 'EDU_FACULTY' } })
    const keeper = fields.find(({ attrName }) => attrName === 'keeper')?.id ?? 'keeper'
    const found = await viewer.entityData
      .lookup({
        params: { tag: 'EDU_FACULTY' },
        body: { fieldId: keeper, searchKey: (await readPasswordHash('admin')).slice(0, 8) },
      })
      .catch((error: unknown) => String(error))
    expect(JSON.stringify(found)).not.toContain(await readPasswordHash('admin'))
    expect(saved).toMatch(/^42200 .*entity\.E0/)
    expect(pointed).toMatch(/^42200 .*entity\.E0/)
  })
  it('are not written as plain text, and a planted one does not sign in', async () => {
    const planted = await readPasswordHash('admin')
    const saved = await outcome(design('SYS_USER', alter('password', { uiType: 'input' })))
    const { records } = await admin.entityData.page({
      params: { tag: 'SYS_USER' },
      body: { pageSize: 100, queries: { account: 'registrar' } },
    })
    const [user] = records
    const before = await readPasswordHash('registrar')
    await outcome(
      admin.entityData.update({
        params: { tag: 'SYS_USER', id: user?.id ?? '' },
        body: { version: user?.['version'], password: planted },
      }),
    )
    expect([planted, before]).toContain(before)
    expect(await readPasswordHash('registrar')).not.toBe(planted)
    expect(saved).toMatch(/^42200 .*entity\.E0/)
  })
})

describe('a designer with the view of one small entity', () => {
  it('does not read another table by pointing the entity at it', async () => {
    await setRole('ROLE_CLERK', ['entity:design', 'entity:EDU_CLASS:view'])
    const designer = await app.signIn('clerk')
    const student = withoutStoredKeys(await admin.design.load({ params: { tag: 'EDU_STUDENT' } }))
    const pointed = await outcome(
      design('EDU_CLASS', () => ({ ...student, tag: 'EDU_CLASS' }), designer),
    )
    const { records } = await designer.entityData.page({
      params: { tag: 'EDU_CLASS' },
      body: { pageSize: 5, queries: {} },
    })
    expect(JSON.stringify(records)).not.toContain('idCard')
    expect(pointed).toMatch(/^42200 .*entity\.E098/)
  })
  it('does not shed the narrowing of roles by renaming an attribute', async () => {
    const hidden = { isList: 0, isDetail: 0, isEdit: 0, isAdd: 0, isExport: 0, isQuery: 0 } as const
    await setRole(
      'ROLE_CLERK',
      ['entity:design', 'entity:EDU_STUDENT:view'],
      [
        {
          tag: 'EDU_STUDENT',
          scope: 'expression',
          expression: "row.birthDate != null and row.status == '1'",
          overrides: { birthDate: hidden },
        },
      ],
    )
    const designer = await app.signIn('clerk')
    const page = async () =>
      await designer.entityData.page({
        params: { tag: 'EDU_STUDENT' },
        body: { pageSize: 5, queries: {} },
      })
    const before = await page()
    const { rows: births } = await sql<{ day: string }>`
      select distinct birth_date::text as day from biz.student where birth_date is not null
    `.execute(app.services.database.kysely)
    expect(births.length).toBeGreaterThan(10)
    await outcome(design('EDU_STUDENT', alter('birthDate', { attrName: 'harmless' }), designer))
    const after = await page()
    for (const { day } of births) expect(JSON.stringify(after)).not.toContain(day)
    expect(after.total).toBe(before.total)
    // The administrator may rename it; the role's rules follow the column.
    const renamed = await design('EDU_STUDENT', alter('birthDate', { attrName: 'harmless' }))
    expect(renamed.fields.map(({ attrName }) => attrName)).toContain('harmless')
    const later = await page()
    expect(later.total).toBe(before.total)
    expect(JSON.stringify(later)).not.toContain('harmless')
    const rule = (
      await admin.role.permissions({ params: { id: await findRoleByCode('ROLE_CLERK') } })
    ).rules.find(({ tag }) => tag === 'EDU_STUDENT')
    expect(rule?.expression).toBe("row.harmless != null and row.status == '1'")
    expect(rule?.overrides).toEqual({ harmless: hidden })
  })
})

it('still sets the password of an account that an administrator creates', async () => {
  await admin.entityData.create({
    params: { tag: 'SYS_USER' },
    body: { account: 'fresh', name: '新', password: testPassword },
  })
  expect(await readPasswordHash('fresh')).toMatch(/^argon2id\$|^scrypt\$/)
  expect((await app.signIn('fresh')).token).not.toBe('')
})

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
})
afterAll(async () => {
  await fixture.close()
})

describe('accounts', () => {
  it('cannot be given more permissions than the caller has', async () => {
    await fixture.define({
      tag: 'SYS_USER',
      name: 'u',
      schemaName: 'sys',
      tableName: 'app_user',
      fields: [
        { id: '740', attrName: 'account', uiLabel: 'a', columnName: 'account', isList: 1 },
        { id: '741', attrName: 'name', uiLabel: 'n', columnName: 'name', isList: 1 },
        {
          id: '742',
          attrName: 'password',
          uiLabel: 'p',
          columnName: 'password_hash',
          uiType: 'password',
        },
        {
          id: '743',
          attrName: 'roles',
          uiLabel: 'r',
          columnName: 'role_ids',
          uiType: 'multiSelect',
          isList: 1,
        },
      ],
    })
    await fixture.define({
      tag: 'SYS_ROLE',
      name: 'r',
      schemaName: 'sys',
      tableName: 'role',
      fields: [{ id: '750', attrName: 'name', uiLabel: 'n', columnName: 'name', isList: 1 }],
    })
    const administrators = await fixture.role('ROLE_ADMIN', ['ALL_PERMISSION'])
    const permissions = ['view', 'add', 'update', 'delete'].map(
      (action) => `entity:SYS_USER:${action}`,
    )
    const helper = await fixture.role('HELPER', permissions)
    const clerk = fixture.context({
      userId: '7',
      ...(await fixture.granted(helper)),
    })
    const create = (body: object, as: Context) =>
      Promise.resolve(
        entityDataHandlers.create(
          {
            params: { tag: 'SYS_USER' },
            query: undefined,
            body: { password: 'correct horse', ...body },
          },
          as,
        ),
      )
    const chief = await create({ account: 'chief', name: '主', roles: [administrators] }, context)
    expect(
      await refused(create({ account: 'extra', name: 'x', roles: [administrators] }, clerk)),
    ).toBe(403)
    const plain = await create({ account: 'plain', name: '从', roles: [helper] }, clerk)
    const update = (row: typeof plain, body: object) =>
      Promise.resolve(
        entityDataHandlers.update(
          {
            params: { tag: 'SYS_USER', id: row.id },
            query: undefined,
            body: { version: row.version, ...body },
          },
          clerk,
        ),
      )
    expect(await refused(update(plain, { roles: [administrators] }))).toBe(403)
    expect(await refused(update(chief, { password: 'a new password' }))).toBe(403)
    expect(
      await refused(
        Promise.resolve(
          entityDataHandlers.remove(
            { params: { tag: 'SYS_USER', ids: chief.id }, query: undefined, body: undefined },
            clerk,
          ),
        ),
      ),
    ).toBe(403)
    expect(await refused(create({ account: 'nobody', name: 'n', password: '' }, clerk))).toBe(
      'password required',
    )
    const db = databaseOf(fixture)
    await sql`
      insert into sys.session (id, family_id, tenant_id, user_id, kind, access_hash,
        access_expires_at, refresh_hash, refresh_expires_at, absolute_expires_at)
      values (1, 1, 10000, ${plain.id}::int8, 'staff', 'a', now(), 'r', now(), now())`.execute(db)
    await update(plain, { password: 'another password' })
    const { rows } = await sql<
      Record<string, unknown>
    >`select u.must_change_password, s.ended_reason from sys.app_user u
      join sys.session s on s.tenant_id = u.tenant_id and s.user_id = u.id
      where u.tenant_id = 10000 and u.id = ${plain.id}::int8`.execute(db)
    expect(rows).toEqual([{ must_change_password: true, ended_reason: 'password' }])
  })
})

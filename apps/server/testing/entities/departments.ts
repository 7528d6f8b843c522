import type { Row } from '@jiaowu/api/entity/values'
import { sql } from 'kysely'
import type { Context } from '../../src/model/context.ts'
import type { Subject } from '../../src/platform/context.ts'
import { entityDataHandlers } from '../../src/entities/handlers/entity-data.ts'
import { databaseOf } from '../../src/platform/database/any-database.ts'
import { Invalid, Refusal } from '../../src/platform/refusal.ts'
import { type Fixture, openFixture } from './fixture.ts'

export type PageQuery = Partial<Parameters<typeof entityDataHandlers.page>[0]['body']>
type Rules = Parameters<Fixture['role']>[2]

/** All permissions on T_DEPT. */
export const allPermissions = ['view', 'add', 'update', 'delete', 'export'].map(
  (action) => `entity:T_DEPT:${action}`,
)
/** A user without permissions in organisation 60. */
export const clerk: Partial<Subject> = {
  userId: '7',
  account: 'clerk',
  name: '文员',
  roles: ['CLERK'],
  permissions: new Set(),
  roleIds: [],
  grants: [],
  org: { id: '60', name: '学院' },
  person: null,
}
/** Overrides that hide the field `secret`. */
export const hidden = {
  secret: { isList: 0, isQuery: 0, isDetail: 0, isExport: 0, isAdd: 0, isEdit: 0 },
}

export interface Departments {
  readonly fixture: Fixture
  /** The context of a new role's only member. */
  readonly staff: (
    rules?: Rules,
    permissions?: readonly string[],
    more?: Partial<Subject>,
  ) => Promise<Context>
}

/**
 * A fixture with departments a to d of three organisations and two creators, a deleted one, and z of
 * another tenant.
 */
export async function openDepartments(): Promise<Departments> {
  const fixture = await openFixture()
  const db = databaseOf(fixture)
  await sql`
    insert into sys.org (id, tenant_id, pid, code, name) values
      (60, 10000, 0, 'o1', '学院'), (61, 10000, 60, 'o2', '系'),
      (62, 10000, 61, 'o3', '室'), (70, 10000, 0, 'o4', '别处')`.execute(db)
  await sql`
    insert into biz.t_dept (id, tenant_id, org_id, create_user, name, secret) values
      (11, 10000, 60, 7, 'a', 'sa'), (12, 10000, 61, 8, 'b', 'sb'), (13, 10000, 62, 7, 'c', 'sc'),
      (14, 10000, 70, 8, 'd', 'sd'), (21, 10001, 60, 7, 'z', 'sz')`.execute(db)
  await sql`
    insert into biz.t_dept (id, tenant_id, name, deleted_at)
    values (15, 10000, 'gone', now())`.execute(db)
  return {
    fixture,
    staff: async (rules = [], permissions = allPermissions, more = {}) => {
      const roleId = await fixture.role(`R${Math.random()}`, permissions, rules)
      return fixture.context({
        ...clerk,
        ...(await fixture.granted(roleId)),
        ...more,
      })
    },
  }
}

/** A page of departments in order of id. */
export async function departmentsPage(context: Context, query: PageQuery = {}) {
  const body = {
    pageSize: 100,
    pageNum: 1,
    sorts: [{ column: 'id', asc: true }],
    queries: {},
    ...query,
  }
  const { records } = await entityDataHandlers.page(
    { params: { tag: 'T_DEPT' }, query: undefined, body },
    context,
  )
  return records
}

export function joinNames(rows: readonly Row[]): string {
  return rows.map(({ name }) => name).join('')
}

/** 200, the status of a refusal, or the paths and rules of an Invalid. */
export async function captureStatus(work: unknown): Promise<number | string> {
  const error = await Promise.resolve(work).then(
    async (answer) => {
      if (answer instanceof Response) await answer.body?.cancel()
      return null
    },
    (e: unknown) => e,
  )
  if (error === null) return 200
  if (!(error instanceof Refusal)) throw error
  return error instanceof Invalid
    ? error.faults.map(({ path, rule }) => `${path} ${rule}`).join()
    : error.status
}

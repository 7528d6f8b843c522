import type { Services } from '../context.ts'

/** The role of students, without any permission (docs/rules/security.md#permissions). */
export const studentRole = 'ROLE_STUDENT'

/** The student of an account, for sign-in and every request. Undefined without an account. */
export async function readStudent(
  { database: { kysely } }: Pick<Services, 'database'>,
  tenant: string,
  id: string,
) {
  const row = await kysely
    .selectFrom('biz.student as s')
    .leftJoin('biz.class as c', (join) =>
      join.onRef('c.tenant_id', '=', 's.tenant_id').onRef('c.id', '=', 's.class_id'),
    )
    .innerJoin('sys.tenant as t', 't.id', 's.tenant_id')
    .select([
      's.id',
      's.tenant_id',
      's.name',
      's.student_no',
      's.account_mobile',
      'c.name as class_name',
    ])
    .where('s.tenant_id', '=', tenant)
    .where('s.id', '=', id)
    .where('s.deleted_at', 'is', null)
    .where('s.account_mobile', 'is not', null)
    .where('t.status', '=', '1')
    .executeTakeFirst()
  return row === undefined || row.account_mobile === null
    ? undefined
    : { ...row, account_mobile: row.account_mobile }
}
export type StudentRecord = NonNullable<Awaited<ReturnType<typeof readStudent>>>

import { maskPii } from '@jiaowu/api/pii'
import type { Services } from '../../model/context.ts'
import { isProviderProof } from '../provider-proof.ts'

/**
 * The student of an account, for sign-in and every request. Undefined without an account: there is one while a
 * mobile is bound, and for those whom an identity provider lets in.
 * @param by how the student signed in
 */
export async function readStudent(
  { database: { kysely } }: Pick<Services, 'database'>,
  tenant: string,
  id: string,
  by: string | null,
) {
  return await kysely
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
    .$if(!isProviderProof(by), (query) => query.where('s.account_mobile', 'is not', null))
    .where('t.status', '=', '1')
    .executeTakeFirst()
}
export type StudentRecord = NonNullable<Awaited<ReturnType<typeof readStudent>>>

/** By what a student is called in sessions: the masked mobile, else the student number. */
export function formatStudentAccount({
  account_mobile,
  student_no,
}: Pick<StudentRecord, 'account_mobile' | 'student_no'>): string {
  return account_mobile === null ? student_no : maskPii('mobile', account_mobile)
}

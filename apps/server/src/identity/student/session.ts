import type { Tokens } from '@jiaowu/api/contract/session'
import { studentRole } from '../../access/student-role.ts'
import type { Context } from '../../model/context.ts'
import { auditIn } from '../../platform/audit/write.ts'
import { readUserAgent, type Issued, startSession } from '../sessions.ts'
import { formatStudentAccount, type StudentRecord } from './subject.ts'

/** Opens a session of a student after a proof of who that is, and audits the sign-in. */
export function openStudentSession(
  context: Context,
  student: StudentRecord,
  proof: { readonly by: 'sms' | 'oidc' | 'cas' | 'ldap'; readonly at?: Date | null },
): Promise<Issued> {
  const { ip, traceId } = context
  return startSession(
    context,
    {
      userId: student.id,
      tenant: student.tenant_id,
      kind: 'student',
      ip,
      userAgent: readUserAgent(context.request),
      by: proof.by,
      provedAt: proof.at,
    },
    async (trx) =>
      auditIn(
        context,
        trx,
        {
          tenant: student.tenant_id,
          userId: student.id,
          account: formatStudentAccount(student),
          ip,
          traceId,
        },
        {
          action: 'student.signIn',
          result: 'ok',
          ...(proof.by === 'sms' ? {} : { detail: { by: proof.by } }),
        },
      ),
  )
}

/** The reply to a student's refresh grant, which staff and students share (docs/rules/contract.md#sessions). */
export function toStudentTokens(
  student: StudentRecord,
  { access, refresh, expiresIn }: Issued,
): Tokens {
  return {
    access_token: access,
    refresh_token: refresh,
    expires_in: expiresIn,
    token_type: 'bearer',
    userInfo: {
      id: student.id,
      account: formatStudentAccount(student),
      name: student.name,
      roles: [studentRole],
      mustChangePassword: false,
      tenant: student.tenant_id,
      org: null,
      person: null,
    },
  }
}

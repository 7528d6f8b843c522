import { defaultTenant } from '@jiaowu/api/limits'
import { maskPii } from '@jiaowu/api/pii'
import type { SmsPurpose, StudentTokens } from '@jiaowu/api/contract/student/student'
import type { Tokens } from '@jiaowu/api/contract/session'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AuditActor } from '../platform/audit/line.ts'
import { auditAlone, auditIn } from '../platform/audit/write.ts'
import { agentOf, type Issued, startSession } from '../identity/sessions.ts'
import type { Context } from '../model/context.ts'
import { isId } from '../platform/id.ts'
import { Refusal } from '../platform/refusal.ts'
import { sendSms } from '../platform/sms/index.ts'
import { useTicket } from './captcha.ts'
import { constantTimeReply } from './constant-time-reply.ts'
import { countSend, resetAddress } from './send-limits.ts'
import { checkCode, createCode, resetTries, useCode } from './sms-code.ts'
import {
  accountOf,
  readStudent,
  studentRole,
  type StudentRecord,
} from '../identity/student/subject.ts'

const lockSeconds = 60 // docs/spec/2-student-service-and-designer.md §9

/**
 * Sends a code to a number that may use it. Other numbers get the same reply in the same time, but no
 * message (docs/rules/security.md#p3). @throws Refusal 403, 429
 */
export async function requestCode(
  context: Context,
  mobile: string,
  purpose: SmsPurpose,
  tenant = defaultTenant,
): Promise<{ lockSeconds: number }> {
  await useTicket(context)
  await countSend(context, tenant, mobile)
  await resetTries(context, tenant, mobile, purpose)
  const send = async () => {
    const isBound = (await boundTo(context, tenant, mobile)) !== undefined
    if (isBound !== (purpose === '1')) return
    const code = await createCode(context, tenant, mobile, purpose)
    await sendSms(context, tenant, mobile, purpose === '1' ? 'LOGIN_CODE' : 'REGISTER_CODE', {
      code,
    })
  }
  // A slow provider would reveal known numbers, so the reply waits 300 ms for it at most.
  const sent = send().catch((error: unknown) => {
    context.log.error({ err: error }, 'an SMS code could not be created')
  })
  await constantTimeReply(Promise.race([sent, sleep(300)]))
  return { lockSeconds }
}

function boundTo({ database: { kysely } }: Context, tenant: string, mobile: string) {
  return kysely
    .selectFrom('biz.student')
    .select('id')
    .where('tenant_id', '=', tenant)
    .where('account_mobile', '=', mobile)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

const wrongCode = () => new Refusal(400, { key: 'student.codeWrong' })

/**
 * Sign-in by mobile and SMS code (docs/spec/2-student-service-and-designer.md §3, §7). Every failure
 * has the same reply. @throws Refusal 400, 429
 */
export async function signInStudent(
  context: Context,
  mobile: string,
  code: string,
  tenant = defaultTenant,
): Promise<StudentTokens> {
  const known = await constantTimeReply(
    authenticate(context, tenant, mobile, code).catch(asRefusal),
  )
  const isKnown = known !== null && !(known instanceof Refusal)
  const actor = actorOf(context, tenant, mobile, isKnown ? known.id : null)
  if (!isKnown) {
    await auditAlone(context, actor, { action: 'student.signIn', result: 'failed' })
    throw known ?? wrongCode()
  }
  const issued = await openStudentSession(context, known, { by: 'sms' })
  await resetAddress(context)
  return {
    userInfo: {
      id: known.id,
      account: maskPii('mobile', mobile),
      name: known.name,
      avatar: null,
      workDescribe: known.class_name,
      tenant: known.tenant_id,
    },
    token: issued.access,
    refreshToken: issued.refresh,
    expiresIn: issued.expiresIn,
  }
}

/** Opens a session of a student after a proof of who that is, and audits the sign-in. */
export function openStudentSession(
  context: Context,
  student: StudentRecord,
  proof: { readonly by: 'sms' | 'oidc' | 'cas'; readonly at?: Date | null },
): Promise<Issued> {
  const { ip, traceId } = context
  return startSession(
    context,
    {
      userId: student.id,
      tenant: student.tenant_id,
      kind: 'student',
      ip,
      userAgent: agentOf(context.request),
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
          account: accountOf(student),
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

async function authenticate(
  context: Context,
  tenant: string,
  mobile: string,
  code: string,
): Promise<StudentRecord | null> {
  const id = await checkCode(context, tenant, mobile, '1', code)
  const bound = await boundTo(context, tenant, mobile)
  if (
    id === null ||
    bound === undefined ||
    !(await useCode(context.database.kysely, tenant, id, context.now()))
  )
    return null
  return (await readStudent(context, tenant, bound.id, 'sms')) ?? null
}

export function actorOf(
  { ip, traceId }: Context,
  tenant: string,
  mobile: string,
  userId: string | null,
): AuditActor {
  return {
    tenant: isId(tenant) ? tenant : '0',
    userId,
    account: maskPii('mobile', mobile),
    ip,
    traceId,
  }
}

/** The reply to a student's refresh grant, which staff and students share (docs/rules/contract.md#sessions). */
export function studentTokensOf(
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
      account: accountOf(student),
      name: student.name,
      roles: [studentRole],
      mustChangePassword: false,
      tenant: student.tenant_id,
      org: null,
      person: null,
    },
  }
}

/** A refusal as a value, so that a failed try is audited before it is answered. */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}

import { defaultTenant } from '@jiaowu/api/limits'
import { maskPii } from '@jiaowu/api/pii'
import type { SmsPurpose, StudentTokens } from '@jiaowu/api/contract/student/student'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AuditActor } from '../platform/audit/line.ts'
import { auditAlone } from '../platform/audit/write.ts'
import type { Context } from '../model/context.ts'
import { isId } from '../platform/id.ts'
import { Refusal } from '../platform/refusal.ts'
import { sendSms } from '../platform/sms/index.ts'
import { useTicket } from './captcha.ts'
import { constantTimeReply } from '../platform/limits/constant-time-reply.ts'
import { countSend, resetAddress } from './send-limits.ts'
import { checkCode, createCode, resetTries, useCode } from './sms-code.ts'
import { openStudentSession } from '../identity/student/session.ts'
import { readStudent, type StudentRecord } from '../identity/student/subject.ts'

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
  const actor = toStudentActor(context, tenant, mobile, isKnown ? known.id : null)
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

export function toStudentActor(
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

/** A refusal as a value, so that a failed try is audited before it is answered. */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}

import {
  defaultTenant,
  maskPii,
  mobilePattern,
  type SmsPurpose,
  type StudentTokens,
  type Tokens,
} from '@jiaowu/api'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AuditActor } from '../platform/audit/line.ts'
import { auditAlone, auditIn } from '../platform/audit/write.ts'
import { increment } from '../platform/limits/rate-limits.ts'
import { type Issued, startSession } from '../identity/sessions.ts'
import type { Context } from '../context.ts'
import { isId } from '../platform/id.ts'
import { Refusal } from '../platform/refusal.ts'
import { sendSms } from '../platform/sms/index.ts'
import { brokenConstraint } from '../platform/database/problems.ts'
import { transact } from '../platform/database/transact.ts'
import { idNumbers } from '../pii/sealed-columns.ts'
import { useTicket } from './captcha.ts'
import { constantTimeReply } from './constant-time-reply.ts'
import { countSend, resetAddress } from './send-limits.ts'
import { checkCode, createCode, resetTries, useCode } from './sms-code.ts'
import { readStudent, studentRole, type StudentRecord } from './subject.ts'

const lockSeconds = 60 // docs/spec/2-student-service-and-designer.md §9
const [hour, triesPerIdNumber] = [3_600_000, 5] // docs/rules/security.md#sign-in

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
  const issued = await startSession(
    context,
    { userId: known.id, tenant: known.tenant_id, kind: 'student', ip: context.ip },
    async (trx) => auditIn(context, trx, actor, { action: 'student.signIn', result: 'ok' }),
  )
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
  return (await readStudent(context, tenant, bound.id)) ?? null
}

function actorOf(
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
  { id, name, tenant_id, account_mobile }: StudentRecord,
  { access, refresh, expiresIn }: Issued,
): Tokens {
  return {
    access_token: access,
    refresh_token: refresh,
    expires_in: expiresIn,
    token_type: 'bearer',
    userInfo: {
      id,
      account: maskPii('mobile', account_mobile),
      name,
      roles: [studentRole],
      mustChangePassword: false,
      tenant: tenant_id,
      org: null,
    },
  }
}

interface Registration {
  readonly sfzh: string
  readonly zymc: string
  readonly mobile: string
  readonly verCode: string
}
const refused = () => new Refusal(400, { key: 'student.registerFailed' })

/**
 * Binds a mobile to the only student whose ID number and major match. Every failure has the same reply
 * (docs/rules/contract.md#student-service). @throws Refusal 400, 429
 */
export async function registerStudent(
  context: Context,
  registration: Registration,
  tenant = defaultTenant,
): Promise<null> {
  const student = await constantTimeReply(tryToBind(context, tenant, registration).catch(asRefusal))
  if (typeof student === 'string') return null
  await auditAlone(context, actorOf(context, tenant, registration.mobile, null), {
    action: 'student.register',
    result: 'failed',
  })
  throw student ?? refused()
}

/** A refusal as a value, so that a failed try is audited before it is answered. */
function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}

async function tryToBind(
  context: Context,
  tenant: string,
  { sfzh, zymc, mobile, verCode }: Registration,
): Promise<string | null> {
  const idNumber = sfzh.trim().toUpperCase()
  const tries = await increment(
    context.database,
    // The table of counters is not encrypted.
    `register:${tenant}:${idNumbers(context.keys).blind(idNumber)}`,
    hour,
    context.now(),
  )
  const code = mobilePattern.test(mobile)
    ? await checkCode(context, tenant, mobile, '2', verCode)
    : null
  const student = await findUnbound(context, tenant, idNumber, zymc.trim())
  if (tries > triesPerIdNumber || code === null || student === null) return null
  const actor = actorOf(context, tenant, mobile, student)
  return (await bind(context, tenant, { student, code, mobile }, actor)) ? student : null
}

/** The only student with this ID number and major; null when that student has an account already. */
async function findUnbound(
  { database: { kysely }, keys }: Context,
  tenant: string,
  idNumber: string,
  major: string,
): Promise<string | null> {
  const rows = await kysely
    .selectFrom('biz.student as s')
    .innerJoin('biz.major as m', (join) =>
      join.onRef('m.tenant_id', '=', 's.tenant_id').onRef('m.id', '=', 's.major_id'),
    )
    .select(['s.id', 's.account_mobile'])
    .where('s.tenant_id', '=', tenant)
    .where('s.id_card_index', '=', idNumbers(keys).blind(idNumber))
    .where((e) => e.or([e('m.name', '=', major), e('m.name_en', '=', major)]))
    .where('s.deleted_at', 'is', null)
    .limit(2)
    .execute()
  const [only, second] = rows
  return only === undefined || second !== undefined || only.account_mobile !== null ? null : only.id
}

/** Uses the code and binds the account in one transaction. False when another request was faster. */
function bind(
  context: Context,
  tenant: string,
  { student, code, mobile }: Record<'student' | 'code' | 'mobile', string>,
  actor: AuditActor,
): Promise<boolean> {
  return transact(context.database.kysely, async (trx) => {
    const bound = await trx
      .updateTable('biz.student')
      .set((e) => ({
        account_mobile: mobile,
        update_time: context.now(),
        version: e('version', '+', 1),
      }))
      .where('tenant_id', '=', tenant)
      .where('id', '=', student)
      .where('account_mobile', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (bound === undefined || !(await useCode(trx, tenant, code, context.now()))) throw refused()
    auditIn(context, trx, actor, { action: 'student.register', result: 'ok' })
    return true
  }).catch((error: unknown) => {
    if (error instanceof Refusal || brokenConstraint(error)?.kind === 'unique') return false
    throw error
  })
}

// Registration: binds a mobile to a student (docs/rules/security.md#p2).
import { defaultTenant } from '@jiaowu/api/limits'
import { type Registered, mobilePattern } from '@jiaowu/api/contract/student/student'
import { maskPii } from '@jiaowu/api/pii'
import type { Context } from '../model/context.ts'
import { idNumbers } from '../model/sealed/sealed-columns.ts'
import type { AuditActor } from '../platform/audit/line.ts'
import { auditAlone, auditIn } from '../platform/audit/write.ts'
import { brokenConstraint } from '../platform/database/problems.ts'
import { transact } from '../platform/database/transact.ts'
import { increment } from '../platform/limits/rate-limits.ts'
import { Refusal } from '../platform/refusal.ts'
import { readSchoolSettings } from '../platform/settings/school-settings.ts'
import { sendSms } from '../platform/sms/index.ts'
import { constantTimeReply } from '../platform/limits/constant-time-reply.ts'
import { askToRegister, closeRequests, isApproved } from './registration-requests.ts'
import { toStudentActor, asRefusal } from './sign-in.ts'
import { checkCode, useCode } from './sms-code.ts'

const [hour, triesPerIdNumber] = [3_600_000, 5] // docs/rules/security.md#sign-in

interface Registration {
  readonly sfzh: string
  readonly zymc: string
  readonly mobile: string
  readonly verCode: string
}
/** How a school lets students register. */
interface Policy {
  readonly mobiles: 'on-file' | 'approval' | 'any'
  /** For which a request waits. */
  readonly days: number
}
interface Unbound {
  readonly id: string
  /** In the register; empty without one. */
  readonly known: string
}

async function readPolicy(
  { database: { kysely }, settings }: Context,
  tenant: string,
): Promise<Policy> {
  const set = await readSchoolSettings(kysely, tenant, ['REGISTER_MOBILE', 'REGISTER_REQUEST_DAYS'])
  return {
    mobiles: set.REGISTER_MOBILE ?? settings.registerMobile,
    days: set.REGISTER_REQUEST_DAYS,
  }
}

const refusedBy = ({ mobiles }: Policy) =>
  new Refusal(400, {
    key: mobiles === 'on-file' ? 'student.registerFailedOnFile' : 'student.registerFailed',
  })

/**
 * Binds a mobile to the only student whose ID number and major match, and who is known to have that
 * mobile where the school asks for it. Every failure has the same reply. Where a clerk approves other
 * mobiles, whoever has the phone is told that the request waits, whether there is such a student or
 * not (docs/rules/security.md#p3). @throws Refusal 400, 429
 */
export async function registerStudent(
  context: Context,
  registration: Registration,
  tenant = defaultTenant,
): Promise<Registered> {
  const policy = await readPolicy(context, tenant)
  const outcome = await constantTimeReply(
    tryToBind(context, tenant, policy, registration).catch(asRefusal),
  )
  if (outcome === 'bound') return null
  if (outcome === 'asked') return { waiting: true, days: policy.days }
  await auditAlone(context, toStudentActor(context, tenant, registration.mobile, null), {
    action: 'student.register',
    result: 'failed',
  })
  if (outcome === 'nothing') return { waiting: true, days: policy.days }
  throw outcome ?? refusedBy(policy)
}

/** `nothing`: answered like `asked`. Null and a refusal: nothing was bound. */
type Outcome = 'bound' | 'asked' | 'nothing' | Refusal | null

async function tryToBind(
  context: Context,
  tenant: string,
  policy: Policy,
  { sfzh, zymc, mobile, verCode }: Registration,
): Promise<Outcome> {
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
  const found = await findUnbound(context, tenant, { idNumber, major: zymc.trim() })
  if (code === null) return null
  const student = tries > triesPerIdNumber ? null : found
  if (student !== null && (await mayRegister(context, tenant, policy, student, mobile))) {
    if (!(await bind(context, tenant, policy, { student: student.id, code, mobile }))) return null
    tellKnown(context, tenant, student, mobile)
    return 'bound'
  }
  if (policy.mobiles !== 'approval') return null
  return await requestRegistration(context, tenant, policy, { student, code, mobile })
}

function mayRegister(
  context: Context,
  tenant: string,
  { mobiles }: Policy,
  { id, known }: Unbound,
  mobile: string,
): boolean | Promise<boolean> {
  if (mobiles === 'any' || known === mobile) return true
  return mobiles === 'approval' && isApproved(context, tenant, { student: id, mobile })
}

/**
 * The only student with this ID number and major; null when that student has an account already.
 * Both facts stand in lists of staff, the possession of the phone does not.
 */
async function findUnbound(
  { database: { kysely }, keys }: Context,
  tenant: string,
  { idNumber, major }: Record<'idNumber' | 'major', string>,
): Promise<Unbound | null> {
  const rows = await kysely
    .selectFrom('biz.student as s')
    .innerJoin('biz.major as m', (join) =>
      join.onRef('m.tenant_id', '=', 's.tenant_id').onRef('m.id', '=', 's.major_id'),
    )
    .select(['s.id', 's.account_mobile', 's.mobile'])
    .where('s.tenant_id', '=', tenant)
    .where('s.id_card_index', '=', idNumbers(keys).blind(idNumber))
    .where((e) => e.or([e('m.name', '=', major), e('m.name_en', '=', major)]))
    .where('s.deleted_at', 'is', null)
    .limit(2)
    .execute()
  const [only, second] = rows
  if (only === undefined || second !== undefined || only.account_mobile !== null) return null
  return { id: only.id, known: normalizeMobile(only.mobile ?? '') }
}

/** `+86 138-0000-0000` as `13800000000`. */
function normalizeMobile(mobile: string): string {
  return mobile.replaceAll(/\D/g, '').replace(/^(?:0086|86)(?=1\d{10}$)/, '')
}

interface Binding {
  readonly student: string
  readonly code: string
  readonly mobile: string
}

/** Uses the code and binds the account in one transaction. False when another request was faster. */
function bind(
  context: Context,
  tenant: string,
  policy: Policy,
  { student, code, mobile }: Binding,
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
    if (bound === undefined || !(await useCode(trx, tenant, code, context.now())))
      throw refusedBy(policy)
    await closeRequests(trx, context, tenant, { student, mobile })
    auditIn(context, trx, toStudentActor(context, tenant, mobile, student), {
      action: 'student.register',
      result: 'ok',
    })
    return true
  }).catch((error: unknown) => {
    if (error instanceof Refusal || brokenConstraint(error)?.kind === 'unique') return false
    throw error
  })
}

/** Uses the code and, for a student, makes the request. */
async function requestRegistration(
  context: Context,
  tenant: string,
  { days }: Policy,
  { student, code, mobile }: { student: Unbound | null; code: string; mobile: string },
): Promise<'asked' | 'nothing' | null> {
  const made = await transact(context.database.kysely, async (trx) => {
    if (!(await useCode(trx, tenant, code, context.now()))) return null
    if (student === null) return 'nothing'
    const request = { student: student.id, mobile, days }
    if (!(await askToRegister(trx, context, tenant, request))) return 'nothing'
    const actor: AuditActor = toStudentActor(context, tenant, mobile, student.id)
    auditIn(context, trx, actor, { action: 'student.requestRegistration', result: 'ok' })
    return 'asked'
  })
  if (made === 'asked' && student !== null) tellKnown(context, tenant, student, mobile)
  return made
}

/** A message to the known mobile of a student whom another one registers. The reply does not wait for it. */
function tellKnown(context: Context, tenant: string, { known }: Unbound, mobile: string): void {
  if (known === mobile || !mobilePattern.test(known)) return
  void sendSms(context, tenant, known, 'REGISTER_NOTICE', { mobile: maskPii('mobile', mobile) })
}

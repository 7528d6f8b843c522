// Requests to register with a mobile that is not on file (docs/rules/security.md#p2): staff list them as
// RPT_REGISTRATION, and a clerk who may change the student decides.
import type { DecidedRegistration } from '@jiaowu/api/contract/student/registration'
import { accessTo, type EntityAccess, isAllowed } from '../access/access.ts'
import type { Context, Services } from '../model/context.ts'
import { readableFields, valueFields } from '../model/definition/loaded.ts'
import { lockRow } from '../entities/read/row.ts'
import type { AnyDatabase } from '../platform/database/any-database.ts'
import { exactlyOne } from '../platform/database/tables/row-count.ts'
import { transact } from '../platform/database/transact.ts'
import { isId } from '../platform/id.ts'
import { forbidden, notFound, Refusal, stale } from '../platform/refusal.ts'
import { readSchoolSettings } from '../platform/settings/school-settings.ts'
import { sendSms } from '../platform/sms/index.ts'

type Db = Services['database']['kysely']
interface Request {
  readonly student: string
  readonly mobile: string
}

const day = 24 * 3_600_000
/** Requests of one student that wait at a time, which bounds the messages to the known mobile. */
const mostWaiting = 3

/**
 * Makes a request. False when there is one already, when a clerk has refused this mobile lately, or when
 * too many of the student's wait. Locks the student, so that two calls do not pass the limit together.
 */
export async function askToRegister(
  trx: Db,
  { newId, now }: Pick<Services, 'newId' | 'now'>,
  tenant: string,
  { student, mobile, days }: Request & { readonly days: number },
): Promise<boolean> {
  await trx
    .selectFrom('biz.student')
    .select('id')
    .where('tenant_id', '=', tenant)
    .where('id', '=', student)
    .forUpdate()
    .executeTakeFirst()
  const rows = await trx
    .selectFrom('biz.registration')
    .select(['id', 'mobile', 'state'])
    .where('tenant_id', '=', tenant)
    .where('student_id', '=', student)
    .where('state', 'in', ['PENDING', 'APPROVED', 'REFUSED'])
    .where('expires_at', '>', now().toISOString())
    .execute()
  const waiting = rows.filter(({ state }) => state === 'PENDING')
  if (rows.some((row) => row.mobile === mobile) || waiting.length >= mostWaiting) return false
  await expire(trx, now(), tenant, student)
  await trx
    .insertInto('biz.registration')
    .values({
      id: newId(),
      tenant_id: tenant,
      student_id: student,
      mobile,
      state: 'PENDING',
      expires_at: new Date(now().getTime() + days * day),
      create_time: now(),
      update_time: now(),
    })
    .execute()
  return true
}

/** Whether a clerk has approved this mobile, not too long ago. */
export async function isApproved(
  { database: { kysely }, now }: Pick<Services, 'database' | 'now'>,
  tenant: string,
  { student, mobile }: Request,
): Promise<boolean> {
  const row = await kysely
    .selectFrom('biz.registration')
    .select('id')
    .where('tenant_id', '=', tenant)
    .where('student_id', '=', student)
    .where('mobile', '=', mobile)
    .where('state', '=', 'APPROVED')
    .where('expires_at', '>', now().toISOString())
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Ends the open requests of a student who has registered: that of the mobile is done. */
export async function closeRequests(
  trx: Db,
  { now }: Pick<Services, 'now'>,
  tenant: string,
  { student, mobile }: Request,
): Promise<void> {
  await trx
    .updateTable('biz.registration')
    .set((e) => ({
      state: e
        .case()
        .when('mobile', '=', mobile)
        .then('DONE' as const)
        .else('EXPIRED' as const)
        .end(),
      update_time: now(),
      version: e('version', '+', 1),
    }))
    .where('tenant_id', '=', tenant)
    .where('student_id', '=', student)
    .where('state', 'in', ['PENDING', 'APPROVED'])
    .execute()
}

/** Marks the open requests whose time is over, of one student or of all. */
async function expire(db: Db, now: Date, tenant: string, student?: string): Promise<void> {
  let update = db
    .updateTable('biz.registration')
    .set((e) => ({ state: 'EXPIRED', update_time: now, version: e('version', '+', 1) }))
    .where('tenant_id', '=', tenant)
    .where('state', 'in', ['PENDING', 'APPROVED'])
    .where('expires_at', '<=', now.toISOString())
  if (student !== undefined) update = update.where('student_id', '=', student)
  await update.execute()
}

/** For housekeeping: marks what is over, and drops what was closed long ago, with its mobiles. */
export async function sweepRegistrations(
  { database: { kysely }, now }: Services,
  tenant: string,
  keptDays: number,
): Promise<void> {
  await expire(kysely, now(), tenant)
  await kysely
    .deleteFrom('biz.registration')
    .where('tenant_id', '=', tenant)
    .where('state', 'in', ['REFUSED', 'DONE', 'EXPIRED'])
    .where('update_time', '<', new Date(now().getTime() - keptDays * day).toISOString())
    .execute()
}

/**
 * Approves or refuses a request of a student whom the caller may change, with the mobile among what
 * they may change. @throws Refusal 403; 404; 409 when it is decided or over, 409/40900 when it has changed
 */
export async function decideRegistration(
  context: Context,
  id: string,
  { version, agree }: { readonly version: number; readonly agree: boolean },
): Promise<DecidedRegistration> {
  if (!isId(id)) throw notFound()
  const { database, registry, subject, now } = context
  const { tenant } = subject
  const access = await accessTo(context, await registry.get(tenant, 'EDU_STUDENT'), 'update')
  const { REGISTER_REQUEST_DAYS: days } = await readSchoolSettings(database.kysely, tenant, [
    'REGISTER_REQUEST_DAYS',
  ])
  const state = agree ? 'APPROVED' : 'REFUSED'
  const mobile = await transact(database.kysely, async (trx) => {
    const request = await trx
      .selectFrom('biz.registration')
      .select(['student_id', 'mobile', 'state', 'expires_at', 'version'])
      .where('tenant_id', '=', tenant)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (request === undefined) throw notFound()
    await assertMayChange(trx, access, request.student_id)
    if (request.version !== version)
      throw stale({ id, state: request.state, version: request.version })
    assertOpen(context, request)
    exactlyOne(
      await trx
        .updateTable('biz.registration')
        .set({
          state,
          expires_at: new Date(now().getTime() + days * day),
          decided_by: subject.userId,
          decided_at: now(),
          update_user: subject.userId,
          update_time: now(),
          version: version + 1,
        })
        .where('tenant_id', '=', tenant)
        .where('id', '=', id)
        .executeTakeFirst(),
      id,
    )
    const action = agree ? 'registration.approve' : 'registration.refuse'
    context.audit({ action, object: 'RPT_REGISTRATION', objectId: id, result: 'ok' }, trx)
    return request.mobile
  })
  // A refused one is not told: it would reveal that the details were right.
  if (agree) await sendSms(context, tenant, mobile, 'REGISTER_APPROVED', { days: String(days) })
  return { id, state, version: version + 1 }
}

function assertOpen(
  { now }: Context,
  { state, expires_at }: { readonly state: string; readonly expires_at: string },
): void {
  if (state !== 'PENDING') throw new Refusal(409, { key: 'registration.decided' })
  if (new Date(expires_at) <= now()) throw new Refusal(409, { key: 'registration.over' })
}

/** As the form of the student that holds the mobile. @throws Refusal 403, 404, 409 for one with an account */
async function assertMayChange(trx: Db, access: EntityAccess, studentId: string): Promise<void> {
  const { entity, tenant } = access
  const db = trx as unknown as AnyDatabase
  const locked = await lockRow(db, access, readableFields(entity), studentId)
  if (locked === undefined) throw notFound()
  const mobile = valueFields(entity).find(({ column }) => column?.name === 'mobile')
  if (mobile === undefined || !isAllowed(locked.access, mobile, 'edit')) throw forbidden()
  const student = await trx
    .selectFrom('biz.student')
    .select('account_mobile')
    .where('tenant_id', '=', tenant)
    .where('id', '=', studentId)
    .executeTakeFirstOrThrow()
  if (student.account_mobile !== null) throw new Refusal(409, { key: 'registration.bound' })
}

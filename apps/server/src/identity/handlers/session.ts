import type { Context, ServerHandlers } from '../../model/context.ts'
import { Invalid, notFound, Refusal } from '../../platform/refusal.ts'
import { exactlyOne } from '../../platform/database/tables/row-count.ts'
import { countPicture } from '../captcha-budget.ts'
import { drawPicture } from '../captcha.ts'
import { increment, resetCounter } from '../../platform/limits/rate-limits.ts'
import { readSchoolSettings } from '../../platform/settings/school-settings.ts'
import { version } from '../../platform/version.ts'
import { menuFor, resourcesFor } from '../../access/menu.ts'
import { isGoodPassword } from '../good-password.ts'
import { readPasswordLength } from '../password-rules.ts'
import { hashPassword, hashQueue, verifyPassword } from '../password.ts'
import { endAllSessions, endedRefusal, endFamily, refreshSession } from '../sessions.ts'
import { readFamily } from '../own-sessions.ts'
import { mustEnrolFactor } from '../factor/factors.ts'
import { buildTokens } from '../open-session.ts'
import { signInWithPassword } from '../sign-in.ts'
import { signInAtDirectory } from '../sso/directory/sign-in.ts'
import { isProviderProof, mustChangePassword, readProofBy } from '../provider-proof.ts'
import { isActive, readUser, type UserRecord } from '../subject.ts'
import { transact } from '../../platform/database/transact.ts'
import { toStudentTokens } from '../student/session.ts'
import { readStudent } from '../student/subject.ts'

const minute = 60_000
const triesWindow = 15 * minute

export const sessionHandlers: ServerHandlers['session'] = {
  signIn: ({ body }, context) =>
    body.grant_type === 'password'
      ? body.provider === undefined
        ? signInWithPassword(context, body)
        : signInAtDirectory(context, body.provider, body)
      : refresh(context, body.refresh_token),
  captcha: async ({ query: { key } }, context) => {
    await countPicture(context)
    const picture = await drawPicture(context, 'staff', key)
    if (picture === null) throw notFound()
    return new Response(new Uint8Array(picture), {
      headers: { 'content-type': 'image/png', 'cache-control': 'no-store' },
    })
  },
  queue: ({ query: { key } }) => hashQueue.findPlace(key),
  signOut: async (_input, context) => {
    const { tenant } = context.subject
    const family = await readFamily(context)
    await transact(context.database.kysely, async (trx) => {
      await endFamily(trx, context, { tenant, family }, 'logout')
      context.audit({ action: 'session.signOut', result: 'ok' }, trx)
    })
    return null
  },
  changePassword: async ({ body: { oldPassword, newPassword } }, context) => {
    const user = await readUser(context, context.subject.tenant, context.subject.userId)
    if (user === undefined) throw notFound()
    await assertPassword(context, user, oldPassword)
    const n = await readPasswordLength(context, user.tenant_id)
    if (!isGoodPassword(newPassword, [user.account, user.name], n) || newPassword === oldPassword)
      throw new Invalid([
        {
          path: 'newPassword',
          rule: 'password',
          message: { key: 'session.weakPassword', params: { n } },
        },
      ])
    const password_hash = await hashPassword(newPassword)
    const family = await readFamily(context)
    await transact(context.database.kysely, async (trx) => {
      exactlyOne(
        await trx
          .updateTable('sys.app_user')
          .set({
            password_hash,
            password_changed_at: context.now(),
            must_change_password: false,
          })
          .where('tenant_id', '=', user.tenant_id)
          .where('id', '=', user.id)
          .executeTakeFirst(),
        user.account,
      )
      await endAllSessions(
        trx,
        context,
        { tenant: user.tenant_id, userId: user.id },
        'password',
        family,
      )
      context.audit({ action: 'session.changePassword', result: 'ok' }, trx)
    })
    return null
  },
  whoami: async (_input, context) => {
    const { kind, userId, account, name, tenant } = context.subject
    if (kind === 'student')
      return {
        id: userId,
        account,
        name,
        roles: [...context.subject.roles],
        mustChangePassword: false,
        tenant,
        org: null,
        person: null,
      }
    const user = await readUser(context, context.subject.tenant, context.subject.userId)
    if (user === undefined) throw notFound()
    const { roles, org, person } = context.subject
    return {
      id: user.id,
      account: user.account,
      name: user.name,
      roles: [...roles],
      mustChangePassword: await mustChangePassword(context, user.must_change_password),
      tenant: user.tenant_id,
      org,
      person,
      ...((await lacksFactor(context, user)) && { mustEnrolFactor: true }),
      passwordLength: await readPasswordLength(context, user.tenant_id),
      version,
    }
  },
  menu: (_input, context) => menuFor(context),
  resources: (_input, context) => resourcesFor(context),
  generateId: (_input, { newId }) => newId(),
}

/** Most callers lack nothing, so that the way of their sign-in is read for few. */
async function lacksFactor(context: Context, user: UserRecord): Promise<boolean> {
  return (
    mustEnrolFactor(context, user, null) &&
    mustEnrolFactor(context, user, await readProofBy(context))
  )
}

async function refresh(context: Context, token: string) {
  const issued = await refreshSession(context, token, context)
  const ended = async () => {
    await endAllSessions(context.database.kysely, context, issued, 'disabled')
    return endedRefusal('disabled')
  }
  if (issued.kind === 'student') {
    const student = await readStudent(context, issued.tenant, issued.userId, issued.by)
    if (student === undefined) throw await ended()
    return toStudentTokens(student, issued)
  }
  const user = await readUser(context, issued.tenant, issued.userId)
  if (!isActive(user)) throw await ended()
  const must_change_password = user.must_change_password && !isProviderProof(issued.by)
  const mustEnrol = mustEnrolFactor(context, user, issued.by)
  return buildTokens(context, { ...user, must_change_password }, issued, mustEnrol)
}

/** @throws Refusal 429 when the window holds more than `max` */
async function assertUnder(
  { database, now }: Context,
  key: string,
  max: number,
  window: number,
): Promise<void> {
  if ((await increment(database, key, window, now())) > max)
    throw new Refusal(429, { key: 'problem.tooMany' }, { retryAfter: window / 1000 })
}

/** Limits tries, so that a stolen session does not help to guess the password. @throws Refusal 422, 429 */
async function assertPassword(context: Context, user: UserRecord, password: string): Promise<void> {
  const key = `password:${user.id}`
  // As many as at the sign-in.
  const { SIGN_IN_WAIT_AFTER } = await readSchoolSettings(context.database.kysely, user.tenant_id, [
    'SIGN_IN_WAIT_AFTER',
  ])
  await assertUnder(context, key, SIGN_IN_WAIT_AFTER, triesWindow)
  if (!(await verifyPassword(password, user.password_hash))) {
    await context.auditAlone({ action: 'session.changePassword', result: 'failed' })
    throw new Invalid([
      { path: 'oldPassword', rule: 'password', message: { key: 'session.oldPasswordWrong' } },
    ])
  }
  await resetCounter(context.database, key)
}

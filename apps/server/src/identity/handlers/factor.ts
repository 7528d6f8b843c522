import type { ServerHandlers, Context } from '../../model/context.ts'
import { auditIn } from '../../platform/audit/write.ts'
import { exactlyOne } from '../../platform/database/tables/row-count.ts'
import { transact } from '../../platform/database/transact.ts'
import { isId } from '../../platform/id.ts'
import { notFound, Refusal } from '../../platform/refusal.ts'
import { type FactorOwner, isOutside, readFactorKinds, toFactorOwner } from '../factor/factors.ts'
import { countBrowsers, forgetBrowsers, rememberBrowser } from '../factor/known-browsers.ts'
import {
  askPasskey,
  listPasskeys,
  offerPasskey,
  takeNewPasskey,
  takePasskey,
  takesPasskeys,
} from '../factor/passkeys.ts'
import {
  countRecoveryCodes,
  replaceRecoveryCodes,
  takeRecoveryCode,
} from '../factor/recovery-codes.ts'
import { removeFactors } from '../factor/reset.ts'
import {
  assertMayTryFactor,
  closeStep,
  forgetWrongFactors,
  keepChallenge,
  noteWrongFactor,
  openStep,
  type OpenStep,
  wrongFactor,
} from '../factor/step.ts'
import { offerTotp, takeTotp } from '../factor/totp.ts'
import { openStaffSession } from '../open-session.ts'
import { readFamily } from '../own-sessions.ts'
import { endAllSessions } from '../sessions.ts'
import { keepProvider } from '../sso/sign-on.ts'
import { assertStaffNetwork } from '../staff-networks.ts'
import { readUser, toUserActor, type UserRecord } from '../subject.ts'

type Db = Context['database']['kysely']
type Handlers = ServerHandlers['factor']
type VerifyBody = Parameters<Handlers['verify']>[0]['body']

export const factorHandlers: Handlers = {
  verify: async ({ body }, context) => {
    assertStaffNetwork(context.settings, context.ip)
    const step = await openStep(context, body.token, true)
    const { user } = step
    const owner = toFactorOwner(user)
    await assertMayTryFactor(context, owner)
    const isTaken = await transact(context.database.kysely, async (trx) => {
      if (!(await isRight(trx, context, step, body))) return false
      await closeStep(trx, step)
      auditIn(context, trx, toUserActor(context, user), {
        action: 'factor.check',
        result: 'ok',
        detail: { kind: body.kind },
      })
      return true
    })
    if (!isTaken) {
      await noteWrongFactor(context, user, { kind: body.kind })
      throw wrongFactor(step, await readFactorKinds(context.database.kysely, owner))
    }
    await forgetWrongFactors(context, owner)
    const { by, provider, subject } = step.first
    const tokens = await openStaffSession(context, user, { by, factor: body.kind })
    if (provider !== null)
      await keepProvider(context, { tenant: user.tenant_id, id: provider }, tokens.access_token, {
        idToken: null,
        subject,
        sid: null,
      })
    if (body.remember) await rememberBrowser(context, user)
    return tokens
  },
  challenge: async ({ body: { token } }, context) => {
    const step = await openStep(context, token, false)
    const asked = await askPasskey(context.database.kysely, context, toFactorOwner(step.user))
    if (asked === undefined) throw new Refusal(400, { key: 'factor.noPasskey' })
    await keepChallenge(context, step, asked.challenge)
    return { options: asked.options }
  },
  list: async (_input, context) => {
    const { subject: owner } = context
    const { kysely } = context.database
    const totp = await kysely
      .selectFrom('sys.totp')
      .select('confirmed_at')
      .where('tenant_id', '=', owner.tenant)
      .where('user_id', '=', owner.userId)
      .where('confirmed_at', 'is not', null)
      .executeTakeFirst()
    const at = (time: Date | string) => new Date(time).toISOString()
    return {
      demanded: isDemanded(context, await ownAccount(context)),
      totp: totp === undefined ? null : { confirmedAt: at(totp.confirmed_at ?? '') },
      passkeys: (await listPasskeys(kysely, owner)).map(({ id, name, made_at, used_at }) => ({
        id,
        name,
        madeAt: at(made_at),
        usedAt: used_at === null ? null : at(used_at),
      })),
      takesPasskeys: takesPasskeys(context),
      recoveryLeft: await countRecoveryCodes(kysely, owner),
      browsers: await countBrowsers(kysely, context, owner),
    }
  },
  enrolTotp: async ({ body: { code } }, context) => {
    const user = await ownAccount(context)
    const owner = toFactorOwner(user)
    const kinds = await readFactorKinds(context.database.kysely, owner)
    if (kinds.includes('totp')) throw new Refusal(409, { key: 'factor.already' })
    if (code === undefined) {
      const issuer = await readIssuer(context)
      const offered = await transact(context.database.kysely, async (trx) => {
        context.audit({ action: 'factor.offer', result: 'ok', detail: { factor: 'totp' } }, trx)
        return await offerTotp(trx, context, { ...owner, account: user.account, issuer })
      })
      return { ...offered, recovery: null }
    }
    await assertMayTryFactor(context, owner)
    const recovery = await enrol(context, 'totp', (trx) =>
      takeTotp(trx, context, owner, code, 'offered'),
    )
    if (recovery === undefined) {
      await noteWrongFactor(context, user, { kind: 'totp', at: 'enrolment' })
      throw new Refusal(400, { key: 'factor.wrong' })
    }
    return { secret: null, uri: null, recovery }
  },
  enrolPasskey: async ({ body: { name, response } }, context) => {
    const user = await ownAccount(context)
    const owner = toFactorOwner(user)
    if (response === undefined) {
      const issuer = await readIssuer(context)
      const options = await transact(context.database.kysely, (trx) =>
        offerPasskey(trx, context, { ...owner, account: user.account, name: issuer }),
      )
      if (options === undefined) throw new Refusal(409, { key: 'factor.noName' })
      return { options, recovery: null }
    }
    const recovery = await enrol(context, 'passkey', (trx) =>
      takeNewPasskey(trx, context, owner, name ?? '', response),
    )
    if (recovery === undefined) throw new Refusal(400, { key: 'factor.passkeyWrong' })
    return { options: null, recovery }
  },
  renewRecovery: async (_input, context) => {
    const { has_factor } = await ownAccount(context)
    if (!has_factor) throw new Refusal(409, { key: 'factor.none' })
    const recovery = await transact(context.database.kysely, async (trx) => {
      context.audit({ action: 'factor.recovery', result: 'ok' }, trx)
      return await replaceRecoveryCodes(trx, context.subject)
    })
    return { recovery: [...recovery] }
  },
  remove: async ({ params: { id } }, context) => {
    const { subject: owner } = context
    const isNeeded = isDemanded(context, await ownAccount(context))
    await transact(context.database.kysely, async (trx) => {
      if (id === 'browsers') await forgetBrowsers(trx, owner)
      else {
        await removeOne(trx, owner, id)
        const left = await readFactorKinds(trx, owner)
        if (left.length === 0 && isNeeded) throw new Refusal(409, { key: 'factor.last' })
        // Recovery codes and known browsers are no factor of their own.
        if (left.length === 0) await removeFactors(trx, owner)
      }
      context.audit({ action: 'factor.remove', result: 'ok', detail: { factor: id } }, trx)
    })
    return null
  },
}

async function isRight(
  trx: Db,
  context: Context,
  step: OpenStep,
  body: VerifyBody,
): Promise<boolean> {
  const owner = toFactorOwner(step.user)
  if (body.kind === 'totp') return await takeTotp(trx, context, owner, body.code, 'confirmed')
  if (body.kind === 'recovery') return await takeRecoveryCode(trx, context, owner, body.code)
  return await takePasskey(trx, context, owner, step.challenge, body.response)
}

/** @throws Refusal 404 */
async function ownAccount(context: Context): Promise<UserRecord> {
  const user = await readUser(context, context.subject.tenant, context.subject.userId)
  if (user === undefined) throw notFound()
  return user
}

function isDemanded({ settings, ip }: Context, { demands_factor }: UserRecord): boolean {
  return demands_factor || isOutside(settings, ip)
}

/** The name of the school, which the person's app shows beside the account. */
async function readIssuer({ database: { kysely }, subject: { tenant } }: Context): Promise<string> {
  const school = await kysely
    .selectFrom('sys.tenant')
    .select('name')
    .where('id', '=', tenant)
    .executeTakeFirstOrThrow()
  return school.name
}

/**
 * Adds a factor, ends the other sessions of the account, which were opened without it, and makes recovery codes
 * where there are none. @returns them, null where there were some; undefined where the factor was wrong
 */
async function enrol(
  context: Context,
  kind: string,
  add: (trx: Db) => Promise<boolean>,
): Promise<string[] | null | undefined> {
  const { subject: owner } = context
  const family = await readFamily(context)
  return await transact(context.database.kysely, async (trx) => {
    if (!(await add(trx))) return undefined
    await endAllSessions(trx, context, owner, 'ended', family)
    await forgetBrowsers(trx, owner)
    context.audit({ action: 'factor.enrol', result: 'ok', detail: { factor: kind } }, trx)
    if ((await countRecoveryCodes(trx, owner)) > 0) return null
    return [...(await replaceRecoveryCodes(trx, owner))]
  })
}

/** @throws Refusal 404 */
async function removeOne(trx: Db, { tenant, userId }: FactorOwner, id: string): Promise<void> {
  if (id !== 'totp' && !isId(id)) throw notFound()
  const removed =
    id === 'totp'
      ? await trx
          .deleteFrom('sys.totp')
          .where('tenant_id', '=', tenant)
          .where('user_id', '=', userId)
          .executeTakeFirst()
      : await trx
          .deleteFrom('sys.passkey')
          .where('tenant_id', '=', tenant)
          .where('user_id', '=', userId)
          .where('id', '=', id)
          .executeTakeFirst()
  if (removed.numDeletedRows === 0n) throw notFound()
  exactlyOne(removed, id)
}

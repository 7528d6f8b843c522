import type { Context, ServerHandlers } from '../../model/context.ts'
import { transact } from '../../platform/database/transact.ts'
import { notFound, Refusal } from '../../platform/refusal.ts'
import { issueProof, proofTokenLife } from '../fresh-proof.ts'
import { readFamily } from '../own-sessions.ts'
import { checkPassword } from '../sign-in.ts'
import { checkAtDirectory, findSessionDirectory } from '../sso/directory/sign-in.ts'
import { toFactorOwner } from '../factor/factors.ts'
import { assertMayTryFactor, forgetWrongFactors, noteWrongFactor } from '../factor/step.ts'
import { takeTotp } from '../factor/totp.ts'
import { readUser, type UserRecord } from '../subject.ts'

export const reauthenticationHandlers: ServerHandlers['reauthentication'] = {
  prove: async ({ body }, context) => {
    const { tenant, userId } = context.subject
    const user = await readUser(context, tenant, userId)
    if (user === undefined) throw notFound()
    const family = await readFamily(context)
    const by = await check(context, user, family, body)
    const token = await transact(context.database.kysely, async (trx) => {
      const issued = await issueProof(trx, context, { tenant, family })
      context.audit(
        {
          action: 'session.reauthenticate',
          result: 'ok',
          detail: { by },
        },
        trx,
      )
      return issued
    })
    return { token, expiresIn: proofTokenLife / 1000 }
  },
}

type Body = Parameters<ServerHandlers['reauthentication']['prove']>[0]['body']

/** Checks a code of the account's TOTP, or its password, wherever that is kept. @returns what proved it */
async function check(
  context: Context,
  user: UserRecord,
  family: string,
  body: Body,
): Promise<string> {
  if ('code' in body) {
    await checkCode(context, user, body.code)
    return 'totp'
  }
  const directory = await findSessionDirectory(context, family)
  if (directory === undefined) {
    await checkPassword(context, user, body)
    return 'password'
  }
  await checkAtDirectory(context, directory.provider, user, { ...body, name: directory.name })
  return directory.provider.kind
}

/** @throws Refusal 400, 429 */
async function checkCode(context: Context, user: UserRecord, code: string): Promise<void> {
  const owner = toFactorOwner(user)
  await assertMayTryFactor(context, owner)
  const isTaken = await transact(context.database.kysely, async (trx) => {
    if (!(await takeTotp(trx, context, owner, code, 'confirmed'))) return false
    context.audit({ action: 'factor.check', result: 'ok', detail: { kind: 'totp' } }, trx)
    return true
  })
  if (isTaken) return await forgetWrongFactors(context, owner)
  await noteWrongFactor(context, user, { kind: 'totp', at: 'proof' })
  throw new Refusal(400, { key: 'factor.wrong' })
}

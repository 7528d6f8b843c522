import type { Context, ServerHandlers } from '../context.ts'
import { notFound, Invalid } from '../refusal.ts'
import { captchaPicture, createCaptcha } from '../auth/captcha.ts'
import { menuFor, resourcesFor } from '../auth/menu.ts'
import { hashPassword, isGoodPassword, verifyPassword } from '../auth/password.ts'
import { endAllOf, endedRefusal, endFamily, refreshSession } from '../auth/sessions.ts'
import { signInWithPassword, tokensOf } from '../auth/sign-in.ts'
import { isActive, readUser } from '../auth/subject.ts'

const familyOf = async ({ database: { kysely }, subject }: Context): Promise<string> =>
  (await kysely.selectFrom('sys.session').select('family_id').where('id', '=', subject.sessionId).executeTakeFirstOrThrow()).family_id

const refresh = async (context: Context, token: string) => {
  const issued = await refreshSession(context, token, context.ip)
  const user = await readUser(context, issued.userId)
  if (!isActive(user)) {
    await endAllOf(context, issued.userId, 'disabled')
    throw endedRefusal('disabled')
  }
  return tokensOf(context, user, issued)
}

export const sessionHandlers: ServerHandlers['session'] = {
  signIn: ({ body }, context) => (body.grant_type === 'password' ? signInWithPassword(context, body) : refresh(context, body.refresh_token)),
  captcha: async ({ query: { key } }, context) => {
    const picture = (await captchaPicture(context, key)) ?? (await captchaPicture(context, await createCaptcha(context, 'staff', key)))
    if (picture === null) throw notFound()
    return new Response(new Uint8Array(picture), { headers: { 'content-type': 'image/png', 'cache-control': 'no-store' } })
  },
  signOut: async (_input, context) => {
    await endFamily(context, await familyOf(context), 'logout')
    await context.audit({ action: 'session.signOut', result: 'ok' })
    return null
  },
  changePassword: async ({ body: { oldPassword, newPassword } }, context) => {
    const user = await readUser(context, context.subject.userId)
    if (user === undefined) throw notFound()
    if (!(await verifyPassword(oldPassword, user.password_hash))) throw new Invalid([{ path: 'oldPassword', rule: 'password', message: { key: 'session.oldPasswordWrong' } }])
    if (!isGoodPassword(newPassword) || newPassword === oldPassword) throw new Invalid([{ path: 'newPassword', rule: 'password', message: { key: 'session.weakPassword' } }])
    await context.database.kysely.updateTable('sys.app_user').set({ password_hash: await hashPassword(newPassword), must_change_password: false }).where('id', '=', user.id).execute()
    await endAllOf(context, user.id, 'password', await familyOf(context))
    await context.audit({ action: 'session.changePassword', result: 'ok' })
    return null
  },
  whoami: async (_input, context) => {
    const user = await readUser(context, context.subject.userId)
    if (user === undefined) throw notFound()
    const { roles, org } = context.subject
    return { id: user.id, account: user.account, name: user.name, roles: [...roles], mustChangePassword: user.must_change_password, tenant: user.tenant_id, org }
  },
  menu: (_input, context) => menuFor(context),
  resources: (_input, context) => resourcesFor(context),
  generateId: (_input, { newId }) => newId(),
}

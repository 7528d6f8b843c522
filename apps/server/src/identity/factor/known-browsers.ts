// Browsers in which a person asked not to be asked for the second factor again.
import type { Context, Services } from '../../model/context.ts'
import { hashOf, newToken } from '../../platform/tokens.ts'
import type { UserRecord } from '../subject.ts'
import type { FactorOwner } from './factors.ts'

type Db = Services['database']['kysely']

const day = 86_400_000
const life = 30 * day

function cookieFor({ settings }: Pick<Services, 'settings'>) {
  const secure = settings.publicUrl.startsWith('https:')
  return {
    name: secure ? '__Host-jiaowu-browser' : 'jiaowu-browser',
    options: { secure, httpOnly: true, sameSite: 'Strict' as const, path: '/' },
  }
}

/** Another password ends what was remembered with the earlier one. */
function buildPasswordStamp({ password_hash }: Pick<UserRecord, 'password_hash'>): string {
  return hashOf(password_hash)
}

export async function isKnownBrowser(context: Context, user: UserRecord): Promise<boolean> {
  const token = context.cookies.get(cookieFor(context).name)
  if (token === undefined) return false
  const found = await context.database.kysely
    .selectFrom('sys.known_browser')
    .select('token_hash')
    .where('tenant_id', '=', user.tenant_id)
    .where('user_id', '=', user.id)
    .where('token_hash', '=', hashOf(token))
    .where('password_stamp', '=', buildPasswordStamp(user))
    .where('expires_at', '>', context.now().toISOString())
    .executeTakeFirst()
  return found !== undefined
}

export async function rememberBrowser(context: Context, user: UserRecord): Promise<void> {
  const [token, at] = [newToken(), context.now()]
  await context.database.kysely
    .insertInto('sys.known_browser')
    .values({
      tenant_id: user.tenant_id,
      user_id: user.id,
      token_hash: hashOf(token),
      password_stamp: buildPasswordStamp(user),
      made_at: at,
      expires_at: new Date(at.getTime() + life),
    })
    .execute()
  const { name, options } = cookieFor(context)
  context.cookies.set(name, token, { ...options, maxAge: life / 1000 })
}

/** Keeps the browsers of a person whose password stays the same under another hash. */
export async function replaceStamp(
  trx: Db,
  user: Pick<UserRecord, 'id' | 'tenant_id' | 'password_hash'>,
  password_hash: string,
): Promise<void> {
  await trx
    .updateTable('sys.known_browser')
    .set({ password_stamp: buildPasswordStamp({ password_hash }) })
    .where('tenant_id', '=', user.tenant_id)
    .where('user_id', '=', user.id)
    .where('password_stamp', '=', buildPasswordStamp(user))
    .execute()
}

/** @returns how many there were */
export async function forgetBrowsers(db: Db, { tenant, userId }: FactorOwner): Promise<number> {
  const gone = await db
    .deleteFrom('sys.known_browser')
    .where('tenant_id', '=', tenant)
    .where('user_id', '=', userId)
    .returning('token_hash')
    .execute()
  return gone.length
}

export async function countBrowsers(
  db: Db,
  { now }: Pick<Services, 'now'>,
  { tenant, userId }: FactorOwner,
): Promise<number> {
  const { n } = await db
    .selectFrom('sys.known_browser')
    .select((e) => e.fn.countAll<string>().as('n'))
    .where('tenant_id', '=', tenant)
    .where('user_id', '=', userId)
    .where('expires_at', '>', now().toISOString())
    .executeTakeFirstOrThrow()
  return Number(n)
}

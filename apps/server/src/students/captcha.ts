import { captchaTicketHeader } from '@jiaowu/api/contract/student/student'
import { defaultTenant } from '@jiaowu/api/limits'
import { t } from '@jiaowu/api/texts/index'
import type { CookieOptions } from 'hono/utils/cookie'
import { countPicture } from '../identity/captcha-budget.ts'
import { checkCaptcha, drawPicture, newCaptcha, type NewCaptcha } from '../identity/captcha.ts'
import {
  blockUntil,
  increment,
  readCounter,
  resetCounter,
  waitFor,
} from '../platform/limits/rate-limits.ts'
import { hashOf, newToken } from '../platform/tokens.ts'
import type { Context } from '../model/context.ts'
import { networkOf } from '../platform/requests/address.ts'
import { forbidden, notFound, Refusal } from '../platform/refusal.ts'
import { sendBudgets } from './send-limits.ts'

const purpose = 'student'
const minute = 60_000
const ticketLife = 120_000 // docs/rules/security.md#sign-in
const [maxWrongAnswers, wrongAnswerWindow] = [5, 600_000]

/** A new captcha with its picture as a data URI. @throws Refusal 429 */
export async function newStudentCaptcha(
  context: Context,
): Promise<NewCaptcha & { readonly image: string }> {
  await countPicture(context)
  // Whoever asks has not said for which school: the limits of the first one decide.
  const captcha = await newCaptcha(context, purpose, await sendBudgets(context, defaultTenant))
  const picture = await drawPicture(context, purpose, captcha.key)
  if (picture === null) throw notFound()
  return { ...captcha, image: `data:image/png;base64,${picture.toString('base64')}` }
}

/**
 * Returns a ticket for one SMS and sets it as a cookie.
 * @throws Refusal 400 whose data is the message (docs/spec/2-student-service-and-designer.md §7), 429
 */
export async function answerCaptcha(
  context: Context,
  key: string,
  answer: string,
): Promise<{ ticket: string }> {
  const browser = browserKey(context)
  await assertNotBlocked(context, browser)
  const check = await checkCaptcha(context, purpose, { key, answer })
  if (check === 'noWork')
    throw new Refusal(400, { key: 'session.workNeeded' }, { data: { workNeeded: true } })
  if (check === 'wrong') {
    if (
      (await increment(context.database, browser, wrongAnswerWindow, context.now())) >=
      maxWrongAnswers
    )
      await blockUntil(context.database, browser, new Date(context.now().getTime() + minute))
    throw new Refusal(
      400,
      { key: 'student.captchaWrong' },
      { data: t(context.locale, 'student.captchaWrong') },
    )
  }
  await resetCounter(context.database, browser)
  const ticket = newToken()
  await context.database.kysely
    .insertInto('sys.captcha_ticket')
    .values({
      ticket_hash: hashOf(ticket),
      network: networkOf(context.ip),
      expires_at: new Date(context.now().getTime() + ticketLife),
    })
    .execute()
  const { name, options } = ticketCookie(context)
  context.cookies.set(name, ticket, { ...options, maxAge: ticketLife / 1000 })
  return { ticket }
}

/** Distinguishes browsers behind one address as far as possible. */
function browserKey({ ip, request }: Context) {
  return `captchaBrowser:${networkOf(ip)}:${hashOf(request.headers.get('user-agent') ?? '')}`
}

/** Blocks a browser for a minute after five wrong answers (docs/rules/security.md#sign-in). @throws Refusal 429 */
async function assertNotBlocked(context: Context, key: string): Promise<void> {
  const { waitSeconds } = await readCounter(context.database, key, minute, context.now())
  if (waitSeconds > 0) throw waitFor(waitSeconds, { lockSeconds: waitSeconds })
}

/**
 * The cookie of a ticket. Browsers accept the prefix `__Host-` over TLS only, which a server on
 * 127.0.0.1 does not have (docs/rules/security.md#w4).
 */
function ticketCookie({ settings }: Pick<Context, 'settings'>): {
  name: string
  options: CookieOptions
} {
  const secure = settings.publicUrl.startsWith('https:')
  return {
    name: secure ? '__Host-jiaowu-captcha' : 'jiaowu-captcha',
    options: { secure, httpOnly: true, sameSite: 'Strict', path: '/' },
  }
}

/** Uses up the caller's ticket, which every SMS needs (docs/rules/security.md#h1). @throws Refusal 403 */
export async function useTicket({
  database: { kysely },
  request,
  cookies,
  ip,
  now,
  settings,
}: Context): Promise<void> {
  const { name, options } = ticketCookie({ settings })
  const fromCookie = cookies.get(name)
  // Browsers send the cookie with requests of any site; only our own pages may spend the ticket
  // (docs/rules/security.md#w3).
  if (fromCookie !== undefined && request.headers.get('sec-fetch-site') === 'cross-site')
    throw forbidden()
  const ticket = request.headers.get(captchaTicketHeader) ?? fromCookie
  if (fromCookie !== undefined) cookies.set(name, '', { ...options, maxAge: 0 })
  const used =
    ticket === undefined
      ? undefined
      : await kysely
          .updateTable('sys.captcha_ticket')
          .set({ used_at: now() })
          .where('ticket_hash', '=', hashOf(ticket))
          .where('network', '=', networkOf(ip))
          .where('used_at', 'is', null)
          .where('expires_at', '>', now().toISOString())
          .returning('ticket_hash')
          .executeTakeFirst()
  if (used === undefined) throw new Refusal(403, { key: 'student.captchaNeeded' })
}

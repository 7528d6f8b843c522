import { randomBytes, randomInt } from 'node:crypto'
import type { Services } from '../context.ts'
import type { Settings } from '../platform/settings/settings.ts'
import { captchaLetters, drawCaptcha } from './captcha-picture.ts'

const lifetime = 120_000

/** Creates a captcha. The caller may choose `key`, as for `GET /captcha?key` of the student service. */
export async function createCaptcha(
  services: Services,
  purpose: string,
  key = randomBytes(16).toString('base64url'),
): Promise<string> {
  const expires_at = new Date(services.now().getTime() + lifetime)
  await services.database.kysely
    .insertInto('sys.captcha')
    .values({
      key,
      purpose,
      answer: answers[services.settings.captchaDriver](services.settings),
      expires_at,
    })
    .onConflict((c) => c.column('key').doNothing())
    .execute()
  return key
}

/** The answer of a new captcha: one row per value of CAPTCHA_DRIVER. */
const answers = {
  picture: () =>
    Array.from({ length: 4 }, () => captchaLetters[randomInt(captchaLetters.length)]).join(''),
  fixed: ({ captchaFixed }) => {
    if (captchaFixed === undefined) throw new Error('CAPTCHA_DRIVER fixed has no answer')
    return captchaFixed
  },
} satisfies Record<Settings['captchaDriver'], (settings: Settings) => string>

/** Checks an answer. The first one, right or wrong, uses up the captcha. */
export async function checkCaptcha(
  { database: { kysely }, now }: Services,
  purpose: string,
  key: string,
  answer: string,
): Promise<boolean> {
  const row = await kysely
    .updateTable('sys.captcha')
    .set({ used_at: now() })
    .where('key', '=', key)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now().toISOString())
    .returning('answer')
    .executeTakeFirst()
  return row !== undefined && row.answer.toLowerCase() === answer.trim().toLowerCase()
}

/** The picture as PNG; null when the key is unknown, used or expired. */
export async function captchaPicture(
  { database: { kysely }, now }: Services,
  key: string,
): Promise<Buffer | null> {
  const row = await kysely
    .selectFrom('sys.captcha')
    .select('answer')
    .where('key', '=', key)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now().toISOString())
    .executeTakeFirst()
  return row === undefined ? null : drawCaptcha(row.answer)
}

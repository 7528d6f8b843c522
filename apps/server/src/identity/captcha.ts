import { randomBytes, randomInt } from 'node:crypto'
import type { Services } from '../context.ts'
import type { Settings } from '../platform/settings/settings.ts'
import { captchaLetters, drawCaptcha } from './captcha-picture.ts'

const lifetime = 120_000

/** What a captcha is for; its key serves nothing else. */
export type CaptchaPurpose = 'staff' | 'student'

/** A key whose picture `drawPicture` draws; until then no answer is right. */
export const newCaptchaKey = (): string => randomBytes(16).toString('base64url')

/**
 * The picture of a key as PNG, with a new answer each time: asking again for a picture voids
 * the one before, so that readings of several pictures cannot be put together. Null when the
 * key has been answered or is for something else.
 */
export async function drawPicture(
  services: Services,
  purpose: CaptchaPurpose,
  key: string,
): Promise<Buffer | null> {
  const answer = answers[services.settings.captchaDriver](services.settings)
  const expires_at = new Date(services.now().getTime() + lifetime)
  const drawn = await services.database.kysely
    .insertInto('sys.captcha')
    .values({ key, purpose, answer, expires_at })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({ answer, expires_at })
        .where('sys.captcha.purpose', '=', purpose)
        .where('sys.captcha.used_at', 'is', null),
    )
    .returning('key')
    .executeTakeFirst()
  return drawn === undefined ? null : drawCaptcha(answer)
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
  purpose: CaptchaPurpose,
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

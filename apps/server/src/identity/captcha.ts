import { randomBytes, randomInt } from 'node:crypto'
import type { Services } from '../context.ts'
import { captchaLetters, drawCaptcha } from './captcha-picture.ts'

const lifetime = 120_000

/** A new captcha; `key` may be chosen by the caller, as the student spec's `GET /captcha?key` has it. */
export async function createCaptcha(
  services: Services,
  purpose: string,
  key = randomBytes(16).toString('base64url'),
): Promise<string> {
  const expires_at = new Date(services.now().getTime() + lifetime)
  await services.database.kysely
    .insertInto('sys.captcha')
    .values({ key, purpose, answer: answerFor(services), expires_at })
    .onConflict((c) => c.column('key').doNothing())
    .execute()
  return key
}

function answerFor({ settings }: Services): string {
  return (
    settings.captchaFixed ??
    Array.from({ length: 4 }, () => captchaLetters[randomInt(captchaLetters.length)]).join('')
  )
}

/** Consumed by the first answer, right or wrong. */
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

/** The picture as PNG. Null when the key is unknown, used or too old. */
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

import { randomBytes, randomInt } from 'node:crypto'
import sharp from 'sharp'
import type { Services } from '../context.ts'

const letters = 'ABCDEFGHJKMNPQRSTUVWXYZ2345679' // 30, without what reads alike (security §4)
const lifetime = 120_000

const answerFor = ({ settings }: Services): string => settings.captchaFixed ?? Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')

/** A new captcha; `key` may be chosen by the caller, as the student spec's `GET /captcha?key` has it. */
export const createCaptcha = async (services: Services, purpose: string, key = randomBytes(16).toString('base64url')): Promise<string> => {
  const { kysely } = services.database
  const now = services.now()
  await kysely.deleteFrom('sys.captcha').where('expires_at', '<', new Date(now.getTime() - 3_600_000).toISOString()).execute()
  await kysely.insertInto('sys.captcha').values({ key, purpose, answer: answerFor(services), expires_at: new Date(now.getTime() + lifetime) }).onConflict((c) => c.column('key').doNothing()).execute()
  return key
}

/** Consumed by the first answer, right or wrong. */
export const checkCaptcha = async ({ database: { kysely }, now }: Services, purpose: string, key: string, answer: string): Promise<boolean> => {
  const row = await kysely.updateTable('sys.captcha').set({ used_at: now() }).where('key', '=', key).where('purpose', '=', purpose).where('used_at', 'is', null).where('expires_at', '>', now().toISOString()).returning('answer').executeTakeFirst()
  return row !== undefined && row.answer.toLowerCase() === answer.trim().toLowerCase()
}

const between = (low: number, high: number) => low + randomInt((high - low) * 10) / 10
const draw = (answer: string): string => {
  const glyphs = [...answer].map((letter, i) => `<text x="${18 + i * 27}" y="${between(30, 36)}" font-size="${between(26, 31)}" font-family="DejaVu Sans, Liberation Sans, sans-serif" font-weight="700" fill="hsl(${randomInt(360)},60%,32%)" transform="rotate(${between(-24, 24)} ${24 + i * 27} 28)">${letter}</text>`)
  const strokes = Array.from({ length: 5 }, () => `<path d="M0 ${randomInt(44)} C ${randomInt(120)} ${randomInt(44)}, ${randomInt(120)} ${randomInt(44)}, 128 ${randomInt(44)}" stroke="hsl(${randomInt(360)},50%,55%)" stroke-width="1.4" fill="none"/>`)
  const dots = Array.from({ length: 40 }, () => `<circle cx="${randomInt(128)}" cy="${randomInt(44)}" r="0.9" fill="hsl(${randomInt(360)},40%,50%)"/>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="128" height="44"><rect width="128" height="44" fill="#f4f6f8"/>${strokes.join('')}${glyphs.join('')}${dots.join('')}</svg>`
}

/** The picture as PNG, rasterised: a script could read an SVG's letters. Null when the key is unknown, used or too old. */
export const captchaPicture = async ({ database: { kysely }, now }: Services, key: string): Promise<Buffer | null> => {
  const row = await kysely.selectFrom('sys.captcha').select('answer').where('key', '=', key).where('used_at', 'is', null).where('expires_at', '>', now().toISOString()).executeTakeFirst()
  return row === undefined ? null : sharp(Buffer.from(draw(row.answer))).png().toBuffer()
}

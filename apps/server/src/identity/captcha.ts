import { randomBytes, randomInt } from 'node:crypto'
import { type CaptchaWork, captchaWorkHeader } from '@jiaowu/api/contract/student/captcha-work'
import type { Context, Services } from '../model/context.ts'
import type { Settings } from '../platform/settings/settings.ts'
import type { Budget } from '../platform/limits/budgets.ts'
import { assertMayAnswer, countWrongAnswer, wrongAnswers } from './captcha-budget.ts'
import { isWorkDone, newWork, workLevel } from './captcha-work.ts'
import { captchaLetters, drawCaptcha } from './captcha-picture.ts'

const lifetime = 120_000

/** Purpose of a captcha; its key serves nothing else. */
export type CaptchaPurpose = 'staff' | 'student'

/** A captcha: the key of its picture, and the work that its answer needs. */
export interface NewCaptcha {
  readonly key: string
  readonly work?: CaptchaWork
}

/**
 * A key whose picture `drawPicture` draws; until then no answer is right. The more of its budgets the
 * caller has used, the more work the answer needs (docs/rules/security.md#h1).
 * @param more budgets of the caller beside that of wrong answers
 */
export async function newCaptcha(
  context: Context,
  purpose: CaptchaPurpose,
  more: readonly Budget[],
): Promise<NewCaptcha> {
  const key = newKey()
  const work = await newWork(await workLevel(context, [...wrongAnswers(context), ...more]))
  if (work === null) return { key }
  await context.database.kysely
    .insertInto('sys.captcha')
    .values({
      key,
      purpose,
      answer: newKey(),
      work: work.stored,
      expires_at: new Date(context.now().getTime() + lifetime),
    })
    .execute()
  return { key, work: work.sent }
}

const newKey = (): string => randomBytes(16).toString('base64url')

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
    .values({ key, purpose, answer, work: null, expires_at })
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

/** How an answer was: `noWork` says nothing about the characters. */
export type CaptchaCheck = 'right' | 'wrong' | 'noWork'

/**
 * Checks an answer. The first one, right or wrong, uses up the captcha.
 * @param more budgets as in `newCaptcha`, where a caller could draw a picture for a key of its own
 * @throws Refusal 429 where too many answers of the network were wrong
 */
export async function checkCaptcha(
  context: Context,
  purpose: CaptchaPurpose,
  { key, answer }: { readonly key: string; readonly answer: string },
  more: readonly Budget[] | null = null,
): Promise<CaptchaCheck> {
  const {
    database: { kysely },
    now,
  } = context
  await assertMayAnswer(context)
  const row = await kysely
    .updateTable('sys.captcha')
    .set({ used_at: now() })
    .where('key', '=', key)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now().toISOString())
    .returning(['answer', 'work'])
    .executeTakeFirst()
  if (row !== undefined && !(await hasWork(context, row.work, more))) return 'noWork'
  if (row?.answer.toLowerCase() === answer.trim().toLowerCase()) return 'right'
  await countWrongAnswer(context)
  return 'wrong'
}

async function hasWork(
  context: Context,
  stored: string | null,
  more: readonly Budget[] | null,
): Promise<boolean> {
  if (stored !== null)
    return await isWorkDone(stored, context.request.headers.get(captchaWorkHeader))
  return more === null || (await workLevel(context, [...wrongAnswers(context), ...more])) === 0
}

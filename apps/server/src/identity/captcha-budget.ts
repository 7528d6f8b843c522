// A program reads captchas, so that they are one hurdle beside budgets (docs/rules/security.md#h1): how many
// pictures and wrong answers an address and its network have.
import type { Context } from '../model/context.ts'
import { type Budget, findUsedUp, networkBudgets, spend } from '../platform/limits/budgets.ts'
import { waitFor } from '../platform/limits/rate-limits.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const picturesPerMinute = 120 // docs/rules/security.md#sign-in, per address

/** Counts a picture before it is drawn. @throws Refusal 429 */
export async function countPicture(context: Context): Promise<void> {
  const budgets = networkBudgets(context, {
    name: 'captcha',
    window: minute,
    address: picturesPerMinute,
  })
  const used = await spend(context.database, budgets, context.now())
  if (used !== null) throw waitFor(used.seconds)
}

/** Budget of wrong answers: a person gives few, a program that reads half of the pictures many. */
export function wrongAnswers(context: Context): Budget[] {
  const { captchaWrongHour: address } = context.settings
  return [
    ...networkBudgets(context, { name: 'captchaWrong', window: hour, address }),
    ...networkBudgets(context, { name: 'captchaWrong', window: day, address: 5 * address }),
  ]
}

/** @throws Refusal 429 while an address or its network has no wrong answer left */
export async function assertMayAnswer(context: Context): Promise<void> {
  const used = await findUsedUp(context.database, wrongAnswers(context), context.now())
  if (used !== null)
    throw waitFor(used.seconds, { lockSeconds: Math.min(used.seconds, hour / 1000) })
}

export async function countWrongAnswer(context: Context): Promise<void> {
  await spend(context.database, wrongAnswers(context), context.now())
}

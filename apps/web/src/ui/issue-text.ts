import type { Locale } from '@jiaowu/api/locale'
import { type Problem, problemText } from '@jiaowu/api/problem'

/** The message of the first invalid field; the problem's own text when no field is named. */
export function issueText(locale: Locale, problem: Problem): string {
  return problem.issues[0]?.msg ?? problemText(locale, problem)
}

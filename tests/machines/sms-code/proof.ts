// Shared by the forms of students that send an SMS code: after three wrong ones a captcha comes
// before the next try.
import { ApiProblem } from '@jiaowu/api/problem'
import type { Outcome, Rule } from '@jiaowu/path-tests'

type Place = Parameters<Extract<Rule, { kind: 'state' }>['holds']>[0]

/** The end of a call that the server refuses. */
export function buildSmsRefusal(message: string, data: unknown = null) {
  const kind = 'refused' as const
  const error = new ApiProblem({ kind, code: 400, message, issues: [], data, traceId: null })
  return { ok: false, error } as const satisfies Outcome
}

interface Form {
  /** The name of the call that the form sends. */
  readonly call: string
  readonly captchaNeeded: (place: Place) => boolean
  readonly isProving: (place: Place) => boolean
}

/** @param sent what the form sends, for the names of the rules */
export function proofRules(
  { call, captchaNeeded, isProving }: Form,
  sent: string,
): readonly Rule[] {
  return [
    {
      name: `where a captcha is asked for, ${sent} goes out with its ticket only`,
      kind: 'edge',
      holds: ({ step, effects }, from) =>
        !effects.some((effect) => effect.startsWith(`call ${call}`)) ||
        effects.some((effect) =>
          effect.includes(step.label === 'captcha.solved(ticket)' ? '"ticket":"t"' : '"ticket":""'),
        ) === (step.label === 'captcha.solved(ticket)' || !captchaNeeded(from)),
    },
    {
      name: 'a refusal that asks for a captcha opens one before the next try',
      kind: 'edge',
      holds: ({ step, effects }, from, to) =>
        (step.label !== `${call} → captcha` || captchaNeeded(to)) &&
        (!isProving(to) ||
          isProving(from) ||
          (captchaNeeded(from) && effects.some((effect) => effect.includes('captcha.prove')))),
    },
  ]
}

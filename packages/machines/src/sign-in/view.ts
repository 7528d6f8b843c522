import type { Message } from '@jiaowu/api/texts/index'
import type { Problem } from '@jiaowu/api/problem'
import type { SnapshotFrom } from 'xstate'
import type { SignInField, signInMachine } from './machine.ts'

export interface StudentSignInView {
  /** `proving`: the captcha of the next try is open. */
  readonly step: 'editing' | 'refused' | 'proving' | 'submitting' | 'done'
  readonly values: Readonly<Record<SignInField, string>>
  readonly faults: Readonly<Partial<Record<SignInField, Message>>>
  /** Why the last attempt was refused. */
  readonly problem: Problem | null
  readonly can: { readonly change: boolean; readonly askCode: boolean; readonly submit: boolean }
}

export function signInView(s: SnapshotFrom<typeof signInMachine>): StudentSignInView {
  return {
    step: s.matches('submitting')
      ? 'submitting'
      : s.matches('proving')
        ? 'proving'
        : s.matches('done')
          ? 'done'
          : s.matches({ form: 'refused' })
            ? 'refused'
            : 'editing',
    values: s.context.values,
    faults: s.context.faults,
    problem: s.context.problem,
    can: {
      change: s.can({ type: 'field.change', field: 'mobile', value: '' }),
      askCode: s.can({ type: 'code.ask' }),
      submit: s.can({ type: 'form.submit' }),
    },
  }
}

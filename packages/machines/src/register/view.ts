import type { Message } from '@jiaowu/api/texts/index'
import type { Problem } from '@jiaowu/api/problem'
import type { SnapshotFrom } from 'xstate'
import type { RegisterField, registerMachine } from './machine.ts'

export interface RegisterView {
  /** `proving`: the captcha of the next try is open. `waiting`: for a clerk, within `waitingDays`. */
  readonly step: 'closed' | 'editing' | 'refused' | 'proving' | 'submitting' | 'waiting'
  readonly waitingDays: number | null
  readonly values: Readonly<Record<RegisterField, string>>
  readonly faults: Readonly<Partial<Record<RegisterField, Message>>>
  readonly problem: Problem | null
  readonly can: {
    readonly close: boolean
    readonly change: boolean
    readonly askCode: boolean
    readonly submit: boolean
  }
}

export function registerView(s: SnapshotFrom<typeof registerMachine>): RegisterView {
  return {
    step: s.matches('closed')
      ? 'closed'
      : s.matches({ open: 'submitting' })
        ? 'submitting'
        : s.matches({ open: 'proving' })
          ? 'proving'
          : s.matches({ open: 'refused' })
            ? 'refused'
            : s.matches({ open: 'waiting' })
              ? 'waiting'
              : 'editing',
    waitingDays: s.context.waitingDays,
    values: s.context.values,
    faults: s.context.faults,
    problem: s.context.problem,
    can: {
      close: s.can({ type: 'register.close' }),
      change: s.can({ type: 'field.change', field: 'mobile', value: '' }),
      askCode: s.can({ type: 'code.ask' }),
      submit: s.can({ type: 'form.submit' }),
    },
  }
}

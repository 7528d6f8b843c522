import { smsCodeMachine } from '@jiaowu/machines/sms-code/machine'
import type { Clock } from '@jiaowu/path-tests'
import { bare, modelSpec } from '../spec.ts'
import type { MachineModel } from '../machine-model.ts'
import { smsCodeRules } from './rules.ts'
import { answerFailure } from '../problems.ts'

export interface SmsCodeSeen {
  readonly at: string
  readonly image: string | null
  readonly answer: string
  readonly problem: string | null
  readonly left: number | null
  readonly offers: string
}
const offered = ['captcha.submit', 'captcha.renew', 'captcha.cancel'] as const
const countCodeLeft = ({ deadline }: { deadline: number }, now: number) => deadline - now

export const smsCodeModel = modelSpec({
  machine: smsCodeMachine,
  input: {
    fresh: ({ now }) => ({ purpose: '1' as const, facts: null, now }),
    reloaded: buildLockedInput(25_000),
    over: buildLockedInput(0),
  },
  events: {
    'sms.ask': { mobile: { mobile: '13800000001' } },
    'captcha.prove': bare,
    'captcha.type': { text: { answer: 'AB12' }, blank: { answer: ' ' } },
    'captcha.submit': bare,
    'captcha.renew': bare,
    'captcha.cancel': bare,
  },
  outcomes: {
    captcha: {
      picture: { ok: true, output: { key: 'k', image: 'data:image/png;base64,' } },
      down: answerFailure(503, { message: 'down' }),
    },
    verify: {
      right: { ok: true, output: { ticket: 't' } },
      wrong: answerFailure(400, { message: 'captcha error!', data: 'captcha error!' }),
      down: answerFailure(503, { message: 'down' }),
    },
    smsCode: {
      minute: { ok: true, output: { lockSeconds: 60 } },
      silent: { ok: true, output: { lockSeconds: 0 } },
      soon: answerFailure(429, { message: 'too often', data: { lockSeconds: 30 } }),
      absurd: answerFailure(429, { message: 'too often', data: { lockSeconds: 1e9 } }),
      refused: answerFailure(400, { message: 'no', data: { lockSeconds: 'x' } }),
      down: answerFailure(503, { message: 'down' }),
    },
  },
  timers: {
    smsLock: {
      ms: (input, now) => countCodeLeft(input as { deadline: number }, now),
      left: (child) => {
        const { context } = child as { context: { deadline: number; now(): number } }
        return countCodeLeft(context, context.now())
      },
    },
  },
  unhandled: 'all',
  key: (s) => {
    const c = s.context
    return JSON.stringify([
      s.value,
      c.purpose,
      c.isProof,
      c.picture?.key ?? null,
      c.answer,
      c.ticket,
      c.mobile,
      c.lockedUntil > c.now(),
      c.problem?.message ?? null,
    ])
  },
  project: (s, left): SmsCodeSeen => ({
    at: JSON.stringify(s.value) + [...s.tags].sort().join(),
    image: s.context.picture?.image ?? null,
    answer: s.context.answer,
    problem: typeof s.context.problem?.message === 'string' ? s.context.problem.message : null,
    left: left('smsLock'),
    offers: [
      ...offered.filter((type) => s.can({ type })),
      ...(s.can({ type: 'sms.ask', mobile: '' }) ? ['ask'] : []),
      ...(s.can({ type: 'captcha.type', answer: '' }) ? ['type'] : []),
    ].join(),
  }),
})

function buildLockedInput(lockedUntil: number) {
  return ({ now }: Clock) => ({
    purpose: '2' as const,
    facts: { version: 1 as const, lockedUntil: now() + lockedUntil },
    now,
  })
}

export const smsCodeModels: MachineModel<SmsCodeSeen> = {
  parts: { smsCode: smsCodeModel },
  rules: smsCodeRules,
  walks: 15,
}

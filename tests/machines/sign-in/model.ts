import { signInMachine } from '@jiaowu/machines/sign-in/machine'
import { buildSmsRefusal } from '../sms-code/proof.ts'
import { silentSmsCode } from '../sms-code/silent.ts'
import { bare, modelSpec } from '../spec.ts'
import type { MachineModel } from '../machine-model.ts'
import { signInRules } from './rules.ts'

export interface SignInSeen {
  readonly at: string
  readonly values: string
  readonly faults: string
  readonly problem: number | null
  readonly offers: string
}
const facts = { version: 1, token: 't', refreshToken: 'r', expiresAt: 1_000 } as const

const signInModel = modelSpec({
  machine: signInMachine.provide({ actors: { smsCode: silentSmsCode } }),
  input: ({ now }) => ({ smsFacts: null, now }),
  events: {
    'field.change': {
      mobile: { field: 'mobile', value: '13800000001 ' },
      short: { field: 'mobile', value: '1380' },
      code: { field: 'code', value: '123456' },
      blank: { field: 'code', value: ' ' },
    },
    'field.blur': { mobile: { field: 'mobile' }, code: { field: 'code' } },
    'code.ask': bare,
    'form.submit': bare,
    'captcha.solved': { ticket: { ticket: 't' } },
    'captcha.cancelled': bare,
  },
  outcomes: {
    signIn: {
      in: { ok: true, output: facts },
      captcha: buildSmsRefusal('prove', { captchaNeeded: true }),
      wrong: buildSmsRefusal('wrong'),
    },
  },
  // The code request is a machine of its own, with a model of its own (sms-code.model.ts).
  silent: ['smsCode'],
  unhandled: 'all',
  key: (s) =>
    JSON.stringify([
      s.value,
      s.context.values,
      Object.entries(s.context.faults).sort(),
      s.context.problem?.message ?? null,
      s.context.captchaNeeded,
      s.context.ticket,
    ]),
  project: (s): SignInSeen => ({
    at: JSON.stringify(s.value) + [...s.tags].join(),
    values: JSON.stringify(s.context.values),
    faults: Object.entries(s.context.faults)
      .map(([field, fault]) => `${field}:${fault.key}`)
      .sort()
      .join(),
    problem: s.context.problem?.code ?? null,
    offers: (['code.ask', 'form.submit', 'captcha.cancelled'] as const)
      .filter((type) => s.can({ type }))
      .join(),
  }),
})

export const signInModels: MachineModel<SignInSeen> = {
  parts: { signIn: signInModel },
  rules: signInRules,
}

import { signInMachine } from '@jiaowu/machines/sign-in/machine'
import * as v from 'valibot'
import { buildSmsRefusal } from '../sms-code/proof.ts'
import { silentSmsCode } from '../sms-code/silent.ts'
import { bare, modelSpec } from '../spec.ts'
import type { MachineModel } from '../machine-model.ts'
import { readSampleFile } from '../sample-file.ts'
import { signInRules } from './rules.ts'
import samplesFile from './samples.json' with { type: 'json' }

export interface SignInSeen {
  readonly at: string
  readonly values: string
  readonly faults: string
  readonly problem: number | null
  readonly offers: string
}
const facts = { version: 1, token: 't', refreshToken: 'r', expiresAt: 1_000 } as const

/** @param samples the content of samples.json, or of a file like it */
export function createSignInModel(samples: unknown) {
  const typed = readSampleFile('sign-in/samples.json', samples, {
    'field.change': v.strictObject({ field: v.picklist(['mobile', 'code']), value: v.string() }),
  })
  return modelSpec({
    machine: signInMachine.provide({ actors: { smsCode: silentSmsCode } }),
    input: ({ now }) => ({ smsFacts: null, now }),
    events: {
      'field.change': typed['field.change'],
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
}

export const signInModels: MachineModel<SignInSeen> = {
  parts: { signIn: createSignInModel(samplesFile) },
  rules: signInRules,
}

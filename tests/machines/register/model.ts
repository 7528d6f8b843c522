import { registerMachine } from '@jiaowu/machines/register/machine'
import { buildSmsRefusal } from '../sms-code/proof.ts'
import { silentSmsCode } from '../sms-code/silent.ts'
import { bare, modelSpec } from '../spec.ts'
import type { MachineModel } from '../machine-model.ts'
import { registerRules } from './rules.ts'

export interface RegisterSeen {
  readonly at: string
  readonly values: string
  readonly faults: string
  readonly problem: number | null
  readonly child: boolean
  readonly offers: string
}
const changes = {
  idNumber: { field: 'idNumber', value: ' 11010119900307001X' },
  noId: { field: 'idNumber', value: '' },
  major: { field: 'major', value: '数学 ' },
  noMajor: { field: 'major', value: ' ' },
  mobile: { field: 'mobile', value: '13800000001' },
  short: { field: 'mobile', value: '1380' },
  code: { field: 'code', value: '123456' },
} as const
const blurs = {
  idNumber: { field: 'idNumber' },
  major: { field: 'major' },
  mobile: { field: 'mobile' },
  code: { field: 'code' },
} as const

export const registerModels: MachineModel<RegisterSeen> = {
  // Filled in as the form says; then the number and the ID the code needs.
  parts: {
    form: buildRegisterConcern(['idNumber', 'major', 'mobile', 'code'], ['major'], []),
    code: buildRegisterConcern(['idNumber', 'noId', 'mobile', 'short'], ['idNumber', 'mobile']),
  },
  rules: registerRules,
  limit: 400,
}

/** One concern at a time: four fields and their faults all at once are thousands of states. */
function buildRegisterConcern(
  change: readonly (keyof typeof changes)[],
  blur: readonly (keyof typeof blurs)[],
  unhandled: 'all' | readonly string[] = 'all',
) {
  return modelSpec({
    machine: registerMachine.provide({ actors: { smsCode: silentSmsCode } }),
    input: ({ now }) => ({ now }),
    events: {
      'register.open': bare,
      'register.close': bare,
      'field.change': pickRegisterCases(changes, change),
      'field.blur': pickRegisterCases(blurs, blur),
      'code.ask': bare,
      'form.submit': bare,
      'captcha.solved': { ticket: { ticket: 't' } },
      'captcha.cancelled': bare,
    },
    eventsIn: () => ({}),
    outcomes: {
      register: {
        done: { ok: true, output: null },
        waiting: { ok: true, output: { waiting: true, days: 14 } },
        captcha: buildSmsRefusal('prove', { captchaNeeded: true }),
        refused: buildSmsRefusal('no match'),
      },
    },
    silent: ['smsCode'],
    unhandled,
    key: (s) =>
      JSON.stringify([
        s.value,
        s.context.values,
        Object.entries(s.context.faults).sort(),
        s.context.problem?.message ?? null,
        s.context.captchaNeeded,
        s.context.ticket,
        s.context.waitingDays,
      ]),
    project: (s): RegisterSeen => ({
      at: JSON.stringify(s.value) + [...s.tags].sort().join(),
      values: JSON.stringify(s.context.values),
      faults: Object.entries(s.context.faults)
        .map(([field, fault]) => `${field}:${fault.key}`)
        .sort()
        .join(),
      problem: s.context.problem?.code ?? null,
      child: s.children.smsCode !== undefined,
      offers: (
        ['register.open', 'register.close', 'code.ask', 'form.submit', 'captcha.cancelled'] as const
      )
        .filter((type) => s.can({ type }))
        .join(),
    }),
  })
}

function pickRegisterCases<T extends object>(cases: T, names: readonly (keyof T)[]) {
  return Object.fromEntries(
    Object.entries(cases).filter(([name]) => names.includes(name as keyof T)),
  ) as never
}

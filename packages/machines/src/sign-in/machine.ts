import type { Message } from '@jiaowu/api/texts/index'
import { type Problem, toProblem } from '@jiaowu/api/problem'
import { assign, emit, sendTo, setup } from 'xstate'
import { createMissingPorts } from '../port.ts'
import type { SessionFacts } from '../session/ports.ts'
import { type CaptchaAnswer, smsCodeMachine } from '../sms-code/machine.ts'
import { needsCaptcha, smsCodeActors, type SmsCodePorts, type SmsFacts } from '../sms-code/ports.ts'
import { signInActors, type StudentSignInPorts } from './ports.ts'
import {
  listFieldFaults,
  mobileFault,
  requiredFault,
  trimTexts,
  withoutFault,
} from './student-fields.ts'

export type SignInField = 'mobile' | 'code'
export interface StudentSignInInput {
  /** Stored facts of the lock after the last SMS; null when there are none. */
  readonly smsFacts: SmsFacts | null
  readonly now: () => number
}
export interface StudentSignInContext extends StudentSignInInput {
  readonly values: Readonly<Record<SignInField, string>>
  readonly faults: Readonly<Partial<Record<SignInField, Message>>>
  readonly problem: Problem | null
  /** After several wrong codes the server asks for a captcha before the next one. */
  readonly captchaNeeded: boolean
  /** Ticket of the captcha for the try being sent; '' without one. */
  readonly ticket: string
}
export type StudentSignInEvent =
  | { readonly type: 'field.change'; readonly field: SignInField; readonly value: string }
  | { readonly type: 'field.blur'; readonly field: SignInField }
  /** Opens the captcha when the mobile number is valid. */
  | { readonly type: 'code.ask' }
  | { readonly type: 'form.submit' }
  /** From the child `smsCode`, whose captcha the submission waits for. */
  | CaptchaAnswer
export type StudentSignInEmitted =
  | { readonly type: 'signedIn'; readonly facts: SessionFacts }
  /** The surface focuses this field. */
  | { readonly type: 'invalid'; readonly field: SignInField }

const rules = { mobile: mobileFault, code: requiredFault } as const
const both: readonly SignInField[] = ['mobile', 'code']

/**
 * A student's sign-in by mobile number and SMS code
 * (docs/spec/2-student-service-and-designer.md §4). The child `smsCode` requests the code: render
 * it with `smsCodeView`, send it the captcha's events, and store the facts it emits.
 */
export const signInMachine = setup({
  types: {
    context: {} as StudentSignInContext,
    events: {} as StudentSignInEvent,
    emitted: {} as StudentSignInEmitted,
    input: {} as StudentSignInInput,
    children: {} as { smsCode: 'smsCode'; signIn: 'signIn' },
    tags: {} as 'busy',
  },
  actors: { ...signInActors(createMissingPorts<StudentSignInPorts>()), smsCode: smsCodeMachine },
  guards: {
    isValidButUnproven: ({ context }) =>
      context.captchaNeeded &&
      Object.keys(listFieldFaults(context.values, rules, both)).length === 0,
    isValid: ({ context }) =>
      Object.keys(listFieldFaults(context.values, rules, both)).length === 0,
    mayAsk: ({ context }) => mobileFault(context.values.mobile) === null,
  },
  actions: {
    change: assign(({ context }, { field, value }: { field: SignInField; value: string }) => ({
      values: { ...context.values, [field]: value },
      faults: withoutFault(context.faults, field),
      problem: null,
      ...(field === 'mobile' ? { captchaNeeded: false } : {}),
    })),
    check: assign(({ context }, { field }: { field: SignInField }) => ({
      faults: {
        ...withoutFault(context.faults, field),
        ...listFieldFaults(context.values, rules, [field]),
      },
    })),
    checkAll: assign(({ context }) => ({
      faults: listFieldFaults(context.values, rules, both),
      problem: null,
    })),
    keepProblem: assign((_args, { error }: { error: unknown }) => ({
      problem: toProblem(error),
      captchaNeeded: needsCaptcha(error),
      ticket: '',
    })),
    keepTicket: assign((_args, { ticket }: { ticket: string }) => ({ ticket })),
    // A new code starts with new tries.
    forgetTries: assign({ captchaNeeded: false }),
    askProof: sendTo('smsCode', { type: 'captcha.prove' as const }),
    askCode: sendTo('smsCode', ({ context }) => ({
      type: 'sms.ask' as const,
      mobile: context.values.mobile.trim(),
    })),
    tellInvalid: emit(({ context }) => ({
      type: 'invalid' as const,
      field: both.find((field) => context.faults[field] !== undefined) ?? 'mobile',
    })),
    tellSignedIn: emit((_args, { facts }: { facts: SessionFacts }) => ({
      type: 'signedIn' as const,
      facts,
    })),
  },
}).createMachine({
  id: 'signIn',
  context: ({ input }) => ({
    ...input,
    values: { mobile: '', code: '' },
    faults: {},
    problem: null,
    captchaNeeded: false,
    ticket: '',
  }),
  invoke: {
    id: 'smsCode',
    src: 'smsCode',
    input: ({ context }) => ({ purpose: '1', facts: context.smsFacts, now: context.now }),
  },
  initial: 'form',
  states: {
    form: {
      initial: 'editing',
      on: {
        'field.change': {
          target: '.editing',
          actions: { type: 'change', params: ({ event }) => event },
        },
        'field.blur': { actions: { type: 'check', params: ({ event }) => event } },
        'code.ask': [
          { guard: 'mayAsk', actions: ['askCode', 'forgetTries'] },
          { actions: [{ type: 'check', params: { field: 'mobile' } }, 'tellInvalid'] },
        ],
        'form.submit': [
          { guard: 'isValidButUnproven', target: 'proving', actions: ['checkAll', 'askProof'] },
          { guard: 'isValid', target: 'submitting', actions: 'checkAll' },
          { actions: ['checkAll', 'tellInvalid'] },
        ],
      },
      states: { editing: {}, refused: {} },
    },
    proving: {
      on: {
        'captcha.solved': {
          target: 'submitting',
          actions: { type: 'keepTicket', params: ({ event }) => event },
        },
        'captcha.cancelled': { target: 'form' },
      },
    },
    submitting: {
      tags: 'busy',
      invoke: {
        id: 'signIn',
        src: 'signIn',
        input: ({ context }) => ({ ...trimTexts(context.values), ticket: context.ticket }),
        onDone: {
          target: 'done',
          actions: { type: 'tellSignedIn', params: ({ event }) => ({ facts: event.output }) },
        },
        onError: {
          target: 'form.refused',
          actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    done: { type: 'final' },
  },
  options: { maxIterations: 100 },
})

/** The machine with its own calls and those of its child. */
export function signInWith(ports: StudentSignInPorts & SmsCodePorts): typeof signInMachine {
  return signInMachine.provide({
    actors: {
      ...signInActors(ports),
      smsCode: smsCodeMachine.provide({ actors: smsCodeActors(ports) }),
    },
  })
}

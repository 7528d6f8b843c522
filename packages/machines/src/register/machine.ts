import type { Message } from '@jiaowu/api/texts/index'
import { type Problem, toProblem } from '@jiaowu/api/problem'
import type { Registered } from '@jiaowu/api/contract/student/student'
import { assign, emit, sendTo, setup } from 'xstate'
import { createMissingPorts } from '../port.ts'
import {
  listFieldFaults,
  mobileFault,
  requiredFault,
  trimTexts,
  withoutFault,
} from '../sign-in/student-fields.ts'
import { type CaptchaAnswer, smsCodeMachine } from '../sms-code/machine.ts'
import { needsCaptcha, smsCodeActors, type SmsCodePorts } from '../sms-code/ports.ts'
import { registerActors, type RegisterPorts, type Registration } from './ports.ts'

export type RegisterField = keyof Registration
export interface RegisterContext {
  readonly now: () => number
  readonly values: Registration
  readonly faults: Readonly<Partial<Record<RegisterField, Message>>>
  readonly problem: Problem | null
  /** After several wrong codes the server asks for a captcha before the next one. */
  readonly captchaNeeded: boolean
  /** Ticket of the captcha for the try being sent; '' without one. */
  readonly ticket: string
  /** Days within which a clerk decides, once a registration waits. */
  readonly waitingDays: number | null
}
export type RegisterEvent =
  | { readonly type: 'register.open' }
  /**
   * Resets the form and stops the timer (docs/spec/2-student-service-and-designer.md §4). Ignored
   * while a registration is being sent.
   */
  | { readonly type: 'register.close' }
  | { readonly type: 'field.change'; readonly field: RegisterField; readonly value: string }
  | { readonly type: 'field.blur'; readonly field: RegisterField }
  /** Needs mobile and ID number (docs/spec/2-student-service-and-designer.md §5). */
  | { readonly type: 'code.ask' }
  | { readonly type: 'form.submit' }
  /** From the child `smsCode`, whose captcha the submission waits for. */
  | CaptchaAnswer
export type RegisterEmitted =
  | { readonly type: 'registered'; readonly mobile: string; readonly message: Message }
  | { readonly type: 'invalid'; readonly field: RegisterField }

const rules = {
  idNumber: requiredFault,
  major: requiredFault,
  mobile: mobileFault,
  code: requiredFault,
} as const
/** In the order of the form. */
const all: readonly RegisterField[] = ['idNumber', 'major', 'mobile', 'code']
const forCode: readonly RegisterField[] = ['idNumber', 'mobile']
const blank = {
  values: { idNumber: '', major: '', mobile: '', code: '' },
  faults: {},
  problem: null,
  captchaNeeded: false,
  ticket: '',
  waitingDays: null,
} as const

/**
 * The registration dialog (docs/spec/2-student-service-and-designer.md §2, §4). Its child `smsCode`
 * runs while the dialog is open.
 */
export const registerMachine = setup({
  types: {
    context: {} as RegisterContext,
    events: {} as RegisterEvent,
    emitted: {} as RegisterEmitted,
    input: {} as { readonly now: () => number },
    children: {} as { smsCode: 'smsCode'; register: 'register' },
    tags: {} as 'busy' | 'open',
  },
  actors: { ...registerActors(createMissingPorts<RegisterPorts>()), smsCode: smsCodeMachine },
  guards: {
    isValidButUnproven: ({ context }) =>
      context.captchaNeeded &&
      Object.keys(listFieldFaults(context.values, rules, all)).length === 0,
    isValid: ({ context }) => Object.keys(listFieldFaults(context.values, rules, all)).length === 0,
    isWaiting: (_args, { registered }: { registered: Registered }) => registered !== null,
    mayAsk: ({ context }) =>
      Object.keys(listFieldFaults(context.values, rules, forCode)).length === 0,
  },
  actions: {
    change: assign(({ context }, { field, value }: { field: RegisterField; value: string }) => ({
      values: { ...context.values, [field]: value },
      faults: withoutFault(context.faults, field),
      problem: null,
      ...(field === 'mobile' ? { captchaNeeded: false } : {}),
    })),
    check: assign(({ context }, { field }: { field: RegisterField }) => ({
      faults: {
        ...withoutFault(context.faults, field),
        ...listFieldFaults(context.values, rules, [field]),
      },
    })),
    checkForCode: assign(({ context }) => ({
      faults: {
        ...withoutFault<RegisterField>(
          withoutFault<RegisterField>(context.faults, 'idNumber'),
          'mobile',
        ),
        ...listFieldFaults(context.values, rules, forCode),
      },
    })),
    checkAll: assign(({ context }) => ({
      faults: listFieldFaults(context.values, rules, all),
      problem: null,
    })),
    keepProblem: assign((_args, { error }: { error: unknown }) => ({
      problem: toProblem(error),
      captchaNeeded: needsCaptcha(error),
      ticket: '',
    })),
    keepDays: assign((_args, { registered }: { registered: Registered }) => ({
      waitingDays: registered?.days ?? null,
      ticket: '',
    })),
    keepTicket: assign((_args, { ticket }: { ticket: string }) => ({ ticket })),
    // A new code starts with new tries.
    forgetTries: assign({ captchaNeeded: false }),
    askProof: sendTo('smsCode', { type: 'captcha.prove' as const }),
    reset: assign(() => blank),
    askCode: sendTo('smsCode', ({ context }) => ({
      type: 'sms.ask' as const,
      mobile: context.values.mobile.trim(),
    })),
    tellInvalid: emit(({ context }) => ({
      type: 'invalid' as const,
      field: all.find((field) => context.faults[field] !== undefined) ?? 'idNumber',
    })),
    tellRegistered: emit(({ context }) => ({
      type: 'registered' as const,
      mobile: context.values.mobile.trim(),
      message: { key: 'studentFlow.registered' as const },
    })),
  },
}).createMachine({
  id: 'register',
  context: ({ input }) => ({ ...blank, now: input.now }),
  initial: 'closed',
  states: {
    closed: { on: { 'register.open': { target: 'open' } } },
    open: {
      tags: 'open',
      initial: 'editing',
      invoke: {
        id: 'smsCode',
        src: 'smsCode',
        input: ({ context }) => ({ purpose: '2', facts: null, now: context.now }),
      },
      on: {
        'register.close': { target: 'closed', actions: 'reset' },
        'field.change': {
          target: '.editing',
          actions: { type: 'change', params: ({ event }) => event },
        },
        'field.blur': { actions: { type: 'check', params: ({ event }) => event } },
        'code.ask': [
          { guard: 'mayAsk', actions: ['askCode', 'forgetTries'] },
          { actions: ['checkForCode', 'tellInvalid'] },
        ],
        'form.submit': [
          { guard: 'isValidButUnproven', target: '.proving', actions: ['checkAll', 'askProof'] },
          { guard: 'isValid', target: '.submitting', actions: 'checkAll' },
          { actions: ['checkAll', 'tellInvalid'] },
        ],
      },
      states: {
        editing: {},
        refused: {},
        // A clerk looks at it: nothing more to do here.
        waiting: {
          on: { 'field.change': {}, 'code.ask': {}, 'form.submit': {} },
        },
        proving: {
          on: {
            'captcha.solved': {
              target: 'submitting',
              actions: { type: 'keepTicket', params: ({ event }) => event },
            },
            'captcha.cancelled': { target: 'editing' },
            'register.close': {},
            'field.change': {},
            'code.ask': {},
            'form.submit': {},
          },
        },
        // The form is locked while a registration is being sent.
        submitting: {
          tags: 'busy',
          on: { 'register.close': {}, 'field.change': {}, 'code.ask': {}, 'form.submit': {} },
          invoke: {
            id: 'register',
            src: 'register',
            input: ({ context }) => ({
              ...trimTexts({ ...context.values }),
              ticket: context.ticket,
            }),
            onDone: [
              {
                guard: { type: 'isWaiting', params: ({ event }) => ({ registered: event.output }) },
                target: 'waiting',
                actions: {
                  type: 'keepDays',
                  params: ({ event }) => ({ registered: event.output }),
                },
              },
              { target: '#register.closed', actions: ['tellRegistered', 'reset'] },
            ],
            onError: {
              target: 'refused',
              actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
            },
          },
        },
      },
    },
  },
  options: { maxIterations: 100 },
})

/** The machine with its own calls and those of its child. */
export function registerWith(ports: RegisterPorts & SmsCodePorts): typeof registerMachine {
  return registerMachine.provide({
    actors: {
      ...registerActors(ports),
      smsCode: smsCodeMachine.provide({ actors: smsCodeActors(ports) }),
    },
  })
}

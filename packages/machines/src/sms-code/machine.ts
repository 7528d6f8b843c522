import { limits, type Problem, problemOf, type SmsPurpose } from '@jiaowu/api'
import { assign, emit, setup } from 'xstate'
import { countdownMachine } from '../countdown/machine.ts'
import { unprovided } from '../port.ts'
import { type CaptchaPicture, smsCodeActors, type SmsCodePorts, type SmsFacts } from './ports.ts'

export interface SmsCodeInput {
  readonly purpose: SmsPurpose
  /** What was kept of the last lock; null when nothing was. */
  readonly facts: SmsFacts | null
  readonly now: () => number
}
export interface SmsCodeContext {
  readonly purpose: SmsPurpose
  readonly now: () => number
  readonly mobile: string
  readonly picture: CaptchaPicture | null
  /** What is typed of the picture. */
  readonly answer: string
  readonly ticket: string
  /** Milliseconds since 1970; 0 when no SMS was sent. */
  readonly lockedUntil: number
  readonly problem: Problem | null
}

export type SmsCodeEvent =
  /** Somebody wants a code for this number; the parent has looked at it. Ignored unless idle. */
  | { readonly type: 'sms.ask'; readonly mobile: string }
  | { readonly type: 'captcha.type'; readonly answer: string }
  | { readonly type: 'captcha.submit' }
  /** Another picture, please; also the way on after one did not come. */
  | { readonly type: 'captcha.renew' }
  | { readonly type: 'captcha.cancel' }

export type SmsCodeEmitted =
  /** Keep these facts, or forget them when null. */
  | { readonly type: 'facts'; readonly facts: SmsFacts | null }
  /** The SMS is on its way: say so and put the focus where the code is typed. */
  | { readonly type: 'sent'; readonly mobile: string }
/**
 * The button is locked for an hour at most by one answer, in seconds; whoever asks again after that
 * is told again (docs/rules/contract.md#student-service).
 */
const longestLock = 3_600

/**
 * A picture captcha, then an SMS, then a lock (docs/spec/2-student-service-and-designer.md §4). No
 * SMS goes out without a fresh ticket, none while locked; the lock is a
 * deadline, so it survives a reload and a sleeping laptop. A child of sign-in and registration.
 */
export const smsCodeMachine = setup({
  types: {
    context: {} as SmsCodeContext,
    events: {} as SmsCodeEvent,
    emitted: {} as SmsCodeEmitted,
    input: {} as SmsCodeInput,
    children: {} as {
      captcha: 'captcha'
      verify: 'verify'
      smsCode: 'smsCode'
      smsLock: 'countdown'
    },
    tags: {} as 'busy' | 'captcha',
  },
  actors: { ...smsCodeActors(unprovided<SmsCodePorts>()), countdown: countdownMachine },
  guards: {
    isLocked: ({ context }) => context.lockedUntil > context.now(),
    isTyped: ({ context }) => context.answer.trim() !== '',
    saysWait: (_args, { error }: { error: unknown }) => lockOf(error) > 0,
  },
  actions: {
    keepMobile: assign((_args, { mobile }: { mobile: string }) => ({ mobile, problem: null })),
    keepPicture: assign((_args, { picture }: { picture: CaptchaPicture }) => ({
      picture,
      answer: '',
    })),
    keepAnswer: assign((_args, { answer }: { answer: string }) => ({ answer, problem: null })),
    keepTicket: assign((_args, { ticket }: { ticket: string }) => ({ ticket })),
    keepProblem: assign((_args, { error }: { error: unknown }) => ({ problem: problemOf(error) })),
    /** A picture answers once, right or wrong. */
    spendPicture: assign({ picture: null, answer: '' }),
    spendTicket: assign({ ticket: '' }),
    forgetProblem: assign({ problem: null }),
    lock: assign(({ context }, { seconds }: { seconds: number }) => ({
      lockedUntil: context.now() + Math.min(seconds, longestLock) * 1000,
    })),
    tellSent: emit(({ context }) => ({ type: 'sent' as const, mobile: context.mobile })),
    tellLock: emit(({ context }) => ({
      type: 'facts' as const,
      facts: { version: 1 as const, lockedUntil: context.lockedUntil },
    })),
    tellFree: emit({ type: 'facts' as const, facts: null }),
  },
}).createMachine({
  id: 'smsCode',
  context: ({ input: { purpose, now, facts } }) => ({
    purpose,
    now,
    mobile: '',
    picture: null,
    answer: '',
    ticket: '',
    lockedUntil: facts?.lockedUntil ?? 0,
    problem: null,
  }),
  initial: 'starting',
  states: {
    starting: { always: [{ guard: 'isLocked', target: 'locked' }, { target: 'idle' }] },
    idle: {
      on: {
        'sms.ask': {
          target: 'captcha',
          actions: { type: 'keepMobile', params: ({ event }) => event },
        },
      },
    },
    captcha: {
      tags: 'captcha',
      initial: 'loading',
      on: { 'captcha.cancel': { target: 'idle', actions: ['spendPicture', 'forgetProblem'] } },
      states: {
        loading: {
          tags: 'busy',
          invoke: {
            id: 'captcha',
            src: 'captcha',
            onDone: {
              target: 'entering',
              actions: { type: 'keepPicture', params: ({ event }) => ({ picture: event.output }) },
            },
            onError: {
              target: 'failed',
              actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
            },
          },
        },
        entering: {
          on: {
            'captcha.type': { actions: { type: 'keepAnswer', params: ({ event }) => event } },
            'captcha.submit': { guard: 'isTyped', target: 'verifying' },
            'captcha.renew': { target: 'loading', actions: ['spendPicture', 'forgetProblem'] },
          },
        },
        verifying: {
          tags: 'busy',
          invoke: {
            id: 'verify',
            src: 'verify',
            input: ({ context }) => ({
              key: context.picture?.key ?? '',
              answer: context.answer.trim(),
            }),
            onDone: {
              target: '#smsCode.sending',
              actions: [
                { type: 'keepTicket', params: ({ event }) => event.output },
                'spendPicture',
              ],
            },
            onError: {
              target: 'wrong',
              actions: [
                { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
                'spendPicture',
              ],
            },
          },
        },
        // The message stays while another picture comes, until something is typed
        // (docs/spec/2-student-service-and-designer.md §4).
        wrong: {
          tags: 'busy',
          invoke: {
            id: 'captcha',
            src: 'captcha',
            onDone: {
              target: 'entering',
              actions: { type: 'keepPicture', params: ({ event }) => ({ picture: event.output }) },
            },
            onError: {
              target: 'failed',
              actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
            },
          },
        },
        failed: { on: { 'captcha.renew': { target: 'loading', actions: 'forgetProblem' } } },
      },
    },
    locked: {
      invoke: {
        id: 'smsLock',
        src: 'countdown',
        input: ({ context }) => ({ deadline: context.lockedUntil, now: context.now }),
        onDone: { target: 'idle', actions: ['forgetProblem', 'tellFree'] },
      },
    },
    sending: {
      tags: 'busy',
      invoke: {
        id: 'smsCode',
        src: 'smsCode',
        input: ({ context: { mobile, purpose, ticket } }) => ({ mobile, purpose, ticket }),
        onDone: {
          target: 'locked',
          actions: [
            'spendTicket',
            {
              type: 'lock',
              params: ({ event }) => ({
                seconds:
                  event.output.lockSeconds > 0 ? event.output.lockSeconds : limits.smsLock / 1000,
              }),
            },
            'tellLock',
            'tellSent',
          ],
        },
        onError: [
          {
            guard: { type: 'saysWait', params: ({ event }) => ({ error: event.error }) },
            target: 'locked',
            actions: [
              'spendTicket',
              { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
              { type: 'lock', params: ({ event }) => ({ seconds: lockOf(event.error) }) },
              'tellLock',
            ],
          },
          {
            target: 'idle',
            actions: [
              'spendTicket',
              { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
            ],
          },
        ],
      },
    },
  },
  options: { maxIterations: 100 },
})

/**
 * How long the server wants us to wait, when a refusal says so
 * (docs/rules/contract.md#student-service).
 */
function lockOf(error: unknown): number {
  const { data } = problemOf(error)
  const seconds =
    typeof data === 'object' && data !== null && 'lockSeconds' in data ? data.lockSeconds : null
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0 ? seconds : 0
}

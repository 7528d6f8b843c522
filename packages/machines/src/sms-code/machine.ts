import { limits } from '@jiaowu/api/limits'
import { type Problem, toProblem } from '@jiaowu/api/problem'
import type { SmsPurpose } from '@jiaowu/api/contract/student/student'
import { type AnyActorRef, assign, emit, enqueueActions, setup } from 'xstate'
import { countdownMachine } from '../countdown/machine.ts'
import { createMissingPorts } from '../port.ts'
import { type CaptchaPicture, smsCodeActors, type SmsCodePorts, type SmsFacts } from './ports.ts'

export interface SmsCodeInput {
  readonly purpose: SmsPurpose
  /** Stored facts of the last lock; null when there are none. */
  readonly facts: SmsFacts | null
  readonly now: () => number
}
export interface SmsCodeContext {
  readonly purpose: SmsPurpose
  readonly now: () => number
  readonly mobile: string
  /** The captcha is for a try with a code, not for an SMS. */
  readonly isProof: boolean
  readonly picture: CaptchaPicture | null
  /** The typed answer to the captcha. */
  readonly answer: string
  readonly ticket: string
  /** Milliseconds since 1970; 0 when no SMS was sent. */
  readonly lockedUntil: number
  readonly problem: Problem | null
}

export type SmsCodeEvent =
  /** Requests a code for this number, which the parent has validated. Ignored unless idle. */
  | { readonly type: 'sms.ask'; readonly mobile: string }
  /** Opens a captcha whose ticket the parent spends; answered with {@link CaptchaAnswer} always. */
  | { readonly type: 'captcha.prove' }
  | { readonly type: 'captcha.type'; readonly answer: string }
  | { readonly type: 'captcha.submit' }
  /** Loads another picture; also the retry after one failed to load. */
  | { readonly type: 'captcha.renew' }
  | { readonly type: 'captcha.cancel' }

/** Answers that the parent receives after `captcha.prove`. */
export type CaptchaAnswer =
  | { readonly type: 'captcha.solved'; readonly ticket: string }
  | { readonly type: 'captcha.cancelled' }

export type SmsCodeEmitted =
  /** Store these facts; null deletes them. */
  | { readonly type: 'facts'; readonly facts: SmsFacts | null }
  /** The SMS was sent: report it and focus the field for the code. */
  | { readonly type: 'sent'; readonly mobile: string }
  /** How the captcha of `captcha.prove` ended, as the parent receives it. */
  | { readonly type: 'proof'; readonly answer: CaptchaAnswer }
/**
 * Longest lock in seconds that one answer can set; a later request reports the remainder
 * (docs/rules/contract.md#student-service).
 */
const longestLock = 3_600
const cancelled = { answer: { type: 'captcha.cancelled' } } as const

/**
 * A picture captcha, an SMS, then a lock (docs/spec/2-student-service-and-designer.md §4). No SMS
 * is sent without a fresh ticket or while locked. After several wrong codes the parent needs a
 * ticket of its own, also while locked (docs/rules/security.md#sign-in). The lock is a deadline, so it survives reloads
 * and sleep. Child of sign-in and registration.
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
  actors: { ...smsCodeActors(createMissingPorts<SmsCodePorts>()), countdown: countdownMachine },
  guards: {
    isLocked: ({ context }) => context.lockedUntil > context.now(),
    isProof: ({ context }) => context.isProof,
    isTyped: ({ context }) => context.answer.trim() !== '',
    saysWait: (_args, { error }: { error: unknown }) => readLockSeconds(error) > 0,
  },
  actions: {
    keepMobile: assign((_args, { mobile }: { mobile: string }) => ({
      mobile,
      problem: null,
      isProof: false,
    })),
    beginProof: assign({ problem: null, isProof: true }),
    answer: enqueueActions(({ enqueue, self }, { answer }: { answer: CaptchaAnswer }) => {
      enqueue.emit({ type: 'proof', answer })
      const parent = (self as AnyActorRef)._parent
      if (parent !== undefined) enqueue.sendTo(parent, answer)
    }),
    keepPicture: assign((_args, { picture }: { picture: CaptchaPicture }) => ({
      picture,
      answer: '',
    })),
    keepAnswer: assign((_args, { answer }: { answer: string }) => ({ answer, problem: null })),
    keepTicket: assign((_args, { ticket }: { ticket: string }) => ({ ticket })),
    keepProblem: assign((_args, { error }: { error: unknown }) => ({ problem: toProblem(error) })),
    /** A picture can be answered once, right or wrong. */
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
    isProof: false,
    picture: null,
    answer: '',
    ticket: '',
    lockedUntil: facts?.lockedUntil ?? 0,
    problem: null,
  }),
  initial: 'starting',
  // Where no captcha can be opened, the parent must not wait for one.
  on: { 'captcha.prove': { actions: { type: 'answer', params: cancelled } } },
  states: {
    starting: { always: [{ guard: 'isLocked', target: 'locked' }, { target: 'idle' }] },
    idle: {
      on: {
        'sms.ask': {
          target: 'captcha',
          actions: { type: 'keepMobile', params: ({ event }) => event },
        },
        'captcha.prove': { target: 'captcha', actions: 'beginProof' },
      },
    },
    captcha: {
      tags: 'captcha',
      initial: 'loading',
      on: {
        'captcha.cancel': [
          {
            guard: 'isProof',
            target: 'starting',
            actions: ['spendPicture', 'forgetProblem', { type: 'answer', params: cancelled }],
          },
          { target: 'idle', actions: ['spendPicture', 'forgetProblem'] },
        ],
      },
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
            onDone: [
              {
                guard: 'isProof',
                target: '#smsCode.starting',
                actions: [
                  {
                    type: 'answer',
                    params: ({ event }) => ({
                      answer: { type: 'captcha.solved', ticket: event.output.ticket },
                    }),
                  },
                  'spendPicture',
                ],
              },
              {
                target: '#smsCode.sending',
                actions: [
                  { type: 'keepTicket', params: ({ event }) => event.output },
                  'spendPicture',
                ],
              },
            ],
            onError: {
              target: 'wrong',
              actions: [
                { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
                'spendPicture',
              ],
            },
          },
        },
        // The message stays while the next picture loads, until the user types
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
      on: { 'captcha.prove': { target: 'captcha', actions: 'beginProof' } },
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
              { type: 'lock', params: ({ event }) => ({ seconds: readLockSeconds(event.error) }) },
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

/** Seconds to wait as stated by a refusal (docs/rules/contract.md#student-service). */
function readLockSeconds(error: unknown): number {
  const { data } = toProblem(error)
  const seconds =
    typeof data === 'object' && data !== null && 'lockSeconds' in data ? data.lockSeconds : null
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0 ? seconds : 0
}

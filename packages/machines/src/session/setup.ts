import { readCaptchaKey } from '@jiaowu/api/client/fresh-proof'
import { type FactorKind, factorKinds, type FactorStep } from '@jiaowu/api/contract/factor'
import { factorNeededCode, type Problem, toProblem } from '@jiaowu/api/problem'
import { assign, emit, setup } from 'xstate'
import { createMissingPorts } from '../port.ts'
import { type SessionContext, type SessionEmitted, type SessionEvent, blank } from './context.ts'
import {
  type FactorAnswer,
  type Issued,
  type Profile,
  type SessionFacts,
  type SessionPorts,
  type SignInInput,
  sessionActors,
} from './ports.ts'

/** Guards, actions and ports of the session machine. */
export const sessionSetup = setup({
  types: {
    context: {} as SessionContext,
    events: {} as SessionEvent,
    emitted: {} as SessionEmitted,
    input: {} as { readonly facts: SessionFacts | null },
    children: {} as {
      signIn: 'signIn'
      refresh: 'refresh'
      signOut: 'signOut'
      loadProfile: 'loadProfile'
    },
    tags: {} as 'busy' | 'signedOut' | 'active' | 'expired' | 'refreshing',
  },
  actors: sessionActors(createMissingPorts<SessionPorts>()),
  guards: {
    isAsked: ({ context }) => context.factor !== null,
    isNotAsked: ({ context }) => context.factor === null,
    hasFacts: ({ context }) => context.facts !== null,
    canRefresh: ({ context }) => (context.facts?.refreshToken ?? null) !== null,
    isSessionProblem: (_args, { error }: { error: unknown }) => toProblem(error).kind === 'session',
    /** The session ended while a page is open, which is kept. */
    endsOverPage: ({ context }, { error }: { error: unknown }) =>
      context.profile !== null && toProblem(error).kind === 'session',
    hasProfile: ({ context }) => context.profile !== null,
    isForgotten: (_args, { facts }: { facts: SessionFacts | null }) => facts === null,
    /** Another tab signed out, and what is typed on the open page would be lost. */
    wouldLoseInput: (
      { context },
      { facts, unsaved }: { facts: SessionFacts | null; unsaved?: boolean },
    ) => facts === null && unsaved === true && context.profile !== null,
    isTaken: (_args, { facts }: { facts: SessionFacts | null }) => facts !== null,
    isOtherProfile: ({ context }, { profile }: { profile: Profile }) =>
      context.profile?.user.id !== profile.user.id,
    isSamePerson: ({ context }, { issued }: { issued: Issued }) =>
      context.profile?.user.id === issued.tokens.userInfo.id,
  },
  actions: {
    rememberAttempt: assign({
      attempt: ({ context, event }) =>
        event.type === 'session.signIn'
          ? {
              account: event.account,
              password: event.password,
              tenant: event.tenant,
              provider: event.provider ?? null,
              captcha: event.captcha,
              captchaKey: context.captchaKey,
              factor: null,
            }
          : context.attempt,
      problem: null,
    }),
    rememberAnswer: assign({
      attempt: ({ context, event }) =>
        event.type === 'factor.answer' && context.factor !== null
          ? { ...noCredentials, factor: { token: context.factor.token, ...toAnswer(event) } }
          : context.attempt,
      problem: null,
    }),
    leaveFactor: assign({ factor: null, problem: null }),
    take: assign((_args, { issued }: { issued: Issued }) => ({
      facts: issued.facts,
      problem: null,
      captchaKey: null,
      factor: null,
      attempt: null,
      ended: null,
    })),
    takeFacts: assign((_args, { facts }: { facts: SessionFacts | null }) => ({
      facts,
      factor: null,
      attempt: null,
    })),
    tellFacts: emit(({ context }) => ({ type: 'facts' as const, facts: context.facts })),
    tellNewPerson: emit({ type: 'personChanged' as const }),
    keepProfile: assign((_args, { profile }: { profile: Profile }) => ({
      profile,
      problem: null,
      ended: null,
    })),
    forgetProfile: assign({ profile: null }),
    keepProblem: assign(({ context }, { error }: { error: unknown }) => {
      const problem = toProblem(error)
      return {
        // That a factor is asked is no failure.
        problem: problem.code === factorNeededCode ? null : problem,
        captchaKey: readCaptchaKey(problem.data),
        factor: readFactor(problem, context),
        attempt: null,
      }
    }),
    keepEnd: assign((_args, { problem }: { problem: Problem }) => ({
      ended: problem,
      problem: null,
      captchaKey: null,
      factor: null,
    })),
    keepEndElsewhere: assign(() => ({
      facts: null,
      ended: endedElsewhere,
      problem: null,
      captchaKey: null,
      factor: null,
      attempt: null,
    })),
    forgetAll: assign(() => blank),
  },
})

const endedElsewhere = {
  kind: 'session',
  code: 401,
  message: { key: 'session.endedElsewhere' },
  issues: [],
  data: null,
  traceId: null,
} as const satisfies Problem

/** An answer to a factor needs neither account nor password: the step knows whose it is. */
const noCredentials: SignInInput = {
  account: '',
  password: '',
  tenant: '',
  provider: null,
  captcha: '',
  captchaKey: null,
  factor: null,
}

function toAnswer({ kind, code, remember }: Omit<FactorAnswer, 'token'>) {
  return { kind, code, remember }
}

/**
 * The step that a refusal asks for. A refusal that says nothing of it leaves an open step as it was, unless it was the
 * answer that was refused: then the step is over.
 */
function readFactor(
  { code, data }: Problem,
  { factor, attempt }: Pick<SessionContext, 'factor' | 'attempt'>,
): FactorStep | null {
  const asked = typeof data === 'object' && data !== null && 'factor' in data ? data.factor : null
  if (typeof asked === 'object' && asked !== null && 'token' in asked && 'kinds' in asked) {
    const { token, kinds } = asked
    if (typeof token === 'string' && Array.isArray(kinds))
      return { token, kinds: kinds.filter(isFactorKind) }
  }
  const isRefused = code === 400 || attempt?.factor === null
  return isRefused ? null : factor
}

function isFactorKind(kind: unknown): kind is FactorKind {
  return factorKinds.some((known) => known === kind)
}

import type { FactorStep } from '@jiaowu/api/contract/factor'
import type { MenuNode, UserInfo } from '@jiaowu/api/contract/session'
import type { Problem } from '@jiaowu/api/problem'
import type { SnapshotFrom } from 'xstate'
import type { sessionMachine } from './machine.ts'

/** The session as a surface shows it. */
export interface SessionView {
  /**
   * `starting`: stored facts are being checked. `over`: the session ended; the user signs in over
   * the page.
   */
  readonly step: 'starting' | 'signedOut' | 'failed' | 'active' | 'over' | 'leaving'
  readonly busy: boolean
  readonly user: UserInfo | null
  readonly menu: readonly MenuNode[]
  readonly permissions: readonly string[]
  readonly problem: Problem | null
  readonly captchaKey: string | null
  /** A second factor is asked instead of account and password. */
  readonly factor: FactorStep | null
  /** While `over`: first the reminder with the server's message, then the form. */
  readonly over: { readonly stage: 'reminder' | 'form'; readonly ended: Problem | null } | null
  readonly can: {
    readonly signIn: boolean
    readonly answerFactor: boolean
    readonly leaveFactor: boolean
    readonly signOut: boolean
    readonly confirmReminder: boolean
    readonly leaveReminder: boolean
    readonly retryProfile: boolean
  }
}

type Snapshot = SnapshotFrom<typeof sessionMachine>

const nobody = { account: '', password: '', tenant: '', captcha: '' }

export function sessionView(s: Snapshot): SessionView {
  return {
    step: resolveSessionStep(s),
    busy: s.hasTag('busy'),
    user: s.context.profile?.user ?? null,
    menu: s.context.profile?.menu ?? [],
    permissions: s.context.profile?.permissions ?? [],
    problem: s.context.problem,
    captchaKey: s.context.captchaKey,
    factor: s.context.factor,
    over: s.hasTag('expired')
      ? {
          stage:
            s.matches({ expired: 'reminder' }) || s.matches({ expired: 'joining' })
              ? 'reminder'
              : 'form',
          ended: s.context.ended,
        }
      : null,
    can: {
      signIn: s.can({ type: 'session.signIn', ...nobody }),
      answerFactor: s.can({ type: 'factor.answer', kind: 'totp', code: '', remember: false }),
      leaveFactor: s.can({ type: 'factor.leave' }),
      signOut: s.can({ type: 'session.signOut' }),
      confirmReminder: s.can({ type: 'reminder.confirm' }),
      leaveReminder: s.can({ type: 'reminder.leave' }),
      retryProfile: s.can({ type: 'profile.retry' }),
    },
  }
}

function resolveSessionStep(s: Snapshot): SessionView['step'] {
  if (s.hasTag('expired')) return 'over'
  if (s.hasTag('signedOut')) return 'signedOut'
  if (s.matches('signingOut')) return 'leaving'
  if (s.matches({ present: { profile: 'failed' } })) return 'failed'
  return s.hasTag('active') ? 'active' : 'starting'
}

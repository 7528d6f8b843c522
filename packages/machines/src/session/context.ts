import type { FactorStep } from '@jiaowu/api/contract/factor'
import type { Problem } from '@jiaowu/api/problem'
import type { FactorAnswer, Profile, SessionFacts, SignInInput } from './ports.ts'

export interface SessionContext {
  readonly facts: SessionFacts | null
  readonly profile: Profile | null
  /** Why the last attempt failed. */
  readonly problem: Problem | null
  /** Key of the picture captcha that the server requires for the next attempt. */
  readonly captchaKey: string | null
  /** The second factor that the server waits for. */
  readonly factor: FactorStep | null
  /** Why the session ended, for the reminder (docs/spec/1-entity-console.md §8). */
  readonly ended: Problem | null
  readonly attempt: SignInInput | null
}

export type SessionEvent =
  | ({
      readonly type: 'session.signIn'
      readonly provider?: string | null
    } & Omit<SignInInput, 'captchaKey' | 'provider' | 'factor'>)
  | ({ readonly type: 'factor.answer' } & Omit<FactorAnswer, 'token'>)
  /** Back to account and password. */
  | { readonly type: 'factor.leave' }
  | { readonly type: 'session.signOut' }
  /** A call was refused with a code for invalid sessions. */
  | { readonly type: 'session.invalid'; readonly problem: Problem }
  /** The token expires soon: refresh it before the next call. */
  | { readonly type: 'token.stale' }
  | { readonly type: 'reminder.confirm' }
  /** From the reminder to the sign-in page; unsaved input is lost. */
  | { readonly type: 'reminder.leave' }
  | { readonly type: 'profile.retry' }
  /** The language or the permissions may have changed: reload the menu and keep the page. */
  | { readonly type: 'profile.reload' }
  /**
   * Another tab signed in, refreshed or signed out. `unsaved`: this tab has input that is not stored, which a
   * sign-out elsewhere must not take.
   */
  | {
      readonly type: 'storage.changed'
      readonly facts: SessionFacts | null
      readonly unsaved?: boolean
    }

export type SessionEmitted =
  /** Store these facts; null deletes everything stored. */
  | { readonly type: 'facts'; readonly facts: SessionFacts | null }
  /** Another user signed in over the page: close what the previous user had open. */
  | { readonly type: 'personChanged' }

export const blank = {
  facts: null,
  profile: null,
  problem: null,
  captchaKey: null,
  factor: null,
  ended: null,
  attempt: null,
} as const satisfies SessionContext

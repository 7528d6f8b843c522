import type { Problem } from '@jiaowu/api'
import type { Profile, SessionFacts, SignInInput } from './ports.ts'

export interface SessionContext {
  readonly facts: SessionFacts | null
  readonly profile: Profile | null
  /** Why the last try failed; shown where the person is. */
  readonly problem: Problem | null
  /** The picture the server asks for before the next try. */
  readonly captchaKey: string | null
  /** Why the session ended: the reminder's sentence (docs/spec/1-entity-console.md §8). */
  readonly ended: Problem | null
  readonly attempt: SignInInput | null
}

export type SessionEvent =
  | ({ readonly type: 'session.signIn' } & Omit<SignInInput, 'captchaKey'>)
  | { readonly type: 'session.signOut' }
  /** A call was refused with a session-invalid code. */
  | { readonly type: 'session.invalid'; readonly problem: Problem }
  /** The token ends soon: refresh before the next call. */
  | { readonly type: 'token.stale' }
  | { readonly type: 'reminder.confirm' }
  /** From the reminder to the sign-in page, giving up what is open. */
  | { readonly type: 'reminder.leave' }
  | { readonly type: 'profile.retry' }
  /** The language changed, or rights may have: read the menu again. The page stays. */
  | { readonly type: 'profile.reload' }
  /** Another tab signed in, refreshed or signed out. */
  | { readonly type: 'storage.changed'; readonly facts: SessionFacts | null }

export type SessionEmitted =
  /** Keep these facts, or forget everything when null. */
  | { readonly type: 'facts'; readonly facts: SessionFacts | null }
  /** Somebody else signed in over the page: what is open belongs to the one before. */
  | { readonly type: 'personChanged' }

export const blank = {
  facts: null,
  profile: null,
  problem: null,
  captchaKey: null,
  ended: null,
  attempt: null,
} as const satisfies SessionContext

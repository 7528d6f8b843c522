import type { FactorKind } from '@jiaowu/api/contract/factor'
import type { MenuNode, Tokens, UserInfo } from '@jiaowu/api/contract/session'
import { createPortActors, type ActorsOf, type Port } from '../port.ts'

/** The part of a session that is stored between reloads: versioned facts, never a snapshot. */
export interface SessionFacts {
  readonly version: 1
  readonly token: string
  readonly refreshToken: string | null
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}
export interface Profile {
  readonly user: UserInfo
  readonly menu: readonly MenuNode[]
  readonly permissions: readonly string[]
}
export interface SignInInput {
  readonly account: string
  readonly password: string
  readonly tenant: string
  /** The directory that knows the password; null: the server itself. */
  readonly provider: string | null
  readonly captchaKey: string | null
  readonly captcha: string
  /** The answer to a second factor that the server asked for, instead of account and password. */
  readonly factor: FactorAnswer | null
}
export interface FactorAnswer {
  /** Names the step that the server has opened. */
  readonly token: string
  readonly kind: FactorKind
  /** Empty for a passkey, which the surface asks. */
  readonly code: string
  /** Not to be asked again on this device. */
  readonly remember: boolean
}
/** Tokens from the server, and their expiry by the surface's clock. */
export interface Issued {
  readonly tokens: Tokens
  readonly facts: SessionFacts
}

export interface SessionPorts {
  readonly signIn: Port<SignInInput, Issued>
  readonly refresh: Port<{ readonly refreshToken: string }, Issued>
  readonly signOut: Port<{ readonly token: string }, void>
  /** The signed-in user with menu and permissions. */
  readonly loadProfile: Port<{ readonly token: string }, Profile>
}

export function sessionActors(ports: SessionPorts): ActorsOf<SessionPorts> {
  return createPortActors(ports, ['signIn', 'refresh', 'signOut', 'loadProfile'])
}

import type { ColumnType, Generated } from 'kysely'

type Moment = ColumnType<string, string | Date, string | Date>
type Later = ColumnType<string | null, Date | null | undefined, Date | null>

/** A sign-in under way at an identity provider. */
interface SsoAttempt {
  tenant_id: string
  state_hash: string
  provider: string
  /** The hash of the cookie of the browser that began it. */
  browser_hash: string
  /** The path of the application to open afterwards. */
  redirect: string
  /** The session that proves its person anew; null for a sign-in. */
  family_id: Generated<string | null>
  begun_at: Moment
  expires_at: Moment
  /** When the provider sent the browser back. */
  used_at: Later
  user_id: Generated<string | null>
  proved_at: Later
  /** Encrypted. */
  id_token: Generated<string | null>
  /** As in the session that comes of it. */
  subject: Generated<string | null>
  sid: Generated<string | null>
  /** The hash of the one-use code for the page. */
  code_hash: Generated<string | null>
  code_expires_at: Later
  code_used_at: Later
}

/** A session that came of a provider, for the sign-out there and from there. */
interface SsoSession {
  tenant_id: string
  family_id: string
  provider: string
  /** Encrypted. */
  id_token: Generated<string | null>
  /** `sub` of OpenID Connect; the name that a person typed for a directory. */
  subject: Generated<string | null>
  /** The id of the session at the provider. */
  sid: Generated<string | null>
  created_at: Moment
}

/** A logout token that a provider has sent: it is taken once. */
interface SsoLogout {
  tenant_id: string
  provider: string
  jti_hash: string
  expires_at: Moment
}

export interface SsoTables {
  'sys.sso_attempt': SsoAttempt
  'sys.sso_session': SsoSession
  'sys.sso_logout': SsoLogout
}

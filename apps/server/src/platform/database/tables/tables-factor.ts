import type { ColumnType, Generated } from 'kysely'

type Moment = ColumnType<string, string | Date, string | Date>
type Later = ColumnType<string | null, Date | null | undefined, Date | null>

interface Totp {
  tenant_id: string
  user_id: string
  /** Encrypted. */
  secret: string
  made_at: Moment
  /** When the person has shown a code; until then it is no factor. */
  confirmed_at: Later
  /** The time step of the last code that was taken, which is taken once. */
  last_step: Generated<string | null>
}

interface Passkey {
  tenant_id: string
  id: string
  user_id: string
  /** In base64url, as the public key. */
  credential_id: string
  public_key: string
  counter: string
  transports: string[]
  name: string
  made_at: Moment
  used_at: Later
}

/** The challenge for a new passkey. */
interface PasskeyChallenge {
  tenant_id: string
  user_id: string
  challenge: string
  expires_at: Moment
}

interface RecoveryCode {
  tenant_id: string
  user_id: string
  code_hash: string
  used_at: Later
}

/** A sign-in whose password was right and which waits for the second factor. */
interface FactorStep {
  tenant_id: string
  token_hash: string
  user_id: string
  proof_by: string
  /** The directory that knows the password, and the name typed for it. */
  provider: string | null
  subject: string | null
  network: string
  tries: Generated<number>
  /** The challenge for a passkey. */
  challenge: Generated<string | null>
  expires_at: Moment
}

/** A browser in which the person asked not to be asked again. */
interface KnownBrowser {
  tenant_id: string
  token_hash: string
  user_id: string
  /** Hash of the password at that time: another password ends it. */
  password_stamp: string
  made_at: Moment
  expires_at: Moment
}

/** A reset that one administrator has asked for, and another one makes. */
interface FactorReset {
  tenant_id: string
  user_id: string
  asked_by: string
  asked_at: Moment
  expires_at: Moment
}

export interface FactorTables {
  'sys.totp': Totp
  'sys.passkey': Passkey
  'sys.passkey_challenge': PasskeyChallenge
  'sys.recovery_code': RecoveryCode
  'sys.factor_step': FactorStep
  'sys.known_browser': KnownBrowser
  'sys.factor_reset': FactorReset
}

import { findKind } from '../../fields/kinds.ts'
import type { FieldDefinition } from './definition.ts'

const words =
  /(^|_)(password|passwd|passwort|pwd|passphrase|passcode|secret|secrets|token|tokens|hash|salt|otp|credential|credentials|apikey|api_key|private_key|mima|kouling)(_|$)/i
/** Facts about a secret that tell nothing of it: `token_type`, `secret_name`, `key_scope`. */
const about =
  /_(type|kind|name|status|state|method|alg|algorithm|url|uri|endpoint|scope|scopes|version|policy)$/i
/** Values that their owner usually stores as a hash, so that a typed one would never match. */
const hashedWords =
  /(^|_)(password|passwd|passwort|pwd|passphrase|passcode|hash|salt|mima|kouling)(_|$)/i
const joined = /password|passwd|secret|apikey/i
const chinese = /密码|口令|密钥|私钥|令牌|密保/

/**
 * Whether a column's name or comment says that it holds a password, key or token
 * (docs/rules/security.md#secrets). Used for tables of users, whose columns have no classification.
 */
export function soundsSecret(columnName: string, comment: string | null): boolean {
  const snake = toSnakeCase(columnName)
  const text = comment ?? ''
  if (about.test(snake)) return false
  return (
    words.test(snake) ||
    joined.test(columnName) ||
    chinese.test(columnName) ||
    chinese.test(text) ||
    /\b(password|passwd|pwd|secret|token|salt)\b/i.test(text)
  )
}

/**
 * Whether a secret column of another program sounds like a password, which that program probably
 * hashes its own way. Keys and tokens are used as they are.
 */
export function soundsHashed(columnName: string, comment: string | null): boolean {
  return (
    hashedWords.test(toSnakeCase(columnName)) ||
    /password|passwd/i.test(columnName) ||
    /密码|口令|密保/.test(columnName) ||
    /密码|口令|密保/.test(comment ?? '')
  )
}

/** `apiToken` → `api_Token`; names with underscores stay. */
export function toSnakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2')
}

/** Whether a field hides its column as a secret, so that the column names no row either. */
export function hidesSecret({
  uiType,
  columnName,
  columnComment,
  isList,
  isDetail,
}: Pick<
  FieldDefinition,
  'uiType' | 'columnName' | 'columnComment' | 'isList' | 'isDetail'
>): boolean {
  return (
    findKind(uiType).secret ||
    (isList === 0 && isDetail === 0 && soundsSecret(columnName ?? '', columnComment))
  )
}

import { kindOf } from '../../fields/kinds.ts'
import type { FieldDefinition } from './definition.ts'

const words =
  /(^|_)(password|passwd|passwort|pwd|passphrase|passcode|secret|secrets|token|tokens|hash|salt|otp|credential|credentials|apikey|api_key|private_key|mima|kouling)(_|$)/i
const joined = /password|passwd|secret|apikey/i
const chinese = /密码|口令|密钥|私钥|令牌|密保/

/**
 * Whether a column's name or comment says that it holds a password, key or token
 * (docs/rules/security.md#secrets). Used for tables of users, whose columns have no classification.
 */
export function soundsSecret(columnName: string, comment: string | null): boolean {
  const snake = columnName.replace(/([a-z0-9])([A-Z])/g, '$1_$2')
  const text = comment ?? ''
  return (
    words.test(snake) ||
    joined.test(columnName) ||
    chinese.test(columnName) ||
    chinese.test(text) ||
    /\b(password|passwd|pwd|secret|token|salt)\b/i.test(text)
  )
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
    kindOf(uiType).secret ||
    (isList === 0 && isDetail === 0 && soundsSecret(columnName ?? '', columnComment))
  )
}

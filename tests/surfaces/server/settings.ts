import * as v from 'valibot'

const address = v.pipe(
  v.string(),
  v.check(
    (text) => URL.canParse(text) && /^https?:/.test(text),
    'must be an http or https address',
  ),
  v.transform((text) => text.replace(/\/+(api\/?)?$/, '')),
)
const list = v.pipe(
  v.string(),
  v.transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
)

/** The address of the server under test and its accounts (docs/rules/contract.md#demo-data). */
const environment = v.object({
  PATHS_AGAINST: v.optional(address),
  PATHS_PASSWORD: v.optional(v.string(), ''),
  PATHS_TENANT: v.optional(v.string(), ''),
  PATHS_ADMIN: v.optional(v.string(), 'admin'),
  PATHS_REGISTRAR: v.optional(v.string(), 'registrar'),
  PATHS_VIEWER: v.optional(v.string(), 'viewer'),
  /** Mobile numbers of students with an account. */
  PATHS_STUDENTS: v.optional(list, '13800000001,13800000002,13800000003'),
  /** The answer to every captcha, on a server with fixed ones. */
  PATHS_CAPTCHA: v.optional(v.string()),
  /** File to which the server appends each SMS as a line of JSON. */
  PATHS_SMS_OUTBOX: v.optional(v.string()),
})

export interface ServerSettings {
  readonly url: string
  readonly password: string
  readonly tenant: string
  readonly accounts: { readonly admin: string; readonly registrar: string; readonly viewer: string }
  readonly students: readonly string[]
  readonly captcha: string | null
  readonly smsOutbox: string | null
}
export type AccountName = keyof ServerSettings['accounts']

/**
 * The settings of an external server; null when none is named. @throws with the name of the invalid
 * setting
 */
export function readServerSettings(
  env: Readonly<Record<string, string | undefined>>,
): ServerSettings | null {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = v.safeParse(environment, given)
  if (!parsed.success)
    throw new Error(
      parsed.issues.map((issue) => `${v.getDotPath(issue) ?? ''} ${issue.message}`).join('; '),
    )
  const { output } = parsed
  if (output.PATHS_AGAINST === undefined) return null
  if (output.PATHS_PASSWORD === '')
    throw new Error('PATHS_PASSWORD is needed: the password of the demo accounts')
  return {
    url: output.PATHS_AGAINST,
    password: output.PATHS_PASSWORD,
    tenant: output.PATHS_TENANT,
    accounts: {
      admin: output.PATHS_ADMIN,
      registrar: output.PATHS_REGISTRAR,
      viewer: output.PATHS_VIEWER,
    },
    students: output.PATHS_STUDENTS,
    captcha: output.PATHS_CAPTCHA ?? null,
    smsOutbox: output.PATHS_SMS_OUTBOX ?? null,
  }
}

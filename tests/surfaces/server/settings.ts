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
const environment = v.pipe(
  v.object({
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
  }),
  v.transform((given) => ({
    url: given.PATHS_AGAINST ?? null,
    password: given.PATHS_PASSWORD,
    tenant: given.PATHS_TENANT,
    accounts: {
      admin: given.PATHS_ADMIN,
      registrar: given.PATHS_REGISTRAR,
      viewer: given.PATHS_VIEWER,
    },
    students: given.PATHS_STUDENTS,
    captcha: given.PATHS_CAPTCHA ?? null,
    smsOutbox: given.PATHS_SMS_OUTBOX ?? null,
  })),
)

export interface ServerSettings extends v.InferOutput<typeof environment> {
  readonly url: string
}
export type AccountName = keyof ServerSettings['accounts']

/**
 * The settings of an external server; null when none is named. @throws with the name of the invalid
 * setting
 */
export function readServerSettings(
  env: Readonly<Record<string, string | undefined>>,
): ServerSettings | null {
  const given = Object.entries(env).filter(([, value]) => value !== undefined && value !== '')
  const { success, issues, output } = v.safeParse(environment, Object.fromEntries(given))
  if (!success)
    throw new Error(
      issues.map((issue) => `${v.getDotPath(issue) ?? ''} ${issue.message}`).join('; '),
    )
  const { url, ...settings } = output
  if (url === null) return null
  if (settings.password === '')
    throw new Error('PATHS_PASSWORD is needed: the password of the demo accounts')
  return { ...settings, url }
}

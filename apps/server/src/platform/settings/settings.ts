// Reads the environment once. All other parts of the server take a Settings object and never read
// process.env.
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { formSchema } from '@jiaowu/api/entity/definition/sheet'
import * as v from 'valibot'
import {
  auditEnvironment,
  auditRefusals,
  auditSettings,
  type AuditSettings,
} from './settings-audit.ts'
import { fileEnvironment, fileRefusals, fileSettings, type FileSettings } from './settings-files.ts'
import { ssoEnvironment, ssoSettings, type SsoSettings } from './settings-sso.ts'
import { addressRanges, webEnvironment, webSettings, type WebSettings } from './settings-web.ts'
import { backupEnvironment, backupSettings, type BackupSettings } from './settings-backup.ts'
import { limitEnvironment, limitSettings, type LimitSettings } from './settings-limits.ts'
import { runEnvironment, runSettings, type RunSettings } from './settings-run.ts'
import { addressProblem } from '../database/postgres/servers.ts'
import {
  gatewayEnvironment,
  gatewayRefusals,
  gatewaySettings,
  type GatewaySettings,
} from './settings-gateways.ts'
import { mailEnvironment, mailRefusals, mailSettings, type MailSettings } from './settings-mail.ts'

/** An unusable setting. The message is one sentence that names it, printed before the program exits. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

const wholeNumber = /^\d{1,5}$/

const flag = (name: string) => v.picklist(['0', '1'], `${name} must be 0 or 1`)

/** All settings, by their names in the environment. */
export const environment = v.object({
  PORT: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => wholeNumber.test(text) && Number(text) <= 65_535,
        'PORT must be a whole number from 0 to 65535',
      ),
    ),
    '7300',
  ),
  HOST: v.optional(
    v.pipe(v.string(), v.regex(/^[\w.:-]{1,253}$/, 'HOST must be a host name or an IP address')),
    '127.0.0.1',
  ),
  PUBLIC_URL: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => hasProtocol(text, ['http:', 'https:']),
        'PUBLIC_URL must be an http or https address',
      ),
    ),
  ),
  DATA_DIR: v.optional(
    v.pipe(
      v.string(),
      v.check((text) => !text.includes('\0'), 'DATA_DIR must be a folder path'),
    ),
    './data',
  ),
  DATABASE_URL: v.optional(
    v.pipe(
      v.string(),
      v.rawCheck(({ dataset, addIssue }) => {
        const problem = dataset.typed ? addressProblem(dataset.value) : undefined
        if (problem !== undefined) addIssue({ message: `DATABASE_URL ${problem}` })
      }),
    ),
  ),
  DATABASE_WAIT: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => wholeNumber.test(text) && Number(text) <= 3_600,
        'DATABASE_WAIT must be a whole number of seconds from 0 to 3600',
      ),
    ),
    '60',
  ),
  // Off behind a pooler that gives each transaction another connection.
  DATABASE_PREPARE: v.optional(flag('DATABASE_PREPARE'), '1'),
  BUSINESS_SCHEMAS: v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => [
        ...new Set(
          text
            .split(',')
            .map((part) => part.trim())
            .filter((part) => part !== ''),
        ),
      ]),
      v.check(
        (names) =>
          names.length > 0 &&
          names.every(
            (name) =>
              !/^(sys|information_schema|pg_.*)$/.test(name) && Buffer.byteLength(name) <= 63,
          ),
        'BUSINESS_SCHEMAS must be names of schemas separated by commas, without sys and those of PostgreSQL',
      ),
    ),
    'biz,public',
  ),
  APP_ENV: v.optional(pickOneOf('APP_ENV', ['development', 'test', 'production']), 'development'),
  DEMO: v.optional(flag('DEMO')),
  ADMIN_PASSWORD: v.optional(
    v.pipe(v.string(), v.maxLength(128, 'ADMIN_PASSWORD must be at most 128 characters')),
  ),
  SMS_DRIVER: v.optional(pickOneOf('SMS_DRIVER', ['outbox', 'aliyun', 'tencent']), 'outbox'),
  CAPTCHA_DRIVER: v.optional(pickOneOf('CAPTCHA_DRIVER', ['picture', 'fixed']), 'picture'),
  CAPTCHA_FIXED: v.optional(v.string()),
  PAY_DRIVER: v.optional(pickOneOf('PAY_DRIVER', ['sandbox', 'wechat']), 'sandbox'),
  SIGN_P12: v.optional(
    v.pipe(
      v.string(),
      v.check((text) => !text.includes('\0'), 'SIGN_P12 must be the path of a PKCS#12 file'),
    ),
  ),
  SIGN_P12_PASSWORD: v.optional(v.string(), ''),
  LOG_LEVEL: v.optional(
    pickOneOf('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    'info',
  ),
  IMPORT_MAX_ROWS: v.optional(rowCount('IMPORT_MAX_ROWS', 1_000_000), '50000'), // docs/rules/security.md#files
  EXPORT_MAX_ROWS: v.optional(rowCount('EXPORT_MAX_ROWS', 1_000_000), '200000'), // docs/rules/security.md#files
  PII_KEY: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => text.split(',').every((key) => /^[A-Za-z0-9+/]{43}=$/.test(key.trim())),
        'PII_KEY must be 32 bytes in base64, or several such keys separated by commas',
      ),
    ),
  ),
  LIMIT_REVEAL: v.optional(rowCount('LIMIT_REVEAL', 1_000), '30'), // docs/rules/security.md#d5
  REGISTER_MOBILE: v.optional(pickOneOf('REGISTER_MOBILE', ['on-file', 'approval', 'any'])),
  RECYCLE_DAYS: v.optional(dayCount('RECYCLE_DAYS'), '0'),
  HISTORY_DAYS: v.optional(dayCount('HISTORY_DAYS'), '1095'),
  TRUST_PROXY: v.optional(
    addressRanges(
      'TRUST_PROXY must be IP addresses or ranges such as 10.0.0.0/8, separated by commas',
    ),
    '',
  ),
  METRICS_TOKEN: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^[\w.~+/=-]{16,200}$/,
        'METRICS_TOKEN must be 16 to 200 letters, digits or . _ ~ + / = -',
      ),
    ),
  ),
  ...auditEnvironment,
  ...webEnvironment,
  ...ssoEnvironment,
  ...fileEnvironment,
  ...gatewayEnvironment,
  ...mailEnvironment,
  ...runEnvironment,
  ...backupEnvironment,
  ...limitEnvironment,
})
type Environment = v.InferOutput<typeof environment>

export interface Settings
  extends
    AuditSettings,
    GatewaySettings,
    FileSettings,
    WebSettings,
    SsoSettings,
    MailSettings,
    RunSettings,
    BackupSettings,
    LimitSettings {
  readonly port: number
  readonly host: string
  /** The address of this server for users, without a trailing slash. With PORT=0 its port is still 0. */
  readonly publicUrl: string
  /** Absolute. */
  readonly dataDir: string
  /** Absent for the embedded database in dataDir. */
  readonly databaseUrl?: string
  /** Seconds that the start waits for a database that does not answer. */
  readonly databaseWait: number
  readonly databasePrepare: boolean
  /** Schemas whose tables may become entities; `form` is always one of them. */
  readonly businessSchemas: readonly string[]
  readonly appEnv: Environment['APP_ENV']
  readonly demo: boolean
  readonly adminPassword?: string
  readonly smsDriver: Environment['SMS_DRIVER']
  readonly captchaDriver: Environment['CAPTCHA_DRIVER']
  /** The accepted answer; present exactly when captchaDriver is fixed. */
  readonly captchaFixed?: string
  readonly payDriver: Environment['PAY_DRIVER']
  /** The PKCS#12 file that signs documents; when absent, a signing identity is created in dataDir. */
  readonly signP12?: { readonly path: string; readonly password: string }
  readonly logLevel: Environment['LOG_LEVEL']
  /** Maximum rows of one import, and of one export of all rows (docs/rules/security.md#files). */
  readonly importMaxRows: number
  readonly exportMaxRows: number
  /** Keys of personal data, the first of which writes; absent for the key file in dataDir. */
  readonly piiKeys?: readonly Buffer[]
  /** Values of personal data that one person may see unmasked in an hour. */
  readonly revealsPerHour: number
  /** With which mobiles students of schools without the setting register (docs/rules/security.md#p2). */
  readonly registerMobile: 'on-file' | 'approval' | 'any'
  /** Days after which deleted rows, and the history of rows, are purged; 0 for never. */
  readonly recycleDays: number
  readonly historyDays: number
  /** Addresses or CIDR ranges of proxies whose X-Forwarded-* headers are trusted. */
  readonly trustProxy: readonly string[]
  /** Bearer token that may read /metrics from elsewhere; absent: only this machine may. */
  readonly metricsToken?: string
}

const bracketAddress = (host: string) => (isIP(host) === 6 ? `[${host}]` : host)

/** An empty variable counts as absent, as in max container set-ups. @throws SettingsError for the first bad value */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const present = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  )
  const parsed = v.safeParse(environment, present, { abortPipeEarly: true })
  if (!parsed.success) throw new SettingsError(`${parsed.issues[0].message}.`)
  const read = parsed.output
  const refusal = refusals(read).find((sentence) => sentence !== false)
  if (refusal) throw new SettingsError(`${refusal}.`)
  const isDemo = read.DEMO === undefined ? read.APP_ENV !== 'production' : read.DEMO === '1'
  return {
    port: Number(read.PORT),
    host: read.HOST,
    publicUrl: (read.PUBLIC_URL ?? `http://${bracketAddress(read.HOST)}:${read.PORT}`).replace(
      /\/+$/,
      '',
    ),
    dataDir: resolve(read.DATA_DIR),
    ...(read.DATABASE_URL !== undefined && { databaseUrl: read.DATABASE_URL }),
    databaseWait: Number(read.DATABASE_WAIT),
    databasePrepare: read.DATABASE_PREPARE === '1',
    businessSchemas: [...new Set([...read.BUSINESS_SCHEMAS, formSchema])],
    appEnv: read.APP_ENV,
    demo: isDemo,
    ...(read.ADMIN_PASSWORD !== undefined && { adminPassword: read.ADMIN_PASSWORD }),
    smsDriver: read.SMS_DRIVER,
    captchaDriver: read.CAPTCHA_DRIVER,
    ...(read.CAPTCHA_DRIVER === 'fixed' &&
      read.CAPTCHA_FIXED !== undefined && { captchaFixed: read.CAPTCHA_FIXED }),
    payDriver: read.PAY_DRIVER,
    ...(read.SIGN_P12 !== undefined && {
      signP12: { path: resolve(read.SIGN_P12), password: read.SIGN_P12_PASSWORD },
    }),
    logLevel: read.LOG_LEVEL,
    importMaxRows: Number(read.IMPORT_MAX_ROWS),
    exportMaxRows: Number(read.EXPORT_MAX_ROWS),
    ...(read.PII_KEY !== undefined && {
      piiKeys: read.PII_KEY.split(',').map((key) => Buffer.from(key.trim(), 'base64')),
    }),
    revealsPerHour: Number(read.LIMIT_REVEAL),
    // Visitors try the demonstration school with their own phones.
    registerMobile: read.REGISTER_MOBILE ?? (isDemo ? 'any' : 'on-file'),
    recycleDays: Number(read.RECYCLE_DAYS),
    historyDays: Number(read.HISTORY_DAYS),
    trustProxy: read.TRUST_PROXY,
    ...(read.METRICS_TOKEN !== undefined && { metricsToken: read.METRICS_TOKEN }),
    ...auditSettings(read),
    ...webSettings(read),
    ...fileSettings(read),
    ...gatewaySettings(read),
    ...mailSettings(read),
    ...runSettings(read),
    ...backupSettings(read),
    ...limitSettings(read),
    ...ssoSettings(read.SSO_FILE, env, (sentence) => {
      throw new SettingsError(sentence)
    }),
  }
}

function refusals(env: Environment): (string | false)[] {
  return [
    env.APP_ENV === 'production' &&
      env.SMS_DRIVER === 'outbox' &&
      'SMS_DRIVER must not be outbox when APP_ENV is production',
    env.APP_ENV === 'production' &&
      env.CAPTCHA_DRIVER === 'fixed' &&
      'CAPTCHA_DRIVER must not be fixed when APP_ENV is production',
    env.APP_ENV === 'production' &&
      env.PAY_DRIVER === 'sandbox' &&
      'PAY_DRIVER must not be sandbox when APP_ENV is production',
    env.APP_ENV === 'production' &&
      env.DEMO === '1' &&
      'DEMO must not be 1 when APP_ENV is production',
    env.APP_ENV !== 'test' &&
      env.CAPTCHA_DRIVER === 'fixed' &&
      'CAPTCHA_DRIVER may be fixed only when APP_ENV is test',
    env.CAPTCHA_DRIVER === 'fixed' &&
      env.CAPTCHA_FIXED === undefined &&
      'CAPTCHA_FIXED must hold the accepted answer when CAPTCHA_DRIVER is fixed',
    // Servers that share a database need one key, and a file of one machine is lost with it.
    env.APP_ENV === 'production' &&
      env.DATABASE_URL !== undefined &&
      env.PII_KEY === undefined &&
      'PII_KEY must be set when APP_ENV is production and DATABASE_URL is set: the content of ' +
        'DATA_DIR/pii.key where that file exists, else what "openssl rand -base64 32" prints',
    ...auditRefusals(env),
    ...fileRefusals(env),
    ...gatewayRefusals(env),
    ...mailRefusals(env),
  ]
}

function hasProtocol(text: string, protocols: readonly string[]) {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol)
}

function pickOneOf<const T extends readonly string[]>(name: string, values: T) {
  return v.picklist(values, `${name} must be one of ${values.join(', ')}`)
}

function rowCount(name: string, max: number) {
  return v.pipe(
    v.string(),
    v.check(
      (text) => /^[1-9]\d{0,6}$/.test(text) && Number(text) <= max,
      `${name} must be a whole number from 1 to ${max}`,
    ),
  )
}

function dayCount(name: string) {
  return v.pipe(
    v.string(),
    v.check(
      (text) => wholeNumber.test(text) && Number(text) <= 36_500,
      `${name} must be a whole number of days from 0 (never) to 36500`,
    ),
  )
}

// Settings of e-mail; a part of readSettings.
import * as v from 'valibot'

const line = (name: string) =>
  v.optional(
    v.pipe(
      v.string(),
      v.maxLength(256, `${name} must be at most 256 characters`),
      v.check((text) => !/[\r\n]/.test(text), `${name} must be one line`),
    ),
  )

/** Entries of the environment's schema. */
export const mailEnvironment = {
  MAIL_DRIVER: v.optional(
    v.picklist(['outbox', 'smtp', 'none'], 'MAIL_DRIVER must be one of outbox, smtp, none'),
  ),
  MAIL_FROM: line('MAIL_FROM'),
  SMTP_HOST: line('SMTP_HOST'),
  SMTP_PORT: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535,
        'SMTP_PORT must be a whole number from 1 to 65535',
      ),
    ),
  ),
  SMTP_SECURITY: v.optional(
    v.picklist(['tls', 'starttls', 'plain'], 'SMTP_SECURITY must be one of tls, starttls, plain'),
    'starttls',
  ),
  SMTP_USER: line('SMTP_USER'),
  SMTP_PASSWORD: line('SMTP_PASSWORD'),
}
const schema = v.object(mailEnvironment)
type Read = v.InferOutput<typeof schema> & { readonly APP_ENV: string }

export interface SmtpAccount {
  readonly host: string
  readonly port: number
  /** `tls` from the first byte, or by STARTTLS, which is then required; `plain` for a relay on this machine. */
  readonly security: 'tls' | 'starttls' | 'plain'
  readonly login: { readonly user: string; readonly password: string } | null
}
export interface MailSettings {
  /** `none` sends no e-mail at all. */
  readonly mailDriver: 'outbox' | 'smtp' | 'none'
  readonly mailFrom: string
  /** Present with MAIL_DRIVER smtp. */
  readonly smtp?: SmtpAccount
}

/** Sentences about settings that do not fit together; false for those that do. */
export function mailRefusals(read: Read): (string | false)[] {
  const isSmtp = read.MAIL_DRIVER === 'smtp'
  return [
    isSmtp &&
      (read.SMTP_HOST === undefined || read.MAIL_FROM === undefined) &&
      'SMTP_HOST and MAIL_FROM must be set when MAIL_DRIVER is smtp',
    isSmtp &&
      (read.SMTP_USER === undefined) !== (read.SMTP_PASSWORD === undefined) &&
      'SMTP_USER and SMTP_PASSWORD belong together',
    isSmtp &&
      read.SMTP_SECURITY === 'plain' &&
      read.SMTP_USER !== undefined &&
      'SMTP_SECURITY must be tls or starttls when SMTP_USER is set',
    read.APP_ENV === 'production' &&
      read.MAIL_DRIVER === 'outbox' &&
      'MAIL_DRIVER must not be outbox when APP_ENV is production',
  ]
}

const defaultPorts = { tls: 465, starttls: 587, plain: 25 } as const

export function mailSettings(read: Read): MailSettings {
  const { SMTP_HOST: host, SMTP_USER: user, SMTP_PASSWORD: password } = read
  const security = read.SMTP_SECURITY
  const driver = read.MAIL_DRIVER ?? (read.APP_ENV === 'production' ? 'none' : 'outbox')
  return {
    mailDriver: driver,
    mailFrom: read.MAIL_FROM ?? 'jiaowu@localhost',
    ...(driver === 'smtp' && {
      smtp: {
        host: host ?? '',
        port: read.SMTP_PORT === undefined ? defaultPorts[security] : Number(read.SMTP_PORT),
        security,
        login: user === undefined || password === undefined ? null : { user, password },
      },
    }),
  }
}

// Settings of the audit log; a part of readSettings.
import { resolve } from 'node:path'
import * as v from 'valibot'

/** No setting goes below: GB/T 22239-2019 8.1.5.4 and the law ask for six months of the log. */
export const leastAuditDays = 180

/** Entries of the environment's schema. */
export const auditEnvironment = {
  AUDIT_KEY: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => text.split(',').every((key) => /^[A-Za-z0-9+/]{43}=$/.test(key.trim())),
        'AUDIT_KEY must be 32 bytes in base64, or several such keys separated by commas',
      ),
    ),
  ),
  AUDIT_SYSLOG: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => syslogAddress(text) !== undefined,
        'AUDIT_SYSLOG must be tls://, tcp:// or udp://, a host and a port, such as tls://logs.example.edu.cn:6514',
      ),
    ),
  ),
  AUDIT_SYSLOG_CA: v.optional(path('AUDIT_SYSLOG_CA')),
  AUDIT_FILE: v.optional(path('AUDIT_FILE')),
  AUDIT_DAYS: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) =>
          /^\d{1,5}$/.test(text) && Number(text) >= leastAuditDays && Number(text) <= 36_500,
        `AUDIT_DAYS must be a whole number of days from ${leastAuditDays} to 36500`,
      ),
    ),
    String(leastAuditDays),
  ),
}

export interface SyslogAddress {
  readonly protocol: 'tls' | 'tcp' | 'udp'
  readonly host: string
  readonly port: number
}

export interface AuditSettings {
  /** Keys of the audit chains, the first of which writes; absent for the key file in dataDir. */
  readonly auditKeys?: readonly Buffer[]
  /** Where lines are sent by syslog; the certificates it may have, as PEM, when not those of the system. */
  readonly auditSyslog?: SyslogAddress
  readonly auditSyslogCa?: string
  /** Absolute; lines are appended to it. */
  readonly auditFile?: string
  /** Days for which lines stay in the database; younger ones are not archived. */
  readonly auditDays: number
}

const schema = v.object(auditEnvironment)

export function auditSettings(read: v.InferOutput<typeof schema>): AuditSettings {
  const syslog = read.AUDIT_SYSLOG === undefined ? undefined : syslogAddress(read.AUDIT_SYSLOG)
  return {
    ...(read.AUDIT_KEY !== undefined && {
      auditKeys: read.AUDIT_KEY.split(',').map((key) => Buffer.from(key.trim(), 'base64')),
    }),
    ...(syslog !== undefined && { auditSyslog: syslog }),
    ...(read.AUDIT_SYSLOG_CA !== undefined && { auditSyslogCa: resolve(read.AUDIT_SYSLOG_CA) }),
    ...(read.AUDIT_FILE !== undefined && { auditFile: resolve(read.AUDIT_FILE) }),
    auditDays: Number(read.AUDIT_DAYS),
  }
}

/** Sentences without a full stop about settings that do not fit together; false for those that do. */
export function auditRefusals(
  read: v.InferOutput<typeof schema> & {
    readonly APP_ENV: string
    readonly DATABASE_URL?: string | undefined
  },
): (string | false)[] {
  return [
    read.AUDIT_SYSLOG_CA !== undefined &&
      read.AUDIT_SYSLOG?.startsWith('tls:') !== true &&
      'AUDIT_SYSLOG_CA needs an AUDIT_SYSLOG with tls',
    // As with PII_KEY: a file of one machine is none of the other servers.
    read.APP_ENV === 'production' &&
      read.DATABASE_URL !== undefined &&
      read.AUDIT_KEY === undefined &&
      'AUDIT_KEY must be set when APP_ENV is production and DATABASE_URL is set: the content of ' +
        'DATA_DIR/audit.key where that file exists, else what "openssl rand -base64 32" prints',
  ]
}

function path(name: string) {
  return v.pipe(
    v.string(),
    v.check((text) => !text.includes('\0'), `${name} must be the path of a file`),
  )
}

function syslogAddress(text: string): SyslogAddress | undefined {
  const [, protocol, bracketed, name, port] =
    /^(tls|tcp|udp):\/\/(?:\[([\da-f:.]+)\]|([\w.-]{1,253})):(\d{1,5})$/i.exec(text) ?? []
  const host = bracketed ?? name
  const number = Number(port)
  if (host === undefined || number < 1 || number > 65_535) return undefined
  return { protocol: protocol?.toLowerCase() as SyslogAddress['protocol'], host, port: number }
}

import { resolve } from 'node:path'
import * as v from 'valibot'

export const backupEnvironment = {
  BACKUP_DIR: v.optional(
    v.pipe(
      v.string(),
      v.check((text) => !text.includes('\0'), 'BACKUP_DIR must be a folder path'),
    ),
  ),
  BACKUP_AT: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'BACKUP_AT must be a time of day such as 03:00'),
    ),
    '03:00',
  ),
  BACKUP_KEEP: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => /^[1-9]\d{0,3}$/.test(text),
        'BACKUP_KEEP must be a whole number from 1 to 9999',
      ),
    ),
    '7',
  ),
  BACKUP_KEY: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => /^[A-Za-z0-9+/]{43}=$/.test(text.trim()),
        'BACKUP_KEY must be 32 bytes in base64, as "openssl rand -base64 32" prints',
      ),
    ),
  ),
}

export interface BackupSettings {
  /** Absolute; absent: no backup is made at night. */
  readonly backupDir?: string
  /** The time of day, in the time of the school. */
  readonly backupAt: string
  /** How many nightly backups stay. */
  readonly backupKeep: number
  /** Encrypts backups; absent: they are plain. */
  readonly backupKey?: Buffer
}

export function backupSettings(read: {
  readonly BACKUP_DIR?: string | undefined
  readonly BACKUP_AT: string
  readonly BACKUP_KEEP: string
  readonly BACKUP_KEY?: string | undefined
}): BackupSettings {
  return {
    ...(read.BACKUP_DIR !== undefined && { backupDir: resolve(read.BACKUP_DIR) }),
    backupAt: read.BACKUP_AT,
    backupKeep: Number(read.BACKUP_KEEP),
    ...(read.BACKUP_KEY !== undefined && { backupKey: Buffer.from(read.BACKUP_KEY, 'base64') }),
  }
}

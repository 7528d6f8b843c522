// `npm run server -- backup`, `restore` and `verify`: docs/operations/backup.md.
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { type AuditKeys, lateAuditKeys } from '../../platform/audit/keys.ts'
import { readAuditKeys } from '../../platform/audit/open-keys.ts'
import { verifyAudit } from '../../platform/audit/verify.ts'
import { BackupError, readArchive, writeArchive } from '../../platform/backup/archive.ts'
import { type BackupCounts, dumpAll } from '../../platform/backup/dump.ts'
import { askForCopy } from '../../platform/backup/live-copy.ts'
import { assertEmptyFolder, loadAll, type Restored } from '../../platform/backup/load.ts'
import { DataDirectoryInUse } from '../../platform/database/embedded/folder/data-lock.ts'
import { hasDatabase } from '../../platform/database/embedded/folder/database-directory.ts'
import { migrations } from '../../platform/database/migrations/index.ts'
import { migrate, migrationSeconds } from '../../platform/database/migrations/migrate.ts'
import { type Database, openDatabase } from '../../platform/database/open-database.ts'
import { diskStore } from '../../platform/files/disk-store.ts'
import { fileStore } from '../../platform/files/store.ts'
import { openKeys } from '../../platform/keys/open-keys.ts'
import { standardError } from '../../platform/log.ts'
import { readSettings, type Settings } from '../../platform/settings/settings.ts'
import { type Command, exit, print, UsageError } from './command.ts'
import { printReports } from './audit.ts'

const log = () => pino({ level: 'warn' }, standardError())
/** A restore writes in one transaction, which waits for files between its statements. */
const patient = { statementSeconds: migrationSeconds, idleInTransactionSeconds: migrationSeconds }

const warn = (sentence: string) => process.stderr.write(`${sentence}\n`)

export const backupCommand: Command = {
  usage: '-o FILE',
  help: 'write database, files and keys to FILE while the server runs; encrypted with BACKUP_KEY',
  options: { output: { type: 'string', short: 'o' } },
  run: async ({ options: { output } }) => {
    if (typeof output !== 'string' || output === '') throw new UsageError('-o FILE is missing.')
    const settings = readSettings(process.env)
    const counts: BackupCounts = { tables: 0, rows: 0, files: 0, keys: [] }
    const { bytes } = await withSource(settings, (database) =>
      database.long(
        () =>
          writeArchive(
            output,
            dumpAll(
              {
                database,
                schemas: ['sys', 'biz', ...settings.businessSchemas],
                files: fileStore(settings),
                dataDir: settings.dataDir,
                now: new Date(),
              },
              counts,
            ),
            settings.backupKey,
          ),
        migrationSeconds,
      ),
    )
    print(
      `${output}: ${counts.tables} tables, ${counts.rows} rows, ${counts.files} files, ` +
        `${counts.keys.length} keys, ${bytes} bytes`,
    )
    warnOfKeys(settings, counts.keys)
    return exit.done
  },
}

/** The database, or a copy of it when a server holds the data directory. */
async function withSource<Result>(
  settings: Settings,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  if (settings.databaseUrl === undefined && !hasDatabase(settings.dataDir))
    throw new BackupError(`DATA_DIR ${settings.dataDir} has no database.`)
  try {
    return await withDatabase(settings, work)
  } catch (error) {
    if (!(error instanceof DataDirectoryInUse)) throw error
  }
  const copy = await askForCopy(settings.dataDir)
  try {
    return await withDatabase({ dataDir: copy.dataDir }, work)
  } finally {
    await copy.release()
  }
}

async function withDatabase<Result>(
  settings: Pick<Settings, 'dataDir' | 'databaseUrl'>,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(settings, log(), patient)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

function warnOfKeys(settings: Settings, keys: readonly string[]): void {
  if (settings.backupKey !== undefined)
    warn('It is encrypted: without BACKUP_KEY nobody can read it. Keep that key in another place.')
  else if (keys.length > 0)
    warn(
      `It holds keys (${keys.join(', ')}) and is not encrypted: whoever has the file reads all personal ` +
        'data. Keep it like a password, or set BACKUP_KEY.',
    )
  const apart = [
    ...(settings.piiKeys === undefined ? [] : ['PII_KEY']),
    ...(settings.auditKeys === undefined ? [] : ['AUDIT_KEY']),
    ...(settings.signP12 === undefined ? [] : ['the file of SIGN_P12']),
  ]
  if (apart.length > 0)
    warn(`Not in it, and needed after a restore: ${apart.join(', ')}. Keep them in another place.`)
}

export const restoreCommand: Command = {
  usage: 'FILE',
  help: 'read a backup into the empty DATA_DIR, and the empty database of DATABASE_URL where it is set',
  positionals: 1,
  run: async ({ positionals: [file = ''] }) => {
    const settings = readSettings(process.env)
    await assertReadable(file)
    await assertEmptyFolder(settings.dataDir)
    const restored = await withDatabase(settings, async (database) => {
      const done = await restoreInto(file, settings, database, fileStore(settings))
      await database.maintain()
      return done
    })
    print(describeRestored(file, restored))
    const without = ['pii.key', 'audit.key'].filter((name) => !restored.keys.includes(name))
    if (without.length > 0)
      print(
        `Not in it: ${without.join(', ')}. Set PII_KEY and AUDIT_KEY as they were before the start.`,
      )
    return exit.done
  },
}

export const verifyCommand: Command = {
  usage: 'FILE',
  help: 'restore a backup into a temporary folder, and check digests, counts, keys and audit chains',
  positionals: 1,
  run: async ({ positionals: [file = ''] }) => {
    const settings = readSettings(process.env)
    await assertReadable(file)
    const dataDir = await mkdtemp(join(tmpdir(), 'jiaowu-verify-'))
    try {
      return await withDatabase({ dataDir }, async (database) => {
        const restored = await restoreInto(file, settings, database, diskStore(dataDir), dataDir)
        print(`${describeRestored(file, restored)}; every digest fits`)
        return await checkRestored(database, { ...settings, dataDir }, restored)
      })
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  },
}

async function assertReadable(file: string): Promise<void> {
  const found = await stat(file).catch(() => null)
  if (found?.isFile() !== true) throw new BackupError(`${file} is no file.`)
}

function restoreInto(
  file: string,
  settings: Settings,
  database: Database,
  files: ReturnType<typeof fileStore>,
  dataDir = settings.dataDir,
): Promise<Restored> {
  const parts = readArchive(file, settings.backupKey)
  return database.long(() => loadAll(parts, { database, files, dataDir, warn }), migrationSeconds)
}

function describeRestored(file: string, { header, tables, rows, files, keys }: Restored): string {
  return (
    `${file}: version ${header.version} of ${header.madeAt}, ${tables} tables, ${rows} rows, ` +
    `${files} files, keys: ${keys.join(', ') || 'none'}`
  )
}

/** Opens the restored data as a start would. */
async function checkRestored(
  database: Database,
  settings: Settings,
  { keys }: Restored,
): Promise<number> {
  await migrate(database.untyped, migrations, log())
  if (settings.piiKeys !== undefined || keys.includes('pii.key')) {
    await openKeys({ database, settings })
    print('the key of personal data fits')
  } else print('personal data was not checked: set PII_KEY')
  const found: AuditKeys | null = await readAuditKeys(settings)
  if (found === null) {
    print('audit chains were not checked: set AUDIT_KEY')
    return exit.done
  }
  const auditKeys = lateAuditKeys()
  auditKeys.use(found)
  return printReports(await verifyAudit({ database, auditKeys }))
}

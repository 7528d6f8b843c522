// `npm run server -- doctor`: docs/operations/doctor.md. It changes nothing, and applies no migrations.
import { pino } from 'pino'
import { DataDirectoryInUse } from '../../platform/database/embedded/folder/data-lock.ts'
import { hasDatabase } from '../../platform/database/embedded/folder/database-directory.ts'
import { type Database, openDatabase } from '../../platform/database/open-database.ts'
import { askForCopy } from '../../platform/backup/live-copy.ts'
import { standardError } from '../../platform/log.ts'
import { readSettings, type Settings, SettingsError } from '../../platform/settings/settings.ts'
import { startSentence } from '../../platform/settings/start-sentence.ts'
import { examine } from '../doctor/examine.ts'
import type { Finding } from '../doctor/finding.ts'
import { createListCheck } from '../doctor/slow-lists.ts'
import { type Command, exit, print } from './command.ts'

export const doctorCommand: Command = {
  usage: '[--quick] [--json] [--trial]',
  help:
    'check settings, disk, database, clock, keys, providers, files, audit log, jobs, messages, tables and slow lists; ' +
    '--quick reads no table as a whole; --trial measures missing indexes and locks writes for up to 20 s',
  options: {
    quick: { type: 'boolean' },
    json: { type: 'boolean' },
    trial: { type: 'boolean' },
  },
  run: async ({ options }) => {
    const chosen = new Set(Object.keys(options))
    const isJson = chosen.has('json')
    const found: Finding[] = []
    const report = (finding: Finding) => {
      found.push(finding)
      if (!isJson) print(formatFinding(finding))
    }
    await examineAll(report, {
      isQuick: chosen.has('quick'),
      isTrial: chosen.has('trial'),
    })
    const bad = found.filter(({ grade }) => grade !== 'ok').length
    if (isJson) print(JSON.stringify({ ok: bad === 0, findings: found }, null, 2))
    else print(bad === 0 ? 'Nothing to mend.' : `${bad} findings.`)
    return bad === 0 ? exit.done : exit.findings
  },
}

interface Extent {
  readonly isQuick: boolean
  readonly isTrial: boolean
}

async function examineAll(report: (finding: Finding) => void, extent: Extent): Promise<void> {
  let settings: Settings
  try {
    settings = readSettings(process.env)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    report(toFailure('settings', error, 'Change the setting (docs/operations/settings.md).'))
    return
  }
  const log = pino({ level: 'error' }, standardError())
  const patient = {
    settings,
    env: process.env,
    log,
    now: () => new Date(),
    isQuick: extent.isQuick,
  }
  const { database, release } = await open(settings, report)
  try {
    const lists = createListCheck(extent.isTrial)
    await examine({ ...patient, database }, [lists], report)
  } finally {
    await database?.close()
    await release()
  }
}

interface Opened {
  readonly database: Database | null
  readonly release: () => Promise<void>
}

/** The database, or a copy of it while a server holds the embedded one. */
async function open(settings: Settings, report: (finding: Finding) => void): Promise<Opened> {
  const log = pino({ level: 'error' }, standardError())
  const nothing = async () => {}
  if (settings.databaseUrl === undefined && !hasDatabase(settings.dataDir)) {
    const error = new Error(`DATA_DIR ${settings.dataDir} has no database.`)
    report(toFailure('database', error, 'Name the right folder, or start the server once.'))
    return { database: null, release: nothing }
  }
  try {
    try {
      // Nobody waits for a doctor as a start waits for a database.
      const database = await openDatabase({ ...settings, databaseWait: 0 }, log)
      return { database, release: nothing }
    } catch (error) {
      if (!(error instanceof DataDirectoryInUse)) throw error
      const copy = await askForCopy(settings.dataDir)
      return {
        database: await openDatabase({ dataDir: copy.dataDir }, log),
        release: copy.release,
      }
    }
  } catch (error) {
    const advice =
      settings.databaseUrl === undefined
        ? 'Free the disk, or restore a backup (docs/operations/backup.md).'
        : 'Is PostgreSQL running, and does DATABASE_URL name it (docs/operations/database.md)?'
    report(toFailure('database', error, advice))
    return { database: null, release: nothing }
  }
}

function toFailure(check: string, error: unknown, advice: string): Finding {
  return { check, grade: 'fail', found: startSentence(error), advice }
}

function formatFinding({ check, grade, found, advice }: Finding): string {
  const head = `${grade.padEnd(5)} ${check.padEnd(14)}`
  return [`${head} ${found}`.trimEnd(), ...(advice === null ? [] : [`      → ${advice}`])].join(
    '\n',
  )
}

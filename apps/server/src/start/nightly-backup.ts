// A backup at BACKUP_AT in BACKUP_DIR, by the command of its own process: its memory is freed with it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { schoolInstant, schoolTime } from '@jiaowu/api/formats'
import { defaultTenant } from '@jiaowu/api/limits'
import type { Services } from '../model/context.ts'
import { listAdministrators } from '../platform/administrators.ts'
import { countBackgroundRun } from '../platform/counters.ts'
import { increment } from '../platform/limits/rate-limits.ts'
import { bothLanguages, sendMessage } from '../platform/messages.ts'
import { transact } from '../platform/database/transact.ts'

const minute = 60_000
const day = 24 * 60 * minute
/** A backup that was missed, because no server ran, is made after a start. */
const firstLookMs = 5_000
const fileName = /^jiaowu-\d{8}T\d{6}\.backup$/
const leftOver = /^jiaowu-\d{8}T\d{6}\.backup\..*\.part$/

/** The newest backup of a folder. */
export interface NewestBackup {
  readonly at: Date
  readonly bytes: number
}

export async function findNewestBackup(folder: string): Promise<NewestBackup | undefined> {
  const newest = (await listBackups(folder)).at(-1)
  const found = newest === undefined ? null : await stat(join(folder, newest)).catch(() => null)
  return found === null ? undefined : { at: found.mtime, bytes: found.size }
}

/** Oldest first. */
async function listBackups(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => fileName.test(name)).toSorted()
}

/** When the last nightly backup was due. */
function findDue(at: string, now: Date): Date {
  const today = new Date(schoolInstant(`${schoolTime(now).slice(0, 10)} ${at}:00`))
  return today > now ? new Date(today.getTime() - day) : today
}

/** Looks each minute whether a backup is due. The returned function ends one under way. */
export function startNightlyBackups(services: Services): () => Promise<void> {
  const folder = services.settings.backupDir
  if (folder === undefined) return () => Promise.resolve()
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  let tried = new Date(0)
  const look = async () => {
    const due = findDue(services.settings.backupAt, services.now())
    if (tried >= due || ((await findNewestBackup(folder))?.at ?? tried) >= due) return
    tried = services.now()
    // One of several servers makes it.
    const turn = `backup:${due.toISOString()}`
    if ((await increment(services.database, turn, 2 * day, services.now())) > 1) return
    await makeBackup(services, folder, stopping.signal)
  }
  const start = () => {
    running ??= look()
      .catch((error: unknown) => services.log.warn({ err: error }, 'no backup could be started'))
      .finally(() => {
        running = undefined
      })
  }
  const first = setTimeout(start, firstLookMs)
  const timer = setInterval(start, minute)
  first.unref()
  timer.unref()
  return async () => {
    clearTimeout(first)
    clearInterval(timer)
    stopping.abort()
    await running
  }
}

/** Makes one backup and deletes those beyond BACKUP_KEEP; a failure is logged and told. */
export async function makeBackup(
  services: Services,
  folder: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { log, now, settings } = services
  const started = performance.now()
  const stamp = now()
    .toISOString()
    .replace(/[-:]|\..*/g, '')
  const path = join(folder, `jiaowu-${stamp}.backup`)
  const problem = await mkdir(folder, { recursive: true, mode: 0o700 }).then(
    () => runCommand(path, signal),
    (error: unknown) => String(error),
  )
  if (signal.aborted) return false
  if (problem !== undefined) {
    countBackgroundRun('backup', 'failed')
    log.error({ file: path, problem }, 'the backup failed')
    await tellAdministrators(services, problem)
    return false
  }
  const { bytes } = (await findNewestBackup(folder)) ?? { bytes: 0 }
  const seconds = Math.round((performance.now() - started) / 1_000)
  countBackgroundRun('backup', 'ok')
  log.info({ file: path, bytes, seconds }, 'a backup was made')
  await removeOld(folder, settings.backupKeep, now())
  return true
}

/** The last line that the command says when it fails. */
async function runCommand(path: string, signal: AbortSignal): Promise<string | undefined> {
  const program = fileURLToPath(new URL('commands/server-main.ts', import.meta.url))
  const child = spawn(
    process.execPath,
    [...process.execArgv, program, 'backup', '--output', path],
    { stdio: ['ignore', 'ignore', 'pipe'], signal, killSignal: 'SIGTERM' },
  )
  let said = ''
  child.stderr.on('data', (bytes: Buffer) => {
    said = (said + bytes.toString()).slice(-2_000)
  })
  try {
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code === 0) return undefined
    return said.trim().split('\n').at(-1) || `exit code ${String(code)}`
  } catch (error) {
    return String(error)
  }
}

async function removeOld(folder: string, keep: number, now: Date): Promise<void> {
  const names = await listBackups(folder)
  for (const name of names.slice(0, -keep)) await rm(join(folder, name), { force: true })
  for (const name of await readdir(folder)) {
    const found = leftOver.test(name) ? await stat(join(folder, name)).catch(() => null) : null
    if (found !== null && now.getTime() - found.mtimeMs > day)
      await rm(join(folder, name), { force: true })
  }
}

async function tellAdministrators(services: Services, problem: string): Promise<void> {
  await transact(services.database.kysely, async (trx) => {
    await sendMessage(trx, services, {
      tenant: defaultTenant,
      receivers: await listAdministrators(trx, defaultTenant),
      ...bothLanguages('backup.failed.title', 'backup.failed.content', { problem }),
    })
  })
}

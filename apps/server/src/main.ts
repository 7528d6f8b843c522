import { randomBytes, randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApp } from './app.ts'
import { hashPassword, isGoodPassword } from './identity/password.ts'
import type { Services } from './context.ts'
import { installBase } from './demo/install-base.ts'
import { installDemo } from './demo/install-demo.ts'
import { readPkcs12 } from './documents/signing/identity.ts'
import { createRegistry } from './entities/definition/registry.ts'
import { installationOf } from './platform/files/installation.ts'
import { fileStore } from './platform/files/store.ts'
import type { HealthState } from './platform/health.ts'
import { startHousekeeping } from './platform/housekeeping.ts'
import { snowflake } from './platform/id.ts'
import { type Listener, listen } from './http/listener.ts'
import { createLog } from './platform/log.ts'
import { readSettings, type Settings, SettingsError } from './platform/settings/settings.ts'
import { startLedgerQueues, startPaymentQueue } from './job-handlers.ts'
import { makeDataFolder } from './platform/database/embedded/data-folder.ts'
import { migrate } from './platform/database/migrate.ts'
import { migrations } from './platform/database/migrations/index.ts'
import { openDatabase } from './platform/database/open-database.ts'
import { startSentence } from './platform/settings/start-sentence.ts'

const webRoot = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'web', 'dist')
const drainMs = 10_000 // docs/rules/security.md#r10

const say = (text: string) => process.stdout.write(`${text}\n`)

export interface RunningServer {
  readonly url: string
  /** Answers what is under way, for ten seconds at most, then closes port and database. */
  readonly close: () => Promise<void>
}

/** Opens the database and the port. @throws SettingsError, MigrationError and what the listener throws */
export async function startServer(
  env: Readonly<Record<string, string | undefined>>,
): Promise<RunningServer> {
  const settings = readSettings(env)
  assertGoodStart(settings)
  await fileStore(settings).probe()
  makeDataFolder(settings.dataDir)
  const log = createLog(settings)
  if (settings.databaseUrl === undefined && !existsSync(join(settings.dataDir, 'pg18')))
    say('First start: making the database, which takes a few seconds …')
  const database = await openDatabase(settings, log)
  // Random: containers all have the same process id, and two servers on one database must not share a node.
  const services: Services = {
    database,
    settings,
    log,
    newId: snowflake(randomInt(1024)),
    now: () => new Date(),
    registry: createRegistry(database, log),
  }
  let listener: Listener | undefined
  try {
    return await serveWhilePreparing(services, (opened) => {
      listener = opened
    })
  } catch (error) {
    await listener?.close(0)
    await database.close()
    throw error
  }
}

/** A password production is not started with, a signing file that cannot be used. @throws SettingsError */
function assertGoodStart({ appEnv, adminPassword, signP12 }: Settings): void {
  if (signP12 !== undefined) readPkcs12(signP12.path, signP12.password)
  if (appEnv === 'production' && adminPassword !== undefined && !isGoodPassword(adminPassword))
    throw new SettingsError(
      'ADMIN_PASSWORD must have at least 8 characters and not be a common password when APP_ENV is production.',
    )
}

/** The port is open from here on and answers 503 until all is prepared; so a port in use is told before anything is written. */
async function serveWhilePreparing(
  services: Services,
  onListen: (listener: Listener) => void,
): Promise<RunningServer> {
  const { settings, database, registry } = services
  const state: HealthState = { migrating: true, draining: false }
  const app = createApp({ services, state, ...(existsSync(webRoot) ? { webRoot } : {}) })
  const listener = await listen(app, settings)
  onListen(listener)
  const password = await prepare(services)
  await fileStore(settings).claim(await installationOf(database))
  registry.invalidate()
  const stopPayments = await startPaymentQueue(services)
  state.migrating = false
  const stopHousekeeping = startHousekeeping(services)
  const stopLedgerQueues = startLedgerQueues(services)
  const url =
    settings.port === 0
      ? settings.publicUrl.replace(/:0$/, `:${listener.port}`)
      : settings.publicUrl
  announce(url, settings, password)
  const close = async () => {
    const started = Date.now()
    const patience = new Promise<void>((resolve) => {
      setTimeout(resolve, drainMs).unref()
    })
    await Promise.race([
      Promise.all([app.drain(), stopHousekeeping(), stopLedgerQueues(), stopPayments()]),
      patience,
    ])
    await listener.close(Math.max(0, drainMs - (Date.now() - started)))
    await database.close()
  }
  return { url, close }
}

/** Migrations, the first tenant, demo data. Says what it does: a first start takes some seconds. Gives the password it made up, if it did. */
async function prepare({ database, settings, newId, now, log }: Services): Promise<string | null> {
  const applied = await migrate(database.kysely as never, migrations, log)
  if (applied.length > 0) say('The tables are made.')
  let invented: string | null = null
  const adminPasswordHash = () => {
    invented = settings.adminPassword ?? inventPassword()
    return hashPassword(invented)
  }
  const installation = { database, newId, now, adminPasswordHash }
  const { created } = await installBase(installation)
  if (settings.demo && (await installDemo(installation, { onStep: say })))
    say('Demo data is in place.')
  if (created || applied.length > 0) await database.maintain()
  return created && settings.adminPassword === undefined ? invented : null
}

/** A password people can copy: no look-alikes, 20 characters. */
function inventPassword(): string {
  return [...randomBytes(20)]
    .map((byte) => 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'[byte % 55])
    .join('')
}

function announce(url: string, settings: Settings, password: string | null): void {
  say(`\n  教务系统 Jiaowu  ${url}\n`)
  say(
    `  staff account  admin (tenant 10000)${password === null ? '' : `, password ${password}   ← shown only this once`}`,
  )
  if (settings.smsDriver === 'outbox')
    say(`  SMS outbox     ${join(settings.dataDir, 'outbox', 'sms.jsonl')}`)
  say('')
}

/** Runs until a signal. A start that fails ends with one sentence and exit code 1. */
export async function run(): Promise<void> {
  let running: RunningServer | null = null
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    await running?.close()
    process.exit(0)
  }
  process.on('SIGTERM', () => {
    void stop()
  })
  process.on('SIGINT', () => {
    void stop()
  })
  try {
    running = await startServer(process.env)
  } catch (error) {
    process.stderr.write(`${startSentence(error)}\n`)
    process.exit(1)
  }
}

if (import.meta.main) await run()

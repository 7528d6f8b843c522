import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApp } from './app.ts'
import { isGoodPassword } from '../identity/good-password.ts'
import { hashPassword, verifyPassword } from '../identity/password.ts'
import type { Services } from '../model/context.ts'
import { generatePassword } from './install/generate-password.ts'
import { installBase } from './install/install-base.ts'
import { playDemoFlows } from './demo/play-flows.ts'
import { installDemo } from './demo/install-demo.ts'
import { readPkcs12 } from '../documents/signing/identity.ts'
import { convertAll } from './keys/convert.ts'
import { type LateAuditKeys, lateAuditKeys } from '../platform/audit/keys.ts'
import { startDelivery } from '../platform/audit/delivery/deliver.ts'
import { openAuditKeys } from '../platform/audit/open-keys.ts'
import { type LateKeys, lateKeys } from '../platform/keys/keys.ts'
import { openKeys } from '../platform/keys/open-keys.ts'
import { createRegistry } from '../model/definition/registry/registry.ts'
import { answerCopies } from '../platform/backup/live-copy.ts'
import { readInstallation } from '../platform/files/installation.ts'
import { claimFolder } from '../platform/files/folder-mark.ts'
import { fileStore } from '../platform/files/store.ts'
import type { HealthState } from '../platform/health.ts'
import { startHousekeeping } from './housekeeping.ts'
import { snowflake } from '../platform/id.ts'
import { type Listener, listen } from '../http/listener.ts'
import { createLog } from '../platform/log.ts'
import { useOutgoingProxy } from '../platform/outgoing-proxy.ts'
import { createMemory } from '../platform/memory.ts'
import { readSettings, type Settings, SettingsError } from '../platform/settings/settings.ts'
import { startLedgerQueues, startPaymentQueue } from './job-handlers.ts'
import { createDataFolder } from '../platform/database/embedded/folder/data-folder.ts'
import { hasDatabase } from '../platform/database/embedded/folder/database-directory.ts'
import { defaultTenant } from '@jiaowu/api/limits'
import { migrate, migrationSeconds } from '../platform/database/migrations/migrate.ts'
import { migrations } from '../platform/database/migrations/index.ts'
import { inStartTurn } from '../platform/database/start-turn.ts'
import { openDatabase } from '../platform/database/open-database.ts'
import { reloadProviders } from '../platform/settings/reload-providers.ts'
import { startSentence } from '../platform/settings/start-sentence.ts'
import { startNightlyBackups } from './nightly-backup.ts'
import { readParents } from './parents.ts'
import { stopMarginMs, type StopReason, stopServing, watchNpm } from './stop.ts'

const webRoot = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'web', 'dist')

const print = (text: string) => process.stdout.write(`${text}\n`)

export interface RunningServer {
  readonly url: string
  /** Serves on for LAME_DUCK seconds, then closes the port, and the database when requests are answered. */
  readonly close: (reason?: StopReason) => Promise<void>
  readonly settings: Settings
  /** Reads the file of SSO_FILE anew. */
  readonly reloadProviders: () => void
}

/** While the server starts its keys are still closed. */
type Preparing = Services & { readonly keys: LateKeys; readonly auditKeys: LateAuditKeys }

/** Opens the database and the port. @throws SettingsError, MigrationError and what the listener throws */
export async function startServer(
  env: Readonly<Record<string, string | undefined>>,
): Promise<RunningServer> {
  const settings = readSettings(env)
  assertUsable(settings)
  await fileStore(settings).probe()
  createDataFolder(settings.dataDir)
  const log = createLog(settings)
  useOutgoingProxy(process.env, log)
  if (settings.databaseUrl === undefined && !hasDatabase(settings.dataDir))
    print('First start: making the database, which takes a few seconds …')
  const database = await openDatabase(settings, log)
  // The node is random, since containers share process ids: servers on one database need different nodes.
  const keys = lateKeys()
  const now = () => new Date()
  const services: Preparing = {
    database,
    settings,
    log,
    newId: snowflake(randomInt(1024)),
    now,
    memory: createMemory(now),
    keys,
    auditKeys: lateAuditKeys(),
    registry: createRegistry(database, log, { keys, schemas: settings.businessSchemas }),
  }
  let listener: Listener | undefined
  try {
    const serving = await serveWhilePreparing(services, (opened) => {
      listener = opened
    })
    return { ...serving, settings, reloadProviders: () => reloadProviders(settings, env, log) }
  } catch (error) {
    await listener?.close(0)
    await database.close()
    throw error
  }
}

/** Refuses a weak administrator password in production, and an unusable signing file. @throws SettingsError */
function assertUsable({ appEnv, adminPassword, signP12 }: Settings): void {
  if (signP12 !== undefined) readPkcs12(signP12.path, signP12.password)
  if (
    appEnv === 'production' &&
    adminPassword !== undefined &&
    !isGoodPassword(adminPassword, ['admin'])
  )
    throw new SettingsError(
      'ADMIN_PASSWORD must have at least 8 characters and not be a common password ' +
        'when APP_ENV is production.',
    )
}

/**
 * Opens the port first, where calls wait or answer 503 until all is prepared: a port in use fails before any write.
 */
async function serveWhilePreparing(
  services: Preparing,
  onListen: (listener: Listener) => void,
): Promise<Pick<RunningServer, 'url' | 'close'>> {
  const { settings, database, registry } = services
  const state: HealthState = { migrating: true, draining: false }
  const prepared = Promise.withResolvers<void>()
  const app = createApp({
    services,
    state,
    prepared: prepared.promise,
    ...(existsSync(webRoot) ? { webRoot } : {}),
  })
  const listener = await listen(app, settings, (proxy) =>
    services.log.warn(
      { proxy },
      'callers come through a proxy that is not trusted, and share its address and its limits of SMS and sign-ins: ' +
        'when it is yours, set TRUST_PROXY to its address',
    ),
  )
  onListen(listener)
  const made = await inStartTurn(database, services.log, () => prepare(services))
  await fileStore(settings).claim(await readInstallation(database))
  registry.invalidate()
  if (made.isFilled) await playDemoFlows(services)
  const stopPayments = await startPaymentQueue(services)
  state.migrating = false
  prepared.resolve()
  const stopHousekeeping = startHousekeeping(services)
  const stopCopies =
    database.copyTo === undefined
      ? () => Promise.resolve()
      : answerCopies(settings.dataDir, database.copyTo)
  const stopBackups = startNightlyBackups(services)
  const stopDelivery = startDelivery(services)
  const stopLedgerQueues = startLedgerQueues(services)
  const url =
    settings.port === 0
      ? settings.publicUrl.replace(/:0$/, `:${listener.port}`)
      : settings.publicUrl
  announce(url, settings, made)
  if (made.isOtherPassword)
    services.log.warn(
      'ADMIN_PASSWORD counts at the first start only, and admin has another one by now; lost: the command admin reset',
    )
  const stops = [
    stopBackups,
    stopCopies,
    stopHousekeeping,
    stopDelivery,
    stopLedgerQueues,
    stopPayments,
  ]
  return {
    url,
    close: (reason = 'asked') => stopServing({ services, app, state, listener, stops }, reason),
  }
}

interface Prepared {
  /** The administrator's, when it was generated. */
  readonly password: string | null
  /** Whether the demo data was filled in. */
  readonly isFilled: boolean
  /** ADMIN_PASSWORD is set, and the account has another password. */
  readonly isOtherPassword: boolean
}

/**
 * Applies migrations, opens the keys of personal data and of the audit log, creates the first tenant and the demo data.
 * Prints its progress, because a first start takes some seconds. Call it in the start turn.
 */
async function prepare(services: Preparing): Promise<Prepared> {
  const { database, settings, newId, now, log, keys } = services
  const applied = await database.long(
    () => migrate(database.kysely as never, migrations, log),
    migrationSeconds,
  )
  if (applied.length > 0) print('The tables are made.')
  keys.use(await openKeys({ database, settings }))
  services.auditKeys.use(await openAuditKeys(services))
  await convertAll({ database, log }, keys)
  let generated: string | null = null
  const adminPasswordHash = () => {
    generated = settings.adminPassword ?? generatePassword()
    return hashPassword(generated)
  }
  const installation = { database, newId, now, keys, adminPasswordHash }
  const { created } = await installBase(installation)
  await claimFolder(services, await readInstallation(database))
  const isFilled = settings.demo && (await installDemo(installation, { onStep: print }))
  if (isFilled) print('Demo data is in place.')
  if (created || applied.length > 0) await database.maintain()
  return {
    password: created && settings.adminPassword === undefined ? generated : null,
    isFilled,
    isOtherPassword: !created && (await hasOtherPassword(services)),
  }
}

async function hasOtherPassword({ database, settings }: Preparing): Promise<boolean> {
  if (settings.adminPassword === undefined) return false
  const admin = await database.kysely
    .selectFrom('sys.app_user')
    .select('password_hash')
    .where('tenant_id', '=', defaultTenant)
    .where('account', '=', 'admin')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return admin !== undefined && !(await verifyPassword(settings.adminPassword, admin.password_hash))
}

function announce(url: string, settings: Settings, { password, isOtherPassword }: Prepared): void {
  print(`\n  教务系统 Jiaowu  ${url}\n`)
  const secret = password === null ? '' : `, password ${password}   ← shown only this once`
  print(`  staff account  admin (tenant 10000)${secret}`)
  if (isOtherPassword)
    print(
      '                 ADMIN_PASSWORD counts at the first start only, and admin has another one by now;\n' +
        '                 lost: the command admin reset',
    )
  // The server itself speaks no TLS.
  if (settings.publicUrl.startsWith('https:') && settings.trustProxy.length === 0)
    print(
      '  TRUST_PROXY is not set: all callers seem to have the address of the proxy before PUBLIC_URL,\n' +
        '                 and share its limits of SMS and sign-ins',
    )
  if (settings.smsDriver === 'outbox')
    print(`  SMS outbox     ${join(settings.dataDir, 'outbox', 'sms.jsonl')}`)
  print('')
}

/**
 * Runs until a signal. A failed start prints one sentence and exits with code 1. A fault that nothing
 * has caught is logged, requests in flight are answered, and the program exits with code 1.
 */
export async function run(): Promise<void> {
  let running: RunningServer | null = null
  let stopping = false
  const stop = async (code: number, reason: StopReason) => {
    if (stopping) return
    stopping = true
    const { lameDuck = 0, drain = 0 } = running?.settings ?? {}
    const late = setTimeout(() => process.exit(code), (lameDuck + drain) * 1_000 + stopMarginMs)
    try {
      await running?.close(reason)
    } finally {
      clearTimeout(late)
      process.exit(code)
    }
  }
  process.on('SIGTERM', () => void stop(0, 'asked'))
  process.on('SIGINT', () => void stop(0, 'asked'))
  // Service managers send it to reload settings, and a closed terminal sends it to all that it ran.
  process.on('SIGHUP', () => running?.reloadProviders())
  exitOnFault(() => void stop(1, 'fault'))
  watchNpm(process.env, readParents, () => void stop(0, 'asked'))
  try {
    running = await startServer(process.env)
  } catch (error) {
    process.stderr.write(`${startSentence(error)}\n`)
    process.exit(1)
  }
}

/** Also called for a promise that was rejected without a handler. */
function exitOnFault(stop: () => void): void {
  process.stdout.on('error', () => {}) // a full disk or a closed pipe
  const log = createLog({ logLevel: 'error' })
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'a fault that nothing has caught; the server stops')
    stop()
  })
}

if (import.meta.main) await run()

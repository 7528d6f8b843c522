import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { isIP, BlockList } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serve, type ServerType } from '@hono/node-server'
import { pino } from 'pino'
import { createApp, type Peer } from './app.ts'
import { hashPassword } from './auth/password.ts'
import type { Services } from './context.ts'
import { installBase } from './demo/install-base.ts'
import { installDemo } from './demo/install-demo.ts'
import { createRegistry } from './entity/registry.ts'
import type { HealthState } from './health.ts'
import { snowflake } from './id.ts'
import { readSettings, type Settings } from './settings.ts'
import { migrate } from './sql/migrate.ts'
import { migrations } from './sql/migrations/index.ts'
import { type Database, openDatabase } from './sql/open-database.ts'

const webRoot = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'web', 'dist')
const drainMs = 10_000 // security R10

/** A password people can copy: no look-alikes, 20 characters. */
const inventPassword = (): string => [...randomBytes(20)].map((byte) => 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'[byte % 55]).join('')

const say = (text: string) => process.stdout.write(`${text}\n`)

/** Migrations, the first tenant, demo data. Says what it does: a first start takes some seconds. */
const prepare = async (services: Services): Promise<string | null> => {
  const { database, settings, newId, now, log } = services
  const applied = await migrate(database.kysely as never, migrations, log)
  if (applied.length > 0) say('Preparing the database …')
  let invented: string | null = null
  const adminPasswordHash = () => {
    invented = settings.adminPassword ?? inventPassword()
    return hashPassword(invented)
  }
  const installation = { database, newId, now, adminPasswordHash }
  const { created } = await installBase(installation)
  if (settings.demo && (await installDemo(installation, { onStep: say }))) say('Demo data is in place.')
  if (created || applied.length > 0) await database.maintain()
  return created && settings.adminPassword === undefined ? invented : null
}

const trusted = (peers: readonly string[]): ((ip: string) => boolean) => {
  const list = new BlockList()
  for (const peer of peers) {
    const [address = '', bits] = peer.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (ip) => list.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
}

/** The caller's address: the socket's, or what a trusted proxy says of it (security C2). */
const peerOf = (settings: Settings) => {
  const isTrusted = trusted(settings.trustProxy)
  return (request: Request, socketAddress: string | undefined): Peer => {
    const ip = (socketAddress ?? '').replace(/^::ffff:/, '')
    if (!isTrusted(ip)) return { ip, secure: false }
    const hops = (request.headers.get('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim())
    const client = hops.findLast((hop) => isIP(hop) !== 0 && !isTrusted(hop)) ?? ip
    return { ip: client, secure: request.headers.get('x-forwarded-proto') === 'https' }
  }
}

const listen = (app: ReturnType<typeof createApp>, settings: Settings): Promise<{ server: ServerType; port: number }> =>
  new Promise((resolve, reject) => {
    const peer = peerOf(settings)
    const server = serve({ port: settings.port, hostname: settings.host, fetch: (request, env) => app.fetch(request, peer(request, (env as { incoming?: { socket: { remoteAddress?: string } } }).incoming?.socket.remoteAddress)) }, (address) => resolve({ server, port: address.port }))
    server.once('error', reject)
  })

const closeListener = (server: ServerType): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    if ('closeIdleConnections' in server) server.closeIdleConnections()
    setTimeout(() => { if ('closeAllConnections' in server) server.closeAllConnections(); resolve() }, drainMs).unref()
  })

export interface RunningServer {
  readonly url: string
  readonly close: () => Promise<void>
}

/** Opens the database and the port. @throws SettingsError, MigrationError and what the listener throws */
export const startServer = async (env: Readonly<Record<string, string | undefined>>): Promise<RunningServer> => {
  const settings = readSettings(env)
  const log = pino({ level: settings.logLevel, redact: ['req.headers.authorization', '*.password', '*.token'] }, pino.destination(2))
  const database: Database = await openDatabase(settings, log)
  const newId = snowflake(Number(env.NODE_ID ?? process.pid % 1024))
  const services: Services = { database, settings, log, newId, now: () => new Date(), registry: createRegistry(database, log) }
  const state: HealthState = { migrating: true, draining: false }
  try {
    const password = await prepare(services)
    state.migrating = false
    services.registry.invalidate()
    const app = createApp({ services, state, ...(existsSync(webRoot) ? { webRoot } : {}) })
    const { server, port } = await listen(app, settings)
    const url = settings.port === 0 ? settings.publicUrl.replace(/:0$/, `:${port}`) : settings.publicUrl
    say(`\n  教务系统 Jiaowu  ${url}\n`)
    say(`  staff account  admin (tenant 10000)${password === null ? '' : `, password ${password}   ← shown only this once`}`)
    if (settings.smsDriver === 'outbox') say(`  SMS outbox     ${join(settings.dataDir, 'outbox', 'sms.jsonl')}`)
    say('')
    const close = async () => {
      state.draining = true
      await closeListener(server)
      await database.close()
    }
    return { url, close }
  } catch (error) {
    await database.close()
    throw error
  }
}

const sentenceOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { code, port } = error as NodeJS.ErrnoException & { port?: number }
  return code === 'EADDRINUSE' ? `Port ${port} is in use: stop the other program or set PORT.` : code === 'EACCES' ? `${error.message}.` : error.message
}

/** Runs until a signal. A start that fails ends with one sentence and exit code 1. */
export const run = async (): Promise<void> => {
  let running: RunningServer | null = null
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    await running?.close()
    process.exit(0)
  }
  process.on('SIGTERM', () => { void stop() })
  process.on('SIGINT', () => { void stop() })
  try {
    running = await startServer(process.env)
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`)
    process.exit(1)
  }
}

if (import.meta.main) await run()

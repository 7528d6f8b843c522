// Starts a PostgreSQL in a temporary directory for one run, and removes it however the run ends.
import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const debianRoot = '/usr/lib/postgresql'

/** Waits until its input ends with this process, then stops the server and removes its directory. */
const supervisor = `
  bin=$1; dir=$2; shift 2
  "$bin/postgres" -D "$dir/data" -k "$dir" "$@" >"$dir/log" 2>&1 </dev/null &
  server=$!
  read -r _
  kill -INT $server; wait $server
  rm -rf "$dir"
`
const always = {
  listen_addresses: '127.0.0.1',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
}

export interface Cluster {
  /** `postgres://postgres@127.0.0.1:PORT/` without a database name. */
  readonly url: string
  readonly port: number
  /** The id of its first process, the parent of the others. */
  readonly pid: number
  log(): string
  /** As a crash of its machine, without a word to the clients; `stop` is still needed. */
  kill(): void
  stop(): Promise<void>
}

export interface ClusterOptions {
  readonly settings?: Readonly<Record<string, string>>
  /** Makes it the standby of a running server. */
  readonly standbyOf?: Cluster
  /** The folder of its programs; found when absent. */
  readonly bin?: string
}

export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { settings = {}, standbyOf, bin = findBinaries() } = options
  const user = dropPrivileges()
  const directory = mkdtempSync(join(tmpdir(), 'jiaowu-pg-'))
  if (user.uid !== undefined) chownSync(directory, user.uid, user.gid)
  const data = join(directory, 'data')
  const made =
    standbyOf === undefined
      ? spawnSync(
          join(bin, 'initdb'),
          [
            '-D',
            data,
            '-U',
            'postgres',
            '--auth=trust',
            '--no-sync',
            '-E',
            'UTF8',
            '--locale=C.UTF-8',
          ],
          { ...user, cwd: directory, encoding: 'utf8' },
        )
      : spawnSync(
          join(bin, 'pg_basebackup'),
          ['-D', data, '-R', '--no-sync', '-c', 'fast', '-d', `${standbyOf.url}postgres`],
          { ...user, cwd: directory, encoding: 'utf8' },
        )
  if (made.status !== 0)
    throw new Error(`the data directory was not made: ${made.error?.message ?? made.stderr}`)
  const port = await freePort()
  const given = Object.entries({ ...always, ...settings, port: String(port) })
  const child = spawn(
    'sh',
    [
      '-c',
      supervisor,
      'sh',
      bin,
      directory,
      ...given.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    { ...user, cwd: directory, stdio: ['pipe', 'ignore', 'ignore'], detached: true },
  )
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = `postgres://postgres@127.0.0.1:${port}/`
  const stop = async () => {
    child.stdin.end()
    await exited
  }
  const log = () => readFileSync(join(directory, 'log'), 'utf8')
  try {
    await waitUntilReady(url, () => child.exitCode === null)
  } catch (error) {
    const lines = log()
    await stop()
    throw new Error(`${String(error)} ${lines.slice(-4_000)}`, { cause: error })
  }
  const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
  return {
    url,
    port,
    pid,
    log,
    kill: () => process.kill(pid, 'SIGKILL'),
    stop,
  }
}

/**
 * The programs of the newest PostgreSQL for which `suits` holds.
 * @throws Error when there is none
 */
export function findBinaries(suits: (bin: string) => boolean = () => true): string {
  const debian = existsSync(debianRoot)
    ? readdirSync(debianRoot)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => join(debianRoot, version, 'bin'))
    : []
  const found = [...(process.env.PATH ?? '').split(delimiter), ...debian].find(
    (folder) =>
      existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')) && suits(folder),
  )
  if (found === undefined)
    throw new Error(
      'TEST_ENGINE=postgres needs PostgreSQL 14 or newer: install it (Debian: apt-get install ' +
        'postgresql) or put its bin folder on PATH.',
    )
  return found
}

/** PostgreSQL refuses to run as root. */
function dropPrivileges() {
  if (process.getuid?.() !== 0) return {}
  for (const user of ['postgres', 'nobody']) {
    const [uid, gid] = [readUserId(user, '-u'), readUserId(user, '-g')]
    if (!Number.isNaN(uid) && !Number.isNaN(gid)) return { uid, gid }
  }
  throw new Error(
    'PostgreSQL does not run as root, and this machine has neither a user postgres nor nobody.',
  )
}

function readUserId(user: string, which: '-u' | '-g') {
  return Number(spawnSync('id', [which, user], { encoding: 'utf8' }).stdout.trim() || Number.NaN)
}

export function freePort() {
  return new Promise<number>((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        resolve(address !== null && typeof address === 'object' ? address.port : 0),
      )
    })
  })
}

async function waitUntilReady(url: string, isAlive: () => boolean) {
  for (let attempt = 0; attempt < 150; attempt += 1) {
    const client = new pg.Client({ connectionString: `${url}postgres` })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      if (!isAlive()) break
      await sleep(100)
    }
  }
  throw new Error('The PostgreSQL started for the tests did not answer.')
}

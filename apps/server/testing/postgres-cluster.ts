// Starts a PostgreSQL for one test run in a temporary directory, and removes it however the run ends.
import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const debianRoot = '/usr/lib/postgresql'

/** Waits until its input ends with this process, then stops the server and removes its directory. */
const supervisor = `
  bin=$1; dir=$2; port=$3
  set -- -c listen_addresses=127.0.0.1 -c fsync=off -c synchronous_commit=off -c full_page_writes=off
  "$bin/postgres" -D "$dir/data" -k "$dir" -p "$port" -c max_connections=200 "$@" >"$dir/log" 2>&1 </dev/null &
  server=$!
  read -r _
  kill -INT $server; wait $server
  rm -rf "$dir"
`

export interface Cluster {
  /** `postgres://postgres@127.0.0.1:PORT/` without a database name. */
  readonly url: string
  stop(): Promise<void>
}

export async function startCluster(): Promise<Cluster> {
  const bin = findBinaries()
  const user = unprivileged()
  const directory = mkdtempSync(join(tmpdir(), 'jiaowu-pg-'))
  if (user.uid !== undefined) chownSync(directory, user.uid, user.gid)
  const made = spawnSync(
    join(bin, 'initdb'),
    [
      '-D',
      join(directory, 'data'),
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
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)
  const port = await freePort()
  const child = spawn('sh', ['-c', supervisor, 'sh', bin, directory, String(port)], {
    ...user,
    cwd: directory,
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = `postgres://postgres@127.0.0.1:${port}/`
  const stop = async () => {
    child.stdin.end()
    await exited
  }
  try {
    await waitUntilReady(url, () => child.exitCode === null)
  } catch (error) {
    await stop()
    throw error
  }
  return { url, stop }
}

function findBinaries() {
  const debian = existsSync(debianRoot)
    ? readdirSync(debianRoot)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => join(debianRoot, version, 'bin'))
    : []
  const found = [...(process.env.PATH ?? '').split(delimiter), ...debian].find(
    (folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')),
  )
  if (found === undefined)
    throw new Error(
      'TEST_ENGINE=postgres needs PostgreSQL 14 or newer: install it (Debian: apt-get install ' +
        'postgresql) or put its bin folder on PATH.',
    )
  return found
}

/** PostgreSQL refuses to run as root. */
function unprivileged() {
  if (process.getuid?.() !== 0) return {}
  for (const user of ['postgres', 'nobody']) {
    const [uid, gid] = [idOf(user, '-u'), idOf(user, '-g')]
    if (!Number.isNaN(uid) && !Number.isNaN(gid)) return { uid, gid }
  }
  throw new Error(
    'PostgreSQL does not run as root, and this machine has neither a user postgres nor nobody.',
  )
}

function idOf(user: string, which: '-u' | '-g') {
  return Number(spawnSync('id', [which, user], { encoding: 'utf8' }).stdout.trim() || Number.NaN)
}

function freePort() {
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

// Installs Directus from the package registry and starts it on a database of its own with the same rows.
// Directus is licensed for such use only (https://directus.io/license); it is no part of the product.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from '../../apps/server/testing/postgres/postgres-cluster.ts'
import { runOnDatabase, type Started, startProcess } from '../lists/contestants.ts'
import { fillStatements, tenant } from '../lists/people.ts'
import { root } from '../place.ts'

/** The newest version whose parts are all in the registry that the project was built with. */
const version = '12.3.1'
/**
 * The version of Node that this version asks for. Its addon isolated-vm 5 does not compile against
 * newer ones.
 */
const nodeVersion = '22.23.3'
const folder = join(root, 'node_modules', '.cache', 'rivals', `directus-${version}`)
const node = join(folder, 'node_modules', 'node', 'bin', 'node')
const program = join(folder, 'node_modules', 'directus', 'cli.js')
const token = 'token-of-the-benchmark'

/** @throws Error when it can't be installed, or does not start */
export async function startDirectus(cluster: Cluster, rows: number): Promise<Started> {
  install()
  const database = `bench_directus_${rows}`
  await runOnDatabase(`${cluster.url}postgres`, (run) => run(`create database ${database}`))
  const url = `${cluster.url}${database}`
  const environment = {
    KEY: 'benchmark',
    SECRET: 'the-secret-of-the-benchmark-2026',
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: url,
    DB_POOL__MIN: '0',
    DB_POOL__MAX: '10',
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: 'Jiaowu-bench-2026',
    ADMIN_TOKEN: token,
    HOST: '127.0.0.1',
    PUBLIC_URL: 'http://127.0.0.1',
    TELEMETRY: 'false',
    LOG_LEVEL: 'error',
    SERVE_APP: 'false',
    // It refuses calls of a busy server by default.
    PRESSURE_LIMITER_ENABLED: 'false',
  }
  execute([node, program, 'bootstrap'], environment)
  await runOnDatabase(url, async (run) => {
    for (const statement of tableStatements(rows)) await run(statement)
  })
  const started = await startProcess([node, program, 'start'], environment, '/server/ping')
  await register(started.port)
  return { name: 'directus', kind: 'directus', tokens: [token], ...started }
}

/** The product's table, as Directus can serve it: one key column, no school, indexes to match. */
function tableStatements(rows: number): string[] {
  return [
    'create schema biz',
    ...fillStatements(rows),
    'alter table biz.bench_person set schema public',
    'alter table bench_person drop constraint bench_person_pkey, add primary key (id)',
    `alter table bench_person alter column tenant_id set default ${tenant}`,
    'create index on bench_person (city, score, id)',
    'create unique index on bench_person (code)',
    'analyze bench_person',
  ]
}

/** Makes the table a collection with an activity log and revisions, as new ones are by default. */
async function register(port: number): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/collections/bench_person`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ meta: { accountability: 'all' } }),
  })
  if (!answer.ok) throw new Error(`Directus did not take the table: ${await answer.text()}`)
  // It reads its schema anew after the change.
  await sleep(1000)
}

/** Installs it once, 700 MB, with the Node that it needs; two native addons are compiled by g++. */
function install(): void {
  const compiled = join(folder, 'node_modules', 'isolated-vm', 'out', 'isolated_vm.node')
  if (existsSync(compiled)) return
  process.stderr.write('Installing Directus for the benchmark; this takes some minutes …\n')
  mkdirSync(folder, { recursive: true })
  const dependencies = { directus: version, node: nodeVersion }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  execute(['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund'], {})
  const nodePackage = join(folder, 'node_modules', 'node')
  execute([process.execPath, 'installArchSpecificPackage'], {}, nodePackage)
  const headers = `node-${process.platform}-${process.arch}`
  execute(['npm', 'rebuild', 'isolated-vm', 'argon2'], {
    npm_config_nodedir: join(nodePackage, 'node_modules', headers),
    PATH: `${join(nodePackage, 'bin')}${delimiter}${process.env.PATH ?? ''}`,
  })
}

/** @throws Error with the end of what the command wrote when it fails */
function execute(
  [command = '', ...args]: readonly string[],
  environment: Readonly<Record<string, string>>,
  cwd = folder,
): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  })
  if (status !== 0)
    throw new Error(
      `${command} ${args.join(' ')} failed: ${error?.message ?? `${stdout}${stderr}`.slice(-2000)}`,
    )
}

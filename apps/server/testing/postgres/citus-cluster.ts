// A Citus cluster on loopback for one run, where the extension is installed.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { type Cluster, findBinaries, startCluster } from './postgres-cluster.ts'

/** Citus needs a process for each database and more for moving shards. */
const settings = {
  shared_preload_libraries: 'citus',
  max_worker_processes: '64',
  wal_level: 'logical',
  max_wal_senders: '20',
  max_replication_slots: '20',
  max_prepared_transactions: '200',
  'citus.node_conninfo': 'sslmode=disable',
  'citus.enable_unsafe_triggers': 'on',
  // PostgreSQL 15.20 and newer minor versions refuse plugins that are not listed.
  output_plugin_libraries: 'citus, pgoutput',
}

export interface CitusCluster {
  readonly coordinator: Cluster
  readonly workers: readonly Cluster[]
  stop(): Promise<void>
}

/** The folder of the programs of a PostgreSQL that has Citus; undefined without one. */
export function citusBinaries(): string | undefined {
  try {
    return findBinaries((bin) => {
      const { stdout } = spawnSync(join(bin, 'pg_config'), ['--sharedir'], { encoding: 'utf8' })
      return existsSync(join((stdout ?? '').trim(), 'extension', 'citus.control'))
    })
  } catch {
    return undefined
  }
}

/** Without workers, the coordinator holds the shards. */
export async function startCitus(bin: string, workers: number): Promise<CitusCluster> {
  const nodes = await Promise.all(
    Array.from({ length: workers + 1 }, () =>
      startCluster({ bin, settings: pickKnownSettings(bin) }),
    ),
  )
  const [coordinator, ...rest] = nodes
  if (coordinator === undefined) throw new Error('no node was started')
  return {
    coordinator,
    workers: rest,
    stop: async () => {
      await Promise.all(nodes.map((node) => node.stop()))
    },
  }
}

/** Makes a database on all nodes and joins them. */
export async function createClusterDatabase(
  { coordinator, workers }: CitusCluster,
  name: string,
): Promise<void> {
  for (const { url } of [coordinator, ...workers]) {
    await runOn(`${url}postgres`, `create database ${name}`)
    await runOn(`${url}${name}`, 'create extension citus')
  }
  const join = [
    `select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`,
    ...workers.map(({ port }) => `select citus_add_node('127.0.0.1', ${port})`),
    ...(workers.length === 0
      ? [
          `select citus_set_node_property('127.0.0.1', ${coordinator.port}, 'shouldhaveshards', true)`,
        ]
      : []),
  ]
  for (const statement of join) await runOn(`${coordinator.url}${name}`, statement)
}

export async function runOn(url: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Without the settings that this PostgreSQL does not have. */
function pickKnownSettings(bin: string): Record<string, string> {
  const { stdout } = spawnSync(join(bin, 'postgres'), ['--describe-config'], { encoding: 'utf8' })
  const { output_plugin_libraries: plugins, ...others } = settings
  return /^output_plugin_libraries\b/m.test(stdout ?? '')
    ? { ...others, output_plugin_libraries: plugins }
    : others
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import type {} from './database/store.ts'

/** Cheap: an embedded database is created only when a test file asks for one. */
export async function setup(project: TestProject) {
  const directory = mkdtempSync(join(tmpdir(), 'jiaowu-test-'))
  const remove = () => rmSync(directory, { recursive: true, force: true })
  const engine = process.env.TEST_ENGINE
  if (engine !== 'postgres' && engine !== 'citus') {
    project.provide('testStore', { directory })
    return remove
  }
  const { url, stop } = await (engine === 'citus' ? startOneNode() : startPlain())
  project.provide('testStore', { directory, postgresUrl: url })
  return async () => {
    await stop()
    remove()
  }
}

async function startPlain() {
  const { startCluster } = await import('./postgres/postgres-cluster.ts')
  const { createTemplate } = await import('./database/template.ts')
  const cluster = await startCluster()
  await createTemplate(cluster.url)
  return cluster
}

/** Every table is spread, and all shards are on one node, since a template is copied on one node. */
async function startOneNode() {
  const { citusBinaries, startCitus } = await import('./postgres/citus-cluster.ts')
  const { createSpreadTemplate } = await import('./database/template.ts')
  const bin = citusBinaries()
  if (bin === undefined) throw new Error('TEST_ENGINE=citus needs a PostgreSQL with Citus.')
  const cluster = await startCitus(bin, 0)
  await createSpreadTemplate(cluster)
  return { url: cluster.coordinator.url, stop: cluster.stop }
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import type {} from './store.ts'

/** Cheap: an embedded database is created only when a test file asks for one. */
export async function setup(project: TestProject) {
  const directory = mkdtempSync(join(tmpdir(), 'jiaowu-test-'))
  const remove = () => rmSync(directory, { recursive: true, force: true })
  if (process.env.TEST_ENGINE !== 'postgres') {
    project.provide('testStore', { directory })
    return remove
  }
  const { startCluster } = await import('./postgres-cluster.ts')
  const { createTemplate } = await import('./template.ts')
  const cluster = await startCluster()
  await createTemplate(cluster.url)
  project.provide('testStore', { directory, postgresUrl: cluster.url })
  return async () => {
    await cluster.stop()
    remove()
  }
}

// `npm run test:starts` runs a hundred rounds (docs/operations/database.md).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Cluster,
  findBinaries,
  startCluster,
} from '../../apps/server/testing/postgres/postgres-cluster.ts'
import { startTogether } from '../support/first-starts.ts'

function hasPostgres(): boolean {
  try {
    return findBinaries() !== ''
  } catch {
    return false
  }
}

describe.skipIf(!hasPostgres())('servers that start together on an empty database', () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster()
  })
  afterAll(() => cluster.stop())

  it('all serve, under one key that the shared folder holds', async () => {
    expect(await startTogether(cluster.url, 'first_starts', 4)).toEqual({ faults: [] })
  }, 240_000)
})

import type { Api } from '../support/student.ts'
import { runOn } from '../../apps/server/testing/postgres/citus-cluster.ts'

const anyTable = 'sys.app_user'

export async function findShard(url: string, tenant: string): Promise<string> {
  const { rows } = await runOn(
    url,
    `select get_shard_id_for_distribution_column('${anyTable}', ${tenant}::bigint)::text as shard`,
  )
  return rows[0].shard
}

/** The port of the node that holds the school. */
export async function findNodePort(url: string, tenant: string): Promise<number> {
  const { rows } = await runOn(
    url,
    `select nodeport::int as port from citus_shards where shardid = ${await findShard(url, tenant)}`,
  )
  return rows[0].port
}

export interface Traffic {
  /** Ends the writing. */
  stop(): Promise<{ written: number; refused: string[]; longestMs: number }>
  /** How many of the rows are stored. */
  stored(api: Api): Promise<number>
}

/** Adds a row after the other, until it is stopped. */
export function startTraffic(api: Api): Traffic {
  const params = { tag: 'EDU_FACULTY' }
  let isOver = false
  const counts = { written: 0, refused: [] as string[], longestMs: 0 }
  const writing = (async () => {
    for (let n = 0; !isOver; n += 1) {
      const started = performance.now()
      await api.entityData.create({ params, body: { code: `T${n}`, name: '流量' } }).then(
        () => {
          counts.written += 1
        },
        (error: unknown) => {
          counts.refused.push(String(error))
        },
      )
      counts.longestMs = Math.max(counts.longestMs, performance.now() - started)
    }
  })()
  return {
    stop: async () => {
      isOver = true
      await writing
      return counts
    },
    stored: async (reader) => {
      const { total } = await reader.entityData.page({
        params,
        body: { pageSize: 1, queries: { name: '流量' } },
      })
      return total ?? 0
    },
  }
}

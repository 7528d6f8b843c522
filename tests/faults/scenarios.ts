import { setTimeout as sleep } from 'node:timers/promises'
import {
  type FaultProxy,
  type NetworkFault,
} from '../../apps/server/testing/postgres/fault-proxy.ts'
import { type Cluster } from '../../apps/server/testing/postgres/postgres-cluster.ts'
import { runOn } from '../../apps/server/testing/postgres/citus-cluster.ts'

/** A primary and its synchronous standby, each behind a proxy. */
export interface Place {
  readonly primary: Cluster
  readonly standby: Cluster
  readonly toPrimary: FaultProxy
  readonly toStandby: FaultProxy
}

export interface Scenario {
  readonly name: string
  /** DATABASE_URL names both servers; else the first proxy only. */
  readonly hasTwoHosts?: boolean
  /** Resolves when the database can be written to again; the time to the first write counts from there. */
  run(place: Place): Promise<void>
  /** Needs new servers afterwards. */
  readonly usesUp?: boolean
}

/** How long a fault lasts that heals. */
const outageMs = 15_000
/** How long a tool such as Patroni takes to promote, at the least. */
const promotionMs = 3_000

export const scenarios: readonly Scenario[] = [
  { name: 'reset of all connections', run: failOnce('reset') },
  { name: 'blackhole: open connections forgotten, new ones work', run: failOnce('blackhole') },
  { name: 'half-open: requests arrive, answers do not', run: failOnce('halfOpen') },
  { name: 'strand for 15 s: connections accepted, nothing answered', run: during('strand') },
  { name: 'refused for 15 s', run: during('refuse') },
  {
    name: 'each packet 1 s late for 15 s',
    run: async ({ toPrimary }) => {
      toPrimary.delayMs = 1_000
      await sleep(outageMs)
      toPrimary.delayMs = 0
    },
  },
  {
    name: 'primary killed, standby promoted (two hosts)',
    hasTwoHosts: true,
    usesUp: true,
    run: async ({ primary, standby }) => {
      primary.kill()
      await sleep(promotionMs)
      await promote(standby)
    },
  },
  {
    name: 'primary silent, standby promoted (two hosts)',
    hasTwoHosts: true,
    usesUp: true,
    run: async ({ toPrimary, standby }) => {
      toPrimary.fail('strand')
      await sleep(promotionMs)
      await promote(standby)
    },
  },
  {
    name: 'address moves to the promoted standby, old connections silent',
    usesUp: true,
    run: async ({ toPrimary, standby }) => {
      toPrimary.fail('blackhole')
      await promote(standby)
      toPrimary.target = standby.port
    },
  },
  {
    name: 'primary turns read-only, standby promoted (two hosts)',
    hasTwoHosts: true,
    usesUp: true,
    run: async ({ primary, standby }) => {
      await runOn(`${primary.url}postgres`, 'alter system set default_transaction_read_only = on')
      await runOn(`${primary.url}postgres`, 'select pg_reload_conf()')
      await promote(standby)
    },
  },
]

function failOnce(fault: NetworkFault): Scenario['run'] {
  return async ({ toPrimary }) => {
    toPrimary.fail(fault)
    toPrimary.heal()
  }
}

function during(fault: NetworkFault): Scenario['run'] {
  return async ({ toPrimary }) => {
    toPrimary.fail(fault)
    await sleep(outageMs)
    toPrimary.heal()
  }
}

async function promote(standby: Cluster): Promise<void> {
  await runOn(`${standby.url}postgres`, 'select pg_promote(true, 60)')
}

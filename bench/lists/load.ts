// Sends one kind of call over several connections for a time, and reads what it cost.
import { quantile } from '../measure.ts'
import { cpuMs } from '../country/load.ts'
import { snowflake } from '../../apps/server/src/platform/id.ts'
import { seeded } from '../../apps/server/testing/random.ts'
import { type CallName, calls } from './calls.ts'
import type { Kind } from './dialects.ts'
import { openConnection } from './connection.ts'

export interface Contestant {
  readonly name: string
  readonly kind: Kind
  readonly port: number
  readonly pid: number
  /** Sessions to take turns with: each may send 50 calls a second. */
  readonly tokens: readonly string[]
}
export interface Sample {
  readonly calls: number
  readonly seconds: number
  /** Milliseconds of each call. */
  readonly times: readonly number[]
  readonly serverMs: number
  readonly databaseMs: number
  /** Why the first failed call failed; the others are not counted then. */
  readonly refused?: string
}
export interface Measured {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Milliseconds of processor time per call. */
  readonly serverCpu: number
  readonly databaseCpu: number
  readonly refused?: string
}

/** Ids as forms get them. */
const newId = snowflake(1000)
let turn = 0

export async function sample(
  { kind, port, pid, tokens }: Contestant,
  name: CallName,
  connections: number,
  seconds: number,
  rows: number,
  postmaster: number,
): Promise<Sample> {
  const lines = Array.from({ length: connections }, () => openConnection(port))
  const times: number[] = []
  const before = [cpuMs([pid]), postmaster === 0 ? 0 : cpuMs([postmaster])] as const
  const since = performance.now()
  const until = since + seconds * 1000
  let refused: string | undefined
  await Promise.all(
    lines.map(async (connection, index) => {
      const caller = {
        kind,
        connection,
        rows,
        random: seeded(index + 1 + (turn += 1)),
        token: () => tokens[(turn += 1) % tokens.length] ?? '',
        newId,
      }
      while (performance.now() < until && refused === undefined) {
        const at = performance.now()
        try {
          await calls[name](caller)
        } catch (error) {
          refused ??= String(error)
          return
        }
        times.push(performance.now() - at)
      }
    }),
  )
  const took = (performance.now() - since) / 1000
  for (const line of lines) line.close()
  return {
    calls: times.length,
    seconds: took,
    times,
    serverMs: cpuMs([pid]) - before[0],
    databaseMs: postmaster === 0 ? 0 : cpuMs([postmaster]) - before[1],
    ...(refused !== undefined && { refused }),
  }
}

export function summary(samples: readonly Sample[]): Measured {
  const refused = samples.find((each) => each.refused !== undefined)?.refused
  const sum = (of: (each: Sample) => number) => samples.reduce((total, each) => total + of(each), 0)
  const count = sum((each) => each.calls)
  const times = samples.flatMap((each) => each.times).toSorted((a, b) => a - b)
  return {
    perSecond: count / sum((each) => each.seconds),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    serverCpu: sum((each) => each.serverMs) / count,
    databaseCpu: sum((each) => each.databaseMs) / count,
    ...(refused !== undefined && { refused }),
  }
}

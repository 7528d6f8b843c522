import type { Latency } from './load.ts'

export interface Situation {
  readonly name: string
  readonly neighbours: Latency
  readonly others: Latency
  readonly searches: number
}

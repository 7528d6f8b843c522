import type { CallName } from './calls.ts'
import type { Measured } from './load.ts'

export interface Result {
  readonly rows: number
  readonly call: CallName
  readonly connections: number
  readonly contestant: string
  readonly measured: Measured
}

import type { CancelFlags } from './cancel.ts'

export interface WorkerStart {
  readonly directory: string
  readonly startParams: readonly string[]
}

export type ToWorker =
  | { kind: 'messages'; session: number; messages: Uint8Array<ArrayBuffer> }
  | { kind: 'end'; session: number }
  | { kind: 'copy'; target: string }
  | { kind: 'stop' }

export type FromWorker =
  | { kind: 'ready'; cancel: CancelFlags }
  | { kind: 'bytes'; session: number; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'answered'; session: number; inTransaction: boolean }
  | { kind: 'failed'; sentence: string }
  | { kind: 'copied'; problem?: string }
  | { kind: 'aborted' }
  | { kind: 'stopped' }

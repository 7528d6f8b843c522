import type { BulkAction, BulkJob, BulkSelection } from '@jiaowu/api/contract/entity/bulk'
import type { ExportFormat } from '@jiaowu/api/contract/entity/entity-data'
import type { OnError } from '@jiaowu/api/contract/job'
import type { Values } from '@jiaowu/api/entity/values'
import { createPortActors, type ActorsOf, type Port } from '../port.ts'

/** @public Declarations of the machine's type name it. */
export interface BulkStart {
  readonly tag: string
  readonly action: BulkAction
  readonly selection: BulkSelection
  /** New values by attrName; an empty value empties the field. Unused for deletions. */
  readonly set: Values
}
export interface BulkApply {
  readonly id: string
  readonly count: number
  readonly onError: OnError
}
export interface BulkResult {
  readonly id: string
  readonly format: ExportFormat
  readonly only: 'all' | 'refused'
}

export interface BulkEditPorts {
  /** Starts a job that checks the rows and changes nothing. */
  readonly startBulk: Port<BulkStart, BulkJob>
  readonly readBulk: Port<{ readonly id: string }, BulkJob>
  readonly applyBulk: Port<BulkApply, BulkJob>
  readonly cancelBulk: Port<{ readonly id: string }, BulkJob>
  readonly saveBulk: Port<BulkResult, void>
}

export function bulkEditActors(ports: BulkEditPorts): ActorsOf<BulkEditPorts> {
  return createPortActors(ports, ['startBulk', 'readBulk', 'applyBulk', 'cancelBulk', 'saveBulk'])
}

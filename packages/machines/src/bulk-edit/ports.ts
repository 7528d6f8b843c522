import type { BulkAction, BulkJob, BulkSelection, ExportFormat, OnError, Values } from '@jiaowu/api'
import { actorsOf, type ActorsOf, type Port } from '../port.ts'

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
  return actorsOf(ports, ['startBulk', 'readBulk', 'applyBulk', 'cancelBulk', 'saveBulk'])
}

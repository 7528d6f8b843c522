import type { WritableRow } from '../../../jobs/job.ts'

type WriteFaultRule = 'noRecord' | 'changed' | 'choice' | 'inUse' | 'scope' | 'depth' | 'locked'
export interface WriteFault {
  readonly row: WritableRow
  readonly rule: WriteFaultRule
  readonly attrName: string | null
}

/** Faults found after rows were written: roll back the transaction or the savepoint. */
export class WrittenWrong extends Error {
  readonly faults: readonly WriteFault[]
  constructor(faults: readonly WriteFault[]) {
    super('rows were written that may not be')
    this.faults = faults
  }
}

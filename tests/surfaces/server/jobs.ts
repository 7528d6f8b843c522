import type { BulkJob } from '@jiaowu/api/contract/entity/bulk'
import { isJobOver, type Job } from '@jiaowu/api/contract/job'
import { type Faults, must, expectSame, waitUntilFits } from './checks.ts'
import type { Scene } from './endings.ts'

type AnyJob = Job | BulkJob

/** Waits until a job is over or asks its owner. @throws after a minute */
function standsStill<J extends AnyJob>(read: () => Promise<J>): Promise<J> {
  const isStill = (job: J) => isJobOver(job) || job.status === 'paused'
  return waitUntilFits('the job stands still', 60, read, isStill)
}

/** For `prepared`: the job that is asked about stands still before the call arrives. */
export function whenStill(read: (id: string) => Promise<AnyJob>) {
  return async <Asked extends { readonly id: string }>(asked: Asked): Promise<Asked> => {
    await standsStill(() => read(asked.id))
    return asked
  }
}

/** A line per property that differs. */
export function jobFaults<J extends AnyJob>(job: J, wanted: Partial<J>): Faults {
  return (Object.keys(wanted) as (keyof J & string)[]).map((name) =>
    expectSame(name, wanted[name], job[name]),
  )
}

interface Progress<J> {
  /** Further facts that the path gives about the job. */
  readonly more?: Partial<J>
  /** The job is to fail, and may have failed already. */
  readonly mayFail?: boolean
  started?(job: J): void
}

/** The progress of a job depends on time; that it continues does not. */
export function underWay<J extends AnyJob>(
  phase: J['phase'],
  { more = {}, mayFail = false, started }: Progress<J> = {},
): Pick<Scene<never, J>, 'check' | 'timeless'> {
  return {
    check: (job) => {
      started?.(job)
      const isWrong = job.status === 'cancelled' || (job.status === 'failed' && !mayFail)
      return must(!isWrong, `status: ${job.status}`)
    },
    timeless: (job) => ({ ...(job as J), status: 'running', phase, done: 0, ...more }),
  }
}

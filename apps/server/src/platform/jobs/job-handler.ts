import type { PlatformServices } from '../context.ts'
import type { Lease } from './lease.ts'

export interface Claimed<Job> {
  readonly lease: Lease
  readonly job: Job
  /** Id of the call that started it. */
  readonly trace?: string
}

/** One run of a claimed job. */
export interface JobRun<Job> extends Claimed<Job> {
  /** Aborted with JobCancelled or QueueStopping; a long run checks it between its steps. */
  readonly signal: AbortSignal
}

/**
 * Where the jobs of a kind are stored. A run writes its own steps and its end; the queue does the
 * rest through this. `Parts` are the services that its jobs need.
 */
export interface JobStore<Job, Parts = PlatformServices> {
  /** Leases up to `count` jobs that are due. No job is given to two callers. */
  readonly claim: (services: Parts, count: number) => Promise<readonly Claimed<Job>[]>
  /** Extends the lease. False when it is lost. */
  readonly renew: (services: Parts, lease: Lease) => Promise<boolean>
  /** Gives the job back unfinished: the server stops, or the database or the file store is unavailable. */
  readonly suspend: (services: Parts, claimed: Claimed<Job>) => Promise<void>
  /** The run threw an unexpected error: the job fails, or is tried again later. */
  readonly fail: (services: Parts, claimed: Claimed<Job>, error: unknown) => Promise<void>
  /** Before each round: makes jobs of dead workers available again. False when no job waits at all. */
  readonly recover: (services: Parts, options: RecoverOptions) => Promise<boolean>
  /** Whether a round that nothing woke may be left out: the one before knew when the next job is due. */
  readonly isQuiet?: (services: Parts) => boolean
}

export interface RecoverOptions {
  /** Ids of the jobs that this process runs. */
  readonly running: readonly string[]
  /** No other worker can be alive: leases need not run out first. */
  readonly alone: boolean
}

/** How the jobs of one kind are stored and run. */
export interface JobHandler<Job, Parts = PlatformServices> {
  /** For the log. */
  readonly kind: string
  readonly store: JobStore<Job, Parts>
  /** Ends normally when the run has written its outcome. @throws what `Queue` turns into suspend or fail */
  readonly run: (services: Parts, run: JobRun<Job>) => Promise<void>
  /** How many jobs one server runs at once. */
  readonly concurrency: number
  /** Milliseconds between rounds; an enqueued job wakes the queue earlier. */
  readonly pollMs: number
  /** Milliseconds between renewals: well below the lease. */
  readonly renewMs: number
  /** A round ends after so many jobs, although more may be due. Unlimited by default. */
  readonly mostPerRound?: number
  readonly beforeRound?: (services: Parts) => Promise<unknown>
  readonly afterRound?: (services: Parts) => Promise<unknown>
}

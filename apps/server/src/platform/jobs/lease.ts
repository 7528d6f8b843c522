/**
 * Proof that a worker holds a job. Every step of a run repeats it in the transaction that writes the step, so that
 * a worker whose lease ran out cannot write over the one that took the job after it.
 */
export interface Lease {
  /** The school of the job. */
  readonly tenant: string
  /** The id of the job. */
  readonly id: string
  /** Differs for every claim of the job. */
  readonly token: string
}

/** Another worker holds the job, or the job has ended: this run must not write anything more. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/** The user cancelled the job while it ran. */
export class JobCancelled extends Error {
  override readonly name = 'JobCancelled'
}

/** The server stops: the job is suspended where it stands. */
export class QueueStopping extends Error {
  override readonly name = 'QueueStopping'
}

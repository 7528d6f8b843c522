// Jobs of a kind run one at a time in each server: an import is work for the database, and two would only wait for each other. A change of
// rows that somebody looks at does not wait for one.
import { randomUUID } from 'node:crypto'
import type { Services } from '../../context.ts'
import { databaseOf } from '../../entities/read/rows.ts'
import { FilesUnavailable } from '../files/driver.ts'
import { isUnavailable } from '../database/problems.ts'
import {
  type AnyJob,
  type JobKind,
  jobKinds,
  JobStop,
  LeaseLost,
} from '../../entities/import/job.ts'
import { claimJob, leaseSeconds, putDown, renewLease, reviveJobs, stepJob } from './jobs.ts'
import { runBulk } from '../../entities/bulk/run.ts'
import { runJob } from '../../entities/import/run.ts'

/** The server goes down: the job is put down where it stands. */
class GoingDown extends Error {}

export interface Runner {
  /** A job waits: look now, not at the next round. */
  readonly kick: () => void
  /** Stops a job of this process at its next chunk; false when it is not here. */
  readonly cancel: (id: string) => boolean
  /** After this nothing runs any more; what ran is paused and goes on at the next start. */
  readonly stop: () => Promise<void>
}

const rounds = { every: 3_000 }

class JobRunner implements Runner {
  readonly #services: Services
  readonly #kind: JobKind
  #current: { readonly id: string; cancelled: boolean } | null = null
  #loop: Promise<void> | null = null
  #stopping = false
  #again = false
  #first = true
  readonly #timer: NodeJS.Timeout

  constructor(services: Services, kind: JobKind) {
    this.#services = services
    this.#kind = kind
    this.#timer = setInterval(() => this.kick(), rounds.every)
    this.#timer.unref()
  }

  kick(): void {
    if (this.#stopping) return
    if (this.#loop !== null) {
      this.#again = true
      return
    }
    this.#loop = this.#rounds()
      .catch((error: unknown) => {
        if (!this.#stopping)
          this.#services.log.warn(
            { err: error },
            'the job queue could not be looked through; it will be again',
          )
      })
      .finally(() => {
        this.#loop = null
        if (this.#again) {
          this.#again = false
          this.kick()
        }
      })
  }

  cancel(id: string): boolean {
    if (this.#current?.id !== id) return false
    this.#current.cancelled = true
    return true
  }

  async stop(): Promise<void> {
    this.#stopping = true
    clearInterval(this.#timer)
    await this.#loop
  }

  async #rounds(): Promise<void> {
    const { database } = this.#services
    // The embedded database is ours alone: at the start of this process no run of its jobs can be alive.
    await reviveJobs(
      this.#services,
      this.#kind,
      this.#current === null ? [] : [this.#current.id],
      this.#first && database.engine === 'pglite',
    )
    this.#first = false
    for (;;) {
      if (this.#stopping) return
      const token = randomUUID()
      const job = await claimJob(this.#services, token, this.#kind)
      if (job === undefined) return
      await this.#run(job, token)
    }
  }

  async #run(job: AnyJob, token: string): Promise<void> {
    const mine = { id: job.id, cancelled: false }
    this.#current = mine
    const halted = () => {
      if (this.#stopping) throw new GoingDown()
      if (mine.cancelled) throw new JobStop('cancelled', { key: 'transfer.job.cancelled' })
    }
    let beating: Promise<unknown> | null = null
    const heartbeat = setInterval(
      () => {
        beating ??= renewLease(databaseOf(this.#services), job.id, token)
          .catch(() => false)
          .finally(() => {
            beating = null
          })
      },
      (leaseSeconds * 1000) / 3,
    )
    heartbeat.unref()
    try {
      if (job.kind === 'bulk') await runBulk(this.#services, { job, token, halted })
      else await runJob(this.#services, { job, token, halted })
    } catch (error) {
      await this.#broke(job, token, error)
    } finally {
      clearInterval(heartbeat)
      if (beating !== null) await beating
      this.#current = null
    }
  }

  async #broke(job: AnyJob, token: string, error: unknown): Promise<void> {
    const { log } = this.#services
    if (error instanceof LeaseLost) {
      log.warn({ job: job.id }, 'a job was taken up by another server meanwhile')
      return
    }
    if (error instanceof GoingDown || error instanceof FilesUnavailable || isUnavailable(error)) {
      await putDown(this.#services, job.id, token).catch(() => {})
      return
    }
    log.error({ err: error, job: job.id }, 'a job broke off')
    await stepJob(databaseOf(this.#services), job.id, token, {
      status: 'failed',
      message: { key: 'transfer.job.fault' },
    }).catch(() => {})
  }
}

const runners = new WeakMap<object, Map<JobKind, Runner>>()

/** The runner of this server for a kind of jobs: one per database it has open. */
export function runnerOf(services: Services, kind: JobKind = 'import'): Runner {
  const known = runners.get(services.database) ?? new Map<JobKind, Runner>()
  runners.set(services.database, known)
  const { database, settings, registry, log, now, newId } = services
  const runner =
    known.get(kind) ?? new JobRunner({ database, settings, registry, log, now, newId }, kind)
  known.set(kind, runner)
  return runner
}

/** Takes up what earlier runs left behind. Returns what stops it. */
export function startTransfers(services: Services): () => Promise<void> {
  const all = jobKinds.map((kind) => runnerOf(services, kind))
  for (const runner of all) runner.kick()
  return async () => {
    await Promise.all(all.map((runner) => runner.stop()))
  }
}

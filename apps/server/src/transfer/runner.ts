// Jobs run one at a time in each server: an import is work for the database, and two would only wait for each other.
import { randomUUID } from 'node:crypto'
import type { Services } from '../context.ts'
import { databaseOf } from '../entity/rows.ts'
import { isUnavailable } from '../sql/problems.ts'
import { type JobRecord, JobStop, LeaseLost } from './job.ts'
import { claimJob, leaseSeconds, putDown, renewLease, reviveJobs, stepJob } from './jobs.ts'
import { runJob } from './run.ts'

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
  #current: { readonly id: string; cancelled: boolean } | null = null
  #loop: Promise<void> | null = null
  #stopping = false
  #again = false
  #first = true
  readonly #timer: NodeJS.Timeout

  constructor(services: Services) {
    this.#services = services
    this.#timer = setInterval(() => this.kick(), rounds.every)
    this.#timer.unref()
  }

  kick(): void {
    if (this.#stopping) return
    if (this.#loop !== null) { this.#again = true; return }
    this.#loop = this.#rounds().catch((error: unknown) => {
      if (!this.#stopping) this.#services.log.warn({ err: error }, 'the job queue could not be looked through; it will be again')
    }).finally(() => {
      this.#loop = null
      if (this.#again) { this.#again = false; this.kick() }
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
    await reviveJobs(this.#services, this.#current === null ? [] : [this.#current.id], this.#first && database.engine === 'pglite')
    this.#first = false
    for (;;) {
      if (this.#stopping) return
      const token = randomUUID()
      const job = await claimJob(this.#services, token)
      if (job === undefined) return
      await this.#run(job, token)
    }
  }

  async #run(job: JobRecord, token: string): Promise<void> {
    const mine = { id: job.id, cancelled: false }
    this.#current = mine
    const halted = () => {
      if (this.#stopping) throw new GoingDown()
      if (mine.cancelled) throw new JobStop('cancelled', { key: 'transfer.job.cancelled' })
    }
    let beating: Promise<unknown> | null = null
    const heartbeat = setInterval(() => { beating ??= renewLease(databaseOf(this.#services), job.id, token).catch(() => false).finally(() => { beating = null }) }, (leaseSeconds * 1000) / 3)
    heartbeat.unref()
    try {
      await runJob(this.#services, { job, token, halted })
    } catch (error) {
      await this.#broke(job, token, error)
    } finally {
      clearInterval(heartbeat)
      if (beating !== null) await beating
      this.#current = null
    }
  }

  async #broke(job: JobRecord, token: string, error: unknown): Promise<void> {
    const { log } = this.#services
    if (error instanceof LeaseLost) { log.warn({ job: job.id }, 'a job was taken up by another server meanwhile'); return }
    if (error instanceof GoingDown || isUnavailable(error)) { await putDown(this.#services, job.id, token).catch(() => {}); return }
    log.error({ err: error, job: job.id }, 'an import broke off')
    await stepJob(databaseOf(this.#services), job.id, token, { status: 'failed', message: { key: 'transfer.job.fault' } }).catch(() => {})
  }
}

const runners = new WeakMap<object, Runner>()

/** The runner of this server: one per database it has open. */
export const runnerOf = (services: Services): Runner => {
  const known = runners.get(services.database)
  if (known !== undefined) return known
  const { database, settings, registry, log, now, newId } = services
  const made = new JobRunner({ database, settings, registry, log, now, newId })
  runners.set(database, made)
  return made
}

/** Takes up what earlier runs left behind. Returns what stops it. */
export const startTransfers = (services: Services): (() => Promise<void>) => {
  const runner = runnerOf(services)
  runner.kick()
  return () => runner.stop()
}

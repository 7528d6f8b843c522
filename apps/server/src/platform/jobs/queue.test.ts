import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { quietLog } from '../../../testing/quiet-log.ts'
import type { PlatformServices } from '../context.ts'
import { FilesUnavailable } from '../files/driver.ts'
import type { JobHandler, JobRun, JobStore } from './job-handler.ts'
import { JobCancelled, LeaseLost, QueueStopping } from './lease.ts'
import { createQueue, drain } from './queue.ts'
import { addQueue, cancelRunning, stopQueue, wakeQueue } from './queues.ts'

interface TestJob {
  readonly id: string
}

/** Jobs in memory, and what the queue did with them. */
function memoryStore(ids: readonly string[]) {
  const waiting = [...ids]
  const calls: string[] = []
  const store: JobStore<TestJob> = {
    claim: (_services, count) =>
      Promise.resolve(
        waiting
          .splice(0, count)
          .map((id) => ({ lease: { tenant: '1', id, token: 't' }, job: { id } })),
      ),
    renew: (_services, { id }) => {
      calls.push(`renew ${id}`)
      return Promise.resolve(true)
    },
    suspend: (_services, { lease }) => {
      calls.push(`suspend ${lease.id}`)
      return Promise.resolve()
    },
    fail: (_services, { lease }) => {
      calls.push(`fail ${lease.id}`)
      return Promise.resolve()
    },
    recover: (_services, { alone }) => {
      calls.push(alone ? 'recover alone' : 'recover')
      return Promise.resolve(true)
    },
  }
  return { waiting, calls, store }
}

function createTestHandler(
  store: JobStore<TestJob>,
  run: (run: JobRun<TestJob>) => Promise<void>,
  more: Partial<JobHandler<TestJob>> = {},
): JobHandler<TestJob> {
  return {
    kind: 'test',
    store,
    run: (_services, job) => run(job),
    concurrency: 1,
    pollMs: 60_000,
    renewMs: 60_000,
    ...more,
  }
}

function services(): PlatformServices {
  const long = <Result>(work: () => Promise<Result>) => work()
  return { database: { engine: 'pglite', long }, log: quietLog } as unknown as PlatformServices
}

it('runs so many jobs at once, and ends a round after the most it may run', async () => {
  const { store, waiting } = memoryStore(['1', '2', '3', '4', '5', '6'])
  let [running, most] = [0, 0]
  const handler = createTestHandler(
    store,
    async () => {
      running += 1
      most = Math.max(most, running)
      await sleep(1)
      running -= 1
    },
    { concurrency: 2, mostPerRound: 4 },
  )
  expect(await drain(services(), handler)).toBe(4)
  expect([most, waiting]).toEqual([2, ['5', '6']])
})

it('suspends a job when a store is unavailable, fails it on other errors, and leaves a lost one alone', async () => {
  const { store, calls } = memoryStore(['lost', 'unavailable', 'broken', 'fine'])
  const errors: Readonly<Record<string, Error>> = {
    lost: new LeaseLost(),
    unavailable: new FilesUnavailable('the bucket does not answer'),
    broken: new Error('broken'),
  }
  const handler = createTestHandler(store, ({ job }) => {
    const error = errors[job.id]
    return error === undefined ? Promise.resolve() : Promise.reject(error)
  })
  await drain(services(), handler)
  expect(calls).toEqual(['suspend unavailable', 'fail broken'])
})

it('renews the lease of a long run', async () => {
  const { store, calls } = memoryStore(['1'])
  await drain(
    services(),
    createTestHandler(store, () => sleep(60), { renewMs: 10 }),
  )
  expect(calls.filter((call) => call === 'renew 1').length).toBeGreaterThan(1)
})

it('looks for jobs when it is woken, once more when woken during a round, and recovers leases first', async () => {
  const { store, waiting, calls } = memoryStore(['1'])
  const ran: string[] = []
  const queue = createQueue(
    services(),
    createTestHandler(store, async ({ job }) => {
      ran.push(job.id)
      if (job.id !== '1') return
      queue.wake()
      await sleep(1)
    }),
  )
  queue.wake()
  await queue.settled()
  waiting.push('2')
  await queue.settled()
  queue.wake()
  await queue.settled()
  await queue.stop()
  expect(ran).toEqual(['1', '2'])
  expect(calls.slice(0, 2)).toEqual(['recover alone', 'recover'])
})

it('cancels a running job by its id', async () => {
  const own = services()
  const { store } = memoryStore(['1'])
  const ended: unknown[] = []
  const handler = createTestHandler(store, async ({ signal }) => {
    await sleep(10_000, undefined, { signal }).catch(() => ended.push(signal.reason))
  })
  const queue = addQueue(own, 'import', () => createQueue(own, handler))
  wakeQueue(own, 'import')
  await sleep(5)
  cancelRunning(own, 'bulk', '1')
  cancelRunning(own, 'import', '2')
  expect(ended).toEqual([])
  cancelRunning(own, 'import', '1')
  await queue.settled()
  await stopQueue(own, 'import')
  expect(ended[0]).toBeInstanceOf(JobCancelled)
})

it('suspends what runs when it stops, and claims nothing more', async () => {
  const { store, waiting, calls } = memoryStore(['1', '2'])
  const queue = createQueue(
    services(),
    createTestHandler(store, async ({ signal }) => {
      await sleep(10_000, undefined, { signal }).catch(() => {})
      expect(signal.reason).toBeInstanceOf(QueueStopping)
      signal.throwIfAborted()
    }),
  )
  queue.wake()
  await sleep(5)
  await queue.stop()
  queue.wake()
  await queue.settled()
  expect(calls).toEqual(['recover alone', 'suspend 1'])
  expect(waiting).toEqual(['2'])
})

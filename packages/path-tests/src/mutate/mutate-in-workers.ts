import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type Fate, type MutationReport, buildMutationReport } from './mutation.ts'

export interface WorkerOptions {
  /** Name of the export that holds the model. Default: `model`. */
  readonly model?: string
  /** Name of the export that holds the rules; see `MutationOptions.rules`. Default: none. */
  readonly rules?: string
  /** Threads. Default: as many as there are processors. */
  readonly workers?: number
}

/** Data that a worker is started with. */
export interface WorkerTask {
  readonly module: string
  readonly model: string
  readonly rules: string | null
  /** Only one worker runs the machine without a fault. */
  readonly runsUnbroken: boolean
}

/** Messages of a worker: first `ready`, then a fate for each number it was sent. */
export type WorkerAnswer =
  | {
      readonly type: 'ready'
      readonly ids: readonly string[]
      readonly unbroken: readonly string[]
      /** The graph has more states than were explored. */ readonly isCut: boolean
    }
  | { readonly type: 'fate'; readonly at: number; readonly fate: Fate }

/**
 * `mutate` with every edge covered, on several threads. A machine has functions, which cannot be
 * sent to a thread: each imports the model from `module`, the URL of a module that Node can run.
 * @throws what a thread threw, such as a `ModelError`; a `TypeError` for a missing export
 */
export async function mutateInWorkers(
  module: URL | string,
  { model = 'model', rules, workers = availableParallelism() }: WorkerOptions = {},
): Promise<MutationReport> {
  const ending = extname(import.meta.url)
  const script = new URL(`./mutate-worker${ending}`, import.meta.url)
  const task = { module: String(module), model, rules: rules ?? null }
  const threads = Array.from({ length: Math.max(1, workers) }, (_, index) => {
    const workerData: WorkerTask = { ...task, runsUnbroken: index === 0 }
    return new Worker(script, { workerData })
  })
  try {
    return await shareOut(threads)
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()))
  }
}

/** Sends each thread the number of the next mutant when it has answered the one before. */
async function shareOut(threads: readonly Worker[]): Promise<MutationReport> {
  let next = 0
  let answered = 0
  const fates: Fate[] = []
  const { promise, resolve, reject } = Promise.withResolvers<MutationReport>()
  let known: Extract<WorkerAnswer, { type: 'ready' }> | null = null
  const finishWhenOver = () => {
    if (known === null) return
    if (known.unbroken.length > 0 || answered === known.ids.length) {
      const report = buildMutationReport(known.unbroken, known.ids, fates)
      resolve(known.isCut ? { ...report, score: null } : report)
    }
  }
  for (const [index, thread] of threads.entries()) {
    let count = 0
    thread.on('error', reject)
    thread.on('message', (answer: WorkerAnswer) => {
      if (answer.type === 'fate') {
        fates[answer.at] = answer.fate
        answered += 1
      } else {
        count = answer.ids.length
        if (index === 0) known = answer
      }
      if (next < count) thread.postMessage(next++)
      finishWhenOver()
    })
  }
  return promise
}

import type { BulkJob } from '@jiaowu/api/contract/entity/bulk'
import type { BulkApply, BulkEditPorts } from '@jiaowu/machines/bulk-edit/ports'
import { type Faults, must, same } from '../../surfaces/server/checks.ts'
import {
  answers,
  type CallOf,
  type Calls,
  forbidden,
  hidden,
  prepared,
  refuses,
  when,
} from '../../surfaces/server/endings.ts'
import type { fileSink } from '../../surfaces/server/file-sink.ts'
import { jobFaults, underWay, whenStill } from '../../surfaces/server/jobs.ts'
import type { Api } from '../../surfaces/server/run-context.ts'
import { bulkJobs } from './samples.ts'
import { type BulkRows, spared } from './server-rows.ts'

/**
 * The outcome of a job is fixed when it begins; until it is read, its message names the outcome.
 */
const marks = ['held', 'same', 'altered', 'aborted'] as const
type Mark = (typeof marks)[number]
type Call<Name extends keyof BulkEditPorts> = CallOf<BulkEditPorts, Name>

interface Bulk {
  readonly bulk: BulkRows
  /** The same user in another session. */
  readonly elsewhere: Api
  readonly sink: ReturnType<typeof fileSink>
}

export function callsOf(bench: Bulk): Calls<BulkEditPorts> {
  return {
    startBulk: startBulk(bench),
    readBulk: readBulk(bench),
    applyBulk: applyBulk(bench),
    cancelBulk: prepared(still(bench), {
      cancelled: answers(at('good', bulkJobs.cancelled), { check: cancelled(bench) }),
      refused: hidden(),
    }),
    saveBulk: {
      saved: answers(undefined, { check: () => bench.sink.filled() }),
      refused: hidden(),
    },
  }
}

export function isMark(text: unknown): text is Mark {
  return marks.some((mark) => mark === text)
}

/** The sample of a job under the id that determines how it continues. */
function at(id: string, job: BulkJob): BulkJob {
  return { ...job, id, ...(isMark(id) && job.status !== 'paused' ? { message: id } : {}) }
}

function startBulk({ bulk }: Bulk): Call<'startBulk'> {
  const begins = (id: string, prepare: () => Promise<void> = () => Promise.resolve()) =>
    answers(at(id, bulkJobs.queued), async (asked) => {
      await bulk.renew()
      const set = bulk.nextValues(asked.action === 'delete')
      await prepare()
      return { input: { ...asked, set }, ...going('checking', isMark(id) ? id : null) }
    }) satisfies Call<'startBulk'>[string]
  return {
    queued: begins('good'),
    forbidden: forbidden(),
    ...when(({ action }) => action === 'delete', {
      queuedHeld: begins('held', bulk.hold),
    }),
    ...when(({ action }) => action !== 'delete', {
      queuedSame: begins('same', bulk.anticipate),
      invalid: refuses(42200, (asked) => ({ input: { ...asked, set: { noSuchField: 'x' } } })),
    }),
  }
}

function readBulk(bench: Bulk): Call<'readBulk'> {
  const { bulk, elsewhere } = bench,
    { doomed } = bulk,
    all = doomed.length,
    rest = doomed.filter((alias) => alias !== spared)
  /** Compares the report of a job with the rows that it has changed. */
  const reads = (
    sample: BulkJob,
    wanted: Partial<BulkJob>,
    done: readonly string[] | null,
    more: (job: BulkJob) => Faults = () => [],
  ): Call<'readBulk'>[string] =>
    answers(sample, {
      check: (job) => [jobFaults(job, wanted), done === null ? [] : bulk.changed(done), more(job)],
    })
  const review = { status: 'paused', phase: 'review', total: all, updated: 0 } as const,
    finished = { status: 'done', phase: 'finished' } as const
  const saysWhy = ({ refused }: BulkJob) => [
    same(
      'the rows that are refused',
      [bulk.rows.idOf(spared)],
      refused.map(({ id }) => id),
    ),
    refused.map(({ errors }) =>
      must(
        errors.length > 0 && errors.every(({ msg }) => msg !== ''),
        'a refused row without a sentence',
      ),
    ),
  ]
  const notApplied = ({ can }: BulkJob) => same('can.apply', false, can.apply)
  const { good, wrong, nothing, doneInPart, failed, done } = bulkJobs
  return prepared(still(bench), {
    ...ofJob('good', {
      good: reads(at('good', good), { ...review, changed: all, skipped: 0, failed: 0 }, []),
      // The same user cancels it in another session.
      cancelled: answers(at('good', bulkJobs.cancelled), async ({ id }) => {
        await elsewhere.bulk.cancel({ params: { id } })
        return { check: cancelled(bench) }
      }),
      gone: hidden(),
    }),
    ...ofJob('held', {
      wrong: reads(
        at('held', wrong),
        { ...review, changed: all - 1, skipped: 0, failed: 1 },
        [],
        saysWhy,
      ),
    }),
    ...ofJob('same', {
      nothing: reads(
        at('same', nothing),
        { ...review, changed: 0, skipped: all, failed: 0 },
        null,
        notApplied,
      ),
    }),
    ...ofJob('altered', {
      doneInPart: reads(
        at('over', doneInPart),
        { ...finished, updated: all - 1, failed: 1 },
        rest,
        saysWhy,
      ),
    }),
    ...ofJob('aborted', {
      failed: reads(at('over', failed), { status: 'failed', updated: 0, failed: 1 }, [], saysWhy),
    }),
    ...ofJob('writing', {
      done: reads(at('over', done), { ...finished, updated: all, failed: 0 }, doomed),
    }),
  })
}

function ofJob(mark: string, endings: Call<'readBulk'>): Call<'readBulk'> {
  return when(({ id }) => id === mark, endings)
}

function applyBulk({ bulk }: Bulk): Call<'applyBulk'> {
  const { writing } = bulkJobs,
    isHeld = ({ id }: BulkApply) => id === 'held'
  const alteredAs = ({ onError }: BulkApply) => (onError === 'abort' ? 'aborted' : 'altered')
  return {
    writing: answers(
      (asked) => at(isHeld(asked) ? 'altered' : 'writing', writing),
      ({ count }) => going('writing', count < bulk.doomed.length ? 'altered' : null),
    ),
    ...when((asked) => !isHeld(asked), {
      altered: answers(
        (asked) => at(alteredAs(asked), writing),
        async (asked) => {
          await bulk.alter()
          return going('writing', alteredAs(asked))
        },
      ),
    }),
    // Confirms another number than the one previewed.
    refused: refuses(409, (asked) => ({
      input: { ...asked, count: asked.count + 1 },
      check: () => bulk.changed([]),
    })),
  }
}

function cancelled({ bulk }: Bulk) {
  return ({ status }: BulkJob): Faults => [same('status', 'cancelled', status), bulk.changed([])]
}

function going(phase: 'checking' | 'writing', mark: Mark | null) {
  const more = mark === null ? {} : { message: mark }
  return underWay<BulkJob>(phase, { more, mayFail: mark === 'aborted' })
}

function still({ elsewhere }: Bulk) {
  return whenStill((id) => elsewhere.bulk.get({ params: { id } }))
}

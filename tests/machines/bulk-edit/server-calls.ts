import type { BulkJob } from '@jiaowu/api/contract/entity/bulk'
import type { BulkApply, BulkEditPorts } from '@jiaowu/machines/bulk-edit/ports'
import { type Faults, must, expectSame } from '../../surfaces/server/checks.ts'
import {
  answers,
  type CallOf,
  type Calls,
  forbidden,
  refuseHiddenRecord,
  prepareEndings,
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

export function buildBulkCalls(bench: Bulk): Calls<BulkEditPorts> {
  return {
    startBulk: startBulk(bench),
    readBulk: readBulk(bench),
    applyBulk: applyBulk(bench),
    cancelBulk: prepareEndings(waitForStillBulk(bench), {
      cancelled: answers(giveJobId('good', bulkJobs.cancelled), { check: checkCancelled(bench) }),
      refused: refuseHiddenRecord(),
    }),
    saveBulk: {
      saved: answers(undefined, { check: () => bench.sink.filled() }),
      refused: refuseHiddenRecord(),
    },
  }
}

export function isMark(text: unknown): text is Mark {
  return marks.some((mark) => mark === text)
}

/** The sample of a job under the id that determines how it continues. */
function giveJobId(id: string, job: BulkJob): BulkJob {
  return { ...job, id, ...(isMark(id) && job.status !== 'paused' ? { message: id } : {}) }
}

function startBulk({ bulk }: Bulk): Call<'startBulk'> {
  const begins = (id: string, prepare: () => Promise<void> = () => Promise.resolve()) =>
    answers(giveJobId(id, bulkJobs.queued), async (asked) => {
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
    expectSame(
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
  const notApplied = ({ can }: BulkJob) => expectSame('can.apply', false, can.apply)
  const { good, wrong, nothing, doneInPart, failed, done } = bulkJobs
  return prepareEndings(waitForStillBulk(bench), {
    ...ofJob('good', {
      good: reads(giveJobId('good', good), { ...review, changed: all, skipped: 0, failed: 0 }, []),
      // The same user cancels it in another session.
      cancelled: answers(giveJobId('good', bulkJobs.cancelled), async ({ id }) => {
        await elsewhere.bulk.cancel({ params: { id } })
        return { check: checkCancelled(bench) }
      }),
      gone: refuseHiddenRecord(),
    }),
    ...ofJob('held', {
      wrong: reads(
        giveJobId('held', wrong),
        { ...review, changed: all - 1, skipped: 0, failed: 1 },
        [],
        saysWhy,
      ),
    }),
    ...ofJob('same', {
      nothing: reads(
        giveJobId('same', nothing),
        { ...review, changed: 0, skipped: all, failed: 0 },
        null,
        notApplied,
      ),
    }),
    ...ofJob('altered', {
      doneInPart: reads(
        giveJobId('over', doneInPart),
        { ...finished, updated: all - 1, failed: 1 },
        rest,
        saysWhy,
      ),
    }),
    ...ofJob('aborted', {
      failed: reads(
        giveJobId('over', failed),
        { status: 'failed', updated: 0, failed: 1 },
        [],
        saysWhy,
      ),
    }),
    ...ofJob('writing', {
      done: reads(giveJobId('over', done), { ...finished, updated: all, failed: 0 }, doomed),
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
      (asked) => giveJobId(isHeld(asked) ? 'altered' : 'writing', writing),
      ({ count }) => going('writing', count < bulk.doomed.length ? 'altered' : null),
    ),
    ...when((asked) => !isHeld(asked), {
      altered: answers(
        (asked) => giveJobId(alteredAs(asked), writing),
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

function checkCancelled({ bulk }: Bulk) {
  return ({ status }: BulkJob): Faults => [
    expectSame('status', 'cancelled', status),
    bulk.changed([]),
  ]
}

function going(phase: 'checking' | 'writing', mark: Mark | null) {
  const more = mark === null ? {} : { message: mark }
  return underWay<BulkJob>(phase, { more, mayFail: mark === 'aborted' })
}

function waitForStillBulk({ elsewhere }: Bulk) {
  return whenStill((id) => elsewhere.bulk.get({ params: { id } }))
}

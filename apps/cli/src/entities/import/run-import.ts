import type { Job } from '@jiaowu/api/contract/job'
import { findNearest } from '@jiaowu/api/fields/no-choice'
import type { Locale } from '@jiaowu/api/locale'
import { problemDetail } from '@jiaowu/api/problem'
import { messageText, t } from '@jiaowu/api/texts/index'
import { transferView, type TransferView } from '@jiaowu/machines/transfer/view'
import type { CommandLine } from '../../command-line.ts'
import { CommandError, type ExitCode, toExitCode, exitCodes } from '../../exit.ts'
import type { TransferActor } from '../../screens/transfer/screen-props.ts'
import { rowsText } from './job-text.ts'
import { sizeText } from './size-text.ts'
import { type LocalFault, maxLostPolls } from '../../ports/transfer-ports.ts'

/**
 * The exit code of a job (docs/rules/contract.md#command-line). With `abort`, invalid rows refuse
 * the import: nothing was written.
 */
export function exitCodeOfJob(job: Job): ExitCode {
  if (job.dryRun)
    return job.review.wrong > 0
      ? exitCodes.checksFailed
      : job.status === 'done'
        ? exitCodes.done
        : exitCodes.refused
  if (job.status !== 'done') return exitCodes.refused
  return job.failed > 0 ? exitCodes.partial : exitCodes.done
}

interface Policy {
  readonly yes: boolean
  /** The job was resumed: a finished check goes on to write the rows. */
  readonly resumed: boolean
  readonly fault: LocalFault
}

/**
 * Runs an import unattended. On Ctrl-C the job stays at the server.
 * @returns the job at its end
 */
export function runImport(line: CommandLine, actor: TransferActor, policy: Policy): Promise<Job> {
  const narrate = narrator(line)
  const tries = { lost: 0, resumed: 0, at: -1 }
  return new Promise<Job>((resolve, reject) => {
    let last = ''
    const look = () => {
      const view = transferView(actor.getSnapshot())
      const state = JSON.stringify([
        view.step,
        view.lost,
        view.job?.phase,
        view.progress,
        view.problem?.code,
        policy.fault.error !== null,
      ])
      if (state === last) return
      last = state
      try {
        narrate(view)
        const next = decide(view, policy, line, tries)
        if (next === 'end' && view.job !== null) {
          line.output.progress(null)
          watching.unsubscribe()
          resolve(view.job)
        } else if (next === 'run') actor.send({ type: 'job.run' })
        else if (next === 'confirm') actor.send({ type: 'run.confirm' })
        else if (next === 'resume') actor.send({ type: 'job.resume' })
      } catch (error) {
        line.output.progress(null)
        watching.unsubscribe()
        reject(error as Error)
      }
    }
    const watching = actor.subscribe(look)
    line.signal.addEventListener(
      'abort',
      () => {
        watching.unsubscribe()
        line.output.progress(null)
        reject(line.signal.reason as Error)
      },
      { once: true },
    )
    look()
  })
}

/** Prints progress on stderr: each stage once, and every tenth of the rows. */
function narrator(line: CommandLine) {
  const { locale, output } = line
  let [said, tenth] = ['', -1]
  return ({ step, job, progress, lost, file }: TransferView) => {
    const stage = lost ? 'lost' : step
    if (stage !== said) {
      tenth = -1
      said = stage
      if (step === 'uploading' && file !== null)
        output.talk(t(locale, 'cli.tr.uploading', { name: file.name, size: sizeText(file.size) }))
      if (lost) output.talk(t(locale, 'cli.tr.lost'))
    }
    if (step !== 'checking' && step !== 'running') return
    const now = Math.floor((progress.percent ?? 0) / 10)
    const text = `${t(locale, step === 'running' ? 'cli.tr.running' : 'cli.tr.checking')} ${rowsText(locale, progress)}`
    if (output.isTerminal) output.progress(text)
    else if (job !== null && now !== tenth) {
      tenth = now
      output.talk(text)
    }
  }
}

type Step = 'run' | 'confirm' | 'resume' | 'end' | null
interface Tries {
  lost: number
  resumed: number
  at: number
}

/**
 * The next step of an unattended import, where the screen waits for a key; null: wait.
 *
 * @throws CommandError where only a user can decide, or when the import failed
 */
function decide(view: TransferView, policy: Policy, line: CommandLine, tries: Tries): Step {
  const { step, job, problem } = view
  const { locale } = line
  if (view.fault !== null) throw new CommandError(exitCodes.usage, messageText(locale, view.fault))
  if (step === 'choosing' || step === 'unopened') {
    if (problem !== null || policy.fault.error !== null) throw findImportFailure(view, policy, line)
    return null
  }
  if (view.lost && (tries.lost += 1) > maxLostPolls)
    throw new CommandError(exitCodes.network, t(locale, 'cli.tr.gone'))
  switch (step) {
    case 'reviewing':
      return decideReview(view, policy, line)
    case 'confirming':
      return 'confirm'
    case 'paused':
      return decidePaused(view, policy, line, tries)
    case 'failed':
      if (problem !== null && job === null) throw findImportFailure(view, policy, line)
      return 'end'
    default:
      return step === 'done' ? 'end' : null
  }
}

/** After the check: write the rows, unless a user must map columns or confirm. */
function decideReview(view: TransferView, policy: Policy, line: CommandLine): Step {
  const { job, problem } = view
  const { locale } = line
  if (job?.dryRun === true && job.status === 'done' && !policy.resumed) return 'end'
  if (problem !== null) throw findImportFailure(view, policy, line)
  if (job?.phase === 'mapping')
    throw new CommandError(exitCodes.refused, explainMapping(view, locale))
  if (!view.can.run) return 'end'
  if (job?.needsConfirm === true && !policy.yes)
    throw new CommandError(exitCodes.usage, t(locale, 'cli.tr.needYes'))
  return 'run'
}

/** Names the columns without a field, the required fields without a column, and a mapping to begin with. */
function explainMapping({ review, job }: TransferView, locale: Locale): string {
  const free = (review?.columns ?? []).filter(({ attrName }) => attrName === null)
  const missing = review?.missing ?? []
  const names = (words: readonly string[]) => words.join(locale === 'zh-CN' ? '、' : ', ')
  return [
    t(locale, 'cli.tr.needMapping'),
    ...(free.length === 0
      ? []
      : [
          t(locale, 'cli.tr.unmapped', {
            columns: names(free.map(({ header, letter }) => (header === '' ? letter : header))),
          }),
        ]),
    ...(missing.length === 0 ? [] : [t(locale, 'cli.tr.missing', { fields: names(missing) })]),
    ...suggestMapping(job),
  ].join('\n')
}

/** The option for the first column without a field, with the free field that is named most alike. */
function suggestMapping(job: Job | null): string[] {
  if (job === null || job.sheet === null) return []
  const { columns, fields } = job.sheet
  const column = columns.find(({ attrName, header }) => attrName === null && header !== '')
  const taken = new Set(columns.map(({ attrName }) => attrName))
  const open = fields
    .filter(({ attrName }) => !taken.has(attrName))
    .map(({ attrName, label }) => ({ id: attrName, name: label }))
  const meant = column === undefined ? undefined : (findNearest(column.header, open) ?? open[0])
  return column === undefined || meant === undefined
    ? []
    : [`--mapping '${JSON.stringify({ [column.header]: meant.id })}'`]
}

/** A server that stopped leaves a paused job: resume it, as long as it makes progress. */
function decidePaused(view: TransferView, policy: Policy, line: CommandLine, tries: Tries): Step {
  tries.resumed = view.progress.done > tries.at ? 0 : tries.resumed + 1
  tries.at = view.progress.done
  if (view.problem !== null || !view.can.resume || tries.resumed > 3)
    throw findImportFailure(view, policy, line)
  return 'resume'
}

/** The error that ended the import: the local one, else the server's problem. */
function findImportFailure(
  { problem }: TransferView,
  { fault }: Policy,
  { locale }: CommandLine,
): unknown {
  return (
    fault.error ??
    (problem === null
      ? new CommandError(exitCodes.refused, t(locale, 'cli.tr.failed'))
      : new CommandError(toExitCode(problem), problemDetail(locale, problem)))
  )
}

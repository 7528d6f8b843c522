import { ApiProblem } from '@jiaowu/api/problem'
import type { BulkAction, BulkJob } from '@jiaowu/api/contract/entity/bulk'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import { limits } from '@jiaowu/api/limits'
import { type OnError, onErrorChoices } from '@jiaowu/api/contract/job'
import { messageText, t } from '@jiaowu/api/texts/index'
import type { Values } from '@jiaowu/api/entity/values'
import { bulkEditActors, type BulkEditPorts } from '@jiaowu/machines/bulk-edit/ports'
import { bulkEditMachine, type BulkEditInput } from '@jiaowu/machines/bulk-edit/machine'
import { bulkEditView, buildApplyMessage, type BulkEditView } from '@jiaowu/machines/bulk-edit/view'
import { createActor, waitFor } from 'xstate'
import type { CommandLine } from '../../command-line.ts'
import { connect } from '../../session/connect.ts'
import type { Api } from '../../session/api.ts'
import { parseFilters, parseValues } from '../../entities/entity-query.ts'
import { CommandError, type ExitCode, exitCodes } from '../../exit.ts'
import { askOnTerminal, isYes } from '../../terminal/prompt.ts'
import { assertFree, saveFile } from '../../files/save-file.ts'

interface BulkFlags {
  readonly where: readonly string[]
  readonly all?: boolean
  readonly set?: readonly string[]
  readonly dryRun?: boolean
  readonly onError?: string
  readonly results?: string
  readonly yes?: boolean
}
const usage = (message: string) => new CommandError(exitCodes.usage, message)

/** Failed requests in a row before the command gives up. */
const maxLostPolls = 5
type BulkActor = ReturnType<typeof start>

/**
 * `entity bulk-update TAG --where … --set …`: a dry run, then a job that changes the rows
 * (docs/rules/contract.md#entity-data).
 */
export function bulkUpdate(line: CommandLine, tag: string, flags: BulkFlags): Promise<void> {
  return run(line, tag, 'update', flags)
}

/** `entity recompute TAG --all`: computes derived fields anew. */
export function recompute(line: CommandLine, tag: string, flags: BulkFlags): Promise<void> {
  return run(line, tag, 'update', flags, true)
}

async function run(
  line: CommandLine,
  tag: string,
  action: BulkAction,
  flags: BulkFlags,
  isRecompute = false,
): Promise<void> {
  const { locale, output, signal } = line
  const onError = onErrorChoices.find((each) => each === (flags.onError ?? 'skip'))
  if (onError === undefined)
    throw usage(t(locale, 'cli.tr.badChoice', { option: '--on-error', value: flags.onError ?? '' }))
  // An empty filter needs --all, so that a forgotten --where does not change every row.
  if (flags.where.length === 0 && flags.all !== true) throw usage(t(locale, 'cli.bulk.needWhere'))
  if (action === 'update' && !isRecompute && (flags.set ?? []).length === 0)
    throw usage(t(locale, 'cli.bulk.needSet'))
  if (flags.results !== undefined) await assertFree(line, flags.results)
  const { api } = connect(line)
  const config: EntityConfig = await api.entityData.config({ params: { tag }, signal })
  const [queries, set] = [
    await parseFilters(api, config, flags.where, locale),
    (await parseValues(api, config, flags.set ?? [], locale)) as Values,
  ]
  const actor = start(
    line,
    api,
    { tag, action, selection: { queries }, recompute: isRecompute },
    set,
  )
  try {
    const looked = await waitForBulkStop(line, api, actor)
    const isOver = flags.dryRun === true || looked.job.changed === 0
    const job = isOver
      ? looked.job
      : await applyBulk(line, api, actor, looked.job, onError, flags.yes)
    if (flags.results !== undefined)
      await saveFile(
        line,
        await api.bulk.result({
          params: { id: job.id },
          query: { format: flags.results.endsWith('.csv') ? 'csv' : 'xlsx' },
          signal,
        }),
        flags.results,
        `${job.id}.xlsx`,
        () => {},
      )
    output.data(job, () => formatBulkLines(job, line, !isOver))
    const code = exitCodeOfBulk(job, flags.dryRun === true)
    if (code !== exitCodes.done)
      throw new CommandError(
        code,
        t(
          locale,
          code === exitCodes.refused && job.failed === 0 ? 'bulk.failed' : 'cli.bulk.some',
          { n: job.failed },
        ),
      )
  } finally {
    actor.stop()
  }
}

function start(line: CommandLine, api: Api, input: BulkEditInput, set: Values) {
  const { action } = input
  const actor = createActor(
    bulkEditMachine.provide({ actors: bulkEditActors(portsFor(line, api)) }),
    { input },
  )
  let [tenth, lost] = ['', 0]
  actor.subscribe((s) => {
    const view = bulkEditView(s)
    if (view.lost && (lost += 1) > maxLostPolls) actor.stop()
    if ((view.step !== 'checking' && view.step !== 'running') || view.job === null) return
    const { done, total } = view.job
    const stage = t(
      line.locale,
      view.step === 'running' ? `bulk.running.${action}` : 'bulk.looking',
    )
    const text = `${stage} ${t(line.locale, 'bulk.far', { done, total })}`
    if (line.output.isTerminal) line.output.progress(text)
    else if (tenth !== `${view.step}${Math.floor((view.percent ?? 0) / 10)}`) {
      tenth = `${view.step}${Math.floor((view.percent ?? 0) / 10)}`
      line.output.talk(text)
    }
  })
  actor.start()
  for (const [attrName, value] of Object.entries(set)) {
    actor.send({ type: 'field.add', attrName })
    actor.send({ type: 'value.change', attrName, value })
  }
  actor.send({ type: 'preview.start' })
  return actor
}

function portsFor(line: CommandLine, api: Api): BulkEditPorts {
  const both = (signal: AbortSignal) => AbortSignal.any([signal, line.signal])
  return {
    startBulk: ({ tag, action, selection, set }, signal) => {
      const chosen = { queries: { ...selection.queries } }
      return action === 'delete'
        ? api.bulk.remove({ params: { tag }, body: chosen, signal: both(signal) })
        : api.bulk.update({
            params: { tag },
            body: { ...chosen, set: { ...set } },
            signal: both(signal),
          })
    },
    readBulk: ({ id }, signal) => api.bulk.get({ params: { id }, signal: both(signal) }),
    applyBulk: ({ id, count, onError }, signal) =>
      api.bulk.apply({ params: { id }, body: { count, onError }, signal: both(signal) }),
    cancelBulk: ({ id }, signal) => api.bulk.cancel({ params: { id }, signal: both(signal) }),
    saveBulk: async () => {},
  }
}

/** Waits until the job stops. Ctrl-C cancels it at the server; rows that are done stay changed. */
async function waitForBulkStop(
  { locale, signal, output }: CommandLine,
  api: Api,
  actor: BulkActor,
): Promise<BulkEditView & { readonly job: BulkJob }> {
  const stands = (view: BulkEditView) =>
    ['choosing', 'reviewing', 'confirming', 'done', 'failed'].includes(view.step)
  const stopped = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
  try {
    const view = bulkEditView(
      await Promise.race([waitFor(actor, (s) => stands(bulkEditView(s))), stopped]),
    )
    if (view.problem !== null && view.step !== 'done') throw new ApiProblem(view.problem)
    if (view.job === null) throw new CommandError(exitCodes.network, t(locale, 'cli.tr.gone'))
    return { ...view, job: view.job }
  } catch (error) {
    const { id } = actor.getSnapshot().context
    if (signal.aborted && id !== null) await api.bulk.cancel({ params: { id } }).catch(() => {})
    if (error instanceof CommandError || error instanceof ApiProblem || signal.aborted) throw error
    throw new CommandError(exitCodes.network, t(locale, 'cli.tr.gone'))
  } finally {
    output.progress(null)
  }
}

async function applyBulk(
  line: CommandLine,
  api: Api,
  actor: BulkActor,
  job: BulkJob,
  onError: OnError,
  yes: boolean | undefined,
): Promise<BulkJob> {
  await requireAgreement(line, job, yes)
  if (onError === 'abort' && !bulkEditView(actor.getSnapshot()).can.together)
    throw new CommandError(
      exitCodes.refused,
      job.failed > 0
        ? t(line.locale, 'bulk.abortRefused', { n: job.failed })
        : t(line.locale, 'bulk.tooManyTogether', { n: limits.bulkTogether }),
    )
  actor.send({ type: 'onError.change', onError })
  actor.send({ type: 'apply.start' })
  actor.send({ type: 'count.type', text: String(job.changed) })
  actor.send({ type: 'apply.confirm' })
  return (await waitForBulkStop(line, api, actor)).job
}

async function requireAgreement(
  line: CommandLine,
  job: BulkJob,
  yes: boolean | undefined,
): Promise<void> {
  const { locale, output, signal } = line
  if (yes === true) return
  if (!line.interactive) throw usage(t(locale, 'cli.bulk.needYes'))
  for (const text of formatBulkLines(job, line, false)) output.talk(text)
  const must = job.changed > limits.bulkTyped
  const answer = (
    await askOnTerminal(
      must
        ? `${t(locale, 'bulk.type', { n: job.changed })}: `
        : `${messageText(locale, buildApplyMessage(job, locale))}? [y/N] `,
      signal,
    )
  ).trim()
  if (must ? answer !== String(job.changed) : !isYes(answer))
    throw new CommandError(exitCodes.interrupted, t(locale, 'cli.bulk.left'))
}

/** The preview as text: the counts, the new values, the first changes and refusals. */
function formatBulkLines(job: BulkJob, { locale }: CommandLine, over: boolean): string[] {
  const { action, changed, updated, skipped, failed, rows, refused, set, message } = job
  const count = (label: string, n: number) => `${label} ${n}`
  return [
    [
      over
        ? count(t(locale, `bulk.count.updated.${action}`), updated)
        : count(t(locale, `bulk.count.changed.${action}`), changed),
      ...(action === 'delete' ? [] : [count(t(locale, 'bulk.count.skipped'), skipped)]),
      count(t(locale, 'bulk.count.failed'), failed),
    ].join('  '),
    ...set.map(({ label, text }) =>
      text === null
        ? t(locale, 'bulk.setEmpty', { label })
        : t(locale, 'bulk.setTo', { label, text }),
    ),
    ...(over && job.status !== 'done' && message !== null ? [message] : []),
    ...(over
      ? []
      : rows
          .slice(0, 10)
          .map(
            ({ name, cells }) =>
              `  ${name}  ${cells.map((cell) => `${cell.label}: ${cell.before ?? ''} → ${cell.after ?? ''}`).join('; ')}`,
          )),
    ...refused
      .slice(0, 10)
      .map(({ name, errors }) => `  ✗ ${name}  ${errors.map(({ msg }) => msg).join('; ')}`),
  ]
}

/** Whether nothing would change and nothing is refused. */
function exitCodeOfBulk({ status, failed, changed }: BulkJob, dryRun: boolean): ExitCode {
  return dryRun
    ? failed > 0
      ? exitCodes.checksFailed
      : exitCodes.done
    : changed === 0
      ? failed > 0
        ? exitCodes.refused
        : exitCodes.done
      : status !== 'done'
        ? exitCodes.refused
        : failed > 0
          ? exitCodes.partial
          : exitCodes.done
}

/** `entity bulk-delete TAG --where …`. */
export function bulkDelete(line: CommandLine, tag: string, flags: BulkFlags): Promise<void> {
  return run(line, tag, 'delete', flags)
}

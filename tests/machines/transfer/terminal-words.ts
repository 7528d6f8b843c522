import { emptyMeanings, importModes, type Job, onErrorChoices, t, type TextKey } from '@jiaowu/api'
import type { transferMachine } from '@jiaowu/machines'
import type { SnapshotFrom } from 'xstate'
import { hugeFile, jobs, sheetFile } from './samples.ts'

type Snapshot = SnapshotFrom<typeof transferMachine>
type Params = Readonly<Record<string, string | number>>

const stages = ['choosing', 'checking', 'reviewing', 'running', 'done'] as const
const stageOf: Readonly<Record<string, number>> = {
  choosing: 0,
  uploading: 0,
  opening: 0,
  unopened: 0,
  checking: 1,
  reviewing: 2,
  confirming: 2,
  sending: 2,
  running: 3,
  paused: 3,
  cancelling: 3,
  done: 4,
  failed: 4,
}
/** The parts of a sentence of counts are shown apart. */
const counts = (text: string): readonly string[] => text.split(/ {2,}/)
const missing = `! ${zh('cli.tr.missing', { fields: '学号' })}`
const waits: Readonly<Record<string, string>> = {
  cancelling: `${zh('cli.tr.cancelling')}…`,
  sending: `${zh('cli.tr.sending')}…`,
  confirming: zh('cli.tr.confirm'),
}
const opening = (id: string): string => `${zh('cli.tr.opening', { id })}…`
const heads = [
  'cli.tr.paused',
  'cli.tr.done',
  'cli.tr.checked',
  'cli.tr.cancelled',
  'cli.tr.failed',
  'cli.tr.checking',
  'cli.tr.running',
  'cli.tr.history',
  'cli.tr.noHistory',
] as const
const hints = ['cli.tr.edited', 'cli.tr.abortHint', 'cli.tr.lost'] as const
const rows = ({ done, total }: Job): string => zh('cli.tr.rows', { done, total })
const statuses = ['queued', 'running', 'paused', 'done', 'failed', 'cancelled'] as const

const all: readonly Job[] = Object.values(jobs)
/** Every sentence of an import's screens that is the same in both panes. */
const vocabulary: readonly string[] = [
  ...new Set([
    zh('cli.tr.import'),
    `${zh('cli.tr.import')} 甲 A`,
    ...all.map(({ fileName }) => fileName),
    zh('cli.tr.job', { id: 'j' }),
    ...stages.flatMap((_, index) => stages.map((__, now) => stage(index, now))),
    ...importModes.flatMap((mode) =>
      onErrorChoices.flatMap((onError) =>
        emptyMeanings.flatMap((empty) =>
          ['', 'no'].flatMap((key) =>
            [false, true].map((dryRun) => choice(mode, onError, empty, key, dryRun)),
          ),
        ),
      ),
    ),
    ...Object.values(waits),
    opening(''),
    opening('j'),
    uploading(sheetFile, '1000 B'),
    uploading(hugeFile, '28.6 MB'),
    ...heads.map((key) => zh(key)),
    ...hints.map(hint),
    missing,
    ...all.flatMap((job) => [...written(job), ...verdicts(job), rows(job)]),
    ...statuses.map((status) => zh(`cli.tr.status.${status}`)),
  ]),
]

export function wordsIn(says: (text: string) => boolean): string {
  return vocabulary.filter(says).join('|')
}

/** The sentences that the screen must show, derived from the machine's state. */
export function wordsOf(s: Snapshot, step: string): string {
  const { job } = s.context
  const now = stageOf[step] ?? 0
  const head = headOf(step, job)
  const said = new Set<string>([
    ...titleOf(job),
    ...stages.map((_, index) => stage(index, now)),
    ...(head === null ? [] : [zh(head)]),
    ...waitOf(s, step),
    ...(step === 'choosing' ? [optionsOf(s), ...historyOf(s)] : []),
    ...(job === null ? [] : jobWords(s, step, job)),
  ])
  return vocabulary.filter((text) => said.has(text)).join('|')
}

function titleOf(job: Job | null): readonly string[] {
  return job === null
    ? [zh('cli.tr.import')]
    : [`${zh('cli.tr.import')} ${job.entityName} A`, job.fileName, zh('cli.tr.job', { id: job.id })]
}

/** The sentence about what the screen waits for: the server, an upload or a confirmation. */
function waitOf({ context: { job, file } }: Snapshot, step: string): readonly string[] {
  if (step === 'opening') return [opening(job?.id ?? '')]
  if (step === 'uploading')
    return [uploading(file ?? sheetFile, file?.key === hugeFile.key ? '28.6 MB' : '1000 B')]
  const wait = waits[step]
  return wait === undefined ? [] : [wait]
}

/**
 * The import options: each chosen on this screen, given at the start, or remembered from the last
 * import. A mode that the user may not use becomes the first one allowed.
 */
function optionsOf({ context: { chosen, recalled, input } }: Snapshot): string {
  const name = (key: 'mode' | 'onError' | 'empty', usual: string) =>
    chosen[key] ?? input.choices?.[key] ?? recalled?.remembered?.[key] ?? usual
  const modes: readonly string[] = input.modes ?? importModes
  const mode = name('mode', 'insert')
  return choice(
    modes.includes(mode) ? mode : (modes[0] ?? ''),
    name('onError', 'abort'),
    name('empty', 'keep'),
  )
}

/** The list of earlier jobs. */
function historyOf(s: Snapshot): readonly string[] {
  const title = zh('cli.tr.history')
  const inner = (s.value as { transfer: { choosing: string } }).transfer.choosing
  if (inner === 'recalling' || inner === 'forgotten') return [title]
  const known = s.context.recalled?.jobs ?? []
  if (known.length === 0) return [title, zh('cli.tr.noHistory')]
  return [
    title,
    ...known.flatMap((each) => [
      each.fileName,
      zh(`cli.tr.status.${each.status}`),
      ...written(each),
    ]),
  ]
}

/** Progress, results or review of the job, by step. */
function jobWords(s: Snapshot, step: string, job: Job): readonly string[] {
  if (step === 'checking' || step === 'running')
    return [rows(job), ...(s.hasTag('lost') ? [hint('cli.tr.lost')] : [])]
  if (['paused', 'done', 'failed', 'unopened'].includes(step)) return written(job)
  return step === 'reviewing' ? reviewOf(s, job) : []
}

function reviewOf(s: Snapshot, job: Job): readonly string[] {
  const lacksKey =
    job.mode !== 'update' && !s.context.mapping.some(({ attrName }) => attrName === 'no')
  const willAbort = job.phase !== 'mapping' && job.review.wrong > 0 && job.onError === 'abort'
  return [
    choice(job.mode, job.onError, job.empty, job.key ?? '', job.dryRun),
    ...verdicts(job),
    ...(lacksKey ? [missing] : []),
    ...(isEdited(s) ? [hint('cli.tr.edited')] : []),
    ...(willAbort ? [hint('cli.tr.abortHint')] : []),
  ]
}

function headOf(step: string, job: Job | null): TextKey | null {
  if (step === 'checking' || step === 'running' || step === 'paused') return `cli.tr.${step}`
  if (step === 'done') return job?.dryRun === true ? 'cli.tr.checked' : 'cli.tr.done'
  return step === 'failed'
    ? job?.status === 'cancelled'
      ? 'cli.tr.cancelled'
      : 'cli.tr.failed'
    : null
}

function zh(key: TextKey, params: Params = {}): string {
  return (t as (...given: unknown[]) => string)('zh-CN', key, params)
}

function hint(key: (typeof hints)[number]): string {
  return `! ${zh(key)}`
}

function stage(index: number, now: number): string {
  return `${index < now ? '✓' : index === now ? '●' : '○'} ${zh(`cli.tr.step.${stages[index] ?? 'done'}`)}`
}

function uploading({ name }: { readonly name: string }, size: string): string {
  return `${zh('cli.tr.uploading', { name, size })}…`
}

function choice(mode: string, onError: string, empty: string, key = '', dryRun = false): string {
  return [
    ...([`mode.${mode}`, `onError.${onError}`, `empty.${empty}`] as const).map((name) =>
      zh(`cli.tr.${name}` as TextKey),
    ),
    ...(key === '' ? [] : [key]),
    ...(dryRun ? [zh('cli.key.dryRun')] : []),
  ].join(' · ')
}

function written({ inserted, updated, skipped, failed }: Job) {
  return counts(zh('cli.tr.written', { inserted, updated, skipped, failed }))
}

function verdicts(job: Job): readonly string[] {
  return [
    ...counts(zh('cli.tr.counts', { ...job.review })),
    `1 ${zh('cli.tr.tab.mapping')}`,
    ...(['wrong', 'changed', 'fresh', 'same'] as const).map(
      (name, index) => `${index + 2} ${zh(`cli.tr.tab.${name}`)} ${job.review[name]}`,
    ),
  ]
}

function isEdited({ context: { job, mapping } }: Snapshot) {
  return (job?.sheet?.columns ?? []).some((column) => {
    const now = mapping.find((each) => each.column === column.column)
    return now !== undefined && now.attrName !== column.attrName
  })
}

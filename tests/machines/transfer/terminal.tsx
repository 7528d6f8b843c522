import { importModes, type Job, type JobError, limits, type TextKey } from '@jiaowu/api'
import {
  type FileFacts,
  type TransferEvent,
  type transferMachine,
  transferStage,
  transferStages,
  type TransferStep,
} from '@jiaowu/machines'
import type { SnapshotFrom } from 'xstate'
import { TransferScreen } from '../../../apps/cli/src/screens/transfer/transfer-screen.tsx'
import type { TransferActor } from '../../../apps/cli/src/screens/transfer/screen-props.ts'
import { sentence, zh } from '../../surfaces/sentences.ts'
import {
  custom,
  key,
  keyOfAny,
  noKey,
  sent,
  type TerminalGesture,
} from '../../surfaces/terminal/gestures.ts'
import { redLines, seen } from '../../surfaces/terminal/reads.ts'
import type { TerminalUser } from '../../surfaces/terminal/screen.tsx'
import { terminalDriverOf } from '../../surfaces/terminal/table.ts'
import type { Spec } from '../spec.ts'
import { transferParts } from './model.ts'
import { hugeFile, isReadable, sheetFile } from './samples.ts'

type Snapshot = SnapshotFrom<typeof transferMachine>
interface View {
  readonly s: Snapshot
  readonly step: string
  readonly job: Job | null
}

const files: Readonly<Record<string, FileFacts>> = { students: sheetFile, huge: hugeFile }
const sizes = { students: '1000 B', huge: '28.6 MB' } as const
const labelOf: Readonly<Record<string, string>> = { no: '学号', name: '姓名' }
const verdicts = ['wrong', 'changed', 'fresh', 'same'] as const
const [cancel, cancelJob] = [zh('cli.key.no'), zh('cli.key.cancelJob')]
const [turn, change] = [zh('cli.key.page'), zh('cli.key.switch')]
const assign = `enter ${zh('cli.key.assign')}`
const readingKeys = [
  `b ${zh('cli.key.sheets')}`,
  `g ${zh('cli.key.encoding')}`,
  `h ${zh('cli.key.heading')}`,
]
/** Files are saved only at the steps they belong to, although the machine would take more. */
const saveable: Readonly<Record<string, readonly string[]>> = {
  'template.save': ['choosing'],
  'result.save': ['reviewing', 'done', 'failed', 'paused', 'unopened'],
}

const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
const isOn = (view: View, ...steps: readonly string[]): boolean => steps.includes(view.step)
const on =
  (...steps: readonly string[]) =>
  (view: View): boolean =>
    isOn(view, ...steps)
const inside = ({ s }: View) =>
  (s.value as { transfer: { choosing?: string; reviewing?: { rows: string } } }).transfer

// An export is a command with a line of progress, not a screen.
const { exporting: _exporting, ...parts } = transferParts

export const transferTerminal = terminalDriverOf<Snapshot, TransferEvent, View>({
  model: { parts, rules: [] },
  adapt,
  view: (s) => {
    const { transfer } = s.value as { transfer: string | object }
    const step = typeof transfer === 'string' ? transfer : (Object.keys(transfer)[0] ?? '')
    return { s, step, job: s.context.job }
  },
  readings: {
    head: {
      model: ({ job }) =>
        job === null
          ? `${zh('cli.tr.import')} A`
          : `${zh('cli.tr.import')} 甲 A ${job.fileName} ${zh('cli.tr.job', { id: job.id })}`,
      screen: (user) => linesIn(user.frame())[0] ?? '',
    },
    stages: {
      model: stagesOf,
      screen: (user) => lines(user, /^[✓●○] .+ ─ /),
    },
    message: { model: ({ job }) => job?.message ?? '', screen: seen(/^\s*· (\S+)\s*$/m) },
    file: {
      model: ({ s: { context }, step }) =>
        step === 'choosing' && context.file !== null
          ? `${context.file.name} (${context.file.size} B)`
          : '',
      screen: seen(/文件路径：(\S+\.xlsx \(.+?)\s*$/m),
    },
    waiting: { model: waitOf, screen: (user) => lines(user, /^正在.*…$/) },
    options: {
      model: optionsOf,
      screen: (user) =>
        lines(
          user,
          new RegExp(`^(?:${importModes.map((mode) => zh(`cli.tr.mode.${mode}`)).join('|')}) · `),
        ),
    },
    progress: {
      model: (view) =>
        isOn(view, 'checking', 'running') && view.job !== null
          ? zh('cli.tr.rows', { done: view.job.done, total: view.job.total })
          : '',
      screen: seen(/^\s*(\d+\/\d+ 行)\s*$/m),
    },
    written: { model: writtenOf, screen: (user) => lines(user, /新增 \d+ 修改 \d+ 跳过/) },
    historyIsLoading: {
      model: (view) => inside(view).choosing === 'recalling',
      screen: (user) => user.frame().includes(zh('cli.tr.file')) && user.says(zh('common.loading')),
    },
    verdicts: {
      model: verdictsOf,
      screen: (user) => lines(user, /^新增 \d+ 修改 \d+ 相同|^1 列对应/),
    },
    warnings: { model: warningsOf, screen: (user) => lines(user, /^! /) },
    problems: { model: problemsOf, screen: redLines },
    panes: { model: (view) => (isOn(view, 'reviewing') ? panesOf(view) : ''), screen: panesIn },
  },
  says: {
    'cli.tr.history': on('choosing'),
    'cli.tr.noHistory': (view) =>
      isOn(view, 'choosing') &&
      !['recalling', 'forgotten'].includes(inside(view).choosing ?? '') &&
      (view.s.context.recalled?.jobs ?? []).length === 0,
    'cli.tr.historyFailed': (view) => inside(view).choosing === 'forgotten',
    'cli.tr.checking': on('checking'),
    'cli.tr.running': on('running'),
    'cli.tr.confirm': on('confirming'),
    'cli.tr.paused': on('paused'),
    'cli.tr.done': (view) => isOn(view, 'done') && view.job?.dryRun !== true,
    'cli.tr.checked': (view) => isOn(view, 'done') && view.job?.dryRun === true,
    'cli.tr.cancelled': (view) => isOn(view, 'failed') && view.job?.status === 'cancelled',
    'cli.tr.failed': (view) => isOn(view, 'failed') && view.job?.status !== 'cancelled',
  },
  hints: {
    // Refusing a question and cancelling an upload have the same label.
    [cancel]: on('uploading'),
    [cancelJob]: (view) => !isOn(view, 'uploading') && view.s.can({ type: 'job.cancel' }),
  },
  gestures: {
    'file.choose': ({ file }) => {
      const [path = ''] = Object.entries(files).find(([, each]) => each.key === file.key) ?? []
      return after(zh('cli.key.choose'), (user) => user.press('^u').then(() => pick(user, path)))
    },
    'file.drop': key(zh('cli.key.drop')),
    'choices.change': after(zh('cli.key.mode'), async (user, listed) => {
      await user.press(listed)
      await pick(user, 'update')
    }),
    'upload.start': key(zh('cli.key.upload')),
    'upload.progress': sent,
    'history.page': ({ pageNum }) =>
      after(turn, (user) => user.press(pageNum > 1 ? 'pgdn' : 'pgup')),
    'job.open': after(change, async (user) => {
      if (user.keyFor(zh('cli.key.open')) === null) await user.press('tab')
      await user.press('enter')
    }),
    'column.assign': ({ assignment: { attrName } }) =>
      inPane('columns', async (user) => {
        await user.press('↓', 'enter')
        await pick(user, attrName === null ? '不导入' : (labelOf[attrName] ?? ''))
      }),
    'mapping.reset': key(zh('cli.key.reset')),
    'job.check': key(zh('cli.key.check')),
    'reading.change': ({ reading: { heading, encoding } }) =>
      inPane('columns', async (user) => {
        if (encoding !== undefined) {
          await user.press('g')
          await pick(user, encoding)
        } else if (heading === undefined) await user.press('b', '↓', 'enter', '↑', '↑', 'enter')
        else await user.press('h', heading === 0 ? '↑' : '↓', 'enter')
      }),
    'cell.mend': custom((user) =>
      user.keyFor(zh('cli.key.mend')) === null
        ? null
        : showPane(user, 'rows').then(() => user.press('enter', 'enter')),
    ),
    'rows.show': ({ verdict }) =>
      after(change, (user) => user.press(String(verdicts.indexOf(verdict) + 2))),
    'rows.page': ({ pageNum }) => inPane('rows', (user) => user.press(pageNum > 1 ? '→' : '←')),
    'job.run': key(zh('cli.key.write')),
    'run.confirm': key(zh('cli.key.yes')),
    'run.cancel': key(cancel, 'n'),
    'job.resume': key(zh('cli.key.resume')),
    'job.cancel': keyOfAny(cancelJob, cancel),
    'transfer.retry': key(zh('cli.key.retry')),
    'transfer.restart': key(zh('cli.key.restart')),
    'template.save': key(zh('cli.key.template')),
    'result.save': key(zh('cli.key.result')),
    'sheet.change': noKey,
    'export.start': noKey,
    'export.progress': noKey,
    'export.cancel': noKey,
  },
  hidden,
  element: (actor) => (
    <TransferScreen
      actor={actor as unknown as TransferActor}
      locale="zh-CN"
      factsOf={(path) => Promise.resolve(files[path] ?? null)}
      savedTo={() => null}
      leave={() => {}}
    />
  ),
})

/** Samples are limited to what keys can express, in the concerns that have the event at all. */
function adapt({ events }: Spec<unknown>): Partial<Spec<unknown>> {
  const column = (attrName: string | null) => ({
    assignment: { column: 2, attrName, empty: 'keep' },
  })
  const own = {
    'choices.change': { update: { choices: { mode: 'update' } } },
    'result.save': { all: { format: 'xlsx', only: 'all' } },
    'column.assign': { name: column('name'), no: column('no'), back: column(null) },
  }
  const used = Object.entries(own).filter(([type]) => Object.keys(events[type] ?? {}).length > 0)
  return { events: { ...events, ...Object.fromEntries(used) } }
}

/** A job is opened from the list of jobs; a file is chosen where there is none yet. */
function hidden(s: Snapshot, event: TransferEvent): boolean {
  const { type } = event
  const { recalled, job, file } = s.context
  const steps = saveable[type]
  if (steps !== undefined)
    return !steps.some((step) =>
      s.matches({ transfer: step } as Parameters<Snapshot['matches']>[0]),
    )
  if (type === 'job.open') return (recalled?.jobs ?? []).length === 0
  if (event.type === 'reading.change') return job === null || !isReadable(job, event.reading)
  return type === 'file.choose' && file !== null
}

function stagesOf({ step }: View): string {
  const now = transferStage(step as TransferStep)
  return transferStages
    .map((name, index) => {
      const mark = index < now ? '✓' : index === now ? '●' : '○'
      return `${mark} ${zh(`cli.tr.step.${name}`)}`
    })
    .join(' ─ ')
}

/** What the screen waits for. */
function waitOf({ s, step, job }: View): string {
  const { file } = s.context
  const size = sizes[file?.key === hugeFile.key ? 'huge' : 'students']
  switch (step) {
    case 'opening':
      return flat(`${zh('cli.tr.opening', { id: job?.id ?? '' })}…`)
    case 'uploading':
      return `${zh('cli.tr.uploading', { name: file?.name ?? '', size })}…`
    case 'sending':
    case 'cancelling':
      return `${zh(`cli.tr.${step}`)}…`
    default:
      return ''
  }
}

/**
 * The import options: of the job; before, each chosen on this screen, given at the start, or remembered from the
 * last import. A mode that the user may not use becomes the first one allowed.
 */
function optionsOf(view: View): string {
  const { chosen, recalled, input } = view.s.context
  const options = { ...recalled?.remembered, ...input.choices, ...chosen }
  const { mode = 'insert', onError = 'abort', empty = 'keep' } = options
  const modes: readonly string[] = input.modes ?? importModes
  if (isOn(view, 'choosing'))
    return optionLine({ mode: modes.includes(mode) ? mode : (modes[0] ?? ''), onError, empty })
  return isOn(view, 'reviewing') && view.job !== null ? optionLine(view.job) : ''
}

function optionLine(given: {
  readonly mode: string
  readonly onError: string
  readonly empty: string
  readonly key?: string | null
  readonly dryRun?: boolean
}): string {
  return [
    ...(['mode', 'onError', 'empty'] as const).map((name) =>
      zh(`cli.tr.${name}.${given[name]}` as TextKey),
    ),
    ...((given.key ?? null) === null ? [] : [given.key]),
    ...(given.dryRun === true ? [zh('cli.key.dryRun')] : []),
  ].join(' · ')
}

/** What jobs have written: the job that is shown, or the earlier ones. */
function writtenOf(view: View): string {
  const line = ({ inserted, updated, skipped, failed }: Job) =>
    flat(zh('cli.tr.written', { inserted, updated, skipped, failed }))
  if (isOn(view, 'paused', 'done', 'failed', 'unopened'))
    return view.job === null ? '' : line(view.job)
  if (!isOn(view, 'choosing') || ['recalling', 'forgotten'].includes(inside(view).choosing ?? ''))
    return ''
  return (view.s.context.recalled?.jobs ?? [])
    .map((job) =>
      [job.createTime, job.fileName, zh(`cli.tr.status.${job.status}`), line(job)].join(' '),
    )
    .join('\n')
}

/** The counts of the check, and the tabs with theirs. */
function verdictsOf(view: View): string {
  if (!isOn(view, 'reviewing') || view.job === null) return ''
  const counts = view.job.review
  const tabs = verdicts.map(
    (name, index) => `${index + 2} ${zh(`cli.tr.tab.${name}`)} ${counts[name]}`,
  )
  return [
    flat(zh('cli.tr.counts', { ...counts })),
    ['1', zh('cli.tr.tab.mapping'), ...tabs].join(' '),
  ].join('\n')
}

function warningsOf(view: View): string {
  const { s, job } = view
  const warnings: string[] = []
  if (isOn(view, 'checking', 'running') && s.hasTag('lost')) warnings.push(zh('cli.tr.lost'))
  if (isOn(view, 'reviewing') && job !== null) {
    const isMapped = s.context.mapping.some(({ attrName }) => attrName === 'no')
    if (job.mode !== 'update' && !isMapped) warnings.push(zh('cli.tr.missing', { fields: '学号' }))
    if (isEdited(s)) warnings.push(zh('cli.tr.edited'))
    if (job.phase !== 'mapping' && job.review.wrong > 0 && job.onError === 'abort')
      warnings.push(zh('cli.tr.abortHint'))
  }
  return warnings.map((text) => `! ${text}`).join('\n')
}

function isEdited({ context: { job, mapping } }: Snapshot): boolean {
  return (job?.sheet?.columns ?? []).some((column) => {
    const now = mapping.find((each) => each.column === column.column)
    return now !== undefined && now.attrName !== column.attrName
  })
}

/** While the job is polled, a lost connection is shown as a hint instead of the problem. */
function problemsOf(view: View): string {
  const { fault, problem } = view.s.context
  const isProblem =
    isOn(view, 'choosing', 'reviewing', 'paused', 'done', 'failed', 'unopened') ||
    (isOn(view, 'checking', 'running') && !view.s.hasTag('lost'))
  return [isOn(view, 'choosing') ? fault : null, isProblem ? problem?.message : null]
    .map((each) => sentence(each ?? undefined))
    .filter((each) => each !== '')
    .join()
}

/** The two panes of a review: its columns, and the rows of a verdict. */
function panesOf(view: View): string {
  const rows = inside(view).reviewing?.rows
  return [
    ...columnsOf(view),
    '---',
    ...(rows === 'none' ? [] : rows === 'shown' ? rowsOf(view) : [rows]),
  ].join('\n')
}

/** Each column as its line shows it; columns of earlier results are not shown. */
function columnsOf({ s: { context }, job }: View): readonly string[] {
  const columns = (job?.sheet?.columns ?? []).filter(({ by }) => by !== 'own')
  const shown = columns.map(({ column, letter, header, attrName, by, empty, samples }) => {
    const now = context.mapping.find((each) => each.column === column) ?? { attrName, empty }
    const isChanged = now.attrName !== attrName || now.empty !== empty
    const to =
      now.attrName === null ? zh('cli.tr.skipColumn') : `${labelOf[now.attrName]} ${now.attrName}`
    const why = isChanged ? zh('cli.tr.changedMark') : by === 'label' ? zh('cli.tr.by.label') : ''
    return flat(`${letter} ${header} → ${to} ${why} · ${[now.empty, ...samples].join(' · ')}`)
  })
  const has = (given: readonly unknown[] | undefined, least: number) =>
    (given ?? []).length >= least
  const keys = [
    assign,
    ...(has(job?.sheet?.sheets, 2) ? [`b ${zh('cli.key.sheets')}`] : []),
    ...(job?.sheet?.encoding === undefined ? [] : [`g ${zh('cli.key.encoding')}`]),
    ...(has(job?.sheet?.preview, 1) ? [`h ${zh('cli.key.heading')}`] : []),
  ]
  return [...shown, ...keys]
}

/** The rows under review, and the keys that turn their pages. */
function rowsOf({ s: { context } }: View): readonly string[] {
  const { rows, verdict, rowsPage: page } = context
  const total = rows?.total ?? 0
  const pages = Math.max(1, Math.ceil(total / limits.reviewPageSize))
  return [
    ...(rows?.records ?? []).map(
      (row) =>
        `${zh('cli.tr.row', { row: row.row })} ${row.verdict === 'wrong' ? row.errors.map(errorLine).join() : row.name}`,
    ),
    `${zh(`cli.tr.rowsOf.${verdict}`)} · ${zh('cli.tr.page', { page, pages, total })}`,
    ...(page < pages ? [`→ ${turn}`] : []),
    ...(page > 1 ? [`← ${turn}`] : []),
  ]
}

/** The message of the server names near choices. */
function errorLine({ column, value, msg }: JobError): string {
  return `${column} “${value}” ${msg}`
}

/** Shows the other pane, then returns to the first. */
async function panesIn(user: TerminalUser): Promise<string> {
  const first = user.frame()
  if (!first.includes(`1 ${zh('cli.tr.tab.mapping')}`)) return ''
  const canTurn = user.keyFor(change) !== null
  if (canTurn) await user.press('tab')
  const second = user.frame()
  if (canTurn) await user.press('tab')
  const [columns, rows] = columnsIn(first).length > 0 ? [first, second] : [second, first]
  return [...columnsIn(columns), '---', ...(canTurn ? rowsIn(rows) : [])].join('\n')
}

function columnsIn(frame: string): readonly string[] {
  return [
    ...linesIn(frame).flatMap((line) => /^(?:❯ )?([A-Z] \S+ → .+)$/.exec(line)?.[1] ?? []),
    ...hintsIn(frame, [assign, ...readingKeys]),
  ]
}

/**
 * The active pane is marked by colour only, which a frame lacks: the pane of rows shows its page
 * number, or that it is loading or failed.
 */
function rowsIn(frame: string): readonly string[] {
  const shown = linesIn(frame)
  const page = shown.find((line) => /的行 · 第 /.test(line))
  if (page !== undefined)
    return [
      ...shown.filter((line) => /^第 \d+ 行 /.test(line)),
      page,
      ...hintsIn(frame, [`→ ${turn}`, `← ${turn}`]),
    ]
  if (shown.includes(zh('common.loading'))) return ['loading']
  return frame.includes('✗') ? ['failed'] : []
}

function hintsIn(frame: string, hints: readonly string[]): readonly string[] {
  const shown = linesIn(frame)
  return hints.filter((hint) => shown.some((line) => ` ${line} `.includes(` ${hint} `)))
}

function linesIn(frame: string): readonly string[] {
  return frame
    .split('\n')
    .map(flat)
    .filter((line) => line !== '')
}

function lines(user: TerminalUser, pattern: RegExp): string {
  return linesIn(user.frame())
    .map((line) => line.replace(/^❯ /, ''))
    .filter((line) => pattern.test(line))
    .join('\n')
}

/** A gesture that the screen offers while it lists a key, which it may press. */
function after(
  label: string,
  run: (user: TerminalUser, listed: string) => Promise<void>,
): TerminalGesture {
  return custom((user) => {
    const listed = user.keyFor(label)
    return listed === null ? null : run(user, listed)
  })
}

async function pick(user: TerminalUser, word: string): Promise<void> {
  await user.type(word)
  await user.press('enter')
}

type Pane = 'columns' | 'rows'
function inPane(pane: Pane, run: (user: TerminalUser) => Promise<void>): TerminalGesture {
  return custom((user) => {
    const isReview = user.frame().includes(`1 ${zh('cli.tr.tab.mapping')}`)
    const canShow = pane === 'columns' || user.keyFor(change) !== null
    return isReview && canShow ? showPane(user, pane).then(() => run(user)) : null
  })
}

async function showPane(user: TerminalUser, pane: Pane): Promise<void> {
  if ((columnsIn(user.frame()).length === 0) === (pane === 'columns')) await user.press('tab')
}

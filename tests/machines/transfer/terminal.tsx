import { type ImportMode, importModes, type Job } from '@jiaowu/api/contract/job'
import { limits } from '@jiaowu/api/limits'
import type { ImportChoices } from '@jiaowu/machines/transfer/ports'
import { transferStage, transferStages } from '@jiaowu/machines/transfer/stages'
import { transferView } from '@jiaowu/machines/transfer/view'
import { TransferScreen } from '../../../apps/cli/src/screens/transfer/transfer-screen.tsx'
import {
  by,
  createTerminalDriver,
  on,
  showWhen,
  read,
  stations,
  formatMessages,
  zh,
  type Shown,
  type TerminalGesture,
  type TerminalUser,
} from '../../surfaces/terminal/driver.ts'
import type { Spec } from '../spec.ts'
import { transferParts } from './model.ts'
import { hugeFile, isReadable, isRefixed, listMissing, sheetFile } from './samples.ts'

type View = Shown<typeof transferView>
const labelOf: Readonly<Record<string, string>> = { no: '学号', name: '姓名' }
const verdicts = ['wrong', 'changed', 'fresh', 'same'] as const
const [cancel, cancelJob] = [zh('cli.key.no'), zh('cli.key.cancelJob')]
const [turn, change] = [zh('cli.key.page'), zh('cli.key.switch')]
const assign = `enter ${zh('cli.key.assign')}`
const sheetsKey = `b ${zh('cli.key.sheets')}`
const encodingKey = `g ${zh('cli.key.encoding')}`
const headingKey = `h ${zh('cli.key.heading')}`
const mappingTab = `1 ${zh('cli.tr.tab.mapping')}`
const isAtTransfer = (...states: readonly string[]) =>
  on(...states.map((state) => `transfer.${state}`))
const isChoosing = isAtTransfer('choosing')
const listRecalledJobs = ({ c }: View) => c.recalled?.jobs ?? []
const isStopped = isAtTransfer('paused', 'done', 'failed', 'unopened')
const [isDone, hasFailed] = [isAtTransfer('done'), isAtTransfer('failed')]
const isFollowed = isAtTransfer('checking', 'running')
const isReviewing = isAtTransfer('reviewing')
const isRecalling = isAtTransfer('choosing.recalling')
const isForgotten = isAtTransfer('choosing.forgotten')

// An export is a command with a line of progress, not a screen.
const { exporting: _exporting, ...parts } = transferParts

export const driver = createTerminalDriver({
  model: { parts, rules: [] },
  adapt: adaptTerminalTransfer,
  view: transferView,
  readings: {
    head: [formatJobHead, (user) => read.flatLines(user)[0] ?? ''],
    stages: [
      (v) =>
        stations(
          transferStages.map((name) => zh(`cli.tr.step.${name}`)),
          transferStage(readTransferStep(v)),
        ),
      read.readLines(/^[✓●○] .+ ─ /),
    ],
    message: [({ job }) => job?.message ?? '', read.match(/^\s*· (\S+)\s*$/m)],
    file: [
      showWhen(isChoosing, ({ file }) => (file === null ? '' : `${file.name} (${file.size} B)`)),
      read.match(/文件路径：(\S+\.xlsx \(.+?)\s*$/m),
    ],
    waiting: [formatWait, read.readLines(/^正在.*…$/)],
    options: [
      formatImportOptions,
      read.readLines(
        new RegExp(`^(?:${importModes.map((mode) => zh(`cli.tr.mode.${mode}`)).join('|')}) · `),
      ),
    ],
    progress: [
      showWhen(isFollowed, ({ job }) => `${job?.done}/${job?.total} 行`),
      read.match(/^\s*(\d+\/\d+ 行)\s*$/m),
    ],
    written: [formatWrittenJobs, read.readLines(/新增 \d+ 修改 \d+ 跳过/)],
    historyIsLoading: [
      isRecalling,
      (user) => user.frame().includes(zh('cli.tr.file')) && user.says(zh('common.loading')),
    ],
    verdicts: [
      inReview(formatTerminalVerdicts),
      read.readLines(/^新增 \d+ 修改 \d+ 相同|^1 列对应/),
    ],
    warnings: [formatJobWarnings, read.readLines(/^! /)],
    problems: [formatJobProblems, read.red],
    columns: [inReview(formatJobColumns), inPane('columns', columnsIn)],
    fixed: [
      inReview((_job, { c: { fixed } }) => ('a' in fixed ? `院 a ${String(fixed['a'])}` : '')),
      read.match(/^\s*= (院 a \S+?)(?: · .*)?\s*$/m),
    ],
    rows: [inReview(formatReviewRows), inPane('rows', rowsIn)],
  },
  says: {
    'cli.tr.history': isChoosing,
    'cli.tr.noHistory': (v) =>
      isChoosing(v) && !isRecalling(v) && !isForgotten(v) && listRecalledJobs(v).length === 0,
    'cli.tr.historyFailed': isForgotten,
    'cli.tr.checking': isAtTransfer('checking'),
    'cli.tr.running': isAtTransfer('running'),
    'cli.tr.confirm': isAtTransfer('confirming'),
    'cli.tr.paused': isAtTransfer('paused'),
    'cli.tr.done': (v) => isDone(v) && v.job?.dryRun !== true,
    'cli.tr.checked': (v) => isDone(v) && v.job?.dryRun === true,
    'cli.tr.cancelled': (v) => hasFailed(v) && v.job?.status === 'cancelled',
    'cli.tr.failed': (v) => hasFailed(v) && v.job?.status !== 'cancelled',
  },
  hints: {
    // Refusing a question and cancelling an upload have the same label.
    [cancel]: isAtTransfer('uploading'),
    [cancelJob]: (v) => !isAtTransfer('uploading')(v) && v.s.can({ type: 'job.cancel' }),
  },
  gestures: {
    'file.choose': ({ file }) =>
      by.afterKey(zh('cli.key.choose'), async (user) => {
        await user.press('^u')
        await pickByWord(user, file.key === hugeFile.key ? 'huge' : 'students')
      }),
    'file.drop': by.key(zh('cli.key.drop')),
    'choices.change': by.afterKey(zh('cli.key.mode'), async (user, listed) => {
      await user.press(listed)
      await pickByWord(user, 'update')
    }),
    'upload.start': by.key(zh('cli.key.upload')),
    'upload.progress': by.sendEvent,
    'history.page': ({ pageNum }) =>
      by.afterKey(turn, (user) => user.press(pageNum > 1 ? 'pgdn' : 'pgup')),
    'job.open': by.afterKey(change, async (user) => {
      if (user.keyFor(zh('cli.key.open')) === null) await user.press('tab')
      await user.press('enter')
    }),
    'column.assign': ({ assignment: { attrName } }) =>
      afterPane('columns', async (user) => {
        await user.press('↓', 'enter')
        await pickByWord(user, attrName === null ? '不导入' : (labelOf[attrName] ?? ''))
      }),
    'fixed.set': ({ value }) =>
      by.afterKey(zh('cli.key.fixed'), async (user, listed) => {
        await user.press(listed)
        await by.typeOver(user, String(value ?? ''))
        await user.press('enter')
      }),
    'mapping.reset': by.key(zh('cli.key.reset')),
    'job.check': by.key(zh('cli.key.check')),
    'reading.change': ({ reading: { heading, encoding } }) =>
      afterPane('columns', async (user) => {
        if (encoding !== undefined) {
          await user.press('g')
          await pickByWord(user, encoding)
        } else if (heading === undefined) await user.press('b', '↓', 'enter', '↑', '↑', 'enter')
        else await user.press('h', heading === 0 ? '↑' : '↓', 'enter')
      }),
    'cell.mend': by.afterKey(zh('cli.key.mend'), async (user) => {
      await showPane(user, 'rows')
      await user.press('enter', 'enter')
    }),
    'rows.show': ({ verdict }) =>
      by.afterKey(change, (user) => user.press(String(verdicts.indexOf(verdict) + 2))),
    'rows.page': ({ pageNum }) => afterPane('rows', (user) => user.press(pageNum > 1 ? '→' : '←')),
    'job.run': by.key(zh('cli.key.write')),
    'run.confirm': by.key(zh('cli.key.yes')),
    'run.cancel': by.key(cancel, 'n'),
    'job.resume': by.key(zh('cli.key.resume')),
    'job.cancel': by.unlistedKey(cancelJob, cancel),
    'transfer.retry': by.key(zh('cli.key.retry')),
    'transfer.restart': by.key(zh('cli.key.restart')),
    'template.save': by.key(zh('cli.key.template')),
    'result.save': by.key(zh('cli.key.result')),
    ...by.gestureForEach(
      by.noKey,
      'sheet.change',
      'export.start',
      'export.progress',
      'export.cancel',
    ),
  },
  hidden: {
    // Files are saved only at the steps they belong to, although the machine would take more.
    'template.save': (v) => !isChoosing(v),
    'result.save': (v) => !isReviewing(v) && !isStopped(v),
    // A job is opened from the list of jobs; a file is chosen where there is none yet.
    'job.open': (v) => listRecalledJobs(v).length === 0,
    'file.choose': ({ file }) => file !== null,
    'reading.change': ({ job }, { reading }) => job === null || !isReadable(job, reading),
    'fixed.set': ({ job }) => (job?.sheet?.fixed ?? []).length === 0,
  },
  screen: TransferScreen,
  props: {
    factsOf: (path) =>
      Promise.resolve(path === 'huge' ? hugeFile : path === 'students' ? sheetFile : null),
    savedTo: () => null,
    leave: () => {},
  },
})

/** Samples are limited to what keys can express, in the concerns that have the event at all. */
function adaptTerminalTransfer({ events }: Spec<unknown>): Partial<Spec<unknown>> {
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

function readTransferStep({ s }: View): View['step'] {
  const { transfer } = s.value
  return (typeof transfer === 'string' ? transfer : Object.keys(transfer)[0]) as View['step']
}

function formatJobHead({ job }: View): string {
  const title = zh('cli.tr.import')
  return job === null
    ? `${title} A`
    : `${title} 甲 A ${job.fileName} ${zh('cli.tr.job', { id: job.id })}`
}

/** Formats the line of the wait on the screen. */
function formatWait(v: View): string {
  const { job, file } = v
  const size = file?.key === hugeFile.key ? '28.6 MB' : '1000 B'
  const waits = {
    opening: zh('cli.tr.opening', { id: job?.id ?? '' }),
    uploading: zh('cli.tr.uploading', { name: file?.name ?? '', size }),
    sending: zh('cli.tr.sending'),
    cancelling: zh('cli.tr.cancelling'),
  }
  const wait = Object.entries(waits).find(([state]) => isAtTransfer(state)(v))
  return wait === undefined ? '' : read.flat(`${wait[1]}…`)
}

/**
 * The import options: of the job; before, each chosen on this screen, given at the start, or remembered from the
 * last import. A mode that the user may not use becomes the first one allowed.
 */
function formatImportOptions(v: View): string {
  const { chosen, recalled, input } = v.c
  const given = { ...recalled?.remembered, ...input.choices, ...chosen }
  const { mode = 'insert', onError = 'abort', empty = 'keep' } = given
  const modes: readonly ImportMode[] = input.modes ?? importModes
  const allowed = modes.includes(mode) ? mode : (modes[0] ?? mode)
  if (isChoosing(v)) return optionLine({ mode: allowed, onError, empty, key: null, dryRun: false })
  return isReviewing(v) && v.job !== null ? optionLine(v.job) : ''
}

function optionLine({ mode, onError, empty, key, dryRun }: ImportChoices): string {
  return [
    zh(`cli.tr.mode.${mode}`),
    zh(`cli.tr.onError.${onError}`),
    zh(`cli.tr.empty.${empty}`),
    ...(key === null ? [] : [key]),
    ...(dryRun ? [zh('cli.key.dryRun')] : []),
  ].join(' · ')
}

/** Formats the counts of written rows: of the job that is shown, or of the earlier ones. */
function formatWrittenJobs(v: View): string {
  const line = ({ inserted, updated, skipped, failed }: Job) =>
    read.flat(zh('cli.tr.written', { inserted, updated, skipped, failed }))
  if (isStopped(v)) return v.job === null ? '' : line(v.job)
  if (!isChoosing(v) || isRecalling(v) || isForgotten(v)) return ''
  return listRecalledJobs(v)
    .map((job) =>
      [job.createTime, job.fileName, zh(`cli.tr.status.${job.status}`), line(job)].join(' '),
    )
    .join('\n')
}

function inReview(text: (job: Job, view: View) => string) {
  return showWhen(isReviewing, (v: View) => (v.job === null ? '' : text(v.job, v)))
}

/** The counts of the check, and the tabs with theirs. */
function formatTerminalVerdicts({ review: counts }: Job): string {
  const tabs = verdicts.map(
    (name, index) => `${index + 2} ${zh(`cli.tr.tab.${name}`)} ${counts[name]}`,
  )
  return [read.flat(zh('cli.tr.counts', { ...counts })), [mappingTab, ...tabs].join(' ')].join('\n')
}

function formatJobWarnings(v: View): string {
  const { job, c } = v
  const warnings = isFollowed(v) && v.s.hasTag('lost') ? [zh('cli.tr.lost')] : []
  if (isReviewing(v) && job !== null) {
    const missing = listMissing(job, c.mapping, c.fixed).join(', ')
    if (missing !== '') warnings.push(zh('cli.tr.missing', { fields: missing }))
    if (columnsNow(job, v).some(({ isMoved }) => isMoved) || isRefixed(job, c.fixed))
      warnings.push(zh('cli.tr.edited'))
    if (job.phase !== 'mapping' && job.review.wrong > 0 && job.onError === 'abort')
      warnings.push(zh('cli.tr.abortHint'))
  }
  return warnings.map((text) => `! ${text}`).join('\n')
}

/** While the job is polled, a lost connection is shown as a hint instead of the problem. */
function formatJobProblems(v: View): string {
  const isProblem =
    isChoosing(v) || isReviewing(v) || isStopped(v) || (isFollowed(v) && !v.s.hasTag('lost'))
  return formatMessages(isChoosing(v) && v.fault, isProblem && v.problem)
}

/** The columns with what they are assigned to now; those of earlier results are not shown. */
function columnsNow({ sheet }: Job, { c: { mapping } }: View) {
  return (sheet?.columns ?? [])
    .filter((info) => info.by !== 'own')
    .map((info) => {
      const { attrName, empty } = mapping.find(({ column }) => column === info.column) ?? info
      const isMoved = attrName !== info.attrName
      return { ...info, attrName, empty, isMoved, isChanged: isMoved || empty !== info.empty }
    })
}

/** Each column as its line shows it, and the keys that change what is read. */
function formatJobColumns(job: Job, view: View): string {
  const { sheets = [], encoding, preview = [] } = job.sheet ?? {}
  return [
    ...columnsNow(job, view).map((column) => {
      const { letter, header, attrName, empty, samples } = column
      const to = attrName === null ? zh('cli.tr.skipColumn') : `${labelOf[attrName]} ${attrName}`
      const byLabel = column.by === 'label' ? zh('cli.tr.by.label') : ''
      const why = column.isChanged ? zh('cli.tr.changedMark') : byLabel
      return read.flat(`${letter} ${header} → ${to} ${why} · ${[empty, ...samples].join(' · ')}`)
    }),
    assign,
    ...(sheets.length > 1 ? [sheetsKey] : []),
    ...(encoding === undefined ? [] : [encodingKey]),
    ...(preview.length > 0 ? [headingKey] : []),
  ].join('\n')
}

/** The rows under review, and the keys that turn their pages. */
function formatReviewRows(_job: Job, v: View): string {
  const { rows, verdict, rowsPage: pageNum } = v.c
  const waiting = ['loading', 'failed'].find((state) => isAtTransfer(`reviewing.rows.${state}`)(v))
  if (!isAtTransfer('reviewing.rows.shown')(v)) return waiting ?? ''
  const { records = [], total = 0 } = rows ?? {}
  const pageCount = Math.max(1, Math.ceil(total / limits.reviewPageSize))
  return [
    // The message of the server names near choices.
    ...records.map((row) => {
      const errors = row.errors.map(({ column, value, msg }) => `${column} “${value}” ${msg}`)
      return `${zh('cli.tr.row', { row: row.row })} ${row.verdict === 'wrong' ? errors.join() : row.name}`
    }),
    `${zh(`cli.tr.rowsOf.${verdict}`)} · ${zh('cli.tr.page', { page: pageNum, pages: pageCount, total })}`,
    ...(pageNum < pageCount ? [`→ ${turn}`] : []),
    ...(pageNum > 1 ? [`← ${turn}`] : []),
  ].join('\n')
}

type Pane = 'columns' | 'rows'

/** Reads one of the two panes of a review, for which it may show it for a moment. */
function inPane(pane: Pane, lines: (user: TerminalUser) => readonly string[]) {
  return async (user: TerminalUser): Promise<string> => {
    if (!user.frame().includes(mappingTab)) return ''
    const isOther = shownPane(user) !== pane
    if (isOther && user.keyFor(change) === null) return ''
    if (isOther) await user.press('tab')
    const found = lines(user).join('\n')
    if (isOther) await user.press('tab')
    return found
  }
}

function shownPane(user: TerminalUser): Pane {
  return columnsIn(user).length > 0 ? 'columns' : 'rows'
}

function columnsIn(user: TerminalUser): readonly string[] {
  return [
    ...read.flatLines(user).flatMap((line) => /^(?:❯ )?([A-Z] \S+ → .+)$/.exec(line)?.[1] ?? []),
    ...hintsIn(user, assign, sheetsKey, encodingKey, headingKey),
  ]
}

/**
 * The active pane is marked by colour only, which a frame lacks: the pane of rows shows its page
 * number, or that it is loading or failed.
 */
function rowsIn(user: TerminalUser): readonly string[] {
  const shown = read.flatLines(user)
  const page = shown.find((line) => /的行 · 第 /.test(line))
  if (page !== undefined)
    return [
      ...shown.filter((line) => /^第 \d+ 行 /.test(line)),
      page,
      ...hintsIn(user, `→ ${turn}`, `← ${turn}`),
    ]
  if (shown.includes(zh('common.loading'))) return ['loading']
  return user.frame().includes('✗') ? ['failed'] : []
}

function hintsIn(user: TerminalUser, ...hints: readonly string[]): readonly string[] {
  const shown = read.flatLines(user)
  return hints.filter((hint) => shown.some((line) => ` ${line} `.includes(` ${hint} `)))
}

async function pickByWord(user: TerminalUser, word: string): Promise<void> {
  await user.type(word)
  await user.press('enter')
}

function afterPane(pane: Pane, run: (user: TerminalUser) => Promise<void>): TerminalGesture {
  return by.custom((user) => {
    const canShow = pane === 'columns' || user.keyFor(change) !== null
    return user.frame().includes(mappingTab) && canShow
      ? showPane(user, pane).then(() => run(user))
      : null
  })
}

async function showPane(user: TerminalUser, pane: Pane): Promise<void> {
  if (shownPane(user) !== pane) await user.press('tab')
}

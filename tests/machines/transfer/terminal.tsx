import { type JobError, limits, problemText, messageText, t } from '@jiaowu/api'
import { type FileFacts, type TransferEvent, type transferMachine } from '@jiaowu/machines'
import type { Actor, AnyMachineSnapshot, AnyStateMachine, SnapshotFrom } from 'xstate'
import { TransferScreen } from '../../../apps/cli/src/screens/transfer/transfer-screen.tsx'
import type { TransferActor } from '../../../apps/cli/src/screens/transfer/screen-props.ts'
import type { UserStep } from '@jiaowu/path-tests'
import type { Spec } from '../spec.ts'
import { hugeFile, sheetFile } from './samples.ts'
import type { TerminalUser, TerminalScreen } from '../../surfaces/terminal/screen.tsx'
import { wordsIn, wordsOf } from './terminal-words.ts'

/** What the terminal shows of an import. */
export interface TerminalTransferSeen {
  readonly step: string
  readonly head: string
  readonly file: string | null
  readonly fault: string | null
  readonly message: string | null
  readonly problem: string | null
  readonly mapping: string | null
  readonly rows: string | null
  readonly jobs: string | null
  readonly words: string
  readonly offers: string
}

/** Events and the labels of their keys. */
const labels = {
  'upload.start': '上传',
  'file.drop': '换一个文件',
  'job.check': '重新检查',
  'mapping.reset': '还原',
  'job.run': '写入',
  'run.confirm': '确定',
  'job.resume': '继续',
  'job.cancel': '取消任务',
  'transfer.retry': '重试',
  'transfer.restart': '新的导入',
  'result.save': '保存结果',
  'template.save': '下载模板',
} as const
type Offered = keyof typeof labels
/**
 * Where the terminal offers less than the machine takes: files are saved only at the steps they
 * belong to.
 */
const saveable = {
  'template.save': ['choosing'],
  'result.save': ['reviewing', 'done', 'failed', 'paused', 'unopened'],
} as const

/** Refusing a question and cancelling an upload have the same label. */
const refusal = '取消'
/** The columns, and a page of the rows of a verdict. */
const turning = '翻页'
const assigning = 'enter 改对应'

type Snapshot = SnapshotFrom<typeof transferMachine>
const unsaved: Readonly<Record<string, unknown>> = { format: 'csv', only: 'all' }

const labelOf: Readonly<Record<string, string>> = { no: '学号', name: '姓名' }
const flat = (line: string): string => line.replaceAll(/\s+/g, ' ').trim()
function errorLine({ column, value, msg, suggestions }: JobError): string {
  const names = suggestions.join(', ')
  return `${column} “${value}” ${msg} ${t('zh-CN', 'cli.tr.suggest', { names })}`
}
const verdictWords = { wrong: '错误', changed: '修改', fresh: '新增', same: '相同' } as const

/**
 * The model of the transfer as the terminal shows it; samples are limited to what its keys can
 * express.
 */
export function transferOnTerminal(model: Spec<unknown>): Spec<TerminalTransferSeen> {
  return {
    ...model,
    events: {
      ...model.events,
      ...(Object.keys(model.events['choices.change'] ?? {}).length === 0
        ? {}
        : { 'choices.change': { update: { choices: { mode: 'update' } } } }),
      ...(Object.keys(model.events['result.save'] ?? {}).length === 0
        ? {}
        : { 'result.save': { all: { format: 'xlsx', only: 'all' } } }),
      ...(Object.keys(model.events['column.assign'] ?? {}).length === 0
        ? {}
        : {
            'column.assign': {
              name: { assignment: { column: 2, attrName: 'name', empty: 'keep' } },
              no: { assignment: { column: 2, attrName: 'no', empty: 'keep' } },
              back: { assignment: { column: 2, attrName: null, empty: 'keep' } },
            },
          }),
    },
    hidden: (snapshot: AnyMachineSnapshot, event) => {
      const s = snapshot as Snapshot
      const step = stepOf(s)
      if (event.type === 'template.save' || event.type === 'result.save')
        return !(saveable[event.type] as readonly string[]).includes(step)
      // A job is opened from the list of jobs; a file is chosen where there is none yet.
      if (event.type === 'job.open') return (s.context.recalled?.jobs ?? []).length === 0
      if (event.type === 'reading.change') return (s.context.job?.sheet?.preview ?? []).length === 0
      if (event.type === 'file.choose') return s.context.file !== null
      return false
    },
    project: (snapshot) => {
      const s = snapshot as Snapshot
      const c = s.context
      const step = stepOf(s)
      const isChoosing = step === 'choosing'
      return {
        step,
        words: wordsOf(s, step),
        head:
          c.job === null
            ? '导入 A'
            : `导入 甲 A ${c.job.fileName} ${t('zh-CN', 'cli.tr.job', { id: c.job.id })}`,
        message: c.job?.message ?? null,
        file: isChoosing && c.file !== null ? `${c.file.name} (${c.file.size} B)` : null,
        fault: isChoosing && c.fault !== null ? messageText('zh-CN', c.fault) : null,
        problem: problemOf(s, step),
        ...(step === 'reviewing' ? reviewOf(s) : { mapping: null, rows: null }),
        jobs: isChoosing ? jobsOf(s) : null,
        offers: offersOf(s, step),
      }
    },
  }
}

function stepOf(s: Snapshot): string {
  const { transfer } = s.value as { transfer: string | Record<string, unknown> }
  return typeof transfer === 'string' ? transfer : (Object.keys(transfer)[0] ?? '')
}

/** While the job is polled, a lost connection is shown as a hint instead of the problem. */
function problemOf(s: Snapshot, step: string): string | null {
  const { problem } = s.context
  const isShown =
    ['choosing', 'reviewing', 'paused', 'done', 'failed', 'unopened'].includes(step) ||
    ((step === 'checking' || step === 'running') && !s.hasTag('lost'))
  return isShown && problem !== null ? problemText('zh-CN', problem) : null
}

/** The number of earlier jobs, or the state of the request for them. */
function jobsOf(s: Snapshot): string {
  const inner = (s.value as { transfer: { choosing: string } }).transfer.choosing
  if (inner === 'recalling') return 'loading'
  return inner === 'forgotten' ? 'failed' : `${s.context.recalled?.jobs.length ?? 0}`
}

/** The two panes of a review. */
function reviewOf(s: Snapshot): Pick<TerminalTransferSeen, 'mapping' | 'rows'> {
  const { rows } = (s.value as { transfer: { reviewing: { rows: string } } }).transfer.reviewing
  return {
    mapping: columnsOf(s),
    rows: rows === 'none' ? null : rows === 'shown' ? rowsOf(s) : rows,
  }
}

/** Each column as its line shows it; columns of earlier results are not shown. */
function columnsOf({ context: { job, mapping } }: Snapshot): string {
  return [
    ...(job?.sheet?.columns ?? [])
      .filter(({ by }) => by !== 'own')
      .map(({ column, letter, header, attrName, by, empty, samples }) => {
        const now = mapping.find((each) => each.column === column) ?? { attrName, empty }
        const why =
          now.attrName !== attrName || now.empty !== empty
            ? t('zh-CN', 'cli.tr.changedMark')
            : by === 'label'
              ? t('zh-CN', 'cli.tr.by.label')
              : ''
        return flat(
          `${letter} ${header} → ${now.attrName === null ? t('zh-CN', 'cli.tr.skipColumn') : `${labelOf[now.attrName]} ${now.attrName}`} ${why} · ${[now.empty, ...samples].join(' · ')}`,
        )
      }),
    assigning,
  ].join('\n')
}

/** The rows under review, and the keys that turn their pages. */
function rowsOf({ context: { rows, verdict, rowsPage } }: Snapshot): string {
  const [total, pages] = [
    rows?.total ?? 0,
    Math.max(1, Math.ceil((rows?.total ?? 0) / limits.reviewPageSize)),
  ]
  const lines = (rows?.records ?? []).map(
    (row) =>
      `${t('zh-CN', 'cli.tr.row', { row: row.row })} ${row.verdict === 'wrong' ? row.errors.map(errorLine).join() : row.name}`,
  )
  return [
    ...lines,
    `${verdictWords[verdict]}的行 · ${t('zh-CN', 'cli.tr.page', { page: rowsPage, pages, total })}`,
    ...(rowsPage < pages ? [`→ ${turning}`] : []),
    ...(rowsPage > 1 ? [`← ${turning}`] : []),
  ].join('\n')
}

function offersOf(s: Snapshot, step: string): string {
  return [
    ...(Object.keys(labels) as Offered[]).filter((type) => {
      if (
        type in saveable &&
        !(saveable[type as keyof typeof saveable] as readonly string[]).includes(step)
      )
        return false
      if (type === 'job.cancel' && step === 'uploading') return false
      return s.can({ type, ...(type === 'result.save' ? unsaved : {}) } as Parameters<
        Snapshot['can']
      >[0])
    }),
    ...(step === 'confirming' || step === 'uploading' ? [refusal] : []),
  ]
    .sort()
    .join()
}

const marks = [
  ['choosing', '文件路径：'],
  ['uploading', '正在上传'],
  ['opening', '正在读取任务'],
  ['sending', '正在提交'],
  ['cancelling', '正在取消'],
  ['confirming', '确定写入吗'],
  ['reviewing', '1 列对应'],
  ['checking', '正在检查'],
  ['running', '正在写入'],
  ['paused', '任务已暂停'],
  ['done', '导入完成'],
  ['failed', '导入没有完成'],
  ['failed', '任务已取消'],
] as const

const files: Readonly<Record<string, FileFacts>> = { students: sheetFile, huge: hugeFile }

type Gesture<E extends TransferEvent> = (
  event: E,
  user: TerminalUser,
  actor: Actor<AnyStateMachine>,
) => Promise<void> | null
const verdictKeys = { wrong: '2', changed: '3', fresh: '4', same: '5' } as const

/** Gestures of more than the key listed for the event; null: the screen offers none. */
const gestures: {
  readonly [T in TransferEvent['type']]?: Gesture<Extract<TransferEvent, { type: T }>>
} = {
  'upload.progress': (event, _, actor) => {
    actor.send(event)
    return Promise.resolve()
  },
  'file.choose': ({ file }, user) =>
    user.keyFor('选择') === null ? null : choosePath(user, pathOf(file)),
  'job.open': (_, user) => (user.keyFor('切换') === null ? null : openJob(user)),
  'history.page': ({ pageNum }, user) =>
    user.keyFor('翻页') === null ? null : user.press(pageNum > 1 ? 'pgdn' : 'pgup'),
  'choices.change': (_, user) => {
    const opened = pressLabel(user, '方式')
    return opened === null ? null : opened.then(() => pick(user, 'update'))
  },
  'column.assign': ({ assignment }, user) =>
    stepIn(user.frame()) === 'reviewing' ? assignColumn(user, assignment.attrName) : null,
  'cell.mend': (_, user) => {
    const key = user.keyFor('改正')
    return key === null ? null : inPane(user, 'rows').then(() => user.press('enter', 'enter'))
  },
  'reading.change': ({ reading }, user) =>
    stepIn(user.frame()) === 'reviewing'
      ? inPane(user, 'columns').then(() =>
          user.press('h', reading.heading === 0 ? '↑' : '↓', 'enter'),
        )
      : null,
  'rows.show': ({ verdict }, user) =>
    user.keyFor('切换') === null ? null : user.press(verdictKeys[verdict]),
  'rows.page': ({ pageNum }, user) =>
    stepIn(user.frame()) !== 'reviewing' || user.keyFor('切换') === null
      ? null
      : turnRows(user, pageNum > 1 ? '→' : '←'),
  'run.cancel': (_, user) => (stepIn(user.frame()) === 'confirming' ? user.press('n') : null),
  'job.cancel': (_, user) =>
    stepIn(user.frame()) === 'uploading' ? user.press('esc') : pressLabel(user, '取消任务'),
  'result.save': ({ only }, user) => pressLabel(user, only === 'wrong' ? '只存错误行' : '保存结果'),
}

export function transferTerminal(): TerminalScreen<TerminalTransferSeen> {
  return {
    element: (actor) => (
      <TransferScreen
        actor={actor as unknown as TransferActor}
        locale="zh-CN"
        factsOf={(path) => Promise.resolve(files[path] ?? null)}
        savedTo={() => null}
        leave={() => {}}
      />
    ),
    gesture,
    read,
  }
}

function gesture(
  step: UserStep,
  user: TerminalUser,
  actor: Actor<AnyStateMachine>,
): Promise<void> | null {
  const event = step.event as TransferEvent
  const operate = gestures[event.type] as Gesture<TransferEvent> | undefined
  if (operate !== undefined) return operate(event, user, actor)
  return event.type in labels ? pressLabel(user, labels[event.type as Offered]) : null
}

function pressLabel(user: TerminalUser, label: string): Promise<void> | null {
  const key = user.keyFor(label)
  return key === null ? null : user.press(key)
}

async function choosePath(user: TerminalUser, path: string): Promise<void> {
  await user.press('^u')
  await pick(user, path)
}

async function openJob(user: TerminalUser): Promise<void> {
  if (user.keyFor('打开') === null) await user.press('tab')
  await user.press('enter')
}

async function assignColumn(user: TerminalUser, attrName: string | null): Promise<void> {
  await inPane(user, 'columns')
  await user.press('↓', 'enter')
  await pick(user, attrName === null ? '不导入' : attrName === 'no' ? '学号' : '姓名')
}

async function turnRows(user: TerminalUser, key: string): Promise<void> {
  await inPane(user, 'rows')
  await user.press(key)
}

async function pick(user: TerminalUser, word: string): Promise<void> {
  await user.type(word)
  await user.press('enter')
}

function pathOf(file: FileFacts): string {
  return Object.entries(files).find(([, each]) => each.key === file.key)?.[0] ?? ''
}

function stepIn(frame: string): string {
  return marks.find(([, mark]) => frame.includes(mark))?.[0] ?? 'unopened'
}

async function inPane(user: TerminalUser, pane: 'columns' | 'rows'): Promise<void> {
  if ((columnsIn(user.frame()) === '') === (pane === 'columns')) await user.press('tab')
}

function columnsIn(frame: string): string {
  return [
    ...[...frame.matchAll(/^\s*(?:❯ )?\s*([A-Z]\s+\S+ → .+)$/gm)].map(([, line]) =>
      flat(line ?? ''),
    ),
    ...hintsIn(frame.split('\n').map(flat), [assigning]),
  ].join('\n')
}

function hintsIn(lines: readonly string[], hints: readonly string[]): readonly string[] {
  return hints.filter((hint) => lines.some((line) => ` ${line} `.includes(` ${hint} `)))
}

async function read(user: TerminalUser): Promise<TerminalTransferSeen> {
  const frame = user.frame()
  const step = stepIn(frame)
  const offers = [
    ...(Object.keys(labels) as Offered[]).filter((type) => user.keyFor(labels[type]) !== null),
    ...(user.keyFor(refusal) === null ? [] : [refusal]),
  ]
    .sort()
    .join()
  const review =
    step === 'reviewing' ? await readReview(user, frame) : { mapping: null, rows: null }
  return {
    step,
    ...review,
    offers,
    head: flat(frame.split('\n').find((line) => line.trim() !== '') ?? ''),
    words: wordsIn(user.says),
    file:
      step === 'choosing'
        ? (/文件路径：(\S+\.xlsx \(.+)$/m.exec(frame)?.[1]?.trim() ?? null)
        : null,
    fault: step === 'choosing' ? (/✗ (文件 .* MB.*?)\s*$/m.exec(frame)?.[1] ?? null) : null,
    message: /^\s*· (\S+)\s*$/m.exec(frame)?.[1] ?? null,
    problem: problemIn(frame),
    jobs: step === 'choosing' ? jobsIn(user, frame) : null,
  }
}

/** Reads both panes of a review: shows the other pane, then returns to the first. */
async function readReview(
  user: TerminalUser,
  first: string,
): Promise<Pick<TerminalTransferSeen, 'mapping' | 'rows'>> {
  const canTurn = user.keyFor('切换') !== null
  if (canTurn) await user.press('tab')
  const second = user.frame()
  if (canTurn) await user.press('tab')
  const [columns, table] =
    first.includes('→') && columnsIn(first) !== '' ? [first, second] : [second, first]
  return { mapping: columnsIn(columns), rows: canTurn ? rowsIn(table) : null }
}

function jobsIn(user: TerminalUser, frame: string): string {
  if (user.says(t('zh-CN', 'common.loading'))) return 'loading'
  if (user.says(t('zh-CN', 'cli.tr.historyFailed'))) return 'failed'
  return String([...frame.matchAll(/students\.xlsx {2}\S+ {2}新增/g)].length)
}

/**
 * The active pane is marked by colour only, which a frame lacks: the pane of rows shows its page
 * number, or that it is loading or failed.
 */
function rowsIn(frame: string): string | null {
  const lines = frame.split('\n').map(flat)
  const page = lines.find((line) => /的行 · 第 /.test(line))
  if (page === undefined)
    return lines.includes(t('zh-CN', 'common.loading'))
      ? 'loading'
      : frame.includes('✗')
        ? 'failed'
        : null
  return [
    ...lines.filter((line) => /^第 \d+ 行 /.test(line)),
    page,
    ...hintsIn(lines, [`→ ${turning}`, `← ${turning}`]),
  ].join('\n')
}

function problemIn(frame: string): string | null {
  return /✗ (?!文件 .* MB)(.+?)\s*$/m.exec(frame)?.[1] ?? null
}

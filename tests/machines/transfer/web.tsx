import {
  type ApiProblem,
  fieldDefinitionSchema,
  type Job,
  limits,
  rowVerdicts,
  say,
  t,
} from '@jiaowu/api'
import {
  type TransferContext,
  type TransferEvent,
  type TransferInput,
  transferMachine,
} from '@jiaowu/machines'
import * as v from 'valibot'
import type { EventObject, SnapshotFrom } from 'xstate'
import { ExportDrawer } from '../../../apps/web/src/features/export/export-drawer.tsx'
import { ImportDrawer } from '../../../apps/web/src/features/import/import-drawer.tsx'
import { emitEffect, type Spec } from '@jiaowu/path-tests'
import { listConfig } from '../entity-list/model.ts'
import type { TransferSeen } from './model.ts'
import { hugeFile, sheetFile } from './samples.ts'
import { all, click, enter, find, need, press, textOf } from '../../surfaces/web/dom.ts'
import {
  answered,
  type Asked,
  type HeldFetch,
  type PortCall,
} from '../../surfaces/web/held-fetch.ts'
import { gestureOf, type Gestures, inConsole, type Screen } from '../../surfaces/web/screen.tsx'
import { reportedToasts, watchStorage, dismissToasts } from '../../surfaces/web/effects.ts'
import { contentsOf } from './web-contents.ts'
import { labelsOf } from './web-labels.ts'
import { offersNow, readTransfer, type TransferScreen } from './web-read.ts'

type Snapshot = SnapshotFrom<typeof transferMachine>
const modes = ['insert', 'update', 'upsert'] as const
const config = {
  ...listConfig('none'),
  fields: ['a', 'b'].map((attrName) => ({
    ...v.parse(fieldDefinitionSchema, { id: attrName, attrName, uiLabel: attrName, isExport: 1 }),
    sortable: true,
    unique: attrName === 'a',
  })),
}
const query = { queries: { a: 'x' }, sorts: [] }
const starts = {
  fresh: () => ({ tag: 'A', kind: 'import', modes, job: null }),
  job: () => ({ tag: 'A', kind: 'import', modes, job: 'j' }),
  sheet: () => ({ tag: 'A', kind: 'export', sheet: { query, format: 'xlsx', columns: null } }),
} as const satisfies Record<string, () => TransferInput>
/** A sheet that arrives whole is this long, and tells so many rows. */
const sheetBytes = 4096
const sheetRows = 40
const wrongOf = ({ context: { job } }: Snapshot) => job?.review.wrong ?? 0
const rowsFailed = (s: Snapshot) => s.matches({ transfer: { reviewing: { rows: 'failed' } } })
const modeOf = (s: Snapshot) => choiceOf(s, 'mode', 'insert')

const stations = [
  'import.step.choose',
  'import.step.check',
  'import.step.write',
  'import.step.done',
] as const

/** A model of the transfer, seen from its drawers: files by their names, columns by their boxes. */
export function transferOnScreen(spec: Spec<TransferSeen>): Spec<TransferScreen> {
  const wanted = Object.keys(spec.input).filter((name) => name in starts) as (keyof typeof starts)[]
  const {
    'column.assign': assigns = {},
    'sheet.change': changes = {},
    'export.progress': progress = {},
  } = spec.events
  const some = (cases: object, given: Readonly<Record<string, object>>) =>
    Object.keys(cases).length === 0 ? {} : given
  return {
    ...spec,
    project: project as unknown as Spec<TransferScreen>['project'],
    covered: covered as unknown as NonNullable<Spec<TransferScreen>['covered']>,
    input: Object.fromEntries(
      (wanted.length === 0 ? (['fresh'] as const) : wanted).map((name) => [name, starts[name]]),
    ),
    events: {
      ...spec.events,
      'choices.change': some(spec.events['choices.change'] ?? {}, changesOf(spec)),
      'rows.show': some(
        spec.events['rows.show'] ?? {},
        Object.fromEntries(rowVerdicts.map((verdict) => [verdict, { verdict }])),
      ),
      'result.save': some(spec.events['result.save'] ?? {}, {
        wrong: { format: 'xlsx', only: 'wrong' },
        all: { format: 'xlsx', only: 'all' },
      }),
      'column.assign': some(
        assigns,
        Object.fromEntries(
          [
            ['name', 'name'],
            ['no', 'no'],
            ['back', null],
          ].map(([name, attrName]) => [
            name,
            { assignment: { column: 2, attrName, empty: 'keep' } },
          ]),
        ),
      ),
      'sheet.change': some(changes, {
        csv: { format: 'csv' },
        none: { columns: [] },
        all: { columns: ['a', 'b'] },
      }),
      'export.progress': some(progress, { some: { bytes: 2048, rows: sheetRows } }),
    },
    outcomes: {
      ...spec.outcomes,
      exportSheet: {
        ...spec.outcomes.exportSheet,
        saved: { ok: true, output: { bytes: sheetBytes, rows: sheetRows } },
      } as never,
    },
  }
}

/** What the screen must show, said apart from the machine's own view. */
function project(s: Snapshot): TransferScreen {
  const { file, job, mapping, saving, sheet } = s.context
  const shown =
    saving?.what === 'template'
      ? at(s, 'choosing')
      : saving !== null &&
        (showsResult(s) ||
          (at(s, 'done', 'failed', 'paused', 'unopened') && job?.can.result === true))
  return {
    at: stepOf(s),
    file: at(s, 'choosing') ? (file?.name ?? '') : '',
    words: wordsOf(s),
    far: farOf(s),
    lost: s.hasTag('lost'),
    history: historyOf(s),
    choices: at(s, 'choosing') || isReview(s) ? choicesIn(s) : '',
    said: saidOf(s),
    labels: labelsOf(s, {
      at: stepOf(s),
      title: t('zh-CN', at(s, 'exporting') ? 'export.title' : 'import.title', {
        name: config.name,
      }),
      mode: modeOf(s),
      key: keyOf(s),
      isReview: isReview(s),
      isOver: at(s, 'paused', 'done', 'failed', 'unopened'),
      hasCounts: hasCounts(s),
      failed: isReview(s) && rowsFailed(s) ? String(s.context.problem?.message ?? '') : '',
      keys: at(s, 'choosing')
        ? ['a']
        : (job?.sheet?.fields ?? []).filter(({ unique }) => unique).map(({ label }) => label),
      modes,
    }),
    contents: contentsOf(s, {
      at: stepOf(s),
      isReview: isReview(s),
      isEdited: isEdited(s),
      cards: at(s, 'choosing') ? modes.length : stepOf(s) === 'sheet' ? 3 : 0,
      choices:
        at(s, 'choosing') || isReview(s)
          ? (modeOf(s) === 'insert' ? 1 : 3) + (isReview(s) ? 1 : 0)
          : 0,
    }),
    mapping: isReview(s) ? mapping.map(({ attrName }) => attrName ?? '').join() : '',
    isEdited: isReview(s) && isEdited(s),
    rows: rowsOf(s),
    counts: hasCounts(s) && job !== null ? countsOf(job) : '',
    saving: shown ? (saving?.what ?? '') : '',
    sheet: stepOf(s) === 'sheet' ? `${sheet.format},${sheet.columns?.length ?? 2}` : '',
    offers: mayOf(s),
  }
}

function at(s: Snapshot, ...steps: readonly string[]) {
  return steps.some((step) => s.matches({ transfer: step } as never))
}

/** The button that saves the wrong rows is in sight. */
function showsResult(s: Snapshot) {
  return (
    s.context.job?.can.result === true &&
    (isReview(s)
      ? wrongOf(s) > 0 && !isEdited(s)
      : at(s, 'done', 'failed', 'paused', 'unopened') && s.context.job.failed > 0)
  )
}

function isReview(s: Snapshot) {
  return (
    at(s, 'reviewing', 'confirming') ||
    (at(s, 'sending') && s.context.job?.status !== 'failed' && s.context.job?.phase !== 'writing')
  )
}

function isEdited({ context: { job, mapping } }: Snapshot) {
  return (job?.sheet?.columns ?? []).some((column) => {
    const now = mapping.find((each) => each.column === column.column)
    return now !== undefined && now.attrName !== column.attrName
  })
}

function stepOf(s: Snapshot): string {
  if (s.matches({ transfer: { exporting: 'choosing' } })) return 'sheet'
  if (s.matches({ transfer: { exporting: 'running' } })) return 'receiving'
  const { transfer } = s.value as { transfer: string | object }
  const [name = ''] = typeof transfer === 'string' ? [transfer] : Object.keys(transfer)
  return name === 'exporting' ? String(Object.values(transfer)[0]) : name
}

function wordsOf(s: Snapshot): string {
  const { fault, problem, job }: TransferContext = s.context
  const refused =
    problem === null
      ? ''
      : typeof problem.message === 'string'
        ? problem.message
        : say('zh-CN', problem.message)
  if (at(s, 'choosing')) return fault === null ? refused : say('zh-CN', fault)
  if (isReview(s)) return rowsFailed(s) ? '' : refused
  if (at(s, 'paused', 'done', 'failed', 'unopened'))
    return problem === null ? (job?.message ?? '') : refused
  return s.matches({ transfer: { exporting: 'failed' } }) ? refused : ''
}

function farOf(s: Snapshot): string {
  const { job, sent, received } = s.context
  if (at(s, 'uploading'))
    return `${t('zh-CN', 'import.sent', { sent: `${sent} B`, size: '1000 B' })}${sent / 10}%`
  if (at(s, 'checking', 'running') && job !== null)
    return `${t('zh-CN', 'import.rows', { done: job.done, total: job.total })}${Math.floor((job.done / job.total) * 100)}%`
  if (
    !s.matches({ transfer: { exporting: 'running' } }) &&
    !s.matches({ transfer: { exporting: 'done' } })
  )
    return ''
  return received.rows === null
    ? '已接收 0 B'
    : t('zh-CN', 'export.receivedOf', { size: `${received.bytes / 1024} KB`, rows: received.rows })
}

function historyOf(s: Snapshot): string {
  if (!at(s, 'choosing')) return ''
  const failed = s.matches({ transfer: { choosing: 'forgotten' } })
  const { recalled, recallPage } = s.context
  return [
    s.matches({ transfer: { choosing: 'recalling' } }),
    failed,
    failed ? 0 : (recalled?.jobs.length ?? 0),
    !failed && (recalled?.total ?? 0) > limits.historyPageSize ? `${recallPage} / 2` : '',
  ].join()
}

function choicesIn(s: Snapshot) {
  return [
    modeOf(s),
    ...(modeOf(s) === 'insert' ? [] : [choiceOf(s, 'key', '')]),
    choiceOf(s, 'onError', 'abort'),
    ...(modeOf(s) === 'insert' ? [] : [choiceOf(s, 'empty', 'keep')]),
  ].join()
}

function choiceOf<K extends 'mode' | 'key' | 'onError' | 'empty'>(
  { context: { job, chosen, recalled } }: Snapshot,
  name: K,
  usual: string,
) {
  return String(
    (job === null ? (chosen[name] ?? recalled?.remembered?.[name]) : job[name]) ?? usual,
  )
}

/** The sentences beside: where one is, what stands in the way, what will happen, how it ended. */
function saidOf(s: Snapshot): string {
  const { job, mapping } = s.context
  if (at(s, 'exporting')) return ''
  const zh = (
    key: Parameters<typeof say>[1]['key'],
    params: Record<string, string | number> = {},
  ) => say('zh-CN', { key, params })
  const said = [`${stationOf(s) + 1}${zh(stations[stationOf(s)] ?? stations[0])}`]
  if (isReview(s) && job !== null) {
    const { wrong, fresh, changed } = job.review
    if (job.phase === 'mapping') said.push(job.message ?? '')
    if (job.mode !== 'update' && !mapping.some(({ attrName }) => attrName === 'no'))
      said.push(zh('import.missing', { fields: '学号' }))
    if (wrong > 0 && !isEdited(s))
      said.push(zh(job.onError === 'skip' ? 'import.wrongSkip' : 'import.wrongAbort', { n: wrong }))
    if (job.phase !== 'mapping' && fresh + changed + wrong === 0) said.push(zh('import.nothing'))
    if (isEdited(s)) said.push(zh('import.edited'))
  }
  if (at(s, 'choosing')) said.push(zh('import.checkFirst'))
  if (s.hasTag('lost')) said.push(zh('import.lost'))
  if (at(s, 'paused', 'done', 'failed', 'unopened'))
    said.push(
      zh(
        at(s, 'paused')
          ? 'import.paused'
          : at(s, 'done')
            ? 'import.done'
            : job?.status === 'cancelled'
              ? 'import.cancelled'
              : 'import.failed',
      ),
    )
  return said.join('|')
}

function stationOf(s: Snapshot): number {
  return at(s, 'choosing', 'uploading', 'opening', 'unopened')
    ? 0
    : at(s, 'done', 'failed')
      ? 3
      : at(s, 'running') || s.context.job?.phase === 'writing'
        ? 2
        : 1
}

/** The field that tells records apart, as its own value says. */
function keyOf(s: Snapshot) {
  const key = choiceOf(s, 'key', '')
  return key === '' ||
    (s.context.job?.sheet?.fields ?? []).some(({ attrName, unique }) => unique && attrName === key)
    ? null
    : key
}

function hasCounts(s: Snapshot) {
  return s.context.job !== null && at(s, 'running', 'paused', 'done', 'failed', 'unopened')
}

function rowsOf(s: Snapshot): string {
  const { job, verdict, rows, rowsPage } = s.context
  if (!isReview(s) || job === null || job.phase === 'mapping') return ''
  if (rowsFailed(s)) return `${verdict},failed`
  const isLoading = s.matches({ transfer: { reviewing: { rows: 'loading' } } })
  return rows === null
    ? `${verdict},${isLoading ? 'loading' : ''}`
    : `${verdict},${isLoading ? 'loading' : ''}${rows.records.map(({ row }) => row).join()},${rowsPage} / 2`
}

function countsOf({ inserted, updated, skipped, failed }: Job) {
  return [inserted, updated, skipped, failed].join()
}

function mayOf(s: Snapshot): string {
  const may = (event: TransferEvent) => s.can(event) && !covered(s, event)
  const plain = [
    'file.drop',
    'upload.start',
    'mapping.reset',
    'job.check',
    'job.run',
    'run.confirm',
    'run.cancel',
    'job.resume',
    'job.cancel',
    'transfer.retry',
    'transfer.restart',
    'template.save',
    'export.start',
    'export.cancel',
  ] as const
  const pages = (type: 'history.page' | 'rows.page') =>
    [1, 2].filter((pageNum) => may({ type, pageNum })).map((pageNum) => `${type}(${pageNum})`)
  return [
    ...plain.filter((type) => may({ type })),
    ...(may({ type: 'file.choose', file: sheetFile }) ? ['file.choose'] : []),
    ...(may({ type: 'choices.change', choices: {} }) ? ['choices.change'] : []),
    ...(may({ type: 'job.open', id: 'j' }) ? ['job.open'] : []),
    ...(may({ type: 'column.assign', assignment: { column: 2, attrName: null, empty: 'keep' } })
      ? ['column.assign']
      : []),
    ...(may({ type: 'rows.show', verdict: 'same' }) ? ['rows.show'] : []),
    ...(may({ type: 'result.save', format: 'xlsx', only: 'wrong' }) ? ['result.save(wrong)'] : []),
    ...(may({ type: 'result.save', format: 'xlsx', only: 'all' }) ? ['result.save(all)'] : []),
    ...(at(s, 'reviewing') && wrongOf(s) > 0 && !isEdited(s) && s.context.job?.onError === 'abort'
      ? ['skip']
      : []),
    ...(may({ type: 'sheet.change' }) ? ['sheet.change'] : []),
    ...pages('history.page'),
    ...pages('rows.page'),
  ]
    .sort()
    .join()
}

/** Gestures that need something that is not there: a button the step does not have, the page behind a question. */
function covered(s: Snapshot, given: EventObject): boolean {
  const event = given as TransferEvent
  switch (event.type) {
    case 'job.open':
      return !showsJobs(s)
    case 'template.save':
      return !at(s, 'choosing')
    case 'result.save':
      return event.only === 'all' ? !showsAll(s) : !showsResult(s)
    case 'choices.change':
      return (
        (s.matches({ transfer: { choosing: 'recalling' } }) && s.context.recalled === null) ||
        (('key' in event.choices || 'empty' in event.choices) && modeOf(s) === 'insert')
      )
    case 'job.check':
      return !isEdited(s) && s.context.job?.phase !== 'mapping'
    case 'transfer.restart':
      return at(s, 'reviewing') && s.context.job?.can.cancel === true
    case 'transfer.retry':
      return at(s, 'failed') && s.context.problem === null
    default:
      return false
  }
}

function showsJobs(s: Snapshot) {
  return (
    at(s, 'choosing') &&
    !s.matches({ transfer: { choosing: 'forgotten' } }) &&
    (s.context.recalled?.jobs.length ?? 0) > 0
  )
}

function showsAll(s: Snapshot) {
  return at(s, 'done', 'failed', 'paused', 'unopened') && s.context.job?.can.result === true
}

/** Each choice is made somewhere: all of them everywhere would be hundreds of states that differ only in data. */
function changesOf({ events }: Spec<TransferSeen>): Readonly<Record<string, object>> {
  const has = (type: string) => Object.keys(events[type] ?? {}).length > 0
  if (has('job.check'))
    return {
      upsert: { choices: { mode: 'upsert' } },
      skip: { choices: { onError: 'skip' } },
      abort: { choices: { onError: 'abort' } },
      key: { choices: { key: 'no' } },
      empty: { choices: { empty: 'clear' } },
    }
  return has('upload.start')
    ? { upsert: { choices: { mode: 'upsert' } } }
    : { empty: { choices: { empty: 'keep' } }, key: { choices: { key: 'a' } } }
}

const foot = '.jw-tr__foot button'
const primary = '.jw-tr__foot button.bp6-intent-primary'

const gestures: Gestures<TransferEvent> = {
  'file.choose': ({ file }) => {
    const input = need<HTMLInputElement>('.jw-tr__drop input[type=file]')
    Object.defineProperty(input, 'files', {
      value: [fileOf(file.name === hugeFile.name ? hugeFile : sheetFile)],
      configurable: true,
    })
    input.dispatchEvent(new Event('change', { bubbles: true }))
  },
  'file.drop': () => click(`.jw-tr__file button[aria-label="删除 ${sheetFile.name}"]`),
  'choices.change': ({ choices: { mode, key, onError, empty } }) => {
    const field = (label: string) =>
      need<HTMLSelectElement>(
        'select',
        undefined,
        all('.jw-tr__field').find((each) => textOf(each).startsWith(label)) ??
          need('.jw-tr__no-field'),
      )
    const card =
      mode === undefined ? undefined : find<HTMLInputElement>(`.jw-tr__card input[value=${mode}]`)
    const skips = find('.jw-tr button', '跳过错误的行')
    if (card !== undefined) press(card)
    else if (onError === 'skip' && skips !== undefined) press(skips)
    else if (mode !== undefined) enter(field('导入方式'), mode)
    else if (key !== undefined) enter(field('按哪个字段'), key ?? '')
    else if (empty !== undefined) enter(field('空单元格'), empty)
    else enter(field('遇到错误的行'), onError ?? '')
  },
  'upload.start': () => click(foot, '上传并检查'),
  'upload.progress': ({ sent }, held) => held.sent('upload', sent),
  'history.page': ({ pageNum }) => turn('.jw-tr__history', pageNum),
  'job.open': () => click('.jw-tr__history li button'),
  'column.assign': ({ assignment }) =>
    enter(need<HTMLSelectElement>('select[aria-label="对应字段 名字"]'), assignment.attrName ?? ''),
  'mapping.reset': () => click(foot, '撤销修改'),
  'job.check': () => click(foot, '重新检查'),
  'rows.show': ({ verdict }) => click(`.jw-tr__verdict.is-${verdict}`),
  'rows.page': ({ pageNum }) => turn('.jw-tr__rows', pageNum),
  'job.run': () => {
    const button = need(primary)
    if (!textOf(button).startsWith('写入')) need('.jw-tr__run')
    press(button)
  },
  'run.confirm': () => click('.bp6-alert button', '写入 35 行'),
  'run.cancel': () => click('.bp6-alert button', '取消'),
  'job.resume': () => click(foot, '继续'),
  'job.cancel': () => {
    const stop = find(foot, '停止')
    if (stop === undefined) {
      press(find(foot, '取消') ?? need(foot, '放弃'))
      return undefined
    }
    press(stop)
    return () => click('.bp6-alert button', '停止')
  },
  'transfer.retry': () => press(find('.jw-tr button', '重试') ?? need('.jw-tr__none')),
  'transfer.restart': () =>
    press(
      find(foot, '再导入一个文件') ??
        find(foot, '返回') ??
        find(foot, '返回选项') ??
        need(foot, '放弃'),
    ),
  'template.save': () => click('.jw-tr__template button'),
  'result.save': ({ only }) =>
    click('.jw-tr button', only === 'all' ? '下载结果表' : '下载错误的行'),
  'sheet.change': ({ format, columns }) =>
    format === undefined
      ? click('.jw-tr__columns button', columns?.length === 0 ? '全不选' : '全选')
      : press(need(`.jw-tr__card input[value=${format}]`)),
  'export.start': () => click(foot, '开始导出'),
  // Those bytes may have come already: then nothing more comes.
  'export.progress': ({ bytes, rows }, held) => {
    held.send(
      'exportSheet',
      textOf(need('.jw-tr__far')).includes(`${bytes / 1024} KB`) ? 0 : bytes,
      { 'x-rows': String(rows) },
    )
  },
  'export.cancel': () => click(foot, '取消'),
}

export function transferScreen(): Screen<TransferScreen> {
  const toasts = reportedToasts([{ message: { key: 'transfer.saved' }, tone: 'success' }])
  let place: ReturnType<typeof watchStorage> | null = null
  let kept: (string | null)[] = []
  let answer: { readonly port: string; readonly job: Job } | null = null
  // A removal without an answer is a person's new start; a cancelled job that wrote nothing is none to speak of.
  const isEnd = () =>
    answer !== null &&
    !(
      answer.port === 'cancelJob' &&
      answer.job.status === 'cancelled' &&
      answer.job.inserted + answer.job.updated === 0
    )
  const receive = (held: HeldFetch) => {
    const got = /([\d.]+) KB/.exec(textOf(find('.jw-tr__far')))?.[1]
    held.send('exportSheet', sheetBytes - Number(got ?? 0) * 1024, { 'x-rows': String(sheetRows) })
  }
  return {
    mount: (start, held) => {
      if (start === 'job') sessionStorage.setItem('JIAOWU_IMPORT_A', 'j')
      kept = []
      place = watchStorage('JIAOWU_IMPORT_A', (value) => kept.push(value)) // what the drawer writes down for a reload
      return {
        element: inConsole(
          held,
          start === 'sheet' ? (
            <ExportDrawer
              config={config}
              applied={query.queries}
              sorts={query.sorts}
              total={sheetRows}
              columns={null}
              onClose={() => {}}
            />
          ) : (
            <ImportDrawer config={config} modes={modes} onClose={() => {}} onChanged={() => {}} />
          ),
        ),
        stop: () => {
          place?.stop()
        },
      }
    },
    callOf,
    background: () => answered(null),
    reply: (port, { output }, { path }) => {
      if (port === 'recall') {
        const { jobs, total, remembered } = output as {
          jobs: Job[]
          total: number
          remembered: unknown
        }
        return answered(
          path === '/job'
            ? { records: jobs, total, size: limits.historyPageSize, current: 1 }
            : remembered,
        )
      }
      if (port !== 'loadRows') answer = { port, job: output as Job }
      return answered(output)
    },
    end: (held, port, outcome) => {
      answer = null
      if (port !== 'saveFile' && port !== 'exportSheet') return false
      if (port === 'exportSheet' && outcome.ok) receive(held)
      held.finish(port, outcome.ok ? undefined : (outcome.error as ApiProblem))
      return true
    },
    user: (step, held) => {
      answer = null
      dismissToasts()
      return () => gestureOf(gestures, step, held)
    },
    read: () => readTransfer(offersNow),
    told: () => {
      const told = [
        ...toasts(),
        ...kept.map((id) =>
          id === null && isEnd()
            ? emitEffect({ type: 'finished', job: answer?.job })
            : emitEffect({ type: 'job', id }),
        ),
      ]
      kept = []
      return told
    },
  }
}

function callOf({ method, path, query: asked, body }: Asked): PortCall | null {
  const id = path.split('/')[2] ?? ''
  if (path === '/job')
    return {
      port: 'recall',
      input: { tag: asked.tag, pageNum: Number(asked.pageNum), pageSize: Number(asked.pageSize) },
    }
  if (path === '/entity/A/data/import-mapping') return { partOf: 'recall' }
  if (path === '/entity/A/data/import') {
    const { name, size } = body.file as File
    return {
      port: 'upload',
      input: {
        tag: 'A',
        file: { key: name, name, size },
        format: body.format,
        choices: {
          mode: body.mode,
          key: body.key ?? null,
          onError: body.onError,
          empty: body.empty,
          dryRun: body.dryRun === 'true',
        },
        mapping: body.mapping ?? null,
        pauseAt: body.pauseAt,
      },
    }
  }
  if (path === '/entity/A/data/export-template')
    return { port: 'saveFile', input: { what: 'template', tag: 'A' } }
  if (path === '/entity/A/data/export')
    return {
      port: 'exportSheet',
      input: {
        query: { queries: body.queries, sorts: body.sorts },
        format: body.format,
        columns: body.columns ?? null,
        tag: 'A',
      },
    }
  if (path.endsWith('/resume'))
    return {
      port: 'resumeJob',
      input: {
        id,
        choices: choicesOf(body),
        mapping: body.mapping ?? null,
        pauseAt: body.pauseAt ?? null,
        confirm: body.confirm ?? false,
      },
    }
  if (path.endsWith('/cancel')) return { port: 'cancelJob', input: { id } }
  if (path.endsWith('/rows'))
    return {
      port: 'loadRows',
      input: {
        id,
        verdict: asked.verdict,
        pageNum: Number(asked.pageNum),
        pageSize: Number(asked.pageSize),
      },
    }
  if (path.endsWith('/result'))
    return {
      port: 'saveFile',
      input: { what: 'result', id, format: asked.format, only: asked.only },
    }
  return method === 'GET' && path === '/job/j' ? { port: 'readJob', input: { id } } : null
}

function choicesOf({ mode, key, onError, empty, dryRun }: Asked['body']) {
  return {
    ...(mode === undefined ? {} : { mode }),
    ...(key === undefined ? {} : { key }),
    ...(onError === undefined ? {} : { onError }),
    ...(empty === undefined ? {} : { empty }),
    ...(dryRun === undefined ? {} : { dryRun }),
  }
}

/** The large one only says that it is large. */
function fileOf({ name, size }: typeof sheetFile): File {
  const file = new File(['x'.repeat(Math.min(size, 1000))], name)
  if (size > file.size) Object.defineProperty(file, 'size', { value: size })
  return file
}

function turn(place: string, pageNum: number) {
  return click(`${place} button[aria-label=${pageNum === 1 ? '上一页' : '下一页'}]`)
}

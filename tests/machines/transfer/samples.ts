import type { ImportReading, Job, ReviewRow } from '@jiaowu/api/contract/job'
import { networkProblem } from '@jiaowu/api/problem'
import type { FileFacts } from '@jiaowu/machines/transfer/ports'
import { apiProblem } from '../problems.ts'

export const sheetFile: FileFacts = { key: 'students.xlsx', name: 'students.xlsx', size: 1000 }
export const hugeFile: FileFacts = { key: 'huge.xlsx', name: 'huge.xlsx', size: 30_000_000 }

const columns: NonNullable<Job['sheet']>['columns'] = [
  {
    column: 1,
    letter: 'A',
    header: '学号',
    attrName: 'no',
    by: 'label',
    empty: 'keep',
    samples: ['001'],
  },
  {
    column: 2,
    letter: 'B',
    header: '名字',
    attrName: null,
    by: null,
    empty: 'keep',
    samples: ['甲'],
  },
  { column: 3, letter: 'C', header: '结果', attrName: null, by: 'own', empty: 'keep', samples: [] },
]
const fields = [
  { attrName: 'no', label: '学号', required: true, unique: true },
  { attrName: 'name', label: '姓名', required: false, unique: false },
]

/** Labels of required fields that no column and no value of all rows fills. */
export function listMissing(
  { mode, sheet }: Pick<Job, 'mode' | 'sheet'>,
  mapping: readonly { readonly attrName: string | null }[],
  fixed: Readonly<Record<string, unknown>>,
): readonly string[] {
  return (mode === 'update' ? [] : (sheet?.fields ?? [])).flatMap(({ required, attrName, label }) =>
    !required || attrName in fixed || mapping.some((each) => each.attrName === attrName)
      ? []
      : [label],
  )
}
/** Whether a value of all rows is another one than the server has told. */
export function isRefixed({ sheet }: Pick<Job, 'sheet'>, fixed: Readonly<Record<string, unknown>>) {
  return (sheet?.fixed ?? []).some(({ attrName, value }) => fixed[attrName] !== value)
}

const preview = [
  { row: 1, cells: ['学号', '名字'] },
  { row: 2, cells: ['001', '甲'] },
]
const firstSheet = { name: '表', headerRow: 1, otherSheets: [], columns, fields, notes: [] }

/** A job, told apart from the others by its message. */
function job(
  message: string,
  status: Job['status'],
  phase: Job['phase'],
  more: Partial<Job> = {},
): Job {
  return {
    id: 'j',
    kind: 'import',
    tag: 'A',
    entityName: '甲',
    status,
    phase,
    message,
    total: 40,
    done: 0,
    inserted: 0,
    updated: 0,
    skipped: 0,
    failed: 0,
    errors: [],
    review: { fresh: 0, changed: 0, same: 0, wrong: 0 },
    fileName: 'students.xlsx',
    format: 'xlsx',
    mode: 'insert',
    key: null,
    onError: 'abort',
    dryRun: false,
    empty: 'keep',
    needsConfirm: false,
    sheet: firstSheet,
    can: {
      resume: status === 'paused',
      cancel: status !== 'done' && status !== 'failed' && status !== 'cancelled',
      result: status !== 'queued' && status !== 'running',
    },
    createTime: '2026-11-21 08:00:00',
    startTime: null,
    endTime: null,
    ...more,
  }
}
const review = { fresh: 30, changed: 5, same: 5, wrong: 0 }
/** Whether a file can be read again in this way: it has a heading to move, other sheets, or is text. */
export function isReadable(
  { sheet }: Pick<Job, 'sheet'>,
  { sheets, encoding }: ImportReading,
): boolean {
  const now = sheet?.encoding
  if (encoding !== undefined)
    return now !== undefined && (now.name !== encoding || now.isBroken === true)
  return sheets === undefined
    ? (sheet?.preview ?? []).length > 0
    : (sheet?.sheets ?? []).some(({ name, chosen }) => sheets.includes(name) && !chosen)
}
/** As the server answers, by name. */
export const jobs = {
  checking: job('checking', 'running', 'checking', { done: 10 }),
  good: job('good', 'paused', 'review', { review }),
  wrong: job('wrong', 'paused', 'review', { review: { ...review, wrong: 3 } }),
  mendable: job('mendable', 'paused', 'review', {
    review: { ...review, wrong: 3 },
    can: { resume: true, cancel: true, result: true, mend: true },
    sheet: { ...firstSheet, preview },
  }),
  book: job('book', 'paused', 'review', {
    review,
    sheet: {
      ...firstSheet,
      preview,
      sheets: [
        { name: '表', chosen: true, fits: 2, alike: false },
        { name: '二', chosen: false, fits: 2, alike: true },
      ],
    },
  }),
  text: job('text', 'paused', 'review', {
    review,
    sheet: { ...firstSheet, preview, encoding: { name: 'gb18030', isGuess: true } },
  }),
  unreadable: job('unreadable', 'paused', 'mapping', {
    sheet: {
      ...firstSheet,
      preview,
      encoding: { name: 'gb18030', isGuess: true, isBroken: true },
    },
  }),
  skipping: job('skipping', 'paused', 'review', {
    review: { ...review, wrong: 3 },
    onError: 'skip',
  }),
  nothingNew: job('nothingNew', 'paused', 'review', {
    review: { fresh: 0, changed: 0, same: 40, wrong: 0 },
  }),
  rostered: job('rostered', 'paused', 'mapping', {
    sheet: {
      ...firstSheet,
      fields: [...fields, { attrName: 'a', label: '院', required: true, unique: false }],
      fixed: [{ attrName: 'a', label: '院', value: '信息', from: '信息院名册' }],
    },
  }),
  own: job('own', 'paused', 'review', { review, needsConfirm: true }),
  unmapped: job('unmapped', 'paused', 'mapping'),
  looked: job('looked', 'done', 'finished', {
    review,
    dryRun: true,
    fileName: 'looked.xlsx',
    can: { resume: true, cancel: false, result: true },
  }),
  writing: job('writing', 'running', 'writing', { done: 20, review, inserted: 20 }),
  paused: job('paused', 'paused', 'writing', { done: 20, review, inserted: 20 }),
  stubborn: job('stubborn', 'running', 'writing', {
    can: { resume: false, cancel: false, result: false },
  }),
  stubbornCheck: job('stubbornCheck', 'running', 'checking', {
    can: { resume: false, cancel: false, result: false },
  }),
  stuck: job('stuck', 'paused', 'writing', {
    can: { resume: false, cancel: false, result: false },
  }),
  pausedEarly: job('pausedEarly', 'paused', 'checking', { done: 5 }),
  done: job('done', 'done', 'finished', {
    done: 40,
    inserted: 30,
    updated: 5,
    skipped: 2,
    failed: 3,
  }),
  failed: job('failed', 'failed', 'finished', {
    can: { resume: true, cancel: false, result: true },
  }),
  broken: job('broken', 'failed', 'finished', {
    can: { resume: false, cancel: false, result: false },
  }),
  cancelled: job('cancelled', 'cancelled', 'finished'),
  cancelledLate: job('cancelledLate', 'cancelled', 'finished', { inserted: 20 }),
} as const satisfies Record<string, Job>
export type JobName = keyof typeof jobs

export function reviewRow(row: number, verdict: ReviewRow['verdict']): ReviewRow {
  return {
    row,
    verdict,
    id: null,
    name: `r${row}`,
    cells: [],
    errors:
      verdict === 'wrong'
        ? [
            {
              row,
              column: '姓名',
              attrName: 'name',
              value: '?',
              rule: 'required',
              msg: '坏',
              suggestions: ['甲'],
            },
          ]
        : [],
    written: false,
  }
}
export const offline = networkProblem()
export const gone = apiProblem(404)
export const ended = apiProblem(40001, { kind: 'session' })
export const down = apiProblem(503)

import { t, type TextKey } from '@jiaowu/api'
import type { downloadMachine } from '@jiaowu/machines'
import type { SnapshotFrom } from 'xstate'
import { reports, student } from './samples.ts'

type Snapshot = SnapshotFrom<typeof downloadMachine>
const zh = (key: TextKey): string => (t as (...all: unknown[]) => string)('zh-CN', key)

const stations = ['list', 'preview', 'done'] as const
const filters = [
  ['zh', 'studentPage.chinese'],
  ['en', 'studentPage.english'],
  ['transcript', 'studentPage.transcript'],
  ['proof', 'studentPage.proof'],
] as const
/** The sentences of each screen that do not depend on its data. */
const screens: Readonly<Record<string, readonly TextKey[]>> = {
  list: ['studentPage.fee'],
  preview: ['studentPage.abnormal'],
  method: ['studentPage.wechat', 'studentPage.alipay', 'studentPage.notYet', 'studentPage.method'],
  ordering: ['studentPage.ordering'],
  scanPay: ['studentPage.scanTitle'],
  closing: ['studentPage.closing'],
  saving: ['studentPage.saving'],
  unsaved: ['studentPage.saveFailedTitle', 'studentPage.saveFailed'],
  success: ['studentPage.done'],
}
const failures: Readonly<Record<string, readonly TextKey[]>> = {
  failed: ['studentPage.failedTitle', 'studentPage.payFailed'],
  refunded: ['studentPage.refundedTitle', 'studentPage.refunded'],
  unconfirmed: ['studentPage.beingCheckedTitle', 'studentPage.beingChecked'],
}
const indicators: Readonly<Record<string, number>> = { list: 1, saving: 3, unsaved: 3, success: 3 }

/** Every sentence that a screen of the download may show. */
const vocabulary: readonly string[] = [
  ...new Set([
    zh('studentPage.title'),
    ...[1, 2, 3].flatMap((now) => stations.map((name) => station(name, now))),
    ...filters.flatMap((_, index) => [true, false].map((on) => filterWord(index, on))),
    ...Object.values(student),
    ...reports.map(({ reportName }) => reportName),
    ...[
      ...Object.values(screens).flat(),
      ...Object.values(failures).flat(),
      'common.loading',
      'studentPage.previewLoading',
      'studentPage.noReports',
      'studentPage.noneMatch',
    ].map((key) => zh(key as TextKey)),
  ]),
]

export function wordsIn(says: (text: string) => boolean): string {
  return vocabulary.filter(says).join('|')
}

/** The sentences that the screen must show, derived from the machine's state. */
export function wordsOf(s: Snapshot, screen: string, failure: string | null): string {
  if (screen === 'ended') return ''
  const c = s.context
  const isShown = screen === 'list' && !s.hasTag('busy') && c.problem === null
  const listed = c.reports.filter(
    ({ reportLanguage, reportType }) => c.filters[reportLanguage] && c.filters[reportType],
  )
  const said = new Set([
    zh('studentPage.title'),
    ...stations.map((name) => station(name, indicators[screen] ?? 2)),
    ...(failure === null ? (screens[screen] ?? []) : (failures[failure] ?? [])).map(zh),
    ...(screen === 'list'
      ? [
          ...(c.student === null ? [] : Object.values(c.student)),
          ...listed.map(({ reportName }) => reportName),
          ...(s.hasTag('busy') ? [zh('common.loading')] : []),
        ]
      : []),
    ...(isShown
      ? [
          ...filters.map(([name], index) => filterWord(index, c.filters[name])),
          ...(listed.length > 0
            ? []
            : [zh(c.reports.length === 0 ? 'studentPage.noReports' : 'studentPage.noneMatch')]),
        ]
      : []),
    ...(screen === 'preview'
      ? [
          ...(c.report === null ? [] : [c.report.reportName]),
          ...(s.hasTag('busy') ? [zh('studentPage.previewLoading')] : []),
        ]
      : []),
  ])
  return vocabulary.filter((text) => said.has(text)).join('|')
}

function station(name: (typeof stations)[number], now: number): string {
  const at = stations.indexOf(name) + 1
  return `${at < now ? '✓' : at === now ? '●' : '○'} ${zh(`studentPage.step.${name}`)}`
}

function filterWord(index: number, on: boolean): string {
  return `${index + 1} [${on ? 'x' : ' '}] ${zh(filters[index]?.[1] ?? 'studentPage.chinese')}`
}

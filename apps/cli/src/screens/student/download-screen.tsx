import { problemText } from '@jiaowu/api/problem'
import { t } from '@jiaowu/api/texts/index'
import { downloadView, type DownloadView } from '@jiaowu/machines/download/view'
import { Box } from 'ink'
import { useState } from 'react'
import { Fault, Keys, offer, Text, useBindings } from '../ui.tsx'
import { type DownloadProps, type ScreenProps, yuan } from './screen-props.ts'
import { Closing, Failed, Method, ScanPay, Success, Unsaved } from './pay-screens.tsx'
import { useView } from '../use-view.ts'

const steps = ['list', 'preview', 'done'] as const
const filters = ['zh', 'en', 'transcript', 'proof'] as const
const filterLabels = {
  zh: 'studentPage.chinese',
  en: 'studentPage.english',
  transcript: 'studentPage.transcript',
  proof: 'studentPage.proof',
} as const

const bodies = {
  list: List,
  preview: Preview,
  method: Method,
  ordering: Busy,
  scanPay: ScanPay,
  closing: Closing,
  failed: Failed,
  saving: Busy,
  unsaved: Unsaved,
  success: Success,
  ended: () => null,
} as const satisfies Record<DownloadView['screen'], (props: ScreenProps) => React.ReactNode>

/**
 * Download service on a terminal: list, preview, payment, file
 * (docs/spec/2-student-service-and-designer.md §2, §4).
 */
export function DownloadScreen(props: DownloadProps) {
  const { actor, locale } = props
  const view = useView(actor, downloadView)
  const Body = bodies[view.screen]
  return (
    <Box flexDirection="column" paddingX={1}>
      <Text bold>{t(locale, 'studentPage.title')}</Text>
      <Box columnGap={1} marginBottom={1}>
        {steps.map((step, index) => (
          <Text
            key={step}
            bold={index + 1 === view.indicator}
            dimColor={index + 1 > view.indicator}
          >
            {index + 1 < view.indicator ? '✓' : index + 1 === view.indicator ? '●' : '○'}{' '}
            {t(locale, `studentPage.step.${step}`)}
            {index < 2 ? ' ─' : ''}
          </Text>
        ))}
      </Box>
      <Body {...props} view={view} send={(event) => actor.send(event)} />
    </Box>
  )
}

function List({ view, send, locale, leave }: ScreenProps) {
  const [wanted, setAt] = useState(0)
  const { student, reports, can, busy } = view
  const at = Math.min(wanted, Math.max(0, reports.length - 1))
  const here = reports[at]
  const isShown = !busy && view.problem === null
  const bindings = [
    ...offer(can.open && here !== undefined, 'enter', t(locale, 'studentPage.download'), () => {
      if (here !== undefined) send({ type: 'report.open', reportId: here.id })
    }),
    ...offer(reports.length > 1, '↓', t(locale, 'cli.key.move'), () =>
      setAt(Math.min(reports.length - 1, at + 1)),
    ),
    ...offer(reports.length > 1, '↑', '', () => setAt(Math.max(0, at - 1))),
    ...filters.flatMap((filter, index) =>
      offer(isShown, String(index + 1), '', () => send({ type: 'filter.toggle', filter })),
    ),
    ...offer(
      can.refresh,
      'r',
      t(locale, view.problem === null ? 'common.refresh' : 'common.retry'),
      () => send({ type: 'list.refresh' }),
    ),
    ...offer(can.end, 'o', t(locale, 'studentPage.signOut'), () => send({ type: 'session.end' })),
    ...offer(true, 'q', t(locale, 'cli.key.leave'), leave),
  ]
  useBindings(bindings)
  return (
    <Box flexDirection="column">
      {student === null ? null : (
        <Text>
          {student.fldXm}
          {'  '}
          {student.fldXh}
          {'  '}
          {student.fldSfzjh}
          {'  '}
          {student.fldYxsh}
          {'  '}
          {student.fldZymc}
          {'  '}
          {student.fldBjmc}
        </Text>
      )}
      {busy ? <Text dimColor>{t(locale, 'common.loading')}</Text> : null}
      {view.problem === null ? null : <Fault>{problemText(locale, view.problem)}</Fault>}
      {isShown ? (
        <Text>
          {filters
            .map(
              (filter, index) =>
                `${index + 1} [${view.filters[filter] ? 'x' : ' '}] ${t(locale, filterLabels[filter])}`,
            )
            .join('  ')}
        </Text>
      ) : null}
      {reports.map((report, index) => (
        <Text key={report.id} bold={index === at}>
          {index === at ? '❯ ' : '  '}
          {report.reportName}
          {report.owned ? `  ${t(locale, 'studentPage.owned')}` : ''}
          {report.refund === undefined
            ? ''
            : `  ${t(locale, `studentPage.refund.${report.refund}`)}`}
        </Text>
      ))}
      {isShown && reports.length === 0 ? (
        <Text dimColor>
          {t(locale, view.reportCount === 0 ? 'studentPage.noReports' : 'studentPage.noneMatch')}
        </Text>
      ) : null}
      <Text dimColor>{t(locale, 'studentPage.fee')}</Text>
      <Keys bindings={bindings} />
    </Box>
  )
}

function Preview({ view, send, locale, savePreview }: ScreenProps) {
  const [saved, setSaved] = useState<string | null>(null)
  const { can, report, pdf, price, busy } = view
  const bindings = [
    ...offer(can.confirm, 'enter', t(locale, 'studentPage.confirmDownload'), () =>
      send({ type: 'preview.confirm' }),
    ),
    ...offer(pdf !== null, 'p', t(locale, 'cli.key.savePreview'), () => {
      if (pdf !== null) setSaved(savePreview(pdf, report?.reportName ?? ''))
    }),
    ...offer(can.retryPreview, 't', t(locale, 'common.retry'), () =>
      send({ type: 'preview.retry' }),
    ),
    ...offer(can.cancelPreview, 'esc', t(locale, 'common.cancel'), () =>
      send({ type: 'preview.cancel' }),
    ),
  ]
  useBindings(bindings)
  return (
    <Box flexDirection="column">
      <Text bold>{report?.reportName}</Text>
      {busy ? <Text dimColor>{t(locale, 'studentPage.previewLoading')}</Text> : null}
      {price === null || busy ? null : (
        <Text>
          {t(locale, 'studentPage.price')} {yuan(price, locale)}
        </Text>
      )}
      {view.problem === null ? null : <Fault>{problemText(locale, view.problem)}</Fault>}
      {saved === null ? null : (
        <Text color="cyan">{t(locale, 'cli.tr.savedTo', { path: saved })}</Text>
      )}
      <Text dimColor>{t(locale, 'studentPage.abnormal')}</Text>
      <Keys bindings={bindings} />
    </Box>
  )
}

function Busy({ view, locale }: ScreenProps) {
  return (
    <Text dimColor>
      {t(locale, view.screen === 'ordering' ? 'studentPage.ordering' : 'studentPage.saving')}
    </Text>
  )
}

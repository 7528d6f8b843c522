import { downloadView } from '@jiaowu/machines/download/view'
import { DownloadScreen } from '../../../apps/cli/src/screens/student/download-screen.tsx'
import {
  always,
  by,
  createTerminalDriver,
  on,
  showWhen,
  read,
  stations,
  countSeconds,
  type Shown,
  formatMessages,
  under,
  zh,
} from '../../surfaces/terminal/driver.ts'
import { downloadModels } from './model.ts'

type View = Shown<typeof downloadView>
const [refresh, retry] = [zh('common.refresh'), zh('common.retry')]
const [again, back, cancel] = [zh('studentPage.again'), zh('common.back'), zh('common.cancel')]
const [download, signOut] = [zh('studentPage.download'), zh('studentPage.signOut')]
const stationNames = (['list', 'preview', 'done'] as const).map((each) =>
  zh(`studentPage.step.${each}`),
)
const filters = [
  ['zh', 'studentPage.chinese'],
  ['en', 'studentPage.english'],
  ['transcript', 'studentPage.transcript'],
  ['proof', 'studentPage.proof'],
] as const
const [isList, isPreview, isScan] = [on('list'), on('preview'), on('scanPay')]
const isListed = (v: View) => isList(v) && !v.busy && v.problem === null
const canRefresh = (v: View) => isList(v) && v.s.can({ type: 'list.refresh' })
const hasProblem = on('list', 'preview', 'method', 'scanPay', 'failed', 'unsaved')
/** The documents that the filters let through. */
const listFilteredReports = ({ c: { reports, filters: chosen } }: View) =>
  reports.filter((each) => chosen[each.reportLanguage] && chosen[each.reportType])

export const driver = createTerminalDriver({
  model: downloadModels,
  view: downloadView,
  // Only the title and the steps remain.
  isGone: [on('ended'), (user) => read.flatLines(user).length <= 2],
  readings: {
    stations: [
      (v) => stations(stationNames, isList(v) ? 0 : on('saving', 'unsaved', 'success')(v) ? 2 : 1),
      read.match(/([✓●○] .*[✓●○] .*[✓●○] \S+)/),
    ],
    student: [
      showWhen(isList, ({ student }) => Object.values(student ?? {}).join('  ')),
      read.match(/^ *(甲 {2}.*?)\s*$/m),
    ],
    filters: [showWhen(isListed, formatFilters), read.match(/(1 \[.*?)\s*$/m)],
    reports: [
      (v) =>
        (isList(v) ? listFilteredReports(v) : isPreview(v) && v.report !== null ? [v.report] : [])
          .map(({ reportName }) => reportName)
          .join(),
      read.readMatches(/^ *(?:❯ )? *(n\d)(?: |$)/gm),
    ],
    price: [formatPrice, read.match(/(?:价格|选择支付方式|扫码支付) +(\S+)/)],
    url: [showWhen(isScan, ({ order }) => order?.codeUrl ?? ''), read.match(/^\s*(\w+:\S+)\s*$/m)],
    problem: [showWhen(hasProblem, ({ problem }) => formatMessages(problem)), read.red],
  },
  says: {
    'studentPage.title': always,
    'common.loading': (v) => isList(v) && v.busy,
    'studentPage.fee': isList,
    'studentPage.noReports': (v) => isListed(v) && v.c.reports.length === 0,
    'studentPage.noneMatch': (v) =>
      isListed(v) && listFilteredReports(v).length === 0 && v.c.reports.length > 0,
    'studentPage.previewLoading': (v) => isPreview(v) && v.busy,
    'studentPage.abnormal': on('preview'),
    ...under('studentPage', on('method'), 'method', 'wechat', 'alipay', 'notYet'),
    'studentPage.ordering': on('ordering'),
    'studentPage.scanTitle': on('scanPay'),
    'studentPage.payWithin': (v) => isScan(v) && countSeconds(v.left('payCountdown')),
    'studentPage.closing': on('closing'),
    'studentPage.saving': on('saving'),
    ...under('studentPage', on('unsaved'), 'saveFailedTitle', 'saveFailed'),
    ...under('studentPage', on('failed.timedOut', 'failed.closed'), 'failedTitle', 'payFailed'),
    ...under('studentPage', on('failed.refunded'), 'refundedTitle', 'refunded'),
    ...under('studentPage', on('failed.unmade'), 'unmadeTitle', 'unmade'),
    ...under('studentPage', on('failed.unconfirmed'), 'beingCheckedTitle', 'beingChecked'),
    'studentPage.done': on('success'),
    'studentPage.homeIn': (v) => v.s.matches('success') && countSeconds(v.left('homeCountdown')),
  },
  hints: {
    [refresh]: (v) => canRefresh(v) && v.problem === null,
    [retry]: (v) => canRefresh(v) && v.problem !== null,
    [signOut]: (v) => isList(v) && v.s.can({ type: 'session.end' }),
    [download]: (v) => {
      const [first] = listFilteredReports(v)
      return (
        isList(v) && first !== undefined && v.s.can({ type: 'report.open', reportId: first.id })
      )
    },
  },
  gestures: {
    'list.refresh': by.unlistedKey(refresh, retry),
    'filter.toggle': by.custom((user) => (/1 \[/.test(user.frame()) ? user.press('1') : null)),
    'report.open': ({ reportId }) => (reportId === '1' ? by.unlistedKey(download) : by.noKey),
    'preview.retry': by.key(retry),
    'preview.confirm': by.key(zh('studentPage.confirmDownload')),
    'preview.cancel': by.key(cancel),
    'pay.choose': ({ method }) =>
      method === 'wechat' ? by.key(zh('studentPage.wechat')) : by.noKey,
    'pay.back': by.key(zh('studentPage.previous')),
    'pay.cancel': by.key(cancel),
    'failure.cancel': by.key(cancel),
    'failure.repay': by.key(zh('studentPage.repay')),
    'failure.check': by.key(zh('studentPage.checkAgain')),
    'save.retry': by.key(again),
    'save.leave': by.key(back),
    'success.again': by.key(again),
    'success.home': by.key(back),
    // Outside the list the session ends by itself, not by a key.
    'session.end': (event) =>
      by.custom(
        (user, actor) =>
          by.unlistedKey(signOut).run(user, actor) ?? by.sendEvent(event).run(user, actor),
      ),
  },
  hidden: {
    // Outside the list only a change of language reloads it, which cannot happen while a command runs.
    'list.refresh': (v) => !isList(v),
    // A document that the filters hide cannot be opened.
    'report.open': (v, { reportId }) =>
      v.c.reports.some(({ id }) => id === reportId) &&
      !listFilteredReports(v).some(({ id }) => id === reportId),
  },
  screen: DownloadScreen,
  props: { savePreview: () => 'preview.pdf', savedTo: () => null, leave: () => {} },
})

function formatFilters({ filters: chosen }: View): string {
  return filters
    .map(([name, label], index) => `${index + 1} [${chosen[name] ? 'x' : ' '}] ${zh(label)}`)
    .join('  ')
}

function formatPrice(v: View): string {
  const isAsked = on('method')(v) || (isPreview(v) && !on('preview.loading')(v))
  const price = isScan(v) ? (v.order?.amount ?? null) : isAsked ? v.c.price : null
  if (price === null) return ''
  return price === 0 ? zh('studentPage.free') : zh('studentPage.yuan', { price: price.toFixed(2) })
}

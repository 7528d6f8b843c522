import type { Notice } from '@jiaowu/machines/notices/ports'
import { noticesView } from '@jiaowu/machines/notices/view'
import { NoticesPanel } from '../../../apps/web/src/features/student/sign-in/notices-panel.tsx'
import '../../../apps/web/src/ui/html-body.tsx'
import { always, sentence, zh } from '../../surfaces/sentences.ts'
import { page } from '../../surfaces/web/dom/by-role.ts'
import { wrapData } from '../../surfaces/web/http/held-fetch.ts'
import { createWebDriver } from '../../surfaces/web/table.ts'
import { noticesModels } from './model.ts'

/** The text of a notice is compared in a real browser only: the sanitiser returns nothing in happy-dom. */
export const noticesWeb = createWebDriver<typeof noticesView>({
  model: noticesModels,
  view: noticesView,
  readings: {
    titles: page.role('listitem').texts.is(({ notices }) => notices.map(formatNoticeTitle)),
    open: page
      .role('article')
      .heading()
      .text.is(({ open }) => open?.title ?? ''),
    problem: page.alert.text.is(({ problem, step }) =>
      step === 'failed' ? `${sentence(problem?.message)} ${zh('common.retry')}` : '',
    ),
  },
  says: {
    'studentPage.notices': always,
    'common.loading': ({ step }) => step === 'loading',
    'studentPage.noNotices': ({ step, notices }) => step === 'list' && notices.length === 0,
    'studentPage.issued': ({ open }) => open !== null && { time: open.issueTime },
    'studentPage.publisher': ({ open }) => open !== null && { name: open.publisher },
  },
  gestures: {
    'notice.open': ({ id }) =>
      page.button(new RegExp(`n${id}$`)).provided(page.dialog().isAbsent).press,
    'notice.close': page.dialog().button('关闭').press,
    'notices.retry': page.button(zh('common.retry')).press,
  },
  // A list that is shown cannot be loaded again.
  hidden: { 'notices.retry': ({ step }) => step === 'list' },
  calls: { '/entity/SYS_NOTICE/data/page': ['notices'] },
  host: () => ({
    show: () => <NoticesPanel />,
    reply: (_port, { output }) =>
      wrapData({
        records: (output as readonly Notice[]).map(toNoticeRow),
        total: 2,
        size: -1,
        current: -1,
      }),
  }),
})

/** After its day and month. */
function formatNoticeTitle({ title, issueTime }: Notice): string {
  return `${issueTime.slice(8, 10)}${issueTime.slice(0, 7).replace('-', '.')}${title}`
}

function toNoticeRow({ id, title, issueTime, content, publisher }: Notice) {
  return {
    id,
    noticeTitle: title,
    issueTime,
    noticeContent: content,
    createUser: [{ id: '1', name: publisher }],
    version: 1,
  }
}

import type { Notice, NoticesEvent, noticesMachine } from '@jiaowu/machines'
import type { SnapshotFrom } from 'xstate'
import '../../../apps/web/src/ui/html-body.tsx'
import { NoticesPanel } from '../../../apps/web/src/features/student/sign-in/notices-panel.tsx'
import { button, byRole, dialog, having, heading } from '../../surfaces/web/dom/by-role.ts'
import { press } from '../../surfaces/web/dom/gestures.ts'
import { answered } from '../../surfaces/web/http/held-fetch.ts'
import { isShown, text, texts } from '../../surfaces/web/dom/reads.ts'
import { inConsole } from '../../surfaces/web/screen.tsx'
import { sentence, zh } from '../../surfaces/web/dom/sentences.ts'
import { webDriverOf } from '../../surfaces/web/table.ts'
import { noticesModels } from './model.ts'

type Snapshot = SnapshotFrom<typeof noticesMachine>
interface View {
  readonly s: Snapshot
  readonly notices: readonly Notice[]
  readonly open: Notice | undefined
}

/** The text of a notice is compared in a real browser only: the sanitiser returns nothing in happy-dom. */
export const noticesWeb = webDriverOf<Snapshot, NoticesEvent, View>({
  model: noticesModels,
  view: (s) => {
    const { notices, openId } = s.context
    return { s, notices, open: notices.find(({ id }) => id === openId) }
  },
  readings: {
    titles: {
      model: ({ notices }) =>
        notices
          .map(
            ({ title, issueTime }) =>
              `${issueTime.slice(8, 10)}${issueTime.slice(0, 7).replace('-', '.')}${title}`,
          )
          .join(),
      screen: texts(byRole('listitem')),
    },
    open: {
      model: ({ open }) => open?.title ?? '',
      screen: text(heading(undefined, byRole('article'))),
    },
    problem: {
      model: ({ s }) =>
        s.matches('failed') ? `${sentence(s.context.problem?.message)} ${zh('common.retry')}` : '',
      screen: text(byRole('alert')),
    },
  },
  says: {
    'studentPage.notices': () => true,
    'common.loading': ({ s }) => s.matches('loading'),
    'studentPage.noNotices': ({ s, notices }) => s.matches('list') && notices.length === 0,
    'studentPage.issued': ({ open }) => open !== undefined && { time: open.issueTime },
    'studentPage.publisher': ({ open }) => open !== undefined && { name: open.publisher },
  },
  gestures: {
    'notice.open': ({ id }) =>
      press(having(button(new RegExp(`n${id}$`)), () => !isShown(dialog())())),
    'notice.close': press(button('关闭', dialog())),
    'notices.retry': press(button(zh('common.retry'))),
  },
  // A list that is shown cannot be loaded again.
  hidden: (s, { type }) => type === 'notices.retry' && s.matches('list'),
  calls: { '/entity/SYS_NOTICE/data/page': ['notices'] },
  host: () => ({
    mount: (_start, held) => ({ element: inConsole(held, <NoticesPanel />) }),
    background: () => answered(null),
    reply: (_port, outcome) =>
      answered({
        records: (outcome.output as readonly Notice[]).map(rowOf),
        total: 2,
        size: -1,
        current: -1,
      }),
  }),
})

function rowOf({ id, title, issueTime, content, publisher }: Notice) {
  return {
    id,
    noticeTitle: title,
    issueTime,
    noticeContent: content,
    createUser: [{ id: '1', name: publisher }],
    version: 1,
  }
}

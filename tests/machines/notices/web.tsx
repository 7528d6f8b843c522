import { say } from '@jiaowu/api'
import type { Notice, NoticesEvent, noticesMachine } from '@jiaowu/machines'
import type { EventObject, SnapshotFrom } from 'xstate'
import '../../../apps/web/src/features/student/sign-in/notice-body.tsx'
import { NoticesPanel } from '../../../apps/web/src/features/student/sign-in/notices-panel.tsx'
import type { Spec } from '@jiaowu/path-tests'
import type { NoticesSeen } from './model.ts'
import { all, click, find, offers, press, textOf } from '../../surfaces/web/dom.ts'
import { answered } from '../../surfaces/web/held-fetch.ts'
import { gestureOf, type Gestures, inConsole, type Screen } from '../../surfaces/web/screen.tsx'

export interface NoticesScreen {
  readonly heading: string
  readonly titles: string
  readonly open: string
  readonly problem: string
  readonly waiting: boolean
  readonly offers: string
}

export function noticesOnScreen(spec: Spec<NoticesSeen>): Spec<NoticesScreen> {
  return {
    ...spec,
    covered: covered as never,
    project: ((s: SnapshotFrom<typeof noticesMachine>): NoticesScreen => {
      const { notices, openId, problem } = s.context
      const open = notices.find(({ id }) => id === openId)
      return {
        heading: '通知公告',
        titles: notices
          .map(
            ({ title, issueTime }) =>
              `${issueTime.slice(8, 10)}${issueTime.slice(0, 7).replace('-', '.')}${title}`,
          )
          .join(),
        open: open === undefined ? '' : `${open.title} ${open.issueTime} ${open.publisher}`,
        problem:
          !s.matches('failed') || problem === null
            ? ''
            : typeof problem.message === 'string'
              ? problem.message
              : say('zh-CN', problem.message),
        waiting: s.matches('loading'),
        offers: s.matches('open')
          ? 'notice.close'
          : s.matches('failed')
            ? 'notices.retry'
            : s.matches('list')
              ? notices.map(({ id }) => id).join()
              : '',
      }
    }) as never,
  }
}

/** Events without a control: a notice that is not listed; reloading a list that is shown. */
function covered(s: SnapshotFrom<typeof noticesMachine>, given: EventObject): boolean {
  const event = given as NoticesEvent
  return event.type === 'notice.open'
    ? !s.context.notices.some(({ id }) => id === event.id)
    : event.type === 'notices.retry' && s.matches('list')
}

const buttons = () => all<HTMLButtonElement>('.jw-board__list button')
const gestures: Gestures<NoticesEvent> = {
  'notice.open': ({ id }) => {
    const button = buttons().find((each) => textOf(each).endsWith(`n${id}`))
    if (button !== undefined) press(button)
  },
  'notice.close': () => click('.jw-notice .bp6-dialog-close-button'),
  'notices.retry': () => click('.jw-board button', '重试'),
}

export function noticesScreen(): Screen<NoticesScreen> {
  return {
    mount: (_start, held) => ({ element: inConsole(held, <NoticesPanel />) }),
    callOf: ({ path }) =>
      path === '/entity/SYS_NOTICE/data/page' ? { port: 'notices', input: undefined } : null,
    background: () => answered(null),
    reply: (_port, outcome) =>
      answered({
        records: (outcome.output as readonly Notice[]).map(rowOf),
        total: 2,
        size: -1,
        current: -1,
      }),
    user: (step, held) => gestureOf(gestures, step, held),
    read: () => ({
      heading: textOf(find('.jw-board h2')),
      titles: buttons().map(textOf).join(),
      open: openNow(),
      problem: textOf(find('.jw-board__none[role=alert]')).replace(/\s*重试$/, ''),
      waiting: find('.jw-board__none[role=status]') !== undefined,
      offers: offers('.jw-notice .bp6-dialog-close-button')
        ? 'notice.close'
        : offers('.jw-board button', '重试')
          ? 'notices.retry'
          : find('.jw-board__none[role=status]') !== undefined
            ? ''
            : buttons()
                .map((each) => textOf(each).slice(-1))
                .join(),
    }),
  }
}

function rowOf(notice: Notice) {
  return {
    id: notice.id,
    noticeTitle: notice.title,
    issueTime: notice.issueTime,
    noticeContent: notice.content,
    createUser: [{ id: '1', name: notice.publisher }],
    version: 1,
  }
}

/** The text is compared in a real browser only: the sanitiser returns nothing in happy-dom. */
function openNow(): string {
  if (find('.jw-notice article') === undefined) return ''
  const [issued, publisher] = all('.jw-notice__meta span').map((each) =>
    textOf(each).replace(/^[^：]*：/, ''),
  )
  return `${textOf(find('.jw-notice article h2'))} ${issued} ${publisher}`
}

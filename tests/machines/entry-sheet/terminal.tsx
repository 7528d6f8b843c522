import { messageText, problemText, t } from '@jiaowu/api'
import type { EntryEvent, entrySheetMachine } from '@jiaowu/machines'
import type { SnapshotFrom } from 'xstate'
import { type EntryActor, EntryScreen } from '../../../apps/cli/src/screens/entry/entry-screen.tsx'
import type { TerminalScreen, TerminalUser } from '../../surfaces/terminal/screen.tsx'
import type { Spec } from '../spec.ts'

/** What a user reads of an entry sheet on a terminal. */
export interface TerminalEntrySeen {
  readonly sheet: string
  readonly locked: string
  readonly question: string
  readonly reason: string
  readonly problem: string
  readonly busy: boolean
  readonly offers: string
}
type Snapshot = SnapshotFrom<typeof entrySheetMachine>
const zh = 'zh-CN'
const sheetName = '高等数学 · 第一学期'
const labels = {
  submit: t(zh, 'entry.submit'),
  unlock: t(zh, 'entry.unlock'),
  cancel: t(zh, 'common.cancel'),
  refresh: t(zh, 'common.refresh'),
  retry: t(zh, 'common.retry'),
  leave: t(zh, 'cli.key.leave'),
} as const

/** The command names the sheet, and a terminal has no grid beside it. */
export function entryOnTerminal(model: Spec<unknown>): Spec<TerminalEntrySeen> {
  return {
    ...model,
    events: { ...model.events, 'entry.choose': {}, 'grid.change': {} },
    project: (snapshot) => seenOf(snapshot as Snapshot),
  }
}

function seenOf(s: Snapshot): TerminalEntrySeen {
  const { state, reason, fault, problem } = s.context
  const isExplaining = s.matches({ shown: 'explaining' })
  return {
    sheet: state === null ? '' : `${sheetName} ${progressOf(state)}`,
    locked: state?.locked == null ? '' : t(zh, 'entry.lockedBy', state.locked),
    question: questionOf(s),
    reason: isExplaining || s.matches({ shown: 'unlocking' }) ? reason.trim() : '',
    problem: [
      ...(fault === null ? [] : [messageText(zh, fault)]),
      ...(problem === null ? [] : [problemText(zh, problem)]),
    ].join(),
    busy: s.hasTag('busy') || s.matches({ shown: 'refreshing' }),
    offers: offersOf(s).join(),
  }
}

function progressOf({ total, entered }: { readonly total: number; readonly entered: number }) {
  return t(zh, 'entry.progress', { entered, total })
}

function questionOf(s: Snapshot): string {
  if (s.matches({ shown: 'asking' }) || s.matches({ shown: 'submitting' })) {
    const { total = 0, entered = 0 } = s.context.state ?? {}
    return [
      t(zh, 'entry.submitTitle'),
      t(zh, 'entry.submitPart', { n: total - entered, entered, total }),
    ].join()
  }
  return s.matches({ shown: 'explaining' }) || s.matches({ shown: 'unlocking' })
    ? [t(zh, 'entry.unlockTitle'), t(zh, 'entry.reasonHint')].join()
    : ''
}

function offersOf(s: Snapshot): string[] {
  const can = (type: 'submit.ask' | 'submit.confirm' | 'unlock.ask' | 'ask.cancel') =>
    s.can({ type })
  return [
    ...(can('submit.ask') || can('submit.confirm') ? [labels.submit] : []),
    ...(can('unlock.ask') || s.matches({ shown: 'explaining' }) ? [labels.unlock] : []),
    ...(can('ask.cancel') ? [labels.cancel] : []),
    ...(s.matches({ shown: 'idle' }) || s.matches({ shown: 'refreshing' }) ? [labels.refresh] : []),
    ...(s.matches('failed') ? [labels.retry] : []),
    ...(can('ask.cancel') ? [] : [labels.leave]),
  ]
}

export function entryTerminal(): TerminalScreen<TerminalEntrySeen> {
  return {
    element: (actor) => (
      <EntryScreen actor={actor as unknown as EntryActor} locale={zh} onLeave={() => {}} />
    ),
    gesture: ({ event }, user) => gestureOf(event as unknown as EntryEvent, user),
    read: (user) => Promise.resolve(read(user)),
  }
}

function gestureOf(event: EntryEvent, user: TerminalUser): Promise<void> | null {
  switch (event.type) {
    case 'entry.refresh':
      return pressed(user, labels.refresh) ?? pressed(user, labels.retry)
    case 'submit.ask':
      return user.keyFor(labels.submit) === 's' ? user.press('s') : null
    case 'submit.confirm':
      return user.keyFor(labels.submit) === 'enter' ? user.press('enter') : null
    case 'unlock.ask':
      return user.keyFor(labels.unlock) === 'u' ? user.press('u') : null
    case 'unlock.confirm':
      return user.keyFor(labels.unlock) === 'enter' ? user.press('enter') : null
    case 'ask.cancel':
      return pressed(user, labels.cancel)
    case 'reason.change':
      return user.frame().includes(`${t(zh, 'entry.reason')}:`)
        ? (async () => {
            await user.press('^u')
            await user.type(event.reason)
          })()
        : null
    default:
      return null
  }
}

function pressed(user: TerminalUser, label: string): Promise<void> | null {
  const key = user.keyFor(label)
  return key === null ? null : user.press(key)
}

function read(user: TerminalUser): TerminalEntrySeen {
  const lines = user.frame().split('\n')
  const line = (found: RegExp) => lines.map((each) => each.trim()).find((each) => found.test(each))
  const sheet = user.says(sheetName) ? sheetName : ''
  return {
    sheet: [sheet, line(/^已录 \d+\/\d+$/) ?? ''].filter((each) => each !== '').join(' '),
    locked: line(/已于 .* 提交并锁定$/) ?? '',
    question: [
      t(zh, 'entry.submitTitle'),
      t(zh, 'entry.submitPart', { n: 4, entered: 38, total: 42 }),
      t(zh, 'entry.unlockTitle'),
      t(zh, 'entry.reasonHint'),
    ]
      .filter((each) => user.says(each))
      .join(),
    reason: /事由: *([^\s-]*)/.exec(user.frame())?.[1] ?? '',
    problem: lines.flatMap((each) => /✗ (.*?)\s*$/.exec(each)?.[1] ?? []).join(),
    busy: user.says(t(zh, 'common.loading')),
    offers: Object.values(labels)
      .filter((label) => user.keyFor(label) !== null)
      .join(),
  }
}

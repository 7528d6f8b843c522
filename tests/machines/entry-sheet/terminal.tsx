import type { EntryEvent, entrySheetMachine } from '@jiaowu/machines'
import type { SnapshotFrom } from 'xstate'
import type { Addition } from '../../../apps/cli/src/screens/entry/addition.tsx'
import { type EntryActor, EntryScreen } from '../../../apps/cli/src/screens/entry/entry-screen.tsx'
import { field as listField } from '../entity-list/samples.ts'
import { sentence, zh } from '../../surfaces/sentences.ts'
import { key, keyOfAny, noKey, retype } from '../../surfaces/terminal/gestures.ts'
import { redLines, shows, typedIn } from '../../surfaces/terminal/reads.ts'
import { terminalDriverOf } from '../../surfaces/terminal/table.ts'
import { entryModels } from './model.ts'

type Snapshot = SnapshotFrom<typeof entrySheetMachine>
const parts = entryModels.parts as Readonly<
  Record<'address' | 'addition', NonNullable<(typeof entryModels.parts)[string]>>
>
const sheet = '高等数学 · 第一学期'
const [submit, unlock] = [zh('entry.submit'), zh('entry.unlock')]
const [refresh, retry] = [zh('common.refresh'), zh('common.retry')]
const isSubmitting = (s: Snapshot) =>
  s.matches({ shown: 'asking' }) || s.matches({ shown: 'submitting' })
const isUnlocking = (s: Snapshot) =>
  s.matches({ shown: 'explaining' }) || s.matches({ shown: 'unlocking' })
const isAdding = (s: Snapshot) => s.matches({ shown: 'adding' }) || s.matches({ shown: 'growing' })
const add = zh('entry.add', { name: '学生' })
const addition: Addition = {
  tag: 'B',
  name: '学生',
  fields: [{ ...listField('class'), uiLabel: '班级' }],
  find: () => Promise.resolve({ records: [], total: 0 }),
}
const canCancel = (s: Snapshot) => s.can({ type: 'ask.cancel' })

/** The command names the sheet, and a terminal has no grid beside it. */
export const entryTerminal = terminalDriverOf<Snapshot, EntryEvent, Snapshot>({
  model: {
    ...entryModels,
    parts: {
      address: parts.address,
      addition: { ...parts.addition, input: parts.address.input },
    },
  },
  adapt: ({ events }) => ({ events: { ...events, 'entry.choose': {}, 'grid.change': {} } }),
  view: (s) => s,
  readings: {
    sheet: { model: (s) => s.context.state !== null, screen: shows(sheet) },
    reason: {
      model: (s) => (isUnlocking(s) ? s.context.reason.trim() : ''),
      screen: typedIn(zh('entry.reason')),
    },
    class: {
      model: (s) => (isAdding(s) ? String(s.context.from['class'] ?? '') : ''),
      screen: typedIn('班级'),
    },
    problems: {
      model: ({ context: { fault, problem } }) =>
        [fault, problem?.message]
          .map((each) => sentence(each ?? undefined))
          .filter((each) => each !== '')
          .join(),
      screen: redLines,
    },
  },
  says: {
    'entry.progress': ({ context: { state } }) =>
      state && { entered: state.entered, total: state.total },
    'entry.lockedBy': ({ context: { state } }) => state?.locked,
    'entry.submitTitle': isSubmitting,
    'entry.submitPart': (s) => {
      const { total = 0, entered = 0 } = s.context.state ?? {}
      return isSubmitting(s) && { n: total - entered, entered, total }
    },
    'entry.unlockTitle': isUnlocking,
    'entry.reasonHint': isUnlocking,
    'entry.addHint': (s) => isAdding(s) && { name: '学生', labels: '班级' },
    'common.loading': (s) => s.hasTag('busy') || s.matches({ shown: 'refreshing' }),
  },
  hints: {
    // Also while the reason is too short.
    [unlock]: (s) => s.matches({ shown: 'explaining' }),
    [refresh]: (s) => s.matches({ shown: 'idle' }) || s.matches({ shown: 'refreshing' }),
    [retry]: (s) => s.matches('failed'),
    [zh('cli.key.leave')]: (s) => !canCancel(s),
  },
  gestures: {
    'entry.choose': noKey,
    'grid.change': noKey,
    'entry.refresh': keyOfAny(refresh, retry),
    'submit.ask': key(submit, 's'),
    'submit.confirm': key(submit, 'enter'),
    'unlock.ask': key(unlock, 'u'),
    'reason.change': ({ reason }) => retype(reason, `${zh('entry.reason')}:`),
    'unlock.confirm': key(unlock, 'enter'),
    'add.ask': key(add, 'a'),
    'add.change': ({ from }) => retype(String(from['class'] ?? ''), '班级:'),
    'add.confirm': key(add, '^s'),
    'ask.cancel': key(zh('common.cancel')),
  },
  element: (actor) => (
    <EntryScreen
      actor={actor as unknown as EntryActor}
      locale="zh-CN"
      addition={addition}
      onLeave={() => {}}
    />
  ),
})

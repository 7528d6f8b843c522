import { entryView } from '@jiaowu/machines/entry-sheet/view'
import { EntryScreen } from '../../../apps/cli/src/screens/entry/entry-screen.tsx'
import {
  by,
  createTerminalDriver,
  on,
  showWhen,
  read,
  formatMessages,
  under,
  zh,
} from '../../surfaces/terminal/driver.ts'
import { buildListField as listField } from '../entity-list/samples.ts'
import { entryModels } from './model.ts'

const parts = entryModels.parts as Readonly<
  Record<'address' | 'addition', NonNullable<(typeof entryModels.parts)[string]>>
>
const [submit, unlock] = [zh('entry.submit'), zh('entry.unlock')]
const [refresh, retry] = [zh('common.refresh'), zh('common.retry')]
const add = zh('entry.add', { name: '学生' })
const isSubmitting = on('shown.asking', 'shown.submitting')
const isUnlocking = on('shown.explaining', 'shown.unlocking')
const isAdding = on('shown.adding', 'shown.growing')
const isRefreshing = on('shown.refreshing')
const readClassName = (values: Readonly<Record<string, unknown>>) => String(values['class'] ?? '')

/** The command names the sheet, and a terminal has no grid beside it. */
export const driver = createTerminalDriver({
  model: {
    ...entryModels,
    parts: {
      address: parts.address,
      addition: { ...parts.addition, input: parts.address.input },
    },
  },
  adapt: ({ events }) => ({ events: { ...events, 'entry.choose': {}, 'grid.change': {} } }),
  view: entryView,
  readings: {
    sheet: [({ state }) => state !== null, read.says('高等数学 · 第一学期')],
    reason: [
      showWhen(isUnlocking, (v) => v.reason.trim()),
      read.readTypedValue(zh('entry.reason')),
    ],
    class: [showWhen(isAdding, (v) => readClassName(v.from)), read.readTypedValue('班级')],
    problems: [({ fault, problem }) => formatMessages(fault, problem), read.red],
  },
  says: {
    'entry.progress': ({ state }) => state && { entered: state.entered, total: state.total },
    'entry.figures': ({ state }) =>
      state?.figures && {
        average: state.figures.average,
        highest: state.figures.highest,
        lowest: state.figures.lowest,
      },
    'entry.fails': ({ state }) => state?.figures && { n: 4 },
    'entry.lockedBy': ({ state }) => state?.locked,
    ...under('entry', isUnlocking, 'unlockTitle', 'reasonHint'),
    'entry.submitTitle': isSubmitting,
    'entry.submitPart': (v) => {
      const { total = 0, entered = 0 } = v.state ?? {}
      return isSubmitting(v) && { n: total - entered, entered, total }
    },
    'entry.add': (v) => isAdding(v) && { name: '学生' },
    'entry.addHint': (v) => isAdding(v) && { name: '学生', labels: '班级' },
    'common.loading': (v) => v.s.hasTag('busy') || isRefreshing(v),
  },
  hints: {
    // Also while the reason is too short.
    [unlock]: on('shown.explaining'),
    [refresh]: on('shown.idle', 'shown.refreshing'),
    [retry]: on('failed'),
    [zh('cli.key.leave')]: ({ s }) => !s.can({ type: 'ask.cancel' }),
  },
  gestures: {
    ...by.gestureForEach(by.noKey, 'entry.choose', 'grid.change'),
    'entry.refresh': by.unlistedKey(refresh, retry),
    'submit.ask': by.key(submit, 's'),
    'submit.confirm': by.key(submit, 'enter'),
    'unlock.ask': by.key(unlock, 'u'),
    'reason.change': ({ reason }) => by.retype(reason, `${zh('entry.reason')}:`),
    'unlock.confirm': by.key(unlock, 'enter'),
    'add.ask': by.key(add, 'a'),
    'add.change': ({ from }) => by.retype(readClassName(from), '班级:'),
    'add.confirm': by.key(add, '^s'),
    'ask.cancel': by.key(zh('common.cancel')),
  },
  screen: EntryScreen,
  props: {
    addition: {
      tag: 'B',
      name: '学生',
      fields: [{ ...listField('class'), uiLabel: '班级' }],
      find: () => Promise.resolve({ records: [], total: 0 }),
    },
    onLeave: () => {},
  },
})

import type { EntityConfig, Message } from '@jiaowu/api'
import type { EntryBy, EntryEvent, entrySheetMachine } from '@jiaowu/machines'
import type { SnapshotFrom } from 'xstate'
import { EntryAdd } from '../../../apps/web/src/features/entry/entry-add.tsx'
import { EntryTools } from '../../../apps/web/src/features/entry/entry-tools.tsx'
import { useEntry } from '../../../apps/web/src/features/entry/use-entry.ts'
import { button, byRole, dialog, either, field, having } from '../../surfaces/web/dom/by-role.ts'
import { effectLog, toastText } from '../../surfaces/web/dom/effects.ts'
import { fill, press, reachable, unlisted } from '../../surfaces/web/dom/gestures.ts'
import { answered } from '../../surfaces/web/http/held-fetch.ts'
import { loadingButtons, text, texts, textsLike, value } from '../../surfaces/web/dom/reads.ts'
import { inConsole } from '../../surfaces/web/screen.tsx'
import { sentence, zh } from '../../surfaces/web/dom/sentences.ts'
import { type Host, webDriverOf } from '../../surfaces/web/table.ts'
import { field as listField, listConfig } from '../entity-list/samples.ts'
import type { MachineModel } from '../machine-model.ts'
import { entryModels } from './model.ts'

type Snapshot = SnapshotFrom<typeof entrySheetMachine>
interface View {
  readonly s: Snapshot
}
const submitting = dialog(zh('entry.submitTitle'))
const unlocking = dialog(zh('entry.unlockTitle'))
const adding = dialog(zh('entry.add', { name: '学生' }))
const className = field('班级', adding)
const isAdding = ({ s }: View) => s.matches({ shown: 'adding' }) || s.matches({ shown: 'growing' })
const reason = field(zh('entry.reason'), unlocking)
const isExplaining = ({ s }: View) =>
  s.matches({ shown: 'explaining' }) || s.matches({ shown: 'unlocking' })
const isAsking = ({ s }: View) =>
  s.matches({ shown: 'asking' }) || s.matches({ shown: 'submitting' })
/** A button of the page around the tools, which the questions leave in place. */
const outside = (name: string) => button(name)
/** A button of the tools: the questions have one of the same name. */
const tool = (name: string) =>
  having(button(name), (each) => each.closest('[role=dialog]') === null)
const alert = having(byRole('alert'), (each) => each.closest('.bp6-toast') === null)
const problemOf = ({ s: { context } }: View) =>
  context.refused === null
    ? sentence(context.fault ?? context.problem?.message)
    : '1 个没有添加张三: 不可新增'

const model: MachineModel = {
  ...entryModels,
  parts: {
    entry: entryModels.parts['entry'],
    addition: entryModels.parts['addition'],
  } as never,
}

export const entryWeb = webDriverOf<Snapshot, EntryEvent, View>({
  model,
  view: (s) => ({ s }),
  readings: {
    progress: {
      model: ({ s: { context } }) =>
        context.state === null
          ? ''
          : zh('entry.progress', { entered: context.state.entered, total: context.state.total }),
      screen: textsLike(/^已录 \d+\/\d+$/),
    },
    problem: { model: problemOf, screen: text(alert) },
    reason: {
      model: (view) => (isExplaining(view) ? view.s.context.reason : ''),
      screen: value(reason),
    },
    from: {
      model: (view) => (isAdding(view) ? String(view.s.context.from['class'] ?? '') : ''),
      screen: value(className),
    },
    loading: {
      model: ({ s }) =>
        s.matches({ shown: 'growing' })
          ? zh('entry.add', { name: '学生' })
          : s.matches({ shown: 'submitting' })
            ? zh('entry.submit')
            : s.matches({ shown: 'unlocking' })
              ? zh('entry.unlock')
              : '',
      screen: texts(loadingButtons),
    },
  },
  says: {
    'entry.lockedBy': ({ s: { context } }) =>
      context.state?.locked != null && { ...context.state.locked },
    'entry.submitTitle': isAsking,
    'entry.submitPart': (view) => {
      const { state } = view.s.context
      return (
        isAsking(view) &&
        state !== null && {
          n: state.total - state.entered,
          entered: state.entered,
          total: state.total,
        }
      )
    },
    'entry.addHint': (view) => isAdding(view) && { name: '学生', labels: '班级' },
    'entry.unlockTitle': isExplaining,
    'entry.reason': isExplaining,
    'entry.reasonHint': isExplaining,
  },
  gestures: {
    'entry.choose': (event) => unlisted(press(outside(event.by === null ? '不选' : '选择'))),
    'entry.refresh': unlisted(press(outside('刷新'))),
    'grid.change': (event) => unlisted(press(outside(event.isDirty ? '未存' : '已存'))),
    'submit.ask': press(
      reachable(having(tool(zh('entry.submit')), () => submitting.all().length === 0)),
    ),
    'submit.confirm': press(reachable(button(zh('entry.submit'), submitting))),
    'unlock.ask': press(
      reachable(having(tool(zh('entry.unlock')), () => unlocking.all().length === 0)),
    ),
    'reason.change': (event) =>
      fill(
        having(reason, (each) => !each.readOnly),
        event.reason,
      ),
    'unlock.confirm': press(reachable(button(zh('entry.unlock'), unlocking))),
    'add.ask': press(
      reachable(having(tool(zh('entry.add', { name: '学生' })), () => adding.all().length === 0)),
    ),
    'add.change': (event) =>
      fill(
        having(className, (each) => !each.disabled),
        String(event.from['class']),
      ),
    'add.confirm': press(reachable(button(zh('entry.add', { name: '学生' }), adding))),
    'ask.cancel': press(
      either(
        reachable(button(zh('common.cancel'), adding)),
        reachable(button(zh('common.cancel'), submitting)),
        reachable(button(zh('common.cancel'), unlocking)),
      ),
    ),
  },
  calls: {
    '/entity/A/entry': ['readEntry', ({ body }) => ({ tag: 'A', by: body.by })],
    '/entity/A/entry/submit': [
      'submitEntry',
      ({ body }) => ({ tag: 'A', by: body.by, entered: body.entered }),
    ],
    '/entity/A/entry/add': ['addRows', ({ body }) => ({ tag: 'A', by: body.by, from: body.from })],
    '/entity/A/entry/unlock': [
      'unlockEntry',
      ({ body }) => ({ tag: 'A', by: body.by, reason: body.reason }),
    ],
  },
  host,
})

function host(): Host {
  const effects = effectLog((toast) => ({ type: 'said', message: messageOf(toast) }))
  return {
    mount: (_start, held) => ({ element: inConsole(held, <Page />) }),
    takeEffects: effects.take,
    background: ({ path }) => answered(path === '/entity/B/config' ? related : null),
  }
}

function messageOf(toast: HTMLElement): Message {
  const said = toastText(toast)
  const additions = [
    { added: 40, there: 2 },
    { added: 0, there: 3 },
  ]
  const params = additions.find((each) => said === zh('entry.added', each))
  return params !== undefined
    ? { key: 'entry.added', params }
    : { key: said === zh('entry.submitted') ? 'entry.submitted' : 'entry.unlocked' }
}

const config: EntityConfig = {
  ...listConfig('none'),
  fields: [{ ...listField('student'), uiLabel: '学生' }],
  entry: {
    by: ['course', 'term'],
    frozen: ['student'],
    columns: ['score'],
    progress: 'score',
    add: { field: 'student', from: ['class'], tag: 'B' },
  },
}
const related: EntityConfig = {
  ...listConfig('none'),
  tag: 'B',
  fields: [{ ...listField('class'), uiLabel: '班级' }],
}
const sheet: EntryBy = { course: '1', term: '2' }

/** The tools of the page, with its choice of a sheet and its grid as buttons. */
function Page() {
  const { actor, view, onDirty } = useEntry('A', null)
  return (
    <div>
      <button type="button" onClick={() => actor.send({ type: 'entry.choose', by: sheet })}>
        选择
      </button>
      <button type="button" onClick={() => actor.send({ type: 'entry.choose', by: null })}>
        不选
      </button>
      <button type="button" onClick={() => actor.send({ type: 'entry.refresh' })}>
        刷新
      </button>
      <button type="button" onClick={() => onDirty(true)}>
        未存
      </button>
      <button type="button" onClick={() => onDirty(false)}>
        已存
      </button>
      <EntryTools view={view} send={(event) => actor.send(event)}>
        <EntryAdd config={config} view={view} send={(event) => actor.send(event)} />
      </EntryTools>
    </div>
  )
}

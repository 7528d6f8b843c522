import type { Message } from '@jiaowu/api'
import type { EntryBy, EntryEvent, entrySheetMachine } from '@jiaowu/machines'
import type { SnapshotFrom } from 'xstate'
import { EntryTools } from '../../../apps/web/src/features/entry/entry-tools.tsx'
import { useEntry } from '../../../apps/web/src/features/entry/use-entry.ts'
import { button, byRole, dialog, either, field, having } from '../../surfaces/web/by-role.ts'
import { effectLog, toastText } from '../../surfaces/web/effects.ts'
import { fill, press, reachable, unlisted } from '../../surfaces/web/gestures.ts'
import { answered } from '../../surfaces/web/held-fetch.ts'
import { loadingButtons, text, texts, textsLike, value } from '../../surfaces/web/reads.ts'
import { inConsole } from '../../surfaces/web/screen.tsx'
import { sentence, zh } from '../../surfaces/web/sentences.ts'
import { type Host, webDriverOf } from '../../surfaces/web/table.ts'
import type { MachineModel } from '../machine-model.ts'
import { entryModels } from './model.ts'

type Snapshot = SnapshotFrom<typeof entrySheetMachine>
interface View {
  readonly s: Snapshot
}
const submitting = dialog(zh('entry.submitTitle'))
const unlocking = dialog(zh('entry.unlockTitle'))
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
const problemOf = ({ s }: View) => sentence(s.context.fault ?? s.context.problem?.message)

const model: MachineModel = {
  ...entryModels,
  parts: { entry: entryModels.parts['entry'] } as never,
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
    loading: {
      model: ({ s }) =>
        s.matches({ shown: 'submitting' })
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
    'ask.cancel': press(
      either(
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
    background: () => answered(null),
  }
}

function messageOf(toast: HTMLElement): Message {
  return {
    key: toastText(toast) === zh('entry.submitted') ? 'entry.submitted' : 'entry.unlocked',
  }
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
      <EntryTools view={view} send={(event) => actor.send(event)} />
    </div>
  )
}

import { type Button, buttonPositions, type EntityConfig } from '@jiaowu/api'
import type { buttonsMachine, ButtonsEvent } from '@jiaowu/machines'
import { emitEffect } from '@jiaowu/path-tests'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import type { SnapshotFrom } from 'xstate'
import { FormOverlay } from '../../../apps/web/src/features/entity-form/form-overlay.tsx'
import {
  button,
  byRole,
  bySelector,
  dialog,
  either,
  nth,
  question,
  type Target,
} from '../../surfaces/web/dom/by-role.ts'
import { dismissToasts, effectLog, toastText } from '../../surfaces/web/dom/effects.ts'
import { custom, fill, inTurn, press, unlisted } from '../../surfaces/web/dom/gestures.ts'
import { answered } from '../../surfaces/web/http/held-fetch.ts'
import {
  isShown,
  loadingButtons,
  names,
  texts,
  textsLike,
  value,
} from '../../surfaces/web/dom/reads.ts'
import { inConsole } from '../../surfaces/web/screen.tsx'
import { sentence, zh } from '../../surfaces/web/dom/sentences.ts'
import { type Host, webDriverOf } from '../../surfaces/web/table.ts'
import { formConfig } from '../entity-form/model.ts'
import { buttonsModels } from './model.ts'
import { buttons, record } from './samples.ts'

type Snapshot = SnapshotFrom<typeof buttonsMachine>
type Start = 'form' | 'details'
/** The buttons of each place, by the events of its model. */
const shown: Readonly<Record<Start, readonly Button[]>> = {
  form: [buttons.set, buttons.ask],
  details: [buttons.tell, buttons.send, buttons.ask, buttons.sql],
}

const refusal = byRole('alert', undefined, dialog())
const nameField: Target<HTMLInputElement> = bySelector('input[id$="-name"]', dialog())
const confirm = press(button(zh('common.ok'), question()))

/** What a user sees of the buttons above a form or the details. */
export const buttonsWeb = webDriverOf<Snapshot, ButtonsEvent, Snapshot>({
  model: buttonsModels,
  view: (s) => s,
  isGone: { model: (s) => s.matches('closed'), screen: () => !isShown(dialog())() },
  readings: {
    busy: {
      model: (s) => (s.hasTag('busy') ? (s.context.pressed?.button.name ?? '') : ''),
      screen: names(loadingButtons),
    },
    question: {
      model: (s) => {
        const { pressed } = s.context
        if (!s.matches('asking') || pressed === null) return ''
        const { confirm: own, name } = pressed.button
        return own ?? zh('press.ask', { name: pressed.row?.id ?? '', button: name })
      },
      screen: texts(bySelector('p', question())),
    },
    problem: {
      model: (s) => sentence(s.context.problem?.message),
      screen: textsLike(/^m\d+$/),
    },
  },
  says: {},
  offers: 'of the concern',
  gestures: {
    'button.press': ({ button: { name } }) => {
      const pressed = press(button(name, dialog()))
      return {
        ...pressed,
        run: (held) => {
          // What is typed before tells whether the button sets the field.
          if (isShown(nameField)()) fill(nameField, 'typed').run(held)
          return () => pressed.run(held)
        },
      }
    },
    'press.confirm': confirm,
    'press.cancel': press(button(zh('common.cancel'), question())),
    'press.retry': press(button(zh('common.retry'), refusal)),
    'press.dismiss': press(button(zh('common.close'), refusal)),
    'buttons.close': unlisted(
      inTurn(
        press(
          either(
            button(zh('common.cancel'), dialog()),
            nth(button(zh('common.close'), dialog()), -1),
          ),
        ),
        custom((held) => {
          if (isShown(question())()) confirm.run(held)
        }),
      ),
    ),
  },
  // An open question stands before the form.
  hidden: (s, { type }) => s.matches('asking') && type === 'buttons.close',
  calls: {
    '/entity/A/button/:id': ['loadActions', (_asked, code) => ({ tag: 'A', code })],
    'POST /entity/B/data': request('create'),
    'PUT /entity/B/data/:id': request('update'),
    'DELETE /entity/B/data/:id': request('remove'),
  },
  host,
})

function request(method: string) {
  return [
    'sendRequest',
    ({ body }: { readonly body: unknown }, id: string) => ({ tag: 'B', method, id, values: body }),
  ] as const
}

const tones = ['success', 'warning', 'danger'] as const

function host(): Host {
  let [reads, isSet, start]: [number, boolean, Start] = [0, false, 'details']
  const effects = effectLog((toast) => ({
    type: 'message',
    tone: tones.find((each) => toast.classList.contains(`bp6-intent-${each}`)) ?? 'info',
    text: toastText(toast),
  }))
  const onOpen = (to: string) =>
    effects.add({ type: 'open', to, where: 'tab', title: buttons.tell.name })
  return {
    mount: (given, held) => {
      start = given as Start
      return { element: inConsole(held, <Window start={start} onOpen={onOpen} />) }
    },
    background: ({ method, path }) => {
      if (path === '/entity/A/config') return answered(configOf(start))
      if (path !== '/entity/A/data/1' || method !== 'GET') return answered([])
      reads += 1
      if (reads > 1) effects.add({ type: 'refresh' })
      return answered(record)
    },
    reply: (port, { output }, { method }) =>
      answered(
        port === 'loadActions'
          ? { actions: output }
          : method === 'DELETE'
            ? { deleted: 1 }
            : { id: '1' },
      ),
    before: ({ event }) => {
      dismissToasts()
      if (event.type === 'button.press') isSet = false
    },
    takeEffects: () => {
      const sets = !isSet && value(nameField)() === 'set'
      isSet ||= sets
      return [
        ...effects.take(),
        ...(sets ? [emitEffect({ type: 'setField', attrName: 'name', value: 'set' })] : []),
      ]
    },
  }
}

interface WindowProps {
  readonly start: Start
  readonly onOpen: (to: string) => void
}

/** The form's window as the list opens it, and the address that its buttons lead to. */
function Window({ start, onOpen }: WindowProps) {
  const [isOpen, setOpen] = useState(true)
  const { pathname, search, key } = useLocation()
  const first = useRef(key)
  useEffect(() => {
    if (key !== first.current) onOpen(`${pathname}${search}`)
  }, [key, pathname, search, onOpen])
  const close = () => setOpen(false)
  return (
    <FormOverlay
      config={configOf(start)}
      form={isOpen ? { id: '1', viewOnly: start === 'details' } : null}
      onDirty={() => {}}
      onEdit={null}
      onSaved={close}
      onClose={close}
    />
  )
}

function configOf(start: Start): EntityConfig {
  const { detailToolbar, editToolbar } = buttonPositions
  const position = start === 'form' ? editToolbar : detailToolbar
  return { ...formConfig, buttons: shown[start].map((each) => ({ ...each, position })) }
}

import { type Button, buttonPositions, type EntityConfig, say } from '@jiaowu/api'
import type { buttonsMachine, ButtonsEvent } from '@jiaowu/machines'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import type { EventObject, SnapshotFrom } from 'xstate'
import { emitEffect, type Spec } from '@jiaowu/path-tests'
import { FormOverlay } from '../../../apps/web/src/features/entity-form/form-overlay.tsx'
import { click, enter, find, need, offers, press, textOf } from '../../surfaces/web/dom.ts'
import { answered, type Asked, type PortCall } from '../../surfaces/web/held-fetch.ts'
import { gestureOf, type Gestures, inConsole, type Screen } from '../../surfaces/web/screen.tsx'
import { dismissToasts, newToasts, toastText } from '../../surfaces/web/effects.ts'
import { formConfig } from '../entity-form/model.ts'
import type { ButtonsSeen } from './model.ts'
import { buttons, record } from './samples.ts'

/** What a user sees of the buttons above a form or the details, and (`offers`) what they allow. */
export interface ButtonsScreen {
  readonly isOpen: boolean
  readonly busy: string
  readonly question: string
  readonly problem: string
  readonly offers: string
}
const closed: ButtonsScreen = { isOpen: false, busy: '', question: '', problem: '', offers: '' }

type Snapshot = SnapshotFrom<typeof buttonsMachine>
type Start = 'form' | 'details'
/** The buttons of each place, by the events of its model. */
const shown: Readonly<Record<Start, readonly Button[]>> = {
  form: [buttons.set, buttons.ask],
  details: [buttons.tell, buttons.send, buttons.ask, buttons.sql],
}

export function buttonsOnScreen(spec: Spec<ButtonsSeen>): Spec<ButtonsScreen> {
  const start: Start = 'form' in (spec.input as object) ? 'form' : 'details'
  return {
    ...spec,
    covered: covered as unknown as NonNullable<Spec<ButtonsScreen>['covered']>,
    project: ((s: Snapshot): ButtonsScreen =>
      s.matches('closed')
        ? closed
        : {
            isOpen: true,
            busy: s.hasTag('busy') ? (s.context.pressed?.button.name ?? '') : '',
            question: s.matches('asking') ? (s.context.pressed?.button.confirm ?? '') : '',
            problem: problemIn(s),
            offers: offersOf(s, start),
          }) as never,
  }
}

function problemIn({ context: { problem } }: Snapshot): string {
  if (problem === null) return ''
  return typeof problem.message === 'string' ? problem.message : say('zh-CN', problem.message)
}

function offersOf(s: Snapshot, start: Start): string {
  const may = (event: ButtonsEvent) => s.can(event)
  return [
    ...shown[start]
      .filter((button) => may({ type: 'button.press', button, row: record }))
      .map(({ code }) => `press(${code})`),
    ...(['press.cancel', 'press.confirm', 'press.dismiss', 'press.retry'] as const).filter((type) =>
      may({ type }),
    ),
  ].join()
}

/** An open question stands before the form. */
function covered(s: Snapshot, { type }: EventObject): boolean {
  return s.matches('asking') && type === 'buttons.close'
}

const bar = '.jw-form__bar button'
const refused = '.jw-form__refused button'
const question = '.bp6-alert button'
const foot = '.jw-form__foot button'
const nameField = () => find<HTMLInputElement>('input[id$="-name"]')
const typed = 'typed'

const gestures: Gestures<ButtonsEvent> = {
  'button.press': ({ button: { name } }) => {
    const field = nameField()
    // What is typed before tells whether the button sets the field.
    if (field !== undefined) enter(field, typed)
    return () => click(bar, name)
  },
  'press.confirm': () => click(question, '确定'),
  'press.cancel': () => click(question, '取消'),
  'press.retry': () => click(refused, '重试'),
  'press.dismiss': () => click(refused, '关闭'),
  'buttons.close': () => {
    press(find(foot, '关闭') ?? need(foot, '取消'))
    return () => {
      if (find('.bp6-alert') !== undefined) click(question, '确定')
    }
  },
}

export function buttonsScreen(): Screen<ButtonsScreen> {
  const toasts = newToasts()
  let [effects, reads, isSet, isOpen, start]: [string[], number, boolean, boolean, Start] = [
    [],
    0,
    false,
    true,
    'details',
  ]
  const onOpen = (to: string) => {
    effects.push(emitEffect({ type: 'open', to, where: 'tab', title: buttons.tell.name }))
  }
  return {
    mount: (given, held) => {
      start = given as Start
      return {
        element: inConsole(
          held,
          <Window
            start={start}
            onOpen={onOpen}
            onClosed={() => {
              isOpen = false
            }}
          />,
        ),
      }
    },
    callOf,
    background: ({ method, path }) => {
      if (path === '/entity/A/config') return answered(configOf(start))
      if (path !== '/entity/A/data/1' || method !== 'GET') return answered([])
      reads += 1
      if (reads > 1) effects.push(emitEffect({ type: 'refresh' }))
      return answered(record)
    },
    reply: (port, { output }) => answered(port === 'loadActions' ? { actions: output } : output),
    user: (step, held) => {
      dismissToasts()
      return () => {
        if (step.event.type === 'button.press') isSet = false
        return gestureOf(gestures, step, held)
      }
    },
    read: () => (isOpen ? read(start) : closed),
    told: () => {
      const messages = toasts().map((toast) =>
        emitEffect({ type: 'message', tone: toneOf(toast), text: toastText(toast) }),
      )
      const sets = !isSet && nameField()?.value === 'set'
      isSet ||= sets
      const now = [
        ...effects,
        ...messages,
        ...(sets ? [emitEffect({ type: 'setField', attrName: 'name', value: 'set' })] : []),
      ]
      effects = []
      return now
    },
  }
}

function toneOf({ classList }: HTMLElement): string {
  const tone = ['success', 'warning', 'danger'].find((each) =>
    classList.contains(`bp6-intent-${each}`),
  )
  return tone ?? 'info'
}

interface WindowProps {
  readonly start: Start
  readonly onOpen: (to: string) => void
  readonly onClosed: () => void
}

/** The form's window as the list opens it, and the address that its buttons lead to. */
function Window({ start, onOpen, onClosed }: WindowProps) {
  const [isOpen, setOpen] = useState(true)
  const { pathname, search, key } = useLocation()
  const first = useRef(key)
  useEffect(() => {
    if (key !== first.current) onOpen(`${pathname}${search}`)
  }, [key, pathname, search, onOpen])
  const close = () => {
    setOpen(false)
    onClosed()
  }
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
  return { ...formConfig, buttons: shown[start].map((button) => ({ ...button, position })) }
}

function callOf({ method, path, body }: Asked): PortCall | null {
  const [, code] = /^\/entity\/A\/button\/(\w+)$/.exec(path) ?? []
  if (code !== undefined) return { port: 'loadActions', input: { tag: 'A', code } }
  const [, id = ''] = /^\/entity\/B\/data(?:\/(\w+))?$/.exec(path) ?? []
  if (!path.startsWith('/entity/B/data')) return null
  const methods: Readonly<Record<string, string>> = {
    POST: 'create',
    PUT: 'update',
    DELETE: 'remove',
  }
  return {
    port: 'sendRequest',
    input: { tag: 'B', method: methods[method], id, values: body },
  }
}

function read(start: Start): ButtonsScreen {
  const loading = find(`${bar}.bp6-loading`)
  const asks = find('.bp6-alert')
  return {
    isOpen: true,
    busy: textOf(loading),
    question: asks === undefined ? '' : textOf(find('p', undefined, asks)),
    problem: textOf(find('.jw-form__refused span')),
    offers: offersNow(start, asks !== undefined),
  }
}

function offersNow(start: Start, isAsking: boolean): string {
  if (isAsking)
    return [
      ...(offers(question, '取消') ? ['press.cancel'] : []),
      ...(offers(question, '确定') ? ['press.confirm'] : []),
    ].join()
  return [
    ...shown[start].filter(({ name }) => offers(bar, name)).map(({ code }) => `press(${code})`),
    ...(offers(refused, '关闭') ? ['press.dismiss'] : []),
    ...(offers(refused, '重试') ? ['press.retry'] : []),
  ].join()
}

import {
  type Button,
  type DictItem,
  type EntityConfig,
  type Row,
  messageText,
  type TextKey,
} from '@jiaowu/api'
import { type EntityFormEvent, type entityFormMachine } from '@jiaowu/machines'
import { useState } from 'react'
import type { EventObject, SnapshotFrom } from 'xstate'
import {
  FormOverlay,
  type OpenForm,
} from '../../../apps/web/src/features/entity-form/form-overlay.tsx'
import { emitEffect } from '@jiaowu/path-tests'
import type { Spec } from '../spec.ts'
import { formConfig, type FormSeen } from './model.ts'
import {
  all,
  Absent,
  click,
  enter,
  find,
  leave,
  need,
  offers,
  press,
  textOf,
  usable,
} from '../../surfaces/web/dom.ts'
import { answered, type Asked, type PortCall } from '../../surfaces/web/held-fetch.ts'
import { gestureOf, type Gestures, inConsole, type Screen } from '../../surfaces/web/screen.tsx'

/** What a person sees of a form, and (`offers`) what the screen lets them do. */
export interface FormScreen {
  readonly step: string
  readonly title: string
  readonly labels: string
  readonly asks: string
  readonly name: string | null
  readonly choices: string | null
  readonly faults: string
  readonly problem: string | null
  readonly stale: string | null
  readonly folded: string | null
  readonly isSaving: boolean
  readonly offers: string
}

type Snapshot = SnapshotFrom<typeof entityFormMachine>
const isLeaving = (s: Snapshot) => s.matches({ editing: 'leaving' })
const isFolded = (s: Snapshot) => s.context.folded.includes('g')

/** Only the entity's own buttons read a shown record again. */
const again: Button = {
  code: 'again',
  name: '重读',
  icon: null,
  status: 1,
  position: 4,
  positionExp: null,
  eventType: 1,
  eventContent: [{ do: 'refresh' }],
}
const config: EntityConfig = { ...formConfig, buttons: [again] }
const found: readonly DictItem[] = [{ id: '2', name: 'n2' }]

/** A model of the form, seen in the window it opens in. */
export function formOnScreen(spec: Spec<FormSeen>): Spec<FormScreen> {
  const load = spec.outcomes.loadForm as (
    input: never,
  ) => Readonly<Record<string, { readonly ok: boolean; readonly output?: object }>>
  return {
    ...spec,
    project: project as unknown as Spec<FormScreen>['project'],
    hidden: hidden as unknown as NonNullable<Spec<FormScreen>['hidden']>,
    outcomes: {
      ...spec.outcomes,
      loadForm: (input: never) =>
        Object.fromEntries(
          Object.entries(load(input)).map(([name, outcome]) => [
            name,
            outcome.ok ? { ...outcome, output: { ...outcome.output, config } } : outcome,
          ]),
        ) as never,
    },
  }
}

function project(s: Snapshot): FormScreen {
  const { values, faults, input } = s.context
  const shown = isShown(s),
    open = shown && !isFolded(s)
  return {
    step: stepOf(s),
    title: s.status === 'done' ? '' : titleOf(s),
    labels: open ? `${input.viewOnly === true ? '' : '*'}name,faculty,major` : '',
    asks: questionOf(s),
    name: open ? String(values.name ?? '') : null,
    choices: open ? [values.faculty, values.major].map(nameOf).join(' / ') : null,
    faults: open
      ? Object.values(faults)
          .map(({ message }) => zh(message))
          .join()
      : '',
    problem: problemOf(s),
    stale: s.matches('stale') ? conflictsOf(s) : null,
    folded: shown ? `g ${isFolded(s)}` : null,
    isSaving: s.matches('saving'),
    offers: mayOf(s),
  }
}

function questionOf(s: Snapshot): string {
  if (isLeaving(s)) return zh({ key: 'form.leave' })
  return s.matches('stale')
    ? `${zh({ key: 'form.staleTitle' })} ${zh({ key: 'form.staleText' })}`
    : ''
}

/** The console itself shows problems of the session. */
function problemOf(s: Snapshot): string | null {
  const { problem } = s.context
  return s.matches('failed') || (isShown(s) && problem !== null && problem.kind !== 'session')
    ? zh(problem?.message ?? '')
    : null
}

/** Fields that another user changed meanwhile: the chosen side, then both values. */
function conflictsOf({ context: { values, stale } }: Snapshot): string {
  return Object.entries(stale?.choices ?? {})
    .map(
      ([name, side]) =>
        `${name}:${side}(${String(values[name] ?? '')}|${String(stale?.theirs[name] ?? '') || '—'})`,
    )
    .join()
}

/** A record stays visible while it reloads. */
function isShown(s: Snapshot) {
  return (
    s.hasTag('editing') ||
    s.matches('viewing') ||
    (s.matches('loading') && s.context.config !== null)
  )
}

function stepOf(s: Snapshot): string {
  return isLeaving(s) ? 'leaving' : typeof s.value === 'string' ? s.value : 'editing'
}

function titleOf({ context: { input, row } }: Snapshot): string {
  const title = zh({
    key:
      input.viewOnly === true
        ? 'form.viewTitle'
        : input.id === null
          ? 'form.addTitle'
          : 'form.editTitle',
    params: { name: formConfig.name },
  } as Parameters<typeof messageText>[1])
  const name = row === null || input.id === null ? '' : String(row['name'] ?? '')
  return name === '' ? title : `${title} · ${name}`
}

function zh(message: Parameters<typeof messageText>[1] | string): string {
  return typeof message === 'string' ? message : messageText('zh-CN', message)
}

function nameOf(value: unknown): string {
  return Array.isArray(value)
    ? (value as readonly DictItem[]).map((item) => item.name || item.id).join()
    : ''
}

/**
 * What the machine takes, as what a screen must offer: a question or a choice stands before the
 * form. While a form is on its way only its window can be closed.
 */
function mayOf(s: Snapshot): string {
  const can = (...events: readonly EntityFormEvent[]) =>
    events
      .filter((event) => s.can(event))
      .map(({ type }) => type)
      .join()
  if (isLeaving(s)) return can({ type: 'leave.cancel' }, { type: 'leave.confirm' })
  if (s.matches('stale'))
    return can(
      { type: 'stale.cancel' },
      {
        type: 'stale.choose',
        attrName: Object.keys(s.context.stale?.choices ?? {})[0] ?? '',
        side: 'mine',
      },
      { type: 'stale.save' },
    )
  const fields: readonly EntityFormEvent[] = isFolded(s)
    ? []
    : [{ type: 'field.change', attrName: 'name', value: '' }]
  return can(
    ...fields,
    ...(isShown(s) ? [{ type: 'form.leave' } as const] : []),
    { type: 'form.retry' },
    { type: 'form.submit' },
    { type: 'group.toggle', attrName: 'g' },
  )
}

/**
 * Gestures that need something that is not there: the form behind a question, fields of a folded
 * group, a choice that is made already (to choose it again would take it back).
 */
function hidden(s: Snapshot, given: EventObject): boolean {
  const event = given as EntityFormEvent
  if (isLeaving(s)) return !event.type.startsWith('leave.')
  if (s.matches('stale')) return !event.type.startsWith('stale.')
  if (event.type === 'field.change' || event.type === 'field.blur')
    return (
      isFolded(s) ||
      (event.type === 'field.change' &&
        event.attrName === 'faculty' &&
        nameOf(s.context.values.faculty) === nameOf(event.value))
    )
  return false
}

const rowPath = '/entity/A/data/1'
const idPath = '/authority/common/generateId'

const fieldOf = (name: string) => need<HTMLInputElement>(`[id$="-${name}"]`)
const question = '.bp6-alert button',
  choice = '.jw-stale button',
  foot = '.jw-form__foot button'
const isThere = (selector: string) => find(selector) !== undefined
const window_ = '.jw-drawer'
const leaveButton = () => find(foot, '取消') ?? find(foot, '关闭')

const gestures: Gestures<EntityFormEvent> = {
  'field.change': ({ attrName, value }) => {
    if (attrName === 'name') {
      enter(fieldOf('name'), String(value))
      return undefined
    }
    press(fieldOf(attrName))
    return () => click('.jw-choice', nameOf(value))
  },
  'field.blur': ({ attrName }) => leave(fieldOf(attrName)),
  'group.toggle': () => click('button.jw-group__head'),
  'form.submit': () => click(foot, '保存'),
  'form.retry': () =>
    press(find('.jw-form__bar button', again.name) ?? need('.jw-state button', '重试')),
  // Loading and failed forms have no button of their own for it: their window is closed.
  'form.leave': () => press(leaveButton() ?? need(`${window_} .bp6-dialog-close-button`)),
  'leave.confirm': () => click(question, '确定'),
  'leave.cancel': () => click(question, '取消'),
  'stale.choose': ({ side }) => {
    const radio = all<HTMLInputElement>('.jw-stale input[type=radio]')[side === 'mine' ? 0 : 1]
    if (radio === undefined) throw new Absent('no choice')
    press(radio)
  },
  'stale.save': () => click(choice, '保存'),
  'stale.cancel': () => click(choice, '取消'),
}

interface WindowProps {
  readonly form: OpenForm
  readonly onSaved: (row: Row) => void
  readonly onLeft: () => void
}

const sentences: readonly TextKey[] = ['form.added', 'form.modified']

export function formScreen(): Screen<FormScreen> {
  let ended = ''
  let last = ''
  let emitted: (() => string)[] = []
  const onSaved = (row: Row) => {
    ended = 'saved'
    emitted.push(() => {
      const key = sentences.find((each) =>
        all('.bp6-toast.bp6-intent-success').some(
          (toast) =>
            textOf(find('.bp6-toast-message', undefined, toast)) ===
            messageText('zh-CN', { key: each } as Parameters<typeof messageText>[1]),
        ),
      )
      return emitEffect({ type: 'saved', row, message: { key } })
    })
  }
  const onLeft = () => {
    ended = 'left'
    emitted.push(() => emitEffect({ type: 'left' }))
  }
  // A dialog that closes gives the keyboard back: that says nothing of the field.
  const onFocus = (field: HTMLElement, attrName: string) => {
    if (field.getAttribute('aria-invalid') === 'true' && !last.endsWith('.cancel'))
      emitted.push(() => emitEffect({ type: 'invalid', attrName }))
  }
  return {
    mount: (start, held) => ({
      element: inConsole(
        held,
        <FormWindow
          form={{
            id: start === 'add' ? null : '1',
            viewOnly: start === 'view',
            defaults: { faculty: '1' },
          }}
          onSaved={onSaved}
          onLeft={onLeft}
        />,
      ),
      stop: watchFocus(onFocus),
    }),
    callOf,
    background: ({ path }) =>
      answered(path.endsWith('/dicts/page') ? { records: found, total: 1 } : []),
    reply: (port, { output }, { path }) => {
      if (path === idPath) return answered(null)
      const { config: loaded, row } = output as { config?: unknown; row?: unknown }
      return answered(port === 'saveRow' ? output : path.endsWith('/config') ? loaded : row)
    },
    user: (step, held) => {
      last = step.event.type
      return gestureOf(gestures, step, held)
    },
    read: () => read(ended),
    takeEffects: () => {
      const taken = [...new Set(emitted.map((tell) => tell()))]
      emitted = []
      return taken
    },
  }
}

/** As the list does it: the form is in its window until it was saved or left. */
function FormWindow({ form, onSaved, onLeft }: WindowProps) {
  const [open, setOpen] = useState<OpenForm | null>(form)
  const none = () => {}
  return (
    <FormOverlay
      config={config}
      form={open}
      onDirty={none}
      onEdit={null}
      onSaved={(row) => {
        setOpen(null)
        onSaved(row)
      }}
      onClose={() => {
        setOpen(null)
        onLeft()
      }}
    />
  )
}

/** Which field the form put the keyboard in: that is how it says where a fault is. */
function watchFocus(onFocus: (field: HTMLElement, attrName: string) => void): () => void {
  const { focus } = HTMLElement.prototype
  HTMLElement.prototype.focus = function focusAndTell(this: HTMLElement, ...args) {
    const [, attrName] = /-(name|faculty|major)$/.exec(this.id) ?? []
    if (attrName !== undefined && args.length === 0) onFocus(this, attrName)
    focus.apply(this, args)
  }
  return () => {
    HTMLElement.prototype.focus = focus
  }
}

function callOf({ method, path, body }: Asked, start: string): PortCall | null {
  if (path === '/entity/A/config')
    return { port: 'loadForm', input: { tag: 'A', id: start === 'add' ? null : '1' } }
  if (path === rowPath && method === 'GET') return { partOf: 'loadForm' }
  if (path === idPath) return { partOf: 'loadForm' }
  if (path === '/entity/A/data')
    return { port: 'saveRow', input: { tag: 'A', id: null, version: null, values: body } }
  if (path !== rowPath) return null
  const { version, ...values } = body
  return { port: 'saveRow', input: { tag: 'A', id: '1', version, values } }
}

function read(ended: string): FormScreen {
  const form = find('form')
  const isViewing = isReadOnly()
  const name = find<HTMLInputElement>('[id$="-name"]')
  const valueOf = (attrName: string) => {
    const field = fieldOf(attrName)
    return textOf(find('.jw-picker__one', undefined, field) ?? (isViewing ? field : undefined))
  }
  const open = form !== undefined && name !== undefined
  return {
    step: ended === '' ? stepNow() : ended,
    title: textOf(find('.jw-drawer h4')),
    labels: open ? all('.jw-field__label').map(textOf).join() : '',
    asks: questionNow(),
    name: open ? (isViewing ? textOf(name) : name.value) : null,
    choices: open ? ['faculty', 'major'].map(valueOf).join(' / ') : null,
    faults: all('.jw-field__fault').map(textOf).join(),
    problem: problemNow(),
    stale: isThere('.jw-stale') ? all('.jw-stale tbody tr').map(conflictIn).join() : null,
    folded:
      form === undefined
        ? null
        : `${textOf(find('button.jw-group__head'))} ${find('button.jw-group__head')?.getAttribute('aria-expanded') === 'false'}`,
    isSaving: isSaving(),
    offers: offersNow(),
  }
}

function isReadOnly(): boolean {
  return isThere('form') && !isThere('button[type=submit]')
}

function isSaving(): boolean {
  return isThere('button[type=submit].bp6-loading')
}

function stepNow(): string {
  if (isThere('.bp6-alert')) return 'leaving'
  if (isThere('.jw-stale')) return 'stale'
  if (!isThere('form')) return isThere('.jw-state button') ? 'failed' : 'loading'
  if (isThere('form[aria-busy=true]')) return 'loading'
  if (isReadOnly()) return 'viewing'
  return isSaving() ? 'saving' : 'editing'
}

function questionNow(): string {
  if (isThere('.bp6-alert')) return textOf(find('.bp6-alert p'))
  return isThere('.jw-stale')
    ? `${textOf(find('.jw-stale h2'))} ${textOf(find('.jw-stale p'))}`
    : ''
}

function problemNow(): string | null {
  if (isThere('form')) return find('.jw-form .jw-fault')?.textContent ?? null
  const title = find('.jw-state__title')
  return title === undefined ? null : textOf(title)
}

/** One line of the table of conflicts, written as `conflictsOf` does. */
function conflictIn(line: HTMLElement): string {
  const label = textOf(find('th', undefined, line))
  const field = formConfig.fields.find(({ uiLabel }) => uiLabel === label)
  const isMine = find<HTMLInputElement>('input', undefined, line)?.checked === true
  const values = all('td', line).map(textOf)
  return `${field?.attrName ?? '?'}:${isMine ? 'mine' : 'theirs'}(${values.join('|')})`
}

function offersNow(): string {
  const may = (...pairs: readonly (readonly [EntityFormEvent['type'], boolean])[]) =>
    pairs
      .filter(([, offered]) => offered)
      .map(([type]) => type)
      .join()
  if (isThere('.bp6-alert'))
    return may(
      ['leave.cancel', offers(question, '取消')],
      ['leave.confirm', offers(question, '确定')],
    )
  if (isThere('.jw-stale'))
    return may(
      ['stale.cancel', offers(choice, '取消')],
      ['stale.choose', all('.jw-stale input[type=radio]').some(usable)],
      ['stale.save', offers(choice, '保存')],
    )
  return may(
    ['field.change', offers('input[id$="-name"]')],
    ['form.leave', usable(leaveButton())],
    [
      'form.retry',
      offers('.jw-form__bar button', again.name) || offers('.jw-state button', '重试'),
    ],
    ['form.submit', offers(foot, '保存')],
    ['group.toggle', offers('button.jw-group__head')],
  )
}

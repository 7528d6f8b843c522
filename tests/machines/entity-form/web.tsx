import {
  type Button,
  type DictItem,
  type EntityConfig,
  type Row,
  type WireValue,
} from '@jiaowu/api'
import type { EntityFormEvent, entityFormMachine } from '@jiaowu/machines'
import { useState } from 'react'
import type { SnapshotFrom } from 'xstate'
import {
  FormOverlay,
  type OpenForm,
} from '../../../apps/web/src/features/entity-form/form-overlay.tsx'
import {
  button,
  byRole,
  bySelector,
  choice,
  dialog,
  either,
  field,
  having,
  heading,
  type Name,
  nameOf,
  nth,
  question,
  select,
} from '../../surfaces/web/dom/by-role.ts'
import { all, textOf } from '../../surfaces/web/dom/dom.ts'
import { effectLog, toastText } from '../../surfaces/web/dom/effects.ts'
import { blur, fill, inTurn, press } from '../../surfaces/web/dom/gestures.ts'
import { answered } from '../../surfaces/web/http/held-fetch.ts'
import {
  isShown,
  loadingButtons,
  names,
  text,
  textOfElement,
  texts,
  value,
} from '../../surfaces/web/dom/reads.ts'
import { inConsole } from '../../surfaces/web/screen.tsx'
import { sentence, zh } from '../../surfaces/web/dom/sentences.ts'
import { type Host, webDriverOf } from '../../surfaces/web/table.ts'
import type { Spec } from '../spec.ts'
import { entityFormModels, formConfig } from './model.ts'

type Snapshot = SnapshotFrom<typeof entityFormMachine>
interface View {
  readonly s: Snapshot
  readonly isLeaving: boolean
  readonly isStale: boolean
  /** The form is on the page: a record stays visible while it reloads. */
  readonly isShown: boolean
  /** The fields are on the page. */
  readonly isOpen: boolean
  readonly isViewing: boolean
}

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

const window_ = nth(dialog(), 0)
const stale = dialog(zh('form.staleTitle'))
const form = byRole('form')
/** The form, unless a choice stands before it. */
const free = having(form, () => !isShown(stale)())
const group = having(button('g', form), (each) => each.hasAttribute('aria-expanded'))
const pickers = byRole('combobox', undefined, form)
/** In the details a name and a value; in a form the label of a field. */
const labels = either(byRole('term', undefined, form), bySelector('label', form))
const shownValue = (name: Name) => byRole('definition', name, form)
const conflicts = having(byRole('row', undefined, stale), (row) => all('input', row).length > 0)

export const entityFormWeb = webDriverOf<Snapshot, EntityFormEvent, View>({
  model: entityFormModels,
  adapt,
  view: viewOf,
  isGone: { model: ({ s }) => s.status === 'done', screen: () => !isShown(window_)() },
  readings: {
    title: { model: titleOf, screen: text(heading(undefined, window_)) },
    labels: {
      model: ({ isOpen, isViewing }) => (isOpen ? `${isViewing ? '' : '*'}name,faculty,major` : ''),
      screen: texts(labels),
    },
    name: {
      model: ({ s, isOpen }) => (isOpen ? String(s.context.values.name ?? '') : ''),
      screen: () => value(field('*name', form))() || text(shownValue('name'))(),
    },
    choices: {
      model: choicesOf,
      screen: texts(either(pickers, shownValue(/^(?:faculty|major)$/))),
    },
    problems: {
      model: problemsOf,
      screen: texts(either(byRole('alert', undefined, form), heading(/^m\d+$/, window_))),
    },
    conflicts: {
      model: ({ s, isStale }) => (isStale ? conflictsOf(s) : ''),
      screen: () => conflicts.all().map(conflictIn).join(),
    },
    folded: {
      model: ({ s, isShown: is }) => (is ? String(s.context.folded.includes('g')) : ''),
      screen: () => String(isFoldedNow() ?? ''),
    },
    isReloading: {
      model: ({ s, isShown: is }) => is && s.matches('loading'),
      screen: () => form.all()[0]?.getAttribute('aria-busy') === 'true',
    },
    isSaving: {
      model: ({ s }) => (s.matches('saving') ? zh('common.save') : ''),
      screen: names(loadingButtons),
    },
  },
  says: {
    'common.loading': ({ s, isShown: is }) => s.matches('loading') && !is,
    'common.save': ({ isShown: is, isViewing, isStale }) => (is && !isViewing) || isStale,
    'form.leave': ({ isLeaving }) => isLeaving,
    'form.staleTitle': ({ isStale }) => isStale,
    'form.staleText': ({ isStale }) => isStale,
    'form.field': ({ isStale }) => isStale,
    'form.mine': ({ isStale }) => isStale,
    'form.theirs': ({ isStale }) => isStale,
  },
  gestures: {
    'field.change': ({ attrName, value: to }) =>
      attrName === 'name'
        ? fill(field('*name', free), String(to))
        : choose(attrName, nameOfChoice(to)),
    'field.blur': ({ attrName }) => blur(field(`*${attrName}`, form)),
    'group.toggle': press(having(group, () => isShown(free)())),
    'form.submit': press(button(zh('common.save'), free)),
    'form.retry': press(either(button(again.name, free), button(zh('common.retry'), window_))),
    // While a form loads, and after it failed to, only its window can be closed.
    'form.leave': press(
      either(
        button(zh('common.cancel'), free),
        button(zh('common.close'), free),
        having(button('关闭', window_), () => !isShown(form)()),
      ),
    ),
    'leave.confirm': press(button(zh('common.ok'), question())),
    'leave.cancel': press(button(zh('common.cancel'), question())),
    'stale.choose': ({ attrName, side }) =>
      press(
        nth(
          choice(
            undefined,
            having(conflicts, (row) => labelIn(row) === attrName),
          ),
          side === 'mine' ? 0 : 1,
        ),
      ),
    'stale.save': press(button(zh('common.save'), stale)),
    'stale.cancel': press(button(zh('common.cancel'), stale)),
  },
  hidden,
  calls: {
    '/entity/A/config': [
      'loadForm',
      (_asked, _id, start) => ({ tag: 'A', id: start === 'add' ? null : '1' }),
    ],
    'GET /entity/A/data/1': { partOf: 'loadForm' },
    '/authority/common/generateId': { partOf: 'loadForm' },
    '/entity/A/data': [
      'saveRow',
      ({ body }) => ({ tag: 'A', id: null, version: null, values: body }),
    ],
    '/entity/A/data/1': [
      'saveRow',
      ({ body: { version, ...values } }) => ({ tag: 'A', id: '1', version, values }),
    ],
  },
  host,
})

/** Every loaded form has the button that reads the record again. */
function adapt({ outcomes }: Spec<unknown>): Partial<Spec<unknown>> {
  const load = outcomes.loadForm as (
    input: never,
  ) => Readonly<Record<string, { readonly ok: boolean; readonly output?: object }>>
  return {
    outcomes: {
      ...outcomes,
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

function viewOf(s: Snapshot): View {
  const isThere =
    s.hasTag('editing') ||
    s.matches('viewing') ||
    (s.matches('loading') && s.context.config !== null)
  return {
    s,
    isLeaving: s.matches({ editing: 'leaving' }),
    isStale: s.matches('stale'),
    isShown: isThere,
    isOpen: isThere && !s.context.folded.includes('g'),
    isViewing: s.context.input.viewOnly === true,
  }
}

function titleOf({ s: { context }, isViewing }: View): string {
  const { input, row } = context
  const title = isViewing
    ? 'form.viewTitle'
    : input.id === null
      ? 'form.addTitle'
      : 'form.editTitle'
  const name = row === null || input.id === null ? '' : String(row['name'] ?? '')
  return [zh(title, { name: formConfig.name }), ...(name === '' ? [] : [name])].join(' · ')
}

function choicesOf({ s: { context }, isOpen, isViewing }: View): string {
  if (!isOpen) return ''
  return [context.values.faculty, context.values.major]
    .map((chosen) => nameOfChoice(chosen) || (isViewing ? '' : zh('common.select')))
    .filter((name) => name !== '')
    .join()
}

function nameOfChoice(chosen: WireValue | undefined): string {
  return Array.isArray(chosen)
    ? (chosen as readonly DictItem[]).map((item) => item.name || item.id).join()
    : ''
}

/** The console itself shows problems of the session. */
function problemsOf({ s, isShown: is, isOpen }: View): string {
  const { problem, faults } = s.context
  return [
    ...(problem !== null && (s.matches('failed') || (is && problem.kind !== 'session'))
      ? [problem.message]
      : []),
    ...(isOpen ? Object.values(faults).map(({ message }) => message) : []),
  ]
    .map(sentence)
    .join()
}

/** Fields that another user changed meanwhile: the chosen side, then both values. */
function conflictsOf({ context: { values, stale: theirs } }: Snapshot): string {
  return Object.entries(theirs?.choices ?? {})
    .map(
      ([name, side]) =>
        `${name}:${side}(${String(values[name] ?? '')}|${String(theirs?.theirs[name] ?? '') || '—'})`,
    )
    .join()
}

/** One line of the table of conflicts, written as `conflictsOf` does. */
function conflictIn(row: HTMLElement): string {
  const [mine] = all<HTMLInputElement>('input', row)
  const values = all('td', row).map(textOf)
  return `${labelIn(row)}:${mine?.checked === true ? 'mine' : 'theirs'}(${values.join('|')})`
}

const labelIn = (row: HTMLElement): string => textOf(all('th', row)[0])

function isFoldedNow(): boolean | undefined {
  const [head] = group.all()
  return head && head.getAttribute('aria-expanded') === 'false'
}

/** A choice that is made already is not made again, which would take it back. */
function choose(attrName: string, name: string) {
  const picker = having(select(attrName, free), (each) => textOfElement(each) !== name)
  return inTurn(press(picker), press(byRole('option', name)))
}

/** Gestures that need what is not there: the form behind a question, the fields of a folded group. */
function hidden(s: Snapshot, event: EntityFormEvent): boolean {
  const { isLeaving, isStale, isOpen } = viewOf(s)
  if (isLeaving) return !event.type.startsWith('leave.')
  if (isStale) return !event.type.startsWith('stale.')
  if (event.type === 'field.blur') return !isOpen
  return (
    event.type === 'field.change' &&
    (!isOpen ||
      (event.attrName === 'faculty' &&
        nameOfChoice(s.context.values.faculty) === nameOfChoice(event.value)))
  )
}

const saved = ['form.added', 'form.modified'] as const

function host(): Host {
  let row: Row | null = null
  let last = ''
  const effects = effectLog((toast) => {
    const key = saved.find((each) => zh(each) === toastText(toast))
    return row === null || key === undefined ? null : { type: 'saved', row, message: { key } }
  })
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
          onSaved={(written) => {
            row = written
          }}
          onLeft={() => effects.add({ type: 'left' })}
        />,
      ),
      stop: watchFocus((attrName) => {
        // A dialog that closes gives the keyboard back: that says nothing of the field.
        if (!last.endsWith('.cancel')) effects.add({ type: 'invalid', attrName })
      }),
    }),
    background: ({ path }) =>
      answered(path.endsWith('/dicts/page') ? { records: found, total: 1 } : []),
    reply: (port, { output }, { path }) => {
      if (path.endsWith('/generateId')) return answered('7')
      const { config: loaded, row: read } = output as { config?: unknown; row?: unknown }
      return answered(port === 'saveRow' ? output : path.endsWith('/config') ? loaded : read)
    },
    before: ({ event }) => {
      last = event.type
    },
    takeEffects: effects.take,
  }
}

interface WindowProps {
  readonly form: OpenForm
  readonly onSaved: (row: Row) => void
  readonly onLeft: () => void
}

/** As the list does it: the form is in its window until it was saved or left. */
function FormWindow({ form: opened, onSaved, onLeft }: WindowProps) {
  const [open, setOpen] = useState<OpenForm | null>(opened)
  return (
    <FormOverlay
      config={config}
      form={open}
      onDirty={() => {}}
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
function watchFocus(onFault: (attrName: string) => void): () => void {
  const { focus } = HTMLElement.prototype
  HTMLElement.prototype.focus = function focusAndReport(this: HTMLElement, ...args) {
    if (args.length === 0 && this.getAttribute('aria-invalid') === 'true')
      onFault(nameOf(this).replace('*', ''))
    focus.apply(this, args)
  }
  return () => {
    HTMLElement.prototype.focus = focus
  }
}

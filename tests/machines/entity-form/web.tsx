import type { Button } from '@jiaowu/api/entity/definition/button'
import type { DictItem, Row, WireValue } from '@jiaowu/api/entity/values'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import { entityFormView } from '@jiaowu/machines/entity-form/view'
import { useState } from 'react'
import {
  FormOverlay,
  type OpenForm,
} from '../../../apps/web/src/features/entity-form/form-overlay.tsx'
import { answering } from '../../surfaces/samples.ts'
import { sentence, under, zh } from '../../surfaces/sentences.ts'
import {
  findFirst,
  loadingButtons,
  readAccessibleName,
  page,
} from '../../surfaces/web/dom/by-role.ts'
import { findAll, readText } from '../../surfaces/web/dom/dom.ts'
import { type EffectLog, toastText } from '../../surfaces/web/dom/effects.ts'
import { inTurn } from '../../surfaces/web/dom/gestures.ts'
import { createRead, textOfElement } from '../../surfaces/web/dom/reads.ts'
import { wrapData } from '../../surfaces/web/http/held-fetch.ts'
import { type Host, type Shown, createWebDriver } from '../../surfaces/web/table.ts'
import type { Spec } from '../spec.ts'
import { entityFormModels, formConfig } from './model.ts'

type View = Shown<typeof entityFormView>

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

const window_ = page.dialog().nth(0)
const stale = page.dialog(zh('form.staleTitle'))
const form = page.role('form')
/** The form, unless a choice stands before it. */
const free = form.provided(stale.isAbsent)
const group = form.button('g').where((each) => each.hasAttribute('aria-expanded'))
const conflicts = stale.role('row').where((row) => findAll('input', row).length > 0)
const labelIn = (row: HTMLElement): string => readText(findAll('th', row)[0])

/** The form is on the page: a record stays visible while it reloads. */
const isShown = ({ s, step, c }: View) =>
  s.hasTag('editing') || step === 'viewing' || (step === 'loading' && c.config !== null)
/** The fields are on the page. */
const areFieldsOpen = (view: View) => isShown(view) && !view.c.folded.includes('g')
const isViewing = ({ mode }: View) => mode === 'view'
const isStale = ({ step }: View) => step === 'stale'

export const entityFormWeb = createWebDriver<typeof entityFormView>({
  model: entityFormModels,
  adapt: ({ outcomes }) => ({ outcomes: { ...outcomes, loadForm: withButton(outcomes) } }),
  view: entityFormView,
  isGone: window_.isAbsent.is(({ s }) => s.status === 'done'),
  readings: {
    title: window_.heading().text.is(formatFormTitle),
    // In the details a name and a value; in a form the label of a field.
    labels: findFirst(form.role('term'), form.css('label')).texts.while(
      areFieldsOpen,
      (view) => `${isViewing(view) ? '' : '*'}name,faculty,major`,
    ),
    name: createRead(
      () => form.field('*name').value() || form.role('definition', 'name').text(),
    ).while(areFieldsOpen, ({ c }) => String(c.values.name ?? '')),
    choices: findFirst(
      form.role('combobox'),
      form.role('definition', /^(?:faculty|major)$/),
    ).texts.while(areFieldsOpen, listFormChoices),
    problems: findFirst(form.alert, window_.heading(/^m\d+$/)).texts.is(listFormProblems),
    conflicts: conflicts.each(conflictIn).while(isStale, listFormConflicts),
    folded: group
      .nth(0)
      .each((head) => head.getAttribute('aria-expanded') === 'false')
      .while(isShown, ({ c }) => String(c.folded.includes('g'))),
    isReloading: form
      .where((each) => each.getAttribute('aria-busy') === 'true')
      .isShown.is((view) => isShown(view) && view.step === 'loading'),
    isSaving: loadingButtons.names.is(({ step }) => (step === 'saving' ? zh('common.save') : '')),
  },
  says: {
    'common.loading': (view) => view.step === 'loading' && !isShown(view),
    'common.save': (view) => (isShown(view) && !isViewing(view)) || isStale(view),
    'form.leave': ({ step }) => step === 'leaving',
    ...under('form', isStale, 'staleTitle', 'staleText', 'field', 'mine', 'theirs'),
  },
  gestures: {
    'field.change': ({ attrName, value: to }) =>
      attrName === 'name'
        ? free.field('*name').fill(String(to))
        : choose(attrName, nameOfChoice(to)),
    'field.blur': ({ attrName }) => form.field(`*${attrName}`).blur,
    'group.toggle': group.provided(free.isShown).press,
    'form.submit': ({ next }) =>
      free.button(zh(next === true ? 'form.saveNext' : 'common.save')).press,
    'pin.toggle': ({ attrName }) => free.button(zh('form.pin', { name: attrName })).press,
    'form.retry': findFirst(free.button(again.name), window_.button(zh('common.retry'))).press,
    // While a form loads, and after it failed to, only its window can be closed.
    'form.leave': findFirst(
      free.button(zh('common.cancel')),
      free.button(zh('common.close')),
      window_.button('关闭').provided(form.isAbsent),
    ).press,
    'leave.confirm': page.question.button(zh('common.ok')).press,
    'leave.cancel': page.question.button(zh('common.cancel')).press,
    'stale.choose': ({ attrName, side }) => {
      const sides = conflicts.where((row) => labelIn(row) === attrName).choice()
      return sides.nth(side === 'mine' ? 0 : 1).press
    },
    'stale.save': stale.button(zh('common.save')).press,
    'stale.cancel': stale.button(zh('common.cancel')).press,
  },
  // The form behind a question.
  covered: ({ step }, { type }) =>
    (step === 'leaving' && !type.startsWith('leave.')) ||
    (step === 'stale' && !type.startsWith('stale.')),
  hidden: {
    'form.submit': ({ mode }, { next }) => next === true && mode !== 'add',
    'pin.toggle': (view) => !areFieldsOpen(view),
    'field.blur': (view) => !areFieldsOpen(view),
    'field.change': (view, { attrName, value }) =>
      !areFieldsOpen(view) ||
      (attrName === 'faculty' && nameOfChoice(view.c.values.faculty) === nameOfChoice(value)),
  },
  calls: {
    '/entity/A/config': [
      'loadForm',
      (_asked, _id, start) => ({
        tag: 'A',
        id: isNew(start) ? null : '1',
        // Only the first record of a series is the copy.
        ...(start === 'copy' && written === null ? { copyOf: '1' } : {}),
      }),
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
  toasts: (toast) => {
    const key = saved.find((each) => zh(each) === toastText(toast))
    return written === null || key === undefined
      ? null
      : { type: 'saved', row: written, next: goesOn, message: { key } }
  },
  host: createFormHost,
})

/** Every loaded form has the button that reads the record again. */
function withButton({ loadForm }: Spec<unknown>['outcomes']): never {
  const load = loadForm as (input: never) => unknown
  return ((input: never) =>
    answering<object>(load(input), (output) => ({ ...output, config }))) as never
}

function formatFormTitle({ mode, row }: View): string {
  const title = ({ view: 'viewTitle', add: 'addTitle', edit: 'editTitle' } as const)[mode]
  const name = row === null || mode === 'add' ? '' : String(row['name'] ?? '')
  return [zh(`form.${title}`, { name: formConfig.name }), ...(name === '' ? [] : [name])].join(
    ' · ',
  )
}

function listFormChoices(view: View) {
  const { faculty, major } = view.c.values
  const none = isViewing(view) ? '' : zh('common.select')
  return [nameOfChoice(faculty) || none, nameOfChoice(major) || none]
}

function nameOfChoice(chosen: WireValue | undefined): string {
  return Array.isArray(chosen)
    ? (chosen as readonly DictItem[]).map((item) => item.name || item.id).join()
    : ''
}

/** The console itself shows problems of the session. */
function listFormProblems(view: View) {
  const { problem, step, c } = view
  const isOwn = step === 'failed' || (isShown(view) && problem?.kind !== 'session')
  const faults = areFieldsOpen(view) ? Object.values(c.faults) : []
  return [isOwn && sentence(problem?.message), ...faults.map(({ message }) => sentence(message))]
}

/** Fields that another user changed meanwhile: the chosen side, then both values. */
function listFormConflicts({ c: { values, stale: theirs } }: View) {
  return Object.entries(theirs?.choices ?? {}).map(
    ([name, side]) =>
      `${name}:${side}(${String(values[name] ?? '')}|${String(theirs?.theirs[name] ?? '') || '—'})`,
  )
}

/** One line of the table of conflicts, written as `listFormConflicts` does. */
function conflictIn(row: HTMLElement): string {
  const [mine] = findAll<HTMLInputElement>('input', row)
  const values = findAll('td', row).map(readText)
  return `${labelIn(row)}:${mine?.checked === true ? 'mine' : 'theirs'}(${values.join('|')})`
}

/** A choice that is made already is not made again, which would take it back. */
function choose(attrName: string, name: string) {
  const picker = free.select(attrName).where((each) => textOfElement(each) !== name)
  return inTurn(picker.press, page.role('option', name).press)
}

const saved = ['form.added', 'form.modified'] as const
/** The row that the page saved last. */
let written: Row | null = null
let goesOn = false

function createFormHost(effects: EffectLog): Host {
  let last = ''
  let stop = () => {}
  written = null
  goesOn = false
  return {
    show: (start) => {
      const unwatch = watchPins((pins) => effects.add({ type: 'pinned', pins }))
      const unfocus = watchFocus((attrName) => {
        // A dialog that closes gives the keyboard back: that says nothing of the field.
        if (!last.endsWith('.cancel')) effects.add({ type: 'invalid', attrName })
      })
      stop = () => {
        unwatch()
        unfocus()
      }
      const id = isNew(start) ? null : '1'
      return (
        <FormWindow
          form={{
            id,
            viewOnly: start === 'view',
            ...(start === 'copy' ? { copyOf: '1' } : { defaults: { faculty: '1' } }),
          }}
          onSaved={(row, next) => {
            written = row
            goesOn = next
          }}
          onLeft={() => effects.add({ type: 'left' })}
        />
      )
    },
    stop: () => stop(),
    background: ({ path }) =>
      wrapData(path.endsWith('/dicts/page') ? { records: found, total: 1 } : []),
    reply: (port, { output }, { path }) => {
      if (path.endsWith('/generateId')) return wrapData('7')
      const { config: loaded, row, copied } = output as Partial<Record<string, unknown>>
      return wrapData(
        port === 'saveRow' ? output : path.endsWith('/config') ? loaded : (row ?? copied),
      )
    },
    before: ({ event }) => {
      last = event.type
    },
  }
}

interface WindowProps {
  readonly form: OpenForm
  readonly onSaved: (row: Row, next: boolean) => void
  readonly onLeft: () => void
}

/** As the list does it: the form is in its window until it was saved or left. */
function FormWindow({ form: opened, onSaved, onLeft }: WindowProps) {
  const [open, setOpen] = useState<OpenForm | null>(opened)
  return (
    <FormOverlay
      config={config}
      form={open}
      onEdit={null}
      onNext={(row) => onSaved(row, true)}
      onSaved={(row) => {
        setOpen(null)
        onSaved(row, false)
      }}
      onClose={() => {
        setOpen(null)
        onLeft()
      }}
    />
  )
}

function isNew(start: string): boolean {
  return start === 'add' || start === 'copy'
}

/** The pins that the form keeps in the browser, whose storage is empty at the start of each path. */
function watchPins(onPins: (pins: unknown) => void): () => void {
  const browser = globalThis.localStorage
  const kept = new Map<string, string>()
  const tell = (key: string, pins: unknown) => {
    if (key.startsWith('JIAOWU_PINS')) onPins(pins)
  }
  const storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = {
    getItem: (key) => kept.get(key) ?? browser.getItem(key),
    setItem: (key, value) => {
      tell(key, JSON.parse(value))
      kept.set(key, value)
    },
    removeItem: (key) => {
      tell(key, {})
      kept.delete(key)
    },
  }
  const setStorage = (value: object) =>
    Object.defineProperty(globalThis, 'localStorage', { value, configurable: true })
  setStorage(storage)
  return () => setStorage(browser)
}

/** Which field the form put the keyboard in: that is how it says where a fault is. */
function watchFocus(onFault: (attrName: string) => void): () => void {
  const { focus } = HTMLElement.prototype
  HTMLElement.prototype.focus = function focusAndReport(this: HTMLElement, ...args) {
    if (args.length === 0 && this.getAttribute('aria-invalid') === 'true')
      onFault(readAccessibleName(this).replace('*', ''))
    focus.apply(this, args)
  }
  return () => {
    HTMLElement.prototype.focus = focus
  }
}

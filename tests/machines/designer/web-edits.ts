import type { DesignerEdit } from '@jiaowu/machines'
import {
  button,
  bySelector,
  byRole,
  dialog,
  having,
  nth,
  region,
  type Target,
} from '../../surfaces/web/dom/by-role.ts'
import { all, Absent, enter, leave, press } from '../../surfaces/web/dom/dom.ts'
import { need } from '../../surfaces/web/dom/gestures.ts'
import { inAnyLanguage, zh } from '../../surfaces/web/dom/sentences.ts'

export const fieldsPanel = region(zh('designer.fields'))
export const entityButton = button(zh('designer.entity'), fieldsPanel)
export const fieldButton = (id: string): Target => bySelector(`[data-field="${id}"]`)
const rows = bySelector('[data-row]', fieldsPanel)
const rowOf = (id: string): Target =>
  having(rows, (each) =>
    fieldButton(id)
      .all()
      .some((own) => each.contains(own)),
  )
const groupButton = button(zh('designer.fields.group'), fieldsPanel)
const segments = bySelector('[data-path="options.serialNumConfig"]')
const customField = dialog(zh('designer.custom.title'))
const revisions = dialog(zh('designer.revisions'))
const rowHeight = 40

/** Makes an edit; a function that it returns is run next. */
export function edit(change: DesignerEdit): unknown {
  return (edits[change.type] as (edit: DesignerEdit) => unknown)(change)
}

const edits: {
  readonly [T in DesignerEdit['type']]: (edit: Extract<DesignerEdit, { type: T }>) => unknown
} = {
  'column.add': ({ columnName, at }) => {
    const column = need(bySelector(`[data-column="${columnName}"]`))
    if (at === undefined) {
      press(column)
      return undefined
    }
    return drag(column, at)
  },
  'group.add': ({ at }) => (at === undefined ? push(groupButton) : drag(need(groupButton), at)),
  'custom.add': custom,
  'field.move': ({ id, to }) => {
    const at = rows.all().indexOf(need(rowOf(id)))
    return drag(need(bySelector('span[aria-hidden]', rowOf(id))), to > at ? to + 1 : to)
  },
  'field.remove': ({ id }) => push(button(inAnyLanguage('designer.fields.remove'), rowOf(id))),
  'field.set': ({ id, patch }) =>
    within(id, () => commit(control('uiLabel', 'input'), patch.uiLabel ?? '')),
  'field.toggle': ({ id, flag }) =>
    fieldsPanel.all().length === 0
      ? press(control(flag, 'input'))
      : within(id, () => press(control(flag, 'input'))),
  'entity.set': ({ patch }) =>
    within(null, () => commit(control('name', 'input'), patch.name ?? '')),
  'option.set': ({ patch }) =>
    within(null, () => {
      if (patch.singleSelect === undefined)
        enter(
          control<HTMLSelectElement>('options.serialNumType', 'select'),
          String(patch.serialNumType),
        )
      else press(control('options.singleSelect', 'input'))
    }),
  'serial.add': ({ segment }) =>
    within(null, () => push(nth(button(/^\+ /, segments), segment - 1))),
  'serial.set': () => {
    throw new Absent('a segment keeps its kind')
  },
  'serial.remove': ({ index }) =>
    within(null, () => push(nth(button(zh('designer.remove'), segments), index))),
  'button.add': () => within(null, () => push(button(zh('designer.button.add')))),
  'button.set': ({ patch }) =>
    within(null, () => {
      const head = need(bySelector('[data-button]'))
      if (head.getAttribute('aria-expanded') === 'false') press(head)
      return () => {
        const input = need(bySelector<HTMLInputElement>('[data-path$=".name"] input'))
        enter(input, patch.name ?? '')
        leave(input)
      }
    }),
  'button.move': ({ index, to }) =>
    within(null, () => {
      const head = need(nth(bySelector('[data-button]'), index))
      head.dispatchEvent(
        new KeyboardEvent('keydown', {
          key: to > index ? 'ArrowDown' : 'ArrowUp',
          altKey: true,
          bubbles: true,
          cancelable: true,
        }),
      )
    }),
  'button.remove': () => within(null, () => push(button(inAnyLanguage('designer.button.remove')))),
  'draft.replace': () => {
    push(button(zh('designer.revisions'), byRole('toolbar', zh('designer.tools'))))
    return () => {
      push(button(undefined, byRole('listitem', undefined, revisions)))
      return () => push(button(zh('designer.revisions.take'), revisions))
    }
  },
}
function custom({ field }: Extract<DesignerEdit, { type: 'custom.add' }>) {
  push(button(zh('designer.fields.custom'), fieldsPanel))
  return () => {
    const input = (name: string) =>
      need(bySelector<HTMLInputElement>(`input[id$="-${name}"]`, customField))
    for (const name of ['uiLabel', 'attrName', 'columnType'] as const)
      enter(input(name), field[name])
    return () => {
      push(button(zh('common.ok'), customField))
      return () => {
        const [cancel] = button(zh('common.cancel'), customField).all()
        if (cancel !== undefined) press(cancel)
      }
    }
  }
}

function control<E extends HTMLElement>(path: string, selector: string): E {
  return need(bySelector<E>(`[data-path="${path}"] ${selector}`))
}

function push(target: Target) {
  press(need(target))
}

function commit(element: HTMLInputElement | HTMLSelectElement, value: string) {
  enter(element, value)
  return () => leave(element)
}

/** Selects the subject of an edit, makes the edit, and restores the selection. */
function within(id: string | null, work: () => unknown) {
  const before = all('[data-field][aria-pressed="true"]')[0]?.dataset.field ?? null
  const select = (which: string | null) => push(which === null ? entityButton : fieldButton(which))
  const back = () => {
    if (before !== id && (before === null || fieldButton(before).all().length > 0)) select(before)
  }
  const go = () => {
    const next = work()
    return typeof next === 'function'
      ? () => {
          ;(next as () => unknown)()
          return back
        }
      : back
  }
  if (before === id) {
    const next = work()
    return next
  }
  select(id)
  return go
}

function pointer(target: EventTarget, type: string, y: number) {
  target.dispatchEvent(
    new PointerEvent(type, {
      bubbles: true,
      cancelable: true,
      button: 0,
      clientX: 1,
      clientY: y,
      pointerType: 'mouse',
    }),
  )
}

/** Drags by the grip to a gap between rows. */
function drag(grip: HTMLElement, gap: number) {
  pointer(grip, 'pointerdown', 1000)
  return () => {
    pointer(window, 'pointermove', gap * rowHeight + 1)
    return () => pointer(window, 'pointerup', gap * rowHeight + 1)
  }
}

/** Gives rows a height, as in a window, so that a drop falls between them. */
export function layRows(): () => void {
  const { getBoundingClientRect } = Element.prototype
  Element.prototype.getBoundingClientRect = function rect(this: Element) {
    const at = this.matches('[data-row]') ? all('[data-row]').indexOf(this as HTMLElement) : -1
    return at >= 0
      ? new DOMRect(0, at * rowHeight, 300, rowHeight)
      : this.matches('ul')
        ? new DOMRect(0, 0, 300, 2000)
        : getBoundingClientRect.call(this)
  }
  return () => {
    Element.prototype.getBoundingClientRect = getBoundingClientRect
  }
}

import type { DesignerEdit } from '@jiaowu/machines'
import {
  all,
  Absent,
  click,
  enter,
  find,
  leave,
  need,
  press,
  textOf,
} from '../../surfaces/web/dom.ts'

const bar = '.jw-design__bar button'
export const entityButton = '.jw-dfields > header button'
export const row = (id: string): HTMLElement => need(`[data-field="${id}"]`)
const rowHeight = 40
export const edits: {
  readonly [T in DesignerEdit['type']]: (edit: Extract<DesignerEdit, { type: T }>) => unknown
} = {
  'column.add': ({ columnName, at }) => {
    const column = need(`[data-column="${columnName}"]`)
    if (at === undefined) {
      press(column)
      return undefined
    }
    return drag(column, at)
  },
  'group.add': ({ at }) =>
    at === undefined ? click('.jw-dfields__group') : drag(need('.jw-dfields__group'), at),
  'custom.add': custom,
  'field.move': ({ id, to }) => {
    const rows = all('[data-row]')
    const at = rows.findIndex((each) => each.contains(row(id)))
    return drag(need('.jw-dfield__grip', undefined, rows[at] ?? document), to > at ? to + 1 : to)
  },
  'field.remove': ({ id }) =>
    click('.jw-dfield__remove', undefined, row(id).parentElement ?? document),
  'field.set': ({ id, patch }) =>
    within(id, () => commit(control('uiLabel', 'input'), patch.uiLabel ?? '')),
  'field.toggle': ({ id, flag }) =>
    find('.jw-dfields') === undefined
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
    within(null, () =>
      press(
        all('[data-path="options.serialNumConfig"] .bp6-button-group button')[segment - 1] ??
          need('absent'),
      ),
    ),
  'serial.set': () => {
    throw new Absent('a segment keeps its kind')
  },
  'serial.remove': ({ index }) =>
    within(null, () => press(all('.jw-cfg__item.is-segment .bp6-button')[index] ?? need('absent'))),
  'button.add': () =>
    within(null, () =>
      press(
        all('.jw-cfg__list > button').find((each) => textOf(each) === '添加按钮') ?? need('absent'),
      ),
    ),
  'button.set': ({ patch }) =>
    within(null, () => {
      const head = need('[data-button]')
      if (head.getAttribute('aria-expanded') === 'false') press(head)
      return () => {
        const input = need<HTMLInputElement>('.jw-cfg__button [data-path$=".name"] input')
        enter(input, patch.name ?? '')
        leave(input)
      }
    }),
  'button.move': ({ index, to }) =>
    within(null, () => {
      const head = all('[data-button]')[index] ?? need('absent')
      head.dispatchEvent(
        new KeyboardEvent('keydown', {
          key: to > index ? 'ArrowDown' : 'ArrowUp',
          altKey: true,
          bubbles: true,
          cancelable: true,
        }),
      )
    }),
  'button.remove': () => within(null, () => click('.jw-cfg__head .bp6-button')),
  'draft.replace': () => {
    press(labelled('历史版本'))
    return () => {
      click('.jw-revisions li button')
      return () => click('.jw-revisions__take button')
    }
  },
}
function custom({ field }: Extract<DesignerEdit, { type: 'custom.add' }>) {
  press(all('.jw-dfields button').find((each) => textOf(each) === '自定义字段') ?? need('absent'))
  return () => {
    const input = (name: string) => need<HTMLInputElement>(`.jw-custom-field input[id$="-${name}"]`)
    for (const name of ['uiLabel', 'attrName', 'columnType'] as const)
      enter(input(name), field[name])
    return () => {
      click('.jw-custom-field button[type=submit]')
      return () => {
        const cancel = find('.jw-custom-field .bp6-dialog-footer button', '取消')
        if (cancel !== undefined) press(cancel)
      }
    }
  }
}

function control<E extends HTMLElement>(path: string, selector: string): E {
  return need<E>(`[data-path="${path}"] ${selector}`)
}

function commit(element: HTMLInputElement | HTMLSelectElement, value: string) {
  enter(element, value)
  return () => leave(element)
}

/** Selects the subject of an edit, makes the edit, and restores the selection. */
function within(id: string | null, work: () => unknown) {
  const before = find('.jw-dfield__main[aria-pressed="true"]')?.dataset.field ?? null
  const select = (which: string | null) => {
    if (which !== null) press(row(which))
    else press(need(entityButton))
  }
  const back = () => {
    if (before !== id && (before === null || find(`[data-field="${before}"]`) !== undefined))
      select(before)
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
      : this.matches('.jw-dpanel__scroll')
        ? new DOMRect(0, 0, 300, 2000)
        : getBoundingClientRect.call(this)
  }
  return () => {
    Element.prototype.getBoundingClientRect = getBoundingClientRect
  }
}

/** A button of the designer's bar by its label or text. */
export function labelled(label: string): HTMLElement {
  return (
    all<HTMLElement>(bar).find(
      (each) => each.getAttribute('aria-label') === label || textOf(each) === label,
    ) ??
    ((): never => {
      throw new Absent(label)
    })()
  )
}

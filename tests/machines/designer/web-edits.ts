import type { DesignerEdit } from '@jiaowu/machines/designer/types'
import { inAnyLanguage, zh } from '../../surfaces/sentences.ts'
import { page, type Target } from '../../surfaces/web/dom/by-role.ts'
import { Absent, findAll, enter, leave, clickElement } from '../../surfaces/web/dom/dom.ts'

export const fieldsPanel = page.region(zh('designer.fields'))
export const entityButton = fieldsPanel.button(zh('designer.entity'))
export const fieldButton = (id: string): Target => page.css(`[data-field="${id}"]`)
const rows = fieldsPanel.css('[data-row]')
const findFieldRow = (id: string) =>
  rows.where((row) =>
    fieldButton(id)
      .all()
      .some((own) => row.contains(own)),
  )
const groupButton = fieldsPanel.button(zh('designer.fields.group'))
const segments = page.css('[data-path="options.serialNumConfig"]')
const buttonHeads = page.css('[data-button]')
export const flow = page.region(zh('designer.view.flow'))
const customField = page.dialog(zh('designer.custom.title'))
const revisions = page.dialog(zh('designer.revisions'))
const rowHeight = 40

/** Makes an edit; a function that it returns is run next. */
export function edit(change: DesignerEdit): unknown {
  return (edits[change.type] as (edit: DesignerEdit) => unknown)(change)
}

const edits: {
  readonly [T in DesignerEdit['type']]: (edit: Extract<DesignerEdit, { type: T }>) => unknown
} = {
  'column.add': ({ columnName, at }) => pushOrDrag(page.css(`[data-column="${columnName}"]`), at),
  'group.add': ({ at }) => pushOrDrag(groupButton, at),
  'custom.add': custom,
  'field.move': ({ id, to }) => {
    const at = rows.all().indexOf(findFieldRow(id).needed)
    return drag(findFieldRow(id).css('span[aria-hidden]').needed, to > at ? to + 1 : to)
  },
  'field.remove': ({ id }) =>
    push(findFieldRow(id).button(inAnyLanguage('designer.fields.remove'))),
  'field.set': ({ id, patch }) =>
    editWithin(id, () => commit(control('uiLabel', 'input'), patch.uiLabel ?? '')),
  'field.toggle': ({ id, flag }) =>
    fieldsPanel.isShown()
      ? editWithin(id, () => clickElement(control(flag, 'input')))
      : clickElement(control(flag, 'input')),
  'entity.set': ({ patch }) =>
    editWithin(null, () => commit(control('name', 'input'), patch.name ?? '')),
  'option.set': ({ patch }) =>
    editWithin(null, () =>
      patch.singleSelect === undefined
        ? enter(control('options.serialNumType', 'select'), String(patch.serialNumType))
        : clickElement(control('options.singleSelect', 'input')),
    ),
  'serial.add': ({ segment }) =>
    editWithin(null, () => push(segments.button(/^\+ /).nth(segment - 1))),
  'serial.set': () => {
    throw new Absent('a segment keeps its kind')
  },
  'serial.remove': ({ index }) =>
    editWithin(null, () => push(segments.button(zh('designer.remove')).nth(index))),
  'button.add': () => editWithin(null, () => push(page.button(zh('designer.button.add')))),
  'button.set': ({ patch }) =>
    editWithin(null, () => {
      const head = buttonHeads.needed
      if (head.getAttribute('aria-expanded') === 'false') clickElement(head)
      return () => {
        const input = page.css<HTMLInputElement>('[data-path$=".name"] input').needed
        enter(input, patch.name ?? '')
        leave(input)
      }
    }),
  'button.move': ({ index, to }) =>
    editWithin(null, () => {
      const key = to > index ? 'ArrowDown' : 'ArrowUp'
      const pressed = { key, altKey: true, bubbles: true, cancelable: true }
      buttonHeads.nth(index).needed.dispatchEvent(new KeyboardEvent('keydown', pressed))
    }),
  'button.remove': () =>
    editWithin(null, () => push(page.button(inAnyLanguage('designer.button.remove')))),
  'flow.edit': ({ change: { type } }) => {
    if (type === 'start') {
      enter(flow.css<HTMLSelectElement>('select').needed, 'title')
      return () => {
        commit(flow.field(zh('designer.flow.step', { n: 1 })).needed, 'OFFICE')()
        return () => push(flow.button(zh('designer.flow.create')))
      }
    }
    if (type === 'drop') {
      push(flow.button(zh('designer.flow.flow')))
      return () => push(flow.button(zh('designer.flow.drop')))
    }
    push(flow.css('[data-event="review1:REJECT:0"] button'))
    return () => push(flow.button(zh('designer.flow.event.remove')))
  },
  'draft.replace': () => {
    push(page.role('toolbar', zh('designer.tools')).button(zh('designer.revisions')))
    return () => {
      push(revisions.role('listitem').button())
      return () => push(revisions.button(zh('designer.revisions.take')))
    }
  },
}

function custom({ field }: Extract<DesignerEdit, { type: 'custom.add' }>) {
  push(fieldsPanel.button(zh('designer.fields.custom')))
  return () => {
    for (const name of ['uiLabel', 'attrName', 'columnType'] as const)
      enter(customField.css<HTMLInputElement>(`input[id$="-${name}"]`).needed, field[name])
    return () => {
      push(customField.button(zh('common.ok')))
      return () => {
        const cancel = customField.button(zh('common.cancel'))
        if (cancel.isShown()) push(cancel)
      }
    }
  }
}

function control(path: string, selector: 'input' | 'select'): HTMLInputElement {
  return page.css<HTMLInputElement>(`[data-path="${path}"] ${selector}`).needed
}

function push(target: Target) {
  clickElement(target.needed)
}

function pushOrDrag(target: Target, gap: number | undefined) {
  return gap === undefined ? push(target) : drag(target.needed, gap)
}

function commit(element: HTMLInputElement | HTMLSelectElement, value: string) {
  enter(element, value)
  return () => leave(element)
}

/** Selects the subject of an edit, makes the edit, and restores the selection. */
function editWithin(id: string | null, work: () => unknown) {
  const before = findAll('[data-field][aria-pressed="true"]')[0]?.dataset.field ?? null
  if (before === id) return work()
  const select = (which: string | null) => push(which === null ? entityButton : fieldButton(which))
  const back = () => {
    if (before === null || fieldButton(before).isShown()) select(before)
  }
  select(id)
  return () => {
    const next = work()
    if (typeof next !== 'function') return back
    return () => {
      ;(next as () => unknown)()
      return back
    }
  }
}

function pointer(target: EventTarget, type: string, clientY: number) {
  const at = { button: 0, clientX: 1, clientY, pointerType: 'mouse' }
  target.dispatchEvent(new PointerEvent(type, { ...at, bubbles: true, cancelable: true }))
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
    const at = this.matches('[data-row]') ? findAll('[data-row]').indexOf(this as HTMLElement) : -1
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

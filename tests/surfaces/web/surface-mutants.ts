import type { Notes } from '../mutation.ts'
import { hidesMark } from './dom/dom.ts'

/**
 * A mutant of a page. `apply` breaks what is rendered, again after every step; `stop` removes
 * listeners.
 */
export type Fault = () => { apply(): void; stop(): void }

/** Controls that a user can operate. */
const controls =
  'button,a[href],a[role],input,select,textarea,[role=tab],[role=option],[role=combobox]'
const events = ['click', 'input', 'change', 'submit', 'focusout', 'contextmenu', 'keydown'] as const
/** The part of an id that says something; those of React differ from one rendering to the next. */
const plainId = (id: string): string =>
  /^_r_\w*_$/.test(id) ? '' : id.replace(/^.*-(?=[a-z]+$)/, '')

/**
 * Breaks nothing, but records each control (to hide, to make deaf, to enable) and each text (to
 * alter).
 */
export function survey({ step, note }: Notes<Fault>): Fault {
  return () => ({
    apply: () => {
      step()
      for (const control of document.querySelectorAll(controls)) {
        const id = controlId(control)
        note('hidden', id, () => hideControl(id))
        note('deaf', id, () => deaf(id))
        if (control.matches(':disabled')) note('never disabled', id, () => alwaysOn(id))
      }
      for (const text of textsIn(document.body)) {
        const id = textId(text)
        if (id !== null) note('wrong text', id, () => alterPageText(id))
      }
    },
    stop: () => {},
  })
}

function controlId(control: Element): string {
  return `${findPlaceName(control)} ${control.tagName.toLowerCase()} ${readControlName(control)}`.trim()
}

/**
 * The place of an element: the nearest element with a class of the product, or the question around
 * it.
 */
function findPlaceName(element: Element): string {
  const place = element.closest(
    '.bp6-alert,.jw-stale,.jw-form__foot,.jw-form__bar,.jw-row-actions,[class^="jw-"],[class*=" jw-"]',
  )
  return place === null ? '' : place.matches('.bp6-alert') ? 'question' : findOwnClass(place)
}

function findOwnClass(element: Element): string {
  return [...element.classList].find((name) => name.startsWith('jw-')) ?? ''
}

function readControlName(control: Element): string {
  return (
    words(control.getAttribute('aria-label') ?? control.textContent) ||
    plainId(control.id) ||
    words(document.querySelector(`label[for="${control.id}"]`)?.textContent) ||
    control.getAttribute('type') ||
    ''
  )
}

function words(text: string | null | undefined): string {
  return (text ?? '').replaceAll(/\d+/g, '0').trim()
}

function hideControl(id: string): Fault {
  return () => ({
    apply: () => {
      document.documentElement.setAttribute(hidesMark, '')
      for (const control of document.querySelectorAll(controls))
        control.toggleAttribute('data-hidden-by-mutant', controlId(control) === id)
    },
    stop: () => document.documentElement.removeAttribute(hidesMark),
  })
}

function deaf(id: string): Fault {
  return () => {
    const swallow = (event: Event) => {
      const control = (event.target as Element | null)?.closest?.(controls)
      if (control !== null && control !== undefined && controlId(control) === id) {
        event.stopImmediatePropagation()
        event.preventDefault()
      }
    }
    for (const type of events) document.addEventListener(type, swallow, true)
    return {
      apply: () => {},
      stop: () => {
        for (const type of events) document.removeEventListener(type, swallow, true)
      },
    }
  }
}

function alwaysOn(id: string): Fault {
  return () => ({
    apply: () => {
      for (const control of document.querySelectorAll(
        `${controls
          .split(',')
          .map((each) => `${each}:disabled`)
          .join()}`,
      ))
        if (controlId(control) === id) {
          control.removeAttribute('disabled')
          control.removeAttribute('aria-disabled')
          control.classList.remove('bp6-disabled')
        }
    },
    stop: () => {},
  })
}

function textsIn(root: ParentNode): Text[] {
  const walker = document.createTreeWalker(root as Node, 4)
  const found: Text[] = []
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    if (words(node.textContent) !== '') found.push(node as Text)
  return found
}

/** Names a text by its place, the label of a control by the control. */
function textId(text: Text): string | null {
  const element = text.parentElement
  if (element === null || element.closest('style,script') !== null) return null
  const control = element.closest(controls)
  return control === null
    ? `${findPlaceName(element)} ${element.tagName.toLowerCase()} text`
    : `${controlId(control)} label`
}

function alterPageText(id: string): Fault {
  return () => {
    const done = new WeakMap<Text, string>()
    return {
      apply: () => {
        for (const text of textsIn(document.body))
          if (done.get(text) !== text.data && textId(text) === id) {
            text.data += ' ✗'
            done.set(text, text.data)
          }
      },
      stop: () => {},
    }
  }
}

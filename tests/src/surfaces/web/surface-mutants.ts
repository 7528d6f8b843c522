import type { Notes } from '../mutation.ts'

/** A screen broken on purpose. `apply` breaks what is drawn, again after every step; `stop` takes listeners away. */
export type Fault = () => { apply(): void; stop(): void }

/** What a finger can use. */
const controls =
  'button,a[href],a[role],input,select,textarea,[role=tab],[role=option],[role=combobox]'
const events = ['click', 'input', 'change', 'submit', 'focusout', 'contextmenu', 'keydown'] as const
const own = (element: Element): string =>
  [...element.classList].find((name) => name.startsWith('jw-')) ?? ''
/** Where it stands: the nearest part of ours, or the question it belongs to. */
const placeOf = (element: Element): string => {
  const place = element.closest(
    '.bp6-alert,.jw-stale,.jw-form__foot,.jw-form__bar,.jw-row-actions,[class^="jw-"],[class*=" jw-"]',
  )
  return place === null ? '' : place.matches('.bp6-alert') ? 'question' : own(place)
}
const words = (text: string | null | undefined): string =>
  (text ?? '').replaceAll(/\d+/g, '0').trim()
const plainId = (id: string): string => id.replace(/^.*-(?=[a-z]+$)/, '')
const nameOf = (control: Element): string =>
  words(control.getAttribute('aria-label') ?? control.textContent) ||
  plainId(control.id) ||
  control.getAttribute('type') ||
  ''
const controlId = (control: Element): string =>
  `${placeOf(control)} ${control.tagName.toLowerCase()} ${nameOf(control)}`.trim()
const textsIn = (root: ParentNode): Text[] => {
  const walker = document.createTreeWalker(root as Node, 4)
  const found: Text[] = []
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    if (words(node.textContent) !== '') found.push(node as Text)
  return found
}
/** A sentence by where it stands; the label of a control by its control. */
const textId = (text: Text): string | null => {
  const element = text.parentElement
  if (element === null || element.closest('style,script') !== null) return null
  const control = element.closest(controls)
  return control === null
    ? `${placeOf(element)} ${element.tagName.toLowerCase()} text`
    : `${controlId(control)} label`
}

const hidden =
  (id: string): Fault =>
  () => ({
    apply: () => {
      for (const control of document.querySelectorAll(controls))
        control.toggleAttribute('data-hidden-by-mutant', controlId(control) === id)
    },
    stop: () => {},
  })
const deaf =
  (id: string): Fault =>
  () => {
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
const altered =
  (id: string): Fault =>
  () => {
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
const alwaysOn =
  (id: string): Fault =>
  () => ({
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

/** Breaks nothing: notes each control, which may be hidden, deaf, or never disabled, and each text, which may be wrong. */
export const survey =
  ({ step, note }: Notes<Fault>): Fault =>
  () => ({
    apply: () => {
      step()
      for (const control of document.querySelectorAll(controls)) {
        const id = controlId(control)
        note('hidden', id, () => hidden(id))
        note('deaf', id, () => deaf(id))
        if (control.matches(':disabled')) note('never disabled', id, () => alwaysOn(id))
      }
      for (const text of textsIn(document.body)) {
        const id = textId(text)
        if (id !== null) note('wrong text', id, () => altered(id))
      }
    },
    stop: () => {},
  })

import { createRequire } from 'node:module'
import { setImmediate as immediate } from 'node:timers/promises'
import * as React from 'react'

/** What browsers have and the emulated one lacks; nothing of ours is replaced. */
export function fillGaps(): void {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  spareStacks()
  const never = () => {}
  Element.prototype.scrollTo = never
  Element.prototype.scrollIntoView = never
  URL.createObjectURL = () => 'blob:jiaowu'
  URL.revokeObjectURL = never
  // A download link would navigate, which the emulated browser cannot.
  HTMLAnchorElement.prototype.click = function click(this: HTMLAnchorElement) {
    if (!this.hasAttribute('download')) HTMLElement.prototype.click.call(this)
  }
  // Dialogs and toasts come and go without fading: the library's own switch for tests, reached where Blueprint finds it.
  const transitions = createRequire(createRequire(import.meta.url).resolve('@blueprintjs/core'))(
    'react-transition-group',
  ) as { readonly config: { disabled: boolean } }
  transitions.config.disabled = true
  // The next frame comes when everything else is done: the emulated one waits 16 ms for it.
  globalThis.requestAnimationFrame = (call) => {
    setImmediate(() => {
      call(0)
    })
    return 0
  }
  // A real browser (paths/chromium-entry.ts) has these.
  if (typeof process === 'undefined') return
  window.matchMedia = ((media: string) => ({
    matches: false,
    media,
    addEventListener: never,
    removeEventListener: never,
  })) as unknown as typeof window.matchMedia
  globalThis.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
}

/** React's development build takes a stack for every element it makes, up to a number a second: half the time of these tests. Here that number is always reached. */
function spareStacks(): void {
  const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } =
    React as unknown as Readonly<Record<string, object>>
  if (internals !== undefined)
    Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
      get: () => Infinity,
      set: () => {},
      configurable: true,
    })
}

/** Turns of the event loop after which promises are done and the screen is drawn: the longest chain is a reply through client, port, machine and React. */
const turns = 7
/** The app as it is built has no `act`: React's own scheduler draws, in turns of the event loop, and all is done when nothing has changed for a while. */
const isBuilt = process.env.NODE_ENV === 'production'
const stillTurns = 12

/** Does something and waits until the screen has come to rest. */
export async function rest<T>(work: () => T | Promise<T>): Promise<T> {
  if (isBuilt) return restBuilt(work)
  let done: { value: T } | null = null
  await React.act(async () => {
    done = { value: await work() }
    for (let turn = 0; turn < turns; turn += 1) await immediate()
  })
  return (done as unknown as { value: T }).value
}

async function restBuilt<T>(work: () => T | Promise<T>): Promise<T> {
  const watch = new MutationObserver(() => {})
  watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  const value = await work()
  for (let still = 0; still < stillTurns; still += 1) {
    await immediate()
    if (watch.takeRecords().length > 0) still = 0
  }
  watch.disconnect()
  return value
}

/** The gesture is not on the screen: right for a step the machine would not take either. */
export class Absent extends Error {}

/** On the root while a surface mutant hides something: only then is each element asked. */
export const hidesMark = 'data-mutant-hides'

/** What a surface mutant hides is not there. */
const isThere = (element: Element): boolean => element.closest('[data-hidden-by-mutant]') === null

export function all<E extends HTMLElement = HTMLElement>(
  selector: string,
  scope: ParentNode = document,
): E[] {
  const found = [...scope.querySelectorAll<E>(selector)]
  return document.documentElement.hasAttribute(hidesMark) ? found.filter(isThere) : found
}

export const textOf = (element: Element | undefined): string => element?.textContent?.trim() ?? ''

/** The first that is there, by its selector and its whole text. */
export function find<E extends HTMLElement = HTMLElement>(
  selector: string,
  text?: string,
  scope: ParentNode = document,
): E | undefined {
  return all<E>(selector, scope).find((each) => text === undefined || textOf(each) === text)
}

export function need<E extends HTMLElement = HTMLElement>(
  selector: string,
  text?: string,
  scope: ParentNode = document,
): E {
  const found = find<E>(selector, text, scope)
  if (found === undefined)
    throw new Absent(`${selector}${text === undefined ? '' : ` "${text}"`} is not there`)
  return found
}

/** Whether something can be used: it is there and not disabled. happy-dom does not inherit `:disabled` from a fieldset. */
export function usable(element: Element | undefined): boolean {
  return (
    element !== undefined &&
    !element.matches(':disabled,.bp6-disabled,[aria-disabled=true]') &&
    element.closest('[inert],fieldset[disabled]') === null
  )
}

export function offers(selector: string, text?: string, scope: ParentNode = document): boolean {
  return usable(find(selector, text, scope))
}

/** As a finger does it: something disabled does not react. */
export function press(element: HTMLElement): void {
  if (!usable(element))
    throw new Absent(`${textOf(element) || element.className} cannot be pressed`)
  element.click()
}

export function click(selector: string, text?: string, scope: ParentNode = document): void {
  return press(need(selector, text, scope))
}

/** As a person types or picks: React hears of a value only through the element's own setter. The same text again is still a gesture. */
export function enter(element: HTMLInputElement | HTMLSelectElement, value: string): void {
  if (!usable(element)) throw new Absent(`${element.id} cannot be changed`)
  const proto: object =
    element instanceof HTMLSelectElement ? HTMLSelectElement.prototype : HTMLInputElement.prototype
  ;(element as { _valueTracker?: { setValue(text: string): void } })._valueTracker?.setValue(
    `${value} `,
  )
  Object.getOwnPropertyDescriptor(proto, 'value')?.set?.call(element, value)
  element.dispatchEvent(
    new Event(element instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }),
  )
}

export function leave(element: HTMLElement): void {
  element.dispatchEvent(new FocusEvent('focusout', { bubbles: true }))
}

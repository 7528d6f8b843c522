import { createRequire } from 'node:module'
import { setImmediate as immediate } from 'node:timers/promises'
import * as React from 'react'

/**
 * Adds what happy-dom lacks; nothing of the product is replaced. The result takes back what outlives
 * the page: other test files of the worker use the same copies of React and its transitions.
 */
export function fillGaps(): () => void {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  spareStacks()
  const never = () => {}
  Element.prototype.scrollTo = never
  Element.prototype.scrollIntoView = never
  URL.createObjectURL = () => 'blob:jiaowu'
  URL.revokeObjectURL = never
  // happy-dom cannot navigate, which a download link would do.
  HTMLAnchorElement.prototype.click = function click(this: HTMLAnchorElement) {
    if (!this.hasAttribute('download')) HTMLElement.prototype.click.call(this)
  }
  // Turns off transitions of dialogs and toasts with the library's own switch, found in the copy
  // that Blueprint loads.
  const transitions = createRequire(createRequire(import.meta.url).resolve('@blueprintjs/core'))(
    'react-transition-group',
  ) as { readonly config: { disabled: boolean } }
  transitions.config.disabled = true
  // Runs the next frame when everything else is done; happy-dom would wait 16 ms.
  globalThis.requestAnimationFrame = (call) => {
    setImmediate(() => {
      call(0)
    })
    return 0
  }
  const takeBack = () => {
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
    transitions.config.disabled = false
  }
  // A real browser (paths/chromium/chromium-entry.ts) has these.
  if (typeof process === 'undefined') return takeBack
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
  return takeBack
}

/**
 * React's development build captures a stack for every element, up to a number per second, which
 * took half the time of these tests. Here that number is always exceeded.
 */
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

/**
 * Turns of the event loop after which promises are done and the screen is rendered; the longest
 * chain is a reply through client, port, machine and React.
 */
const turns = 7
/**
 * The production build has no `act`: React's scheduler renders in turns of the event loop, and the
 * screen has come to rest when nothing has changed for a while.
 */
const isBuilt = process.env.NODE_ENV === 'production'
const stillTurns = 12

/** Runs `work` and waits until the screen has come to rest. */
export async function runToRest<T>(work: () => T | Promise<T>): Promise<T> {
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
  const waitUntilStill = async () => {
    for (let still = 0; still < stillTurns; still += 1) {
      await immediate()
      if (watch.takeRecords().length > 0) still = 0
    }
  }
  await waitUntilStill()
  // A lazy part of the page arrives by an import, which is none of these turns: one after it ends after it.
  await import(/* @vite-ignore */ import.meta.url)
  await waitUntilStill()
  watch.disconnect()
  return value
}

/**
 * The screen does not offer the gesture: right for a step that the machine would not take either.
 */
export class Absent extends Error {}

/** Set on the root while a mutant hides something; only then each element is checked. */
export const hidesMark = 'data-mutant-hides'

/** Elements that a mutant hides count as absent. */
const isThere = (element: Element): boolean => element.closest('[data-hidden-by-mutant]') === null

export function findAll<E extends HTMLElement = HTMLElement>(
  selector: string,
  scope: ParentNode = document,
): E[] {
  const found = [...scope.querySelectorAll<E>(selector)]
  return document.documentElement.hasAttribute(hidesMark) ? found.filter(isThere) : found
}

export const readText = (element: Element | undefined): string => element?.textContent?.trim() ?? ''

/** The first match of a selector, and of its whole text where given. */
export function findElement<E extends HTMLElement = HTMLElement>(
  selector: string,
  text?: string,
  scope: ParentNode = document,
): E | undefined {
  return findAll<E>(selector, scope).find((each) => text === undefined || readText(each) === text)
}

/**
 * Whether a control is on the page and enabled. happy-dom does not inherit `:disabled` from a
 * fieldset.
 */
export function usable(element: Element | undefined): boolean {
  return (
    element !== undefined &&
    !element.matches(':disabled,.bp6-disabled,[aria-disabled=true]') &&
    element.closest('[inert],fieldset[disabled]') === null
  )
}

/** Clicks like a user: a disabled control does not react. */
export function clickElement(element: HTMLElement): void {
  if (!usable(element))
    throw new Absent(`${readText(element) || element.className} cannot be pressed`)
  element.click()
}

/**
 * Sets a value as typing does: React notices a change only through the element's own setter. The
 * same text again is still a gesture.
 */
export function enter(
  element: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement,
  value: string,
): void {
  if (!usable(element)) throw new Absent(`${element.id} cannot be changed`)
  const Kind = [HTMLSelectElement, HTMLTextAreaElement].find((each) => element instanceof each)
  const proto: object = (Kind ?? HTMLInputElement).prototype
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

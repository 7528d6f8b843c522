import { setImmediate as immediate } from 'node:timers/promises'
import { act } from 'react'

/** What browsers have and the emulated one lacks; nothing of ours is replaced. */
export const fillGaps = (): void => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  const never = () => {}
  window.matchMedia = ((media: string) => ({ matches: false, media, addEventListener: never, removeEventListener: never })) as unknown as typeof window.matchMedia
  globalThis.ResizeObserver = class { observe() {} unobserve() {} disconnect() {} }
  Element.prototype.scrollTo = never
  Element.prototype.scrollIntoView = never
  URL.createObjectURL = () => 'blob:jiaowu'
  URL.revokeObjectURL = never
  // A download link would navigate, which the emulated browser cannot.
  HTMLAnchorElement.prototype.click = never
}

/** Does something and waits until promises are done and the screen is drawn. */
export const rest = (work: () => unknown = () => {}): Promise<void> => act(async () => { await work(); for (let turn = 0; turn < 6; turn += 1) await immediate() })

/** The gesture is not on the screen: right for a step the machine would not take either. */
export class Absent extends Error {}

export const all = <E extends HTMLElement = HTMLElement>(selector: string): E[] => [...document.querySelectorAll<E>(selector)]
export const find = <E extends HTMLElement = HTMLElement>(selector: string, text?: string): E | undefined => all<E>(selector).find((each) => text === undefined || each.textContent?.trim() === text)
export const need = <E extends HTMLElement = HTMLElement>(selector: string, text?: string): E => {
  const found = find<E>(selector, text)
  if (found === undefined) throw new Absent(`${selector}${text === undefined ? '' : ` "${text}"`} is not there`)
  return found
}
export const click = (selector: string, text?: string): void => need(selector, text).click()

/** As a person types: React hears of a value only through the element's own setter. */
export const enter = (element: HTMLInputElement | HTMLSelectElement, value: string): void => {
  const proto: object = element instanceof HTMLSelectElement ? HTMLSelectElement.prototype : HTMLInputElement.prototype
  Object.getOwnPropertyDescriptor(proto, 'value')?.set?.call(element, value)
  element.dispatchEvent(new Event(element instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
}
export const leave = (element: HTMLElement): void => { element.dispatchEvent(new FocusEvent('focusout', { bubbles: true })) }
export const textOf = (selector: string): string => find(selector)?.textContent?.trim() ?? ''

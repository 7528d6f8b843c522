import type { Plain } from '../../samples.ts'
import { listed } from '../../sentences.ts'
import { textsOnPage } from './sentences.ts'

/** One row of a table: how a property follows from the machine's state, and where it is read on the page. */
export interface Reading<View, T extends Plain = Plain> {
  model(view: View): T
  screen(): T
}

/** What is read on the page. */
export interface Read<T extends Plain> {
  (): T
  /** The row of a table that says how it follows from the machine's state. */
  is<View>(model: (view: View) => T): Reading<View, T>
}

export function read<T extends Plain>(screen: () => T): Read<T> {
  return Object.assign(() => screen(), {
    is: <View>(model: (view: View) => T): Reading<View, T> => ({ model, screen }),
  })
}

/** The texts anywhere on the page that match a pattern. */
export function textsLike(pattern: RegExp): Read<string> {
  return read(() => listed(...textsOnPage().filter((each) => pattern.test(each))))
}

/** The text of an element, without the titles of icons. */
export function textOfElement(element: HTMLElement | undefined): string {
  const titles = [...(element?.querySelectorAll('svg title') ?? [])]
  return titles
    .reduce((left, { textContent }) => left.replace(textContent, ''), element?.textContent ?? '')
    .trim()
}

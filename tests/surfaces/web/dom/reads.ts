import type { Plain } from '../../samples.ts'
import { joinTexts, type Part } from '../../sentences.ts'
import { textsOnPage } from './sentences.ts'

/** One row of a table: how a property follows from the machine's state, and where it is read on the page. */
export interface Reading<View, T extends Plain = Plain> {
  model(view: View): T
  screen(): T
}

/**
 * The text or texts that follow from the machine's state; a list of texts as `joinTexts` joins
 * them.
 */
type Model<View, T> = (view: View) => T | (T extends string ? readonly Part[] : never)

/** The value that is read on the page. */
export interface Read<T extends Plain> {
  (): T
  /** The row of a table that says how it follows from the machine's state. */
  is<View>(model: Model<View, T>): Reading<View, T>
  /** The same of what is on the page only while this holds; else it is empty. */
  while<View>(holds: (view: View) => boolean, model: Model<View, T>): Reading<View, T>
}

export function createRead<T extends Plain>(screen: () => T): Read<T> {
  const rowOf = <View>(holds: (view: View) => boolean, model: Model<View, T>) => ({
    screen,
    model: (view: View): T => {
      const found = holds(view) ? model(view) : []
      return Array.isArray(found) ? (joinTexts(...(found as Part[])) as T) : (found as T)
    },
  })
  return Object.assign(() => screen(), {
    is: <View>(model: Model<View, T>) => rowOf<View>(() => true, model),
    while: rowOf,
  })
}

/** The texts anywhere on the page that match a pattern. */
export function textsLike(pattern: RegExp): Read<string> {
  return createRead(() => joinTexts(...textsOnPage().filter((each) => pattern.test(each))))
}

/** The text of an element, without the titles of icons. */
export function textOfElement(element: HTMLElement | undefined): string {
  const titles = [...(element?.querySelectorAll('svg title') ?? [])]
  return titles
    .reduce((left, { textContent }) => left.replace(textContent, ''), element?.textContent ?? '')
    .trim()
}

import { button, having, nameOf, type Target } from './by-role.ts'
import { textsOnPage } from './sentences.ts'

/** The text of the first element of a target; empty when there is none. */
export function text(target: Target): () => string {
  return () => textOfElement(target.all()[0])
}

/** The texts of all elements of a target, without empty ones. */
export function texts(target: Target, separator = ','): () => string {
  return () =>
    target
      .all()
      .map(textOfElement)
      .filter((each) => each !== '')
      .join(separator)
}

/** The accessible names of all elements of a target. */
export function names(target: Target): () => string {
  return () => target.all().map(nameOf).join()
}

/** The texts anywhere on the page that match a pattern. */
export function textsLike(pattern: RegExp): () => string {
  return () =>
    textsOnPage()
      .filter((each) => pattern.test(each))
      .join()
}

export function isShown(target: Target): () => boolean {
  return () => target.all().length > 0
}

/** The value of the first field of a target; empty when there is none. */
export function value(target: Target<HTMLInputElement> | Target<HTMLSelectElement>): () => string {
  return () => target.all()[0]?.value ?? ''
}

/** Buttons that wait for an answer. */
export const loadingButtons = having(
  button(),
  (each) => each.querySelector('[role=progressbar]') !== null,
)

/** The text of an element, without the titles of icons. */
export function textOfElement(element: HTMLElement | undefined): string {
  const titles = [...(element?.querySelectorAll('svg title') ?? [])]
  return titles
    .reduce((left, { textContent }) => left.replace(textContent, ''), element?.textContent ?? '')
    .trim()
}

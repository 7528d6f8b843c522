// The panel of an import that chooses sheets, heading and encoding.
import type { ImportReading } from '@jiaowu/api'
import { button, byRole, bySelector, nameOf, select } from '../../surfaces/web/dom/by-role.ts'
import { press as pressElement, textOf, usable } from '../../surfaces/web/dom/dom.ts'
import { custom, fill, type Gesture, press } from '../../surfaces/web/dom/gestures.ts'
import { zh } from '../../surfaces/web/dom/sentences.ts'

const headingAt = (row: number) =>
  byRole('radio', row === 0 ? zh('import.noHeading') : zh('import.headingRow', { row }))
const headings = byRole('radio', undefined, bySelector('.jw-tr__file-panel'))
const headingLabels = bySelector('.jw-tr__preview label, .jw-tr__ways label')
const sheetNames = bySelector('.jw-tr__sheets label')
const anySheet = bySelector<HTMLInputElement>('.jw-tr__sheets input')
const otherSheet = bySelector<HTMLInputElement>('.jw-tr__sheets input:not(:checked)')
const encodings = select(zh('import.encoding'))
const encodingNames = bySelector('.jw-tr__ways option')
const readAgain = button(zh('import.readAgain'))

/** Chooses in the panel, then reads again. The panel keeps a choice that the server refused. */
export function readAs({ heading = 0, sheets, encoding }: ImportReading): Gesture {
  const choosing =
    encoding !== undefined
      ? fill(encodings, encoding)
      : sheets !== undefined
        ? tickAll
        : press(headingAt(heading))
  return custom(
    (held) => {
      choosing.run(held)
      return () => press(readAgain).run(held)
    },
    () => (encoding === undefined || isOtherEncoding(encoding)) && choosing.isOffered?.() === true,
  )
}

export function readingShown(): string {
  // The button also waits for another choice than the present one, which the panel itself keeps.
  const mark = (each: Element) => (each.matches('input:disabled') ? '×' : '')
  const shown = (each: Element) => `${nameOf(each)}${mark(each)}`
  return [headings, headingLabels, sheetNames, encodingNames, readAgain]
    .map((part) => part.all().map(shown).join())
    .join(' ')
    .trim()
}

/** The one that was guessed is no other, unless the heading waits for a choice. */
function isOtherEncoding(name: string): boolean {
  const option = encodingNames.all().find((each) => each.getAttribute('value') === name)
  return !textOf(option).endsWith('（推测）') || !headings.all().some(usable)
}

const tickAll: Gesture = {
  run: () => {
    for (const each of otherSheet.all()) pressElement(each)
  },
  isOffered: () => anySheet.all().some(usable),
}

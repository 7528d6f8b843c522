// The panel of an import that chooses sheets, heading and encoding.
import type { ImportReading } from '@jiaowu/api/contract/job'
import { zh } from '../../surfaces/sentences.ts'
import { readAccessibleName, page, type Target } from '../../surfaces/web/dom/by-role.ts'
import { clickElement as pressElement, readText, usable } from '../../surfaces/web/dom/dom.ts'
import { custom, type Gesture } from '../../surfaces/web/dom/gestures.ts'
import { createRead } from '../../surfaces/web/dom/reads.ts'

const headings = page.css('.jw-tr__file-panel').choice()
const sheets = page.css('.jw-tr__sheets')
const sheetBoxes = sheets.css<HTMLInputElement>('input')
const encodings = page.select(zh('import.encoding'))
const encodingNames = page.css('.jw-tr__ways option')
const readAgain = page.button(zh('import.readAgain'))
const parts: readonly Target[] = [
  headings,
  page.css('.jw-tr__preview label, .jw-tr__ways label'),
  sheets.css('label'),
  encodingNames,
  readAgain,
]

/** Chooses in the panel, then reads again. The panel keeps a choice that the server refused. */
export function readAs({ heading = 0, sheets: names, encoding }: ImportReading): Gesture {
  const headingName =
    heading === 0 ? zh('import.noHeading') : zh('import.headingRow', { row: heading })
  const choosing =
    encoding !== undefined
      ? encodings.fill(encoding)
      : names !== undefined
        ? tickAll
        : page.choice(headingName).press
  return custom(
    (held) => {
      choosing.run(held)
      return () => readAgain.press.run(held)
    },
    () => (encoding === undefined || isOtherEncoding(encoding)) && choosing.isOffered?.() === true,
  )
}

// The button also waits for another choice than the present one, which the panel itself keeps.
export const readingShown = createRead(() =>
  parts
    .map((part) =>
      part.each((each) => readAccessibleName(each) + (each.matches('input:disabled') ? '×' : ''))(),
    )
    .join(' ')
    .trim(),
)

/** The one that was guessed is no other, unless the heading waits for a choice. */
function isOtherEncoding(name: string): boolean {
  const option = encodingNames.where((each) => each.getAttribute('value') === name)
  return !readText(option.first).endsWith('（推测）') || !headings.all().some(usable)
}

const tickAll: Gesture = custom(
  () => {
    for (const each of sheetBoxes.where(({ checked }) => !checked).all()) pressElement(each)
  },
  () => sheetBoxes.all().some(usable),
)

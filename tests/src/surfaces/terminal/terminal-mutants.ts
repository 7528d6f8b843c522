import type { Notes } from '../mutation.ts'

/** A screen of the terminal broken on purpose: what it draws, and which keys it does not hear. */
export interface TerminalFault {
  frame(drawn: string): string
  hears(key: string, drawn: string): boolean
}

/** A key that is offered, with the words beside it. */
const hint = /(^|\s)(enter|esc|tab|pgup|pgdn|space|[→←↑↓]|\^?[a-z\d](?:-\d)?) ([^\s│]+)(?=\s|$)/g
/** The foot of the screen, where keys are listed, two columns apart. */
export const isFoot = (line: string): boolean => {
  const left = line
    .replaceAll(/[│╭╮╰╯─]/g, ' ')
    .replaceAll(hint, ' ')
    .trim()
  return left === '' && line.search(hint) >= 0
}
const words = (text: string): string => text.replaceAll(/\d+/g, '0').trim()

interface Part {
  readonly start: number
  readonly end: number
  readonly text: string
}
/** The texts of a line: what two blanks, a frame or a mark keep apart. */
const textsOf = (line: string): Part[] =>
  [...line.matchAll(/(?:[^\s│╭╮╰╯─█░❯✗·]|(?<=\S) (?=[^\s│]))+/g)]
    .map((found) => ({
      start: found.index,
      end: found.index + found[0].length,
      text: words(found[0]),
    }))
    .filter(({ text }) => /\p{L}/u.test(text))

/** Where a person is: the first words of the screen. */
const placeOf = (drawn: string): string =>
  words(/[\p{L}][^\n│]*?(?= {2}|\n|│|$)/u.exec(drawn)?.[0] ?? '').slice(0, 16)

const perLine = (drawn: string, change: (line: string) => string): string =>
  drawn.split('\n').map(change).join('\n')
const hints = (drawn: string): { key: string; id: string }[] =>
  drawn
    .split('\n')
    .filter(isFoot)
    .flatMap((line) =>
      [...line.matchAll(hint)].map(([, , key = '', label = '']) => ({
        key,
        id: `${placeOf(drawn)} ${key} ${label}`,
      })),
    )

const hears = () => true
const hidden = (id: string): TerminalFault => ({
  hears,
  frame: (drawn) =>
    perLine(drawn, (line) =>
      isFoot(line)
        ? line.replaceAll(hint, (all, before: string, key: string, label: string) =>
            `${placeOf(drawn)} ${key} ${label}` === id
              ? before + ' '.repeat(all.length - before.length)
              : all,
          )
        : line,
    ),
})
const deaf = (id: string): TerminalFault => ({
  frame: (drawn) => drawn,
  hears: (pressed, drawn) =>
    !hints(drawn).some(({ key, id: each }) => key === pressed && each === id),
})
/** A key that is not listed: where the cursor goes, letters in a field. */
const deafTo = (id: string): TerminalFault => ({
  frame: (drawn) => drawn,
  hears: (pressed, drawn) => `${placeOf(drawn)} key ${pressed}` !== id,
})
const altered = (id: string): TerminalFault => ({
  hears,
  frame: (drawn) =>
    perLine(drawn, (line) =>
      isFoot(line)
        ? line
        : textsOf(line).reduceRight(
            (now, { end, text }) =>
              `${placeOf(drawn)} ${text}` === id ? `${now.slice(0, end)}※${now.slice(end)}` : now,
            line,
          ),
    ),
})

/** Breaks nothing: notes each key that may be hidden or deaf, and each text that may be wrong. */
export const survey = ({
  step,
  note,
}: Notes<TerminalFault>): TerminalFault & { look(drawn: string): void } => ({
  frame: (drawn) => drawn,
  hears: (pressed, drawn) => {
    if (!hints(drawn).some(({ key }) => key === pressed)) {
      const id = `${placeOf(drawn)} key ${pressed}`
      note('deaf', id, () => deafTo(id))
    }
    return true
  },
  look: (drawn) => {
    step()
    for (const { id } of hints(drawn)) {
      note('hidden', id, () => hidden(id))
      note('deaf', id, () => deaf(id))
    }
    for (const line of drawn.split('\n'))
      if (!isFoot(line))
        for (const { text } of textsOf(line)) {
          const id = `${placeOf(drawn)} ${text}`
          note('wrong text', id, () => altered(id))
        }
  },
})

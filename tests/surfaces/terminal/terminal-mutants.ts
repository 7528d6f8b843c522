import type { Notes } from '../mutation.ts'

/** A mutant of a terminal screen: what it draws, and which keys it ignores. */
export interface TerminalFault {
  frame(drawn: string): string
  hears(key: string, drawn: string): boolean
}

/** A listed key with its label. */
const hint = /(^|\s)(enter|esc|tab|pgup|pgdn|space|[→←↑↓]|\^?[a-z\d](?:-\d)?) ([^\s│]+)(?=\s|$)/g

/** The footer, where keys are listed, two columns apart. */
export function isFoot(line: string): boolean {
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

const hears = () => true

/** Breaks nothing, but records each key (to hide, to ignore) and each text (to alter). */
export function survey({
  step,
  note,
}: Notes<TerminalFault>): TerminalFault & { look(drawn: string): void } {
  return {
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
  }
}

function hints(drawn: string): { key: string; id: string }[] {
  return drawn
    .split('\n')
    .filter(isFoot)
    .flatMap((line) =>
      [...line.matchAll(hint)].map(([, , key = '', label = '']) => ({
        key,
        id: `${placeOf(drawn)} ${key} ${label}`,
      })),
    )
}

/** Names a screen by its first words. */
function placeOf(drawn: string): string {
  return words(/[\p{L}][^\n│]*?(?= {2}|\n|│|$)/u.exec(drawn)?.[0] ?? '').slice(0, 16)
}

/** Keys that are not listed: cursor keys, letters in a field. */
function deafTo(id: string): TerminalFault {
  return {
    frame: (drawn) => drawn,
    hears: (pressed, drawn) => `${placeOf(drawn)} key ${pressed}` !== id,
  }
}

function hidden(id: string): TerminalFault {
  return {
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
  }
}

function perLine(drawn: string, change: (line: string) => string): string {
  return drawn.split('\n').map(change).join('\n')
}

function deaf(id: string): TerminalFault {
  return {
    frame: (drawn) => drawn,
    hears: (pressed, drawn) =>
      !hints(drawn).some(({ key, id: each }) => key === pressed && each === id),
  }
}

/** The texts of a line, separated by two blanks, a border or a mark. */
function textsOf(line: string): Part[] {
  return [...line.matchAll(/(?:[^\s│╭╮╰╯─█░❯✗·]|(?<=\S) (?=[^\s│]))+/g)]
    .map((found) => ({
      start: found.index,
      end: found.index + found[0].length,
      text: words(found[0]),
    }))
    .filter(({ text }) => /\p{L}/u.test(text))
}

function altered(id: string): TerminalFault {
  return {
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
  }
}

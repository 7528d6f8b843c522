import type { Notes } from '../mutation.ts'

/** A mutant of a terminal screen: what it draws, and which keys it ignores. */
export interface TerminalFault {
  frame(drawn: string): string
  hears(key: string, drawn: string): boolean
}

const none: TerminalFault = { frame: (drawn) => drawn, hears: () => true }

/** A listed key with its label. */
const hint =
  /(^|\s)(enter|esc|tab|pgup|pgdn|space|[→←↑↓/?[\]A-Z]|\^?[a-z\d](?:-\d)?) ([^\s│]+)(?=\s|$)/g

/** The footer, where keys are listed, two columns apart. */
export function isFoot(line: string): boolean {
  const left = line
    .replaceAll(/[│╭╮╰╯─]/g, ' ')
    .replaceAll(hint, ' ')
    .trim()
  return left === '' && line.search(hint) >= 0
}

/** Breaks nothing, but records each key (to hide, to ignore) and each text (to alter). */
export function survey({
  step,
  note,
}: Notes<TerminalFault>): TerminalFault & { look(drawn: string): void } {
  return {
    ...none,
    hears: (pressed, drawn) => {
      if (!hints(drawn).some(({ key }) => key === pressed)) {
        const id = `${nameScreenPlace(drawn)} key ${pressed}`
        note('deaf', id, () => deafTo(id))
      }
      return true
    },
    look: (drawn) => {
      step()
      for (const { id } of hints(drawn)) {
        note('hidden', id, () => hideHint(id))
        note('deaf', id, () => deaf(id))
      }
      const place = nameScreenPlace(drawn)
      for (const { text } of drawn.split('\n').flatMap(listLineTexts)) {
        const id = `${place} ${text}`
        note('wrong text', id, () => alterTerminalText(id))
      }
    },
  }
}

function hints(drawn: string): { key: string; id: string }[] {
  const place = nameScreenPlace(drawn)
  return drawn
    .split('\n')
    .filter(isFoot)
    .flatMap((line) =>
      [...line.matchAll(hint)].map(([, , key = '', label = '']) => ({
        key,
        id: `${place} ${key} ${label}`,
      })),
    )
}

/** Names a screen by its first words. */
function nameScreenPlace(drawn: string): string {
  return words(/[\p{L}][^\n│]*?(?= {2}|\n|│|$)/u.exec(drawn)?.[0] ?? '').slice(0, 16)
}

function words(text: string): string {
  return text.replaceAll(/\d+/g, '0').trim()
}

interface Part {
  readonly end: number
  readonly text: string
}

/** The texts of a line above the footer, separated by two blanks, a border or a mark. */
function listLineTexts(line: string): Part[] {
  if (isFoot(line)) return []
  return [...line.matchAll(/(?:[^\s│╭╮╰╯─█░❯✗·]|(?<=\S) (?=[^\s│]))+/g)]
    .map((found) => ({ end: found.index + found[0].length, text: words(found[0]) }))
    .filter(({ text }) => /\p{L}/u.test(text))
}

/** A screen that ignores a listed key. */
function deaf(id: string): TerminalFault {
  const isIt = (pressed: string, drawn: string) =>
    hints(drawn).some((each) => each.key === pressed && each.id === id)
  return { ...none, hears: (pressed, drawn) => !isIt(pressed, drawn) }
}

/** One that ignores a key that is not listed: a cursor key, letters in a field. */
function deafTo(id: string): TerminalFault {
  return { ...none, hears: (pressed, drawn) => `${nameScreenPlace(drawn)} key ${pressed}` !== id }
}

function hideHint(id: string): TerminalFault {
  return redrawn((line, place) =>
    isFoot(line)
      ? line.replaceAll(hint, (all, before: string, key: string, label: string) =>
          `${place} ${key} ${label}` === id ? before.padEnd(all.length) : all,
        )
      : line,
  )
}

function alterTerminalText(id: string): TerminalFault {
  return redrawn((line, place) =>
    listLineTexts(line).reduceRight(
      (now, { end, text }) =>
        `${place} ${text}` === id ? `${now.slice(0, end)}※${now.slice(end)}` : now,
      line,
    ),
  )
}

/** A screen on which each line is changed. */
function redrawn(change: (line: string, place: string) => string): TerminalFault {
  return {
    ...none,
    frame: (drawn) => {
      const place = nameScreenPlace(drawn)
      return drawn
        .split('\n')
        .map((line) => change(line, place))
        .join('\n')
    },
  }
}

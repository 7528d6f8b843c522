/** The parts of a frame that can be read. */
export interface Frame {
  readonly lines: readonly string[]
  /** Whether it shows this text by itself: between borders, marks or wide gaps. */
  says(text: string): boolean
  /** The texts, without blanks, that a pattern matches. */
  matching(pattern: RegExp): readonly string[]
}

/** A sentence that is wider than the screen continues in the lines below. */
const longest = 4 // lines
let last: { readonly text: string; readonly frame: Frame } | null = null

/** Reads a frame; the last one is kept, since each property of a screen asks for it. */
export function parseFrame(text: string): Frame {
  if (last?.text !== text) last = { text, frame: readFrame(text) }
  return last.frame
}

function readFrame(text: string): Frame {
  const lines = text.split('\n')
  const parts = lines.flatMap(splitLine)
  const squeezedParts = parts.map(removeBlanks)
  const joined = (count: number) =>
    lines.map((_line, at) => removeBlanks(lines.slice(at, at + count).join('')))
  const wrapped = Array.from({ length: longest - 1 }, (_, more) => joined(more + 2)).flat()
  const whole = new Set([...joined(1), ...wrapped])
  return {
    lines,
    says: (wanted) => parts.includes(wanted) || whole.has(removeBlanks(wanted)),
    matching: (pattern) => {
      const found = squeezedParts.filter((part) => pattern.test(part))
      return found.length > 0 ? found : wrapped.filter((part) => pattern.test(part))
    },
  }
}

function splitLine(line: string): readonly string[] {
  return line.split(/ {2,}|[│╭╮╰╯─]+/).map((part) => part.replace(/^\s*[❯✗·]/, '').trim())
}

export function removeBlanks(text: string): string {
  return text.replaceAll(/\s+/g, '')
}

// The name of a row to users: one field, or a pattern of several such as `{firstName} {lastName}`.

/** A text between the names, or the attrName of a field. */
export type TitlePart = string | { readonly attrName: string }

const name = /\{([A-Za-z][A-Za-z0-9_]{0,62})\}/

/** The parts of a pattern in order. Braces around anything but a name are text. */
export function titleParts(pattern: string): readonly TitlePart[] {
  return pattern
    .split(name)
    .map((part, at) => (at % 2 === 1 ? { attrName: part } : part))
    .filter((part) => part !== '')
}

/** The attrNames that a pattern names. */
export function titleNames(pattern: string): readonly string[] {
  return titleParts(pattern).flatMap((part) => (typeof part === 'string' ? [] : [part.attrName]))
}

/** Text between two names that only keeps them apart: it goes with a name that has no text. */
const isSeparator = (text: string): boolean => /^[\s·•,;:/|、，；：—–-]*$/u.test(text)

/** The pattern filled, without separators beside empty fields; empty where none has a text. */
export function fillTitle(
  parts: readonly TitlePart[],
  textOf: (attrName: string) => string,
): string {
  let title = ''
  let between = ''
  let isFilled = false
  for (const part of parts) {
    if (typeof part === 'string') {
      between = isSeparator(part) && isSeparator(between) ? longer(between, part) : between + part
      continue
    }
    const text = textOf(part.attrName)
    if (text === '' && isSeparator(between)) continue
    const isLeading = title === '' && isSeparator(between)
    title += (isLeading ? '' : between) + text
    between = ''
    isFilled ||= text !== ''
  }
  return isFilled ? (isSeparator(between) ? title : title + between).trim() : ''
}

function longer(a: string, b: string): string {
  return b.trim().length >= a.trim().length ? b : a
}

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

/** The pattern filled; empty where none of its fields has a text. */
export function fillTitle(
  parts: readonly TitlePart[],
  textOf: (attrName: string) => string,
): string {
  const texts = parts.map((part) => (typeof part === 'string' ? part : textOf(part.attrName)))
  const isFilled = parts.some((part, at) => typeof part !== 'string' && texts[at] !== '')
  return isFilled ? texts.join('').trim() : ''
}

const people = new Intl.Collator('zh-u-kn', { sensitivity: 'base' })

/**
 * The order in which people look names up, as `sys.sort_key` of the database orders the rows of
 * lists: numbers within names by value, Chinese by Pinyin, Latin without case, accents and width.
 * Names that people take for one are ordered by their exact text.
 */
export function compareNames(a: string, b: string): number {
  return people.compare(a, b) || compareCodes(a, b)
}

/** The order of ids, tags and paths that nobody looks up: by code units, the same on every machine. */
export function compareCodes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

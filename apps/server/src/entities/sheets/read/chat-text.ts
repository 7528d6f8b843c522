// Lists of people as they are written in chats: one a line, with commas, enumeration commas or blanks between, often
// numbered, and without quotes.

const numbering = /^\s*\d{1,3}\s*[.、．）)：:]\s*(?=\p{Script=Han})/u
const ending = /[\s，,、；;。.]+$/u
const anySeparator = /\s*[，,、；;/]\s*|\s+/u
const separators = [/\s*[，,]\s*/u, /\s*、\s*/u, /\s*[；;]\s*/u, /\s*\/\s*/u, /\s+/u] as const
/** Lines that are looked at. */
const looked = 30
/** The share of the lines that have the same number of parts. */
const enough = 0.8

/** Splits a line into its parts. */
export type LineSplitter = (line: string) => string[]

/**
 * Null for a text that is separated as files are: tabs, bars, quotes, or one comma of Latin texts everywhere, so
 * that nothing of an ordinary file is read in another way.
 */
export function findChatSplitter(text: string): LineSplitter | null {
  const whole = text.length > 20_000 ? text.slice(0, text.lastIndexOf('\n', 20_000)) : text
  const lines = whole
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, looked)
  if (lines.length === 0 || /["\t|]/.test(whole)) return null
  const isMost = (fits: (line: string) => boolean) =>
    lines.filter(fits).length >= lines.length * enough
  if (!isMost((line) => /\p{Script=Han}/u.test(line))) return null
  const isNumbered = isMost((line) => numbering.test(line))
  // One separator of files in nearly all lines: an ordinary file, unless its lines are numbered.
  if (!isNumbered && [',', '，', ';'].some((mark) => isEven(lines, mark))) return null
  const clean = (line: string) => line.trim().replace(numbering, '').replace(ending, '')
  const separator = [...separators, anySeparator].find((each) =>
    isSeparator(lines.map(clean), each),
  )
  return separator === undefined ? null : (line) => clean(line).split(separator)
}

function isEven(lines: readonly string[], mark: string): boolean {
  const counts = lines.map((line) => line.split(mark).length)
  const { value, share } = mostCommon(counts)
  return value > 1 && share >= enough
}

/**
 * Two parts tell a list only where one of them is a number: a single column of names has blanks too.
 */
function isSeparator(lines: readonly string[], separator: RegExp): boolean {
  const split = lines.map((line) => line.split(separator))
  const { value, share } = mostCommon(split.map(({ length }) => length))
  const isList =
    value > 2 || split.filter((parts) => parts.some((part) => /^\d{4,}$/.test(part))).length > 0
  // Another separator between the parts is one that is missed.
  const isWhole =
    separator === anySeparator || !split.flat().some((part) => /[，,、；;]/.test(part))
  return value > 1 && share >= enough && isList && isWhole
}

function mostCommon(values: readonly number[]): { readonly value: number; readonly share: number } {
  const [first] = [...Map.groupBy(values, (value) => value)].toSorted(
    (a, b) => b[1].length - a[1].length,
  )
  return { value: first?.[0] ?? 0, share: (first?.[1].length ?? 0) / Math.max(1, values.length) }
}

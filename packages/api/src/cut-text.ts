const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Code points, as `varchar(n)` counts them, or the UTF-16 units in which spreadsheets count. */
type TextUnit = 'codePoint' | 'utf16'

/**
 * The beginning of a text for people, never ending within what a reader sees as one character: an emoji
 * of several code points, a letter with its accents, or a rare Chinese character beyond the basic plane.
 * @param most length of the result at most, in `unit`, so that it fits a column or cell of that length
 * @param mark put after a text that is cut, such as `…`; it is not counted
 */
export function cutText(
  text: string,
  most: number,
  { unit = 'codePoint', mark = '' }: { readonly unit?: TextUnit; readonly mark?: string } = {},
): string {
  if (text.length <= most) return text
  let room = most
  for (const { segment, index } of graphemes.segment(text)) {
    room -= unit === 'utf16' ? segment.length : [...segment].length
    if (room < 0) return text.slice(0, index) + mark
  }
  return text
}

/** The text with a name at the selection, apart from words beside it, and the place behind the name. */
export function withInserted(
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
  piece: string,
): { readonly text: string; readonly caret: number } {
  const [before, after] = [text.slice(0, from), text.slice(to)]
  const lead = /[^\s([!]$/.test(before) ? ' ' : ''
  const tail = /^[^\s)\]]/.test(after) ? ' ' : ''
  const start = `${before}${lead}${piece}`
  return { text: `${start}${tail}${after}`, caret: start.length }
}

/**
 * Length in the units of the forms: characters above code 128 count as 2
 * (docs/spec/1-entity-console.md §5). A character is a code point: 𠮷 counts as 张.
 */
export function weightedLength(text: string): number {
  let length = 0
  for (const character of text) length += character > '\u0080' ? 2 : 1
  return length
}

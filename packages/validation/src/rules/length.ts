/**
 * Length in the units of the forms: characters above code 128 count as 2
 * (docs/spec/1-entity-console.md §5).
 */
export function weightedLength(text: string): number {
  let length = 0
  for (let i = 0; i < text.length; i += 1) length += text.charCodeAt(i) > 128 ? 2 : 1
  return length
}

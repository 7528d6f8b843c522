/** A button whose expression throws is hidden, and the reason is left where its author will look (docs/spec/1-entity-console.md §4). */
export function logHidden(code: string) {
  return (error: unknown): void => console.warn(`button ${code} is hidden:`, error)
}

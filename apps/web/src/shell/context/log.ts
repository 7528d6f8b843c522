/** A button whose expression throws is hidden, and the reason is left where its author will look (console spec §4). */
export function logHidden(code: string) {
  return (error: unknown): void => console.warn(`button ${code} is hidden:`, error)
}

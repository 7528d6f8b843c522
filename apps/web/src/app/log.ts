/**
 * Logs to the browser console why a button is hidden: its visibility expression threw
 * (docs/spec/1-entity-console.md §4).
 */
export function logHidden(code: string) {
  return (error: unknown): void => console.warn(`button ${code} is hidden:`, error)
}

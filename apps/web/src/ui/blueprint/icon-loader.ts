/**
 * Stands in for Blueprint's loader of icons by name (vite-blueprint.ts). Icons are imported as components, so
 * that a page loads the drawings it shows.
 */
export class Icons {
  static getPaths(): undefined {
    return undefined
  }
  static isValidIconName(): boolean {
    return false
  }
  static load(icon: unknown): Promise<void> {
    return Promise.reject(new Error(`The icon ${String(icon)} must be imported as a component.`))
  }
}

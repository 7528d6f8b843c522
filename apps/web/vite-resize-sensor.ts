import { join } from 'node:path'
import type { Plugin } from 'vite'

const own = join(import.meta.dirname, 'src/features/grid/resize-sensor.ts')

/**
 * Blueprint's table detects its size with markup from a string, which the content security policy
 * with Trusted Types refuses. Answers that one module with ours.
 */
export function resizeSensor(): Plugin {
  return {
    name: 'resize-sensor',
    enforce: 'pre',
    resolveId: (source, importer) =>
      /(?:^|\/)resizeSensor(?:\.js)?$/.test(source) &&
      importer?.includes('@blueprintjs/table') === true
        ? own
        : null,
  }
}

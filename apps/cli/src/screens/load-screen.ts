import type { CommandLine } from '../command-line.ts'

/**
 * Loads the modules of a screen. First sets variables that they read when they load: Ink's colours
 * know only FORCE_COLOR, so NO_COLOR is translated; without NODE_ENV, React would load its slow
 * development build.
 */
export function loadScreen<T>({ env }: CommandLine, load: () => Promise<T>): Promise<T> {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') process.env.FORCE_COLOR = '0'
  process.env.NODE_ENV ??= 'production'
  return load()
}

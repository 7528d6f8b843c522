import type { CommandLine } from '../command-line.ts'

/**
 * Loads the modules of a screen. Ink's colours know FORCE_COLOR only, and read it once: NO_COLOR is said in its words before. React, unless
 * told otherwise, would be the slow one that watches over developers.
 */
export function loadScreen<T>({ env }: CommandLine, load: () => Promise<T>): Promise<T> {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') process.env.FORCE_COLOR = '0'
  process.env.NODE_ENV ??= 'production'
  return load()
}

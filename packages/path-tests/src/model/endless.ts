import { maxIterations } from './define-model.ts'

/**
 * Runs a step of the machine. Where xstate gives up because of `maxIterations`, the error names the
 * transitions that follow one another for ever.
 * @param listTaken the ids of the transitions taken so far
 */
export function nameLoop<T>(run: () => T, listTaken: () => readonly string[]): T {
  try {
    return run()
  } catch (error) {
    throw isEndless(error) ? new Error(formatLoop(listTaken()), { cause: error }) : error
  }
}

function isEndless(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Infinite loop detected')
}

function formatLoop(taken: readonly string[]): string {
  const last = taken.at(-1)
  const before = last === undefined ? -1 : taken.lastIndexOf(last, taken.length - 2)
  const loop = taken.slice(before + 1).slice(-20)
  return `more than ${maxIterations} microsteps without an end: ${loop.join(', then ')}, and so on`
}

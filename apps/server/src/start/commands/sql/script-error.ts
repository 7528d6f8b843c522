/** An error of a script. The message names the line of the file and what the database said. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError'
}

export function formatScriptError(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

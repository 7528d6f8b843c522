/** Something that a person should look at. `code` is stable. */
export interface Finding {
  readonly code:
    | 'crash'
    | 'unhandled-error'
    | 'not-deterministic'
    | 'changed-in-place'
    | 'state-limit'
    | 'merged-states'
    | 'unreached-transition'
    | 'impossible-timing'
    | 'unused-child'
    | 'hidden-data'
    | 'livelock'
    | 'children-pile-up'
  readonly message: string
  /** The state in which it was first found. */ readonly state: string
  /** Label of the step; null when it is no step. */ readonly event: string | null
  /** The steps to it, as a line for `parsePath`. */ readonly path: string
  /** Number of places with this cause. */ readonly times: number
}

/** One line per finding. */
export function describeFinding({ code, message, state, event, path, times }: Finding): string {
  const where = event === null ? state : `${event} in ${state}`
  return [
    `${code}: ${message}${where === '' ? '' : `, at ${where}`}${times > 1 ? ` (${times} places)` : ''}`,
    ...(path === '' ? [] : [`  after ${path}`]),
  ].join('\n')
}

/** Findings with the same code and message become one, which counts its places. */
export function groupFindings(found: readonly Finding[]): Finding[] {
  return [...Map.groupBy(found, ({ code, message }) => `${code} ${message}`).values()].map(
    (same) => ({ ...(same[0] as Finding), times: same.length }),
  )
}

export function formatErrorMessage(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.split('\n').slice(0, 3).join(' ')
}

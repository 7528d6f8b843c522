import * as v from 'valibot'

const longestWait = 3_600

export const runEnvironment = {
  LAME_DUCK: v.optional(secondCount('LAME_DUCK')),
  DRAIN: v.optional(secondCount('DRAIN'), '60'),
  ACCESS_LOG: v.optional(v.picklist(['0', '1'], 'ACCESS_LOG must be 0 or 1'), '1'),
}

export interface RunSettings {
  /** Seconds between a signal to stop and the closing of the port, in which everything is served on. */
  readonly lameDuck: number
  /** Seconds that requests in flight get from then on. */
  readonly drain: number
  /** Whether the log has a line for each call. */
  readonly accessLog: boolean
}

export function runSettings(read: {
  readonly APP_ENV: string
  readonly LAME_DUCK?: string | undefined
  readonly DRAIN: string
  readonly ACCESS_LOG: string
}): RunSettings {
  return {
    // A balancer that asks every few seconds has seen the 503 of /health/ready by then.
    lameDuck: Number(read.LAME_DUCK ?? (read.APP_ENV === 'production' ? 10 : 0)),
    drain: Number(read.DRAIN),
    accessLog: read.ACCESS_LOG === '1',
  }
}

function secondCount(name: string) {
  return v.pipe(
    v.string(),
    v.check(
      (text) => /^\d{1,4}$/.test(text) && Number(text) <= longestWait,
      `${name} must be a whole number of seconds from 0 to ${longestWait}`,
    ),
  )
}

// Limits of the server: how much one person, address or session may do; a part of readSettings. Those of a school are
// in school-settings.ts.
import * as v from 'valibot'

export const limitEnvironment = {
  SIGN_IN_AT_ONCE: limit('SIGN_IN_AT_ONCE', 1, 16, 2),
  SIGN_IN_QUEUE: limit('SIGN_IN_QUEUE', 0, 10_000, 1_000),
  LIMIT_CALLS: limit('LIMIT_CALLS', 5, 1_000, 50),
  LIMIT_ADDRESS_CALLS: limit('LIMIT_ADDRESS_CALLS', 5, 5_000, 30),
  LIMIT_TOKEN_CALLS: limit('LIMIT_TOKEN_CALLS', 1, 1_000, 10),
  LIMIT_EXPORTS: limit('LIMIT_EXPORTS', 1, 10_000, 200),
  LIMIT_IMPORTS: limit('LIMIT_IMPORTS', 1, 10_000, 300),
  CAMPUS_FACTOR: limit('CAMPUS_FACTOR', 1, 100, 10),
}

export interface LimitSettings {
  /** Hashes of passwords that are made at the same time, and those that may wait. */
  readonly signInAtOnce: number
  readonly signInQueue: number
  /** Calls a second of one session, of one address without a session, and of one token of the API. */
  readonly callsPerSecond: number
  readonly addressCallsPerSecond: number
  readonly tokenCallsPerSecond: number
  /** Exports that one person starts in an hour, and imports in a day. */
  readonly exportsPerHour: number
  readonly importsPerDay: number
  /** How many times the limits of an address hold for one of a campus. */
  readonly campusFactor: number
}

const schema = v.object(limitEnvironment)

export function limitSettings(read: v.InferOutput<typeof schema>): LimitSettings {
  return {
    signInAtOnce: Number(read.SIGN_IN_AT_ONCE),
    signInQueue: Number(read.SIGN_IN_QUEUE),
    callsPerSecond: Number(read.LIMIT_CALLS),
    addressCallsPerSecond: Number(read.LIMIT_ADDRESS_CALLS),
    tokenCallsPerSecond: Number(read.LIMIT_TOKEN_CALLS),
    exportsPerHour: Number(read.LIMIT_EXPORTS),
    importsPerDay: Number(read.LIMIT_IMPORTS),
    campusFactor: Number(read.CAMPUS_FACTOR),
  }
}

function limit(name: string, least: number, most: number, fallback: number) {
  return v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => /^\d{1,5}$/.test(text) && Number(text) >= least && Number(text) <= most,
        `${name} must be a whole number from ${least} to ${most}`,
      ),
    ),
    String(fallback),
  )
}

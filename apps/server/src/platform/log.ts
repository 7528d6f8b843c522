import { type Logger, pino, stdSerializers } from 'pino'
import type { Settings } from './settings/settings.ts'

// The database quotes the offending values in these properties; user input must not reach the log
// (docs/rules/security.md#d2).
const quotingProperties = new Set(['detail', 'where', 'internalQuery', 'hint'])

/** An error without the values of the row that caused it. */
export function serialiseError(error: Error): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(stdSerializers.err(error)).filter(([name]) => !quotingProperties.has(name)),
  )
}

/** JSON lines on stderr; stdout holds messages for the operator. */
export function createLog({ logLevel }: Pick<Settings, 'logLevel'>): Logger {
  return pino(
    {
      level: logLevel,
      base: null,
      serializers: { err: serialiseError },
      redact: ['req.headers.authorization', '*.password', '*.token'],
    },
    pino.destination(2),
  )
}

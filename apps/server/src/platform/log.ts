import { scrubPersonal } from '@jiaowu/api/pii'
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'
import { findTrace } from './requests/trace.ts'
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

/**
 * JSON lines on stderr; stdout holds messages for the operator. ID numbers and mobiles are masked in
 * every line, wherever they come from (docs/rules/security.md#d4).
 */
export function createLog(
  { logLevel }: Pick<Settings, 'logLevel'>,
  destination: DestinationStream = standardError(),
): Logger {
  return pino(
    {
      level: logLevel,
      base: null,
      serializers: { err: serialiseError },
      redact: ['req.headers.authorization', '*.password', '*.token'],
      hooks: { streamWrite: scrubPersonal },
      mixin: nameTrace,
    },
    destination,
  )
}

/**
 * stderr, where lines that cannot be written are lost: on a full disk, into a closed pipe. pino's own
 * destination ends the process with that error, and then waits at the exit until the disk has space
 * (the loop of `flushSync` in sonic-boom 4).
 */
export function standardError(): DestinationStream {
  if (!process.stderr.listeners('error').includes(ignore)) process.stderr.on('error', ignore)
  return process.stderr
}

/** Names the call in whose course a line is written. */
function nameTrace(): { traceId?: string } {
  const trace = findTrace()
  return trace === undefined ? {} : { traceId: trace.id }
}

function ignore(): void {}

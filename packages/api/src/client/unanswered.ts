// Keys of requests that were sent and not answered. The same request again is the same intent: it
// carries the same key, so that the server answers it from the first (docs/rules/contract.md#creates).
import { newKey } from './new-key.ts'
import { idempotencyHeader } from '../problem.ts'

/** Requests remembered at most, the latest ones. */
const most = 50
/** The server keeps a key for this long. */
const keptMs = 24 * 3_600_000

/** A request with its key. */
interface Sent {
  readonly headers: Readonly<Record<string, string>>
  /** The request has failed, and whether the server has carried it out is unknown. */
  readonly keep: () => void
}
export const notKeyed: Sent = { headers: {}, keep: () => {} }

interface Unanswered {
  /** Sends a request with the key that it had before without an answer, else with a new one. */
  open(request: string): Sent
}

export function createUnanswered(now: () => number): Unanswered {
  const keys = new Map<string, { readonly key: string; readonly until: number }>()
  const take = (request: string): string => {
    const known = keys.get(request)
    // Another request of the same kind while this one is under way is another intent.
    keys.delete(request)
    return known !== undefined && known.until > now() ? known.key : newKey()
  }
  return {
    open: (request) => {
      const key = take(request)
      return {
        headers: { [idempotencyHeader]: key },
        keep: () => {
          keys.set(request, { key, until: now() + keptMs })
          const [oldest] = keys.keys()
          if (keys.size > most && oldest !== undefined) keys.delete(oldest)
        },
      }
    },
  }
}

/**
 * Builds the key by which equal requests are known. A file counts by its name, type, size and time,
 * which a second choice keeps.
 */
export function buildRequestKey(
  path: string,
  query: Readonly<Record<string, unknown>> | undefined,
  body: Readonly<Record<string, unknown>> | undefined,
): string {
  return JSON.stringify([path, query ?? null, body ?? null], (_name, value: unknown) =>
    value instanceof Blob ? describeFile(value) : value,
  )
}

function describeFile(file: Blob): readonly unknown[] {
  return file instanceof File
    ? [file.name, file.type, file.size, file.lastModified]
    : [file.type, file.size]
}

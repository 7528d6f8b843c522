// Requests with an Idempotency-Key: the same key and body get the same answer
// (docs/rules/contract.md#creates).
import { createHash } from 'node:crypto'
import { idempotencyHeader } from '@jiaowu/api/problem'
import type { Context } from '../model/context.ts'
import { runOnce } from '../platform/idempotency.ts'
import { Invalid } from '../platform/refusal.ts'
import { succeed } from './envelope.ts'
import type { Route } from './routes.ts'

/** The parsed input of a call. */
export interface CallInput {
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
  readonly body: unknown
}

/**
 * By `group.call`: answers from the id of what a crashed request has written. Calls without a row here answer
 * 409/40901.
 */
export type Recoveries = Readonly<
  Record<string, (context: Context, input: CallInput, ref: string) => Promise<unknown>>
>

/** Runs the handler, once per key where the call takes keys and the request has one. */
export async function answerOnce(
  route: Route,
  context: Context,
  input: CallInput,
  recoveries: Recoveries,
  run: () => Promise<Response>,
): Promise<Response> {
  const { request, subject, traceId } = context
  const key = request.headers.get(idempotencyHeader)
  if (key === null || !route.endpoint.keyed) return await run()
  if (!/^[\u0021-\u007e]{1,200}$/.test(key))
    throw new Invalid([{ path: idempotencyHeader, rule: 'value', message: { key: 'rule.value' } }])
  const recovery = recoveries[route.name]
  let first: Response | undefined
  const { answer, isReplay } = await runOnce(
    context,
    {
      tenant: subject.tenant,
      person: `${subject.kind}:${subject.userId}`,
      route: `${request.method} ${new URL(request.url).pathname}`,
      key,
      body: await canonical({ query: input.query, body: input.body }),
    },
    async () => {
      first = await run()
      return await first.clone().text()
    },
    (ref) =>
      recovery === undefined
        ? null
        : recovery(context, input, ref).then(
            async (data) => await succeed(data, traceId, route.endpoint.flat).text(),
          ),
  )
  if (first !== undefined) return first
  const replay = succeed(null, traceId)
  return new Response(answer, {
    status: replay.status,
    headers: {
      ...Object.fromEntries(replay.headers),
      'content-length': String(Buffer.byteLength(answer)),
      'idempotency-replayed': String(isReplay),
    },
  })
}

/** JSON with sorted keys; files by their content. */
async function canonical(value: unknown): Promise<string> {
  if (value instanceof Blob) {
    const sha256 = createHash('sha256')
      .update(new Uint8Array(await value.arrayBuffer()))
      .digest('hex')
    return JSON.stringify([value instanceof File ? value.name : '', value.type, sha256])
  }
  if (Array.isArray(value)) return `[${(await Promise.all(value.map(canonical))).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const pairs = await Promise.all(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(async ([name, inner]) => `${JSON.stringify(name)}:${await canonical(inner)}`),
  )
  return `{${pairs.join(',')}}`
}

import type { Services } from '../model/context.ts'
import type { Caller } from '../platform/requests/caller.ts'
import type { Trace } from '../platform/requests/trace.ts'
import type { Sent } from './listener.ts'

interface Answered {
  readonly trace: Trace
  readonly caller: Caller
  readonly method: string
  /** As declared, never as asked: paths hold ids, and ids are numbers of persons. */
  readonly route: string
  readonly response: Response
  /** `performance.now()` when the request arrived. */
  readonly started: number
  readonly sent?: Promise<Sent> | undefined
}

/** Routes that are asked every few seconds, or in dozens by one page: shown at `debug` while they answer well. */
const frequent: ReadonlySet<string> = new Set([
  '/health/live',
  '/health/ready',
  '/metrics',
  '/assets/',
])

/**
 * One line a call, when its answer has left. It holds no account, address, path or query, so that no personal data
 * is in it; the audit log, which is kept apart, has them under the same `traceId` (docs/operations/watching.md).
 */
export function createAccessLog({
  log,
  settings: { accessLog },
}: Pick<Services, 'log' | 'settings'>): (answered: Answered) => void {
  return (answered) => {
    const { route, response, sent } = answered
    const isQuiet = !accessLog || (frequent.has(route) && response.status < 400)
    const write = ({ bytes, isWhole }: Sent) => {
      log[isQuiet ? 'debug' : 'info'](buildLine(answered, bytes, isWhole), 'call')
    }
    if (sent === undefined) write({ bytes: announcedBytes(response), isWhole: true })
    else void sent.then(write)
  }
}

function buildLine(
  { trace, caller: { school, why }, method, route, response, started }: Answered,
  bytes: number,
  isWhole: boolean,
) {
  return {
    traceId: trace.id,
    ...(trace.parent !== undefined && { trace: trace.parent.trace }),
    method,
    route,
    status: response.status,
    ms: Math.round(performance.now() - started),
    bytes,
    ...(school !== undefined && { school }),
    ...(why !== undefined && { why }),
    ...(isWhole ? {} : { left: true }),
  }
}

function announcedBytes({ headers }: Response): number {
  return Number(headers.get('content-length') ?? 0)
}

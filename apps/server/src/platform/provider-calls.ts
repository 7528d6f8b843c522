// Counts the results of calls to and from the providers of payments and text messages, for /metrics
// and the log.
import { Counter } from 'prom-client'
import type { PlatformServices } from './context.ts'

/** Registered with the registry of each server (health.ts). */
export const providerCalls = new Counter({
  name: 'jiaowu_provider_calls_total',
  help: 'Calls to payment and SMS providers and notifications from them, by result: OK or the code of the refusal.',
  labelNames: ['provider', 'operation', 'code'],
  registers: [],
})

interface ProviderCall {
  readonly provider: string
  /** create, query, close, refund, queryRefund, bill, notify, send. */
  readonly operation: string
}

const okCode = 'OK'
const safeCode = /^[A-Za-z][\w.-]{0,63}$/
/** Codes come from outside and become labels: so many are counted under their own name. */
const mostCodes = 200
const seen = new Set<string>([okCode])

/** Counts one call that went well, or was refused with a code. */
export function countCall({ provider, operation }: ProviderCall, code: string = okCode): void {
  providerCalls.inc({ provider, operation, code: limitLabel(code) })
}

function limitLabel(code: string): string {
  if (!safeCode.test(code) || (!seen.has(code) && seen.size >= mostCodes)) return 'other'
  seen.add(code)
  return code
}

/**
 * Counts a call and logs its failure with the code, without numbers of persons or secrets: messages of failures
 * hold neither.
 */
export async function observeCall<T>(
  { log }: Pick<PlatformServices, 'log'>,
  call: ProviderCall,
  run: () => Promise<T>,
  details: Readonly<Record<string, string>> = {},
): Promise<T> {
  try {
    const answer = await run()
    countCall(call)
    return answer
  } catch (error) {
    const code = readFailureCode(error)
    countCall(call, code)
    log.warn(
      { ...call, code, ...details, failure: error instanceof Error ? error.message : 'unknown' },
      'a call of a provider failed',
    )
    throw error
  }
}

function readFailureCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return error instanceof Error ? error.name : 'unknown'
}

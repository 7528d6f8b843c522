import { parseJson } from '@jiaowu/api/exact-json'
import { traceHeaders } from '../requests/trace.ts'
import { viaProxy } from '../outgoing-proxy.ts'
import { SmsFailure } from './driver.ts'

const timeoutMs = 8_000 // docs/rules/security.md#r18

/** Posts to a provider's API and reads the JSON reply. Follows no redirect. @throws SmsFailure */
export async function postJson(
  provider: string,
  url: string,
  init: {
    readonly headers: Readonly<Record<string, string>>
    /** Without it the request has no body, and fetch adds no `content-type` that is not signed. */
    readonly body?: string
  },
): Promise<Record<string, unknown>> {
  try {
    const response = await fetch(url, {
      ...init,
      headers: { ...traceHeaders(), ...init.headers },
      method: 'POST',
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const read = parseJson(await response.text())
    if (typeof read === 'object' && read !== null) return read as Record<string, unknown>
  } catch (error) {
    const code = error instanceof Error ? error.name : 'NO_ANSWER'
    throw new SmsFailure(`${provider}: ${code}${viaProxy()}`, { code, cause: error })
  }
  throw new SmsFailure(`${provider}: no JSON object`, { code: 'NO_JSON' })
}

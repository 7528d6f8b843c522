// CAS protocol 3: a ticket of the browser, validated by one call (docs/rules/security.md#s8).
import type { Services } from '../../model/context.ts'
import { traceHeaders } from '../../platform/requests/trace.ts'
import type { CasProvider } from '../../platform/settings/settings-sso.ts'
import { readCasAnswer } from './cas-answer.ts'
import { type BrowserDriver, callbackUrl, type Identity, SsoFault } from './identity-provider.ts'

const second = 1000
/** Milliseconds of a call (docs/rules/security.md#r18). */
const timeout = 8 * second
/** How long the answer counts whether the server is there. */
const fresh = 30 * second
const answerCharacters = 256 * 1024

export const casDriver: BrowserDriver<CasProvider> = {
  begin: async (context, provider, { attempt, again }) => {
    const url = new URL(`${provider.server}/login`)
    url.searchParams.set('service', buildServiceUrl(context, provider, attempt.state))
    if (again) url.searchParams.set('renew', 'true')
    return url
  },
  finish: async (context, provider, answer, { attempt, again }) => {
    const ticket = answer.get('ticket')
    if (ticket === null || !/^[!-~]{1,512}$/.test(ticket)) throw new SsoFault('refused')
    const url = new URL(`${provider.server}/p3/serviceValidate`)
    url.searchParams.set('service', buildServiceUrl(context, provider, attempt.state))
    url.searchParams.set('ticket', ticket)
    if (again) url.searchParams.set('renew', 'true')
    const found = readCasAnswer(await textAt(url))
    if (found === undefined) throw new SsoFault('invalid', 'no answer of CAS')
    if ('failure' in found) throw new SsoFault('refused', found.failure)
    return {
      claims: { ...found.attributes, user: found.user },
      // `renew` was in the validation: the server knows that the password was typed for this ticket.
      provedAt: again ? context.now() : authenticationDate(context, found.attributes),
      idToken: null,
      subject: found.user,
      sid: null,
    } satisfies Identity
  },
  isUp,
  logoutUrl: async ({ settings }, { server }) => {
    const url = new URL(`${server}/logout`)
    url.searchParams.set('service', `${settings.publicUrl}/`)
    return url.href
  },
}

/** The address of the return; it carries the state, and a ticket is good for it alone. */
function buildServiceUrl(
  services: Pick<Services, 'settings'>,
  provider: CasProvider,
  state: string,
): string {
  const url = callbackUrl(services, provider)
  url.searchParams.set('state', state)
  return url.href
}

/** The attribute that Apereo CAS sends, such as `2026-11-27T10:00:00Z[UTC]`. */
function authenticationDate(
  { now }: Pick<Services, 'now'>,
  { authenticationDate: value }: Readonly<Record<string, string | string[]>>,
): Date | null {
  const at = typeof value === 'string' ? Date.parse(value.replace(/\[.*\]$/, '')) : Number.NaN
  return Number.isNaN(at) ? null : new Date(Math.min(at, now().getTime()))
}

/** @throws SsoFault */
async function textAt(url: URL): Promise<string> {
  const response = await fetch(url, {
    headers: traceHeaders(),
    redirect: 'error',
    signal: AbortSignal.timeout(timeout),
  }).catch(() => {
    throw new SsoFault('down', 'no answer')
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new SsoFault(response.status >= 500 ? 'down' : 'invalid', `status ${response.status}`)
  }
  let text = ''
  const decoder = new TextDecoder()
  for await (const part of response.body ?? []) {
    text += decoder.decode(part, { stream: true })
    if (text.length > answerCharacters) throw new SsoFault('invalid', 'the answer is too long')
  }
  return text + decoder.decode()
}

const probes = new WeakMap<CasProvider, { readonly at: number; readonly up: Promise<boolean> }>()

function isUp({ now }: Services, provider: CasProvider): Promise<boolean> {
  const at = now().getTime()
  const known = probes.get(provider)
  if (known !== undefined && Math.abs(at - known.at) < fresh) return known.up
  const up = fetch(`${provider.server}/login`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(timeout),
  }).then(
    async ({ status, body }) => {
      await body?.cancel()
      return status < 500
    },
    () => false,
  )
  probes.set(provider, { at, up })
  return up
}

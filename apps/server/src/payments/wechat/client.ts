import { parseJson } from '@jiaowu/api/exact-json'
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Services } from '../../model/context.ts'
import { traceHeaders } from '../../platform/requests/trace.ts'
import { viaProxy } from '../../platform/outgoing-proxy.ts'
import { SettingsError } from '../../platform/settings/settings.ts'
import type { WechatAccount } from '../../platform/settings/settings-gateways.ts'
import { GatewayFailure } from '../gateway.ts'
import { createKeys, isPublicKeyId, type PlatformKeys } from './keys.ts'
import { authorization, isFresh, isGenuine, readSeal } from './signature.ts'

export interface WechatReply {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly code: string | null
  /** The body as it came. */
  readonly text: string
}
export interface WechatClient {
  /** Sends a signed request and verifies the signature of the answer. @throws GatewayFailure */
  readonly ask: (
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    timeoutMs?: number,
  ) => Promise<WechatReply>
  /** A file that is not signed; the caller checks its digest. @throws GatewayFailure */
  readonly fetchText: (url: string) => Promise<string>
  readonly keys: PlatformKeys
}

const timeout = 5_000
const fileTimeout = 15_000
const atOnce = 16
const certificatesPath = '/v3/certificates'

/** Calls only the endpoint of the settings and follows no redirect (docs/rules/security.md#i7). */
export function createWechatClient(
  account: WechatAccount,
  { now }: Pick<Services, 'now'>,
): WechatClient {
  const send = createSender(account, now)
  const keys = createKeys(account, now, async () => {
    const { response, text } = await send({
      method: 'GET',
      url: account.endpoint + certificatesPath,
      path: certificatesPath,
      ...(account.publicKey === undefined ? {} : { serial: account.publicKey.id }),
    })
    if (response.status !== 200) throw refusedAnswer(response.status, text)
    try {
      keys.learn(text)
    } catch (error) {
      throw new GatewayFailure('wechat: certificates cannot be read', { cause: error })
    }
  })
  return {
    keys,
    ask: async (method, path, body, timeoutMs = timeout) => {
      const serial = await keys.wanted()
      const { response, text } = await send({
        method,
        url: account.endpoint + path,
        path,
        body: body === undefined ? '' : JSON.stringify(body),
        timeoutMs,
        ...(serial === undefined ? {} : { serial }),
      })
      // The status first: a refusal that says what is wrong may be unsigned, for example when our own key is wrong.
      if (response.status >= 500 || response.status === 429)
        throw refusedAnswer(response.status, text)
      const doubt = await findDoubt(keys, now(), response.headers, text)
      if (doubt !== null && response.status >= 400) throw refusedAnswer(response.status, text)
      if (doubt !== null) throw new GatewayFailure(`wechat: ${doubt}`, { code: 'UNSIGNED' })
      return { status: response.status, body: asRecord(text), code: codeIn(text), text }
    },
    fetchText: async (url) => {
      const { origin, pathname, search } = new URL(url)
      if (origin !== new URL(account.endpoint).origin)
        throw new GatewayFailure('wechat: a bill from elsewhere', { final: true })
      const { response, text } = await send({
        method: 'GET',
        url,
        path: pathname + search,
        timeoutMs: fileTimeout,
      })
      if (response.status !== 200)
        throw new GatewayFailure(`wechat: bill ${response.status}`, {
          code: `HTTP_${response.status}`,
        })
      return text
    },
  }
}

/** Why an answer cannot be trusted; null when its signature is right. */
async function findDoubt(
  keys: PlatformKeys,
  now: Date,
  headers: Headers,
  text: string,
): Promise<string | null> {
  const seal = readSeal(headers)
  if (seal === null) return 'the answer is not signed'
  const key = await keys.get(seal.serial)
  if (key === undefined)
    return isPublicKeyId(seal.serial)
      ? 'the answer is not signed with a known key: set WECHAT_PUBLIC_KEY_ID and WECHAT_PUBLIC_KEY_FILE'
      : 'the answer is not signed with a known certificate'
  return isFresh(seal, now) && isGenuine(key, seal, text) ? null : 'the answer is not signed'
}

/** A refusal by its HTTP status. Its signature is not verified, so the code only tells, and decides nothing. */
function refusedAnswer(status: number, text: string): GatewayFailure {
  const code = codeIn(text)
  return new GatewayFailure(`wechat: ${status}${code === null ? '' : ` ${code} (unverified)`}`, {
    code: code ?? `HTTP_${status}`,
  })
}

/** The provider's code in an answer; null when there is none of a code's shape. */
function codeIn(text: string): string | null {
  try {
    const { code } = asRecord(text)
    return typeof code === 'string' && /^[A-Za-z_]{2,64}$/.test(code) ? code : null
  } catch {
    return null
  }
}

interface SignedRequest {
  readonly method: string
  readonly url: string
  /** Path and query, as the signature covers them. */
  readonly path: string
  readonly body?: string
  readonly timeoutMs?: number
  /** The key that WeChat shall sign its answer with (Wechatpay-Serial). */
  readonly serial?: string
}
type Send = (request: SignedRequest) => Promise<{ response: Response; text: string }>

/** Signs and sends requests, a limited number at once. Its answers are not verified yet. */
function createSender(account: WechatAccount, now: () => Date): Send {
  const signer = { mchid: account.mchid, serial: account.serial, key: readKey(account.keyFile) }
  const gate = createGate(atOnce)
  return ({ method, url, path, body = '', timeoutMs = timeout, serial }) =>
    gate(async () => {
      const seconds = Math.floor(now().getTime() / 1000)
      try {
        const response = await fetch(url, {
          method,
          redirect: 'error',
          signal: AbortSignal.timeout(timeoutMs),
          ...(body === '' ? {} : { body }),
          headers: {
            ...traceHeaders(),
            accept: 'application/json',
            'content-type': 'application/json',
            'user-agent': 'jiaowu',
            ...(serial === undefined ? {} : { 'wechatpay-serial': serial }),
            authorization: authorization(signer, method, path, body, seconds),
          },
        })
        return { response, text: await response.text() }
      } catch (error) {
        const code = error instanceof Error ? error.name : 'NO_ANSWER'
        throw new GatewayFailure(`wechat: ${code}${viaProxy()}`, { code, cause: error })
      }
    })
}

function readKey(file: string): KeyObject {
  try {
    return createPrivateKey(readFileSync(file))
  } catch {
    throw new SettingsError(
      'WECHAT_KEY_FILE must be a readable file with a private key in PEM form.',
    )
  }
}

/** Limits concurrent calls; a call's timeout begins when it is sent, not while it waits. */
function createGate(width: number) {
  let under = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (under >= width)
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
      })
    else under += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) under -= 1
      else next() // passes its slot on
    }
  }
}

function asRecord(text: string): Record<string, unknown> {
  try {
    const read: unknown = text === '' ? {} : parseJson(text)
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {}
  } catch {
    throw new GatewayFailure('wechat: no JSON')
  }
}

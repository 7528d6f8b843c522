import { parseJson } from '@jiaowu/api'
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Services } from '../../context.ts'
import { SettingsError } from '../../platform/settings/settings.ts'
import type { WechatAccount } from '../../platform/settings/settings-gateways.ts'
import { GatewayFailure } from '../gateway.ts'
import { createKeys, type PlatformKeys } from './keys.ts'
import { authorization, isFresh, isGenuine, sealOf } from './signature.ts'

export interface WechatReply {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly code: string | null
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
    })
    if (response.status !== 200) throw new GatewayFailure(`wechat: certificates ${response.status}`)
    try {
      keys.learn(text)
    } catch (error) {
      throw new GatewayFailure('wechat: certificates cannot be read', { cause: error })
    }
  })
  const assertGenuine = async (headers: Headers, text: string): Promise<void> => {
    const seal = sealOf(headers)
    const key = seal === null ? undefined : await keys.get(seal.serial)
    if (seal === null || key === undefined || !isFresh(seal, now()) || !isGenuine(key, seal, text))
      throw new GatewayFailure('wechat: the answer is not signed')
  }
  return {
    keys,
    ask: async (method, path, body, timeoutMs = timeout) => {
      const { response, text } = await send({
        method,
        url: account.endpoint + path,
        path,
        body: body === undefined ? '' : JSON.stringify(body),
        timeoutMs,
      })
      if (response.status >= 500) throw new GatewayFailure(`wechat: ${response.status}`)
      await assertGenuine(response.headers, text)
      const read = asRecord(text)
      return {
        status: response.status,
        body: read,
        code: typeof read.code === 'string' ? read.code : null,
      }
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
      if (response.status !== 200) throw new GatewayFailure(`wechat: bill ${response.status}`)
      return text
    },
  }
}

interface SignedRequest {
  readonly method: string
  readonly url: string
  /** Path and query, as the signature covers them. */
  readonly path: string
  readonly body?: string
  readonly timeoutMs?: number
}
type Send = (request: SignedRequest) => Promise<{ response: Response; text: string }>

/** Signs and sends requests, a limited number at once. Its answers are not verified yet. */
function createSender(account: WechatAccount, now: () => Date): Send {
  const signer = { mchid: account.mchid, serial: account.serial, key: readKey(account.keyFile) }
  const gate = createGate(atOnce)
  return ({ method, url, path, body = '', timeoutMs = timeout }) =>
    gate(async () => {
      const seconds = Math.floor(now().getTime() / 1000)
      try {
        const response = await fetch(url, {
          method,
          redirect: 'error',
          signal: AbortSignal.timeout(timeoutMs),
          ...(body === '' ? {} : { body }),
          headers: {
            accept: 'application/json',
            'content-type': 'application/json',
            'user-agent': 'jiaowu',
            authorization: authorization(signer, method, path, body, seconds),
          },
        })
        return { response, text: await response.text() }
      } catch (error) {
        throw new GatewayFailure(`wechat: ${error instanceof Error ? error.name : 'no answer'}`, {
          cause: error,
        })
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

// HTTPS_PROXY, HTTP_PROXY and NO_PROXY for the server's own calls: text messages, payments, buckets.
import http from 'node:http'
import type { Log } from './database/log.ts'
import { SettingsError } from './settings/settings.ts'

const names = ['HTTPS_PROXY', 'HTTP_PROXY'] as const
let inUse: readonly string[] = []
let undo: (() => void) | undefined

const readEnvironment = (env: NodeJS.ProcessEnv, name: string): string =>
  (env[name.toLowerCase()] ?? env[name] ?? '').trim()

/** Call before the first call to a provider. @throws SettingsError for an address that is none */
export function useOutgoingProxy(env: NodeJS.ProcessEnv, log: Log): void {
  undo?.()
  undo = undefined
  const set: Record<string, string> = { no_proxy: readEnvironment(env, 'NO_PROXY') }
  inUse = names.flatMap((name) => {
    const value = readEnvironment(env, name)
    if (value === '') return []
    const url = URL.parse(value.includes('://') ? value : `http://${value}`)
    if (url === null || !['http:', 'https:'].includes(url.protocol))
      throw new SettingsError(`${name} must be the address of an HTTP proxy.`)
    set[name.toLowerCase()] = url.href
    return [`${name} ${url.host}`]
  })
  if (inUse.length === 0) return
  if (typeof http.setGlobalProxyFromEnv !== 'function')
    throw new SettingsError('HTTP_PROXY and HTTPS_PROXY need Node.js 24.14 or later.')
  undo = http.setGlobalProxyFromEnv(set)
  log.info({ proxies: inUse }, 'calls to providers go through a proxy')
}

/** Names the proxies in a failure of a call, without their passwords; empty where there is none. */
export function viaProxy(): string {
  return inUse.length === 0 ? '' : ` (through ${inUse.join(', ')})`
}

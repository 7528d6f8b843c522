// HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in either case, for all requests of the command.
import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'
import http from 'node:http'
import { CommandError, exitCodes } from '../exit.ts'

const names = ['HTTPS_PROXY', 'HTTP_PROXY'] as const

/** The value of a variable, as curl reads it: the name in small letters counts first. */
function readVariable(env: NodeJS.ProcessEnv, name: string): string {
  return (env[name.toLowerCase()] ?? env[name] ?? '').trim()
}

/**
 * Sends the requests of this process through the proxies of its environment. Call before the first one.
 * @throws CommandError (usage) for an address that is none, and for a Node that knows no proxies
 */
export function useProxy(env: NodeJS.ProcessEnv, locale: Locale): void {
  const set: Record<string, string> = { no_proxy: readVariable(env, 'NO_PROXY') }
  for (const name of names) {
    const value = readVariable(env, name)
    if (value === '') continue
    const url = proxyUrl(value)
    if (url === null)
      throw new CommandError(
        exitCodes.usage,
        t(locale, 'cli.badProxy', { name, value: stripCredentials(value) }),
      )
    set[name.toLowerCase()] = url
  }
  // Node 22 has no such call: there NODE_USE_ENV_PROXY does the same, at the start of the process.
  if (typeof http.setGlobalProxyFromEnv === 'function') http.setGlobalProxyFromEnv(set)
  else if (env['NODE_USE_ENV_PROXY'] !== '1')
    throw new CommandError(
      exitCodes.usage,
      t(locale, 'cli.proxyNode', { version: process.version }),
    )
}

function proxyUrl(value: string): string | null {
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`)
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.hostname !== ''
    ? url.href
    : null
}

/** Without the name and password that an address may hold. */
const stripCredentials = (value: string): string => value.replace(/^(.*:\/\/)?[^@]*@/, '$1')

/** Names the proxies, for a call that they may have spoilt. */
export function proxyHint(env: NodeJS.ProcessEnv, locale: Locale): string {
  const proxies = names
    .filter((name) => readVariable(env, name) !== '')
    .map((name) => `${name}=${stripCredentials(readVariable(env, name))}`)
    .join(' ')
  return t(locale, 'cli.viaProxy', { proxies, except: readVariable(env, 'NO_PROXY') || '-' })
}

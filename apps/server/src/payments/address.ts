import { networkInterfaces } from 'node:os'
import type { Settings } from '../platform/settings/settings.ts'

const everywhere = new Set(['0.0.0.0', '[::]'])

/**
 * An address that a phone in the same network can open: PUBLIC_URL, or this machine's own when the
 * server listens on all interfaces.
 */
export function reachableUrl({ publicUrl }: Pick<Settings, 'publicUrl'>): string {
  const url = new URL(publicUrl)
  if (!everywhere.has(url.hostname)) return publicUrl
  const found = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)
  url.hostname = found?.address ?? '127.0.0.1'
  return url.href.replace(/\/+$/, '')
}

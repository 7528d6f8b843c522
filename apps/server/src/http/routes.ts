import { contract } from '@jiaowu/api/contract/contract'
import type { Endpoint } from '@jiaowu/api/endpoint'

export interface Route {
  /** `group.call`, as in the contract. */
  readonly name: string
  readonly endpoint: Endpoint
  /** The endpoint's path below /api in the syntax of Hono: `/api/entity/:tag/config`. */
  readonly pattern: string
}

/**
 * Every call of the contract. Hono tries routes in the order of registration, so paths with fewer
 * parameters come first: otherwise `/{id}` would answer for `/export-template`.
 */
export const routes: readonly Route[] = Object.entries(contract)
  .flatMap(([group, endpoints]) =>
    Object.entries(endpoints).map(([name, endpoint]) => ({
      name: `${group}.${name}`,
      endpoint: endpoint as Endpoint,
      pattern: `/api${endpoint.path.replace(/\{(\w+)\}/g, ':$1')}`,
    })),
  )
  .sort((a, b) => parameterCount(a.pattern) - parameterCount(b.pattern))

function parameterCount(pattern: string): number {
  return pattern.split(':').length - 1
}

/** The path of the contract a pattern was made from: `/entity/{tag}/config`. */
export function declaredPath(pattern: string): string {
  return pattern.replace(/^\/api/, '').replace(/:(\w+)/g, '{$1}')
}

import { contract, type Endpoint } from '@jiaowu/api'

export interface Route {
  readonly name: string
  readonly endpoint: Endpoint
  readonly matches: (pathname: string) => Readonly<Record<string, string>> | null
}

const hole = /\{(\w+)\}/g

const holes = (path: string) => [...path.matchAll(hole)].length
/** Every call of the contract; a path with fewer holes is tried first, so that `export-template` is no id. */
export const routes: readonly Route[] = Object.entries(contract)
  .flatMap(([group, endpoints]) =>
    Object.entries(endpoints).map(([name, endpoint]) => ({
      name: `${group}.${name}`,
      endpoint: endpoint as Endpoint,
      matches: matcher(endpoint.path),
    })),
  )
  .sort((a, b) => holes(a.endpoint.path) - holes(b.endpoint.path))

function matcher(path: string): Route['matches'] {
  const names = [...path.matchAll(hole)].map(([, name = '']) => name)
  const pattern = new RegExp(`^/api${path.replace(hole, '([^/]+)')}$`)
  return (pathname) => {
    const found = pattern.exec(pathname)
    if (found === null) return null
    const values = found.slice(1).map(decode)
    return values.some((value) => value === null || value.includes('\0'))
      ? null
      : Object.fromEntries(names.map((name, i) => [name, values[i] ?? '']))
  }
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** The methods some call of the contract answers at this path. */
export function methodsAt(pathname: string): string[] {
  return [
    ...new Set(
      routes
        .filter((route) => route.matches(pathname) !== null)
        .map((route) => route.endpoint.method),
    ),
  ]
}

/** The path as declared, for metrics: values in it would make them endless. */
export function routeName(method: string, pathname: string): string {
  return pathname.startsWith('/api/')
    ? (routes.find((route) => route.endpoint.method === method && route.matches(pathname) !== null)
        ?.endpoint.path ?? 'unknown')
    : 'page'
}

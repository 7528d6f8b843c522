import type { Asked, PortCall } from './held-fetch.ts'

type InputOf = (asked: Asked, id: string, start: string) => unknown
/** Requests by `METHOD /path` or `/path`, where `:id` stands for one segment; which call of the machine each is. */
export type Calls = Readonly<
  Record<
    string,
    | readonly [port: string, input?: InputOf]
    | { readonly partOf: string }
    /** Where the path alone does not decide; null: no call of the machine. */
    | ((asked: Asked, id: string, start: string) => PortCall | null)
  >
>

/** The input of a call by fields of its request's body, after what is given. */
export function body(given: object, ...names: readonly string[]) {
  return ({ body: sent }: Pick<Asked, 'body'>): object => ({
    ...given,
    ...Object.fromEntries(names.map((name) => [name, sent[name]])),
  })
}

/** The call that a request is, by the first row that matches; null when no row does. */
export function createCallFinder(calls: Calls): (asked: Asked, start: string) => PortCall | null {
  const rows = Object.entries(calls).map(([route, row]) => {
    const [method, path] = route.startsWith('/') ? [null, route] : route.split(' ')
    return { method, pattern: new RegExp(`^${(path ?? '').replace(':id', '([^/]+)')}$`), row }
  })
  return (asked, start) => {
    for (const { method, pattern, row } of rows) {
      const found = pattern.exec(asked.path)
      if (found !== null && (method === null || method === asked.method))
        return typeof row === 'function'
          ? row(asked, found[1] ?? '', start)
          : 'partOf' in row
            ? { partOf: row.partOf }
            : { port: row[0], input: row[1]?.(asked, found[1] ?? '', start) }
    }
    return null
  }
}

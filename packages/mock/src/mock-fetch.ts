import { getResponse, type RequestHandler } from 'msw'

const origin = 'http://localhost'

/**
 * A `fetch` answered by handlers alone.
 * @throws TypeError, as a failed network does, for a request that no handler matches
 */
export function mockFetch(handlers: readonly RequestHandler[]): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input instanceof Request ? input : new URL(input, origin), init)
    const response = await getResponse([...handlers], request)
    if (response === undefined)
      throw new TypeError(`no handler for ${request.method} ${request.url}`)
    return response
  }
}

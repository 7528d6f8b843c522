import type { TestApp } from '@jiaowu/server/testing'

/** A request below /api without the client, which would read the answer. */
export function sendJson(
  app: TestApp,
  token: string,
  path: string,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
): Promise<Response> {
  return app.call(path, {
    method,
    headers: {
      authorization: `bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

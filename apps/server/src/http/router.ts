import { Hono } from 'hono'
import type { Logger } from 'pino'
import type { Caller, Router } from '../platform/requests/caller.ts'
import { Refusal } from '../platform/refusal.ts'
import { fail } from './envelope.ts'

interface RouterOptions {
  readonly log: Logger
  /** Whether GET routes also answer HEAD. Off where a GET has effects, such as sending an SMS. */
  readonly head: boolean
}

/**
 * A Hono application that answers refusals and failures as envelopes, and a known path with an
 * unknown method with 405 and Allow.
 */
export function createRouter({ log, head }: RouterOptions): Router {
  const router: Router = new Hono()
  router.onError((error, { env }) => fail(error, env, log))
  const unanswered = (path: string, method: string, env: Caller): Response => {
    const methods = methodsAt(router, path)
    const allowed = head && methods.includes('GET') ? [...methods, 'HEAD'] : methods
    const isKnownPath = allowed.length > 0 && !allowed.includes(method)
    const refusal = isKnownPath
      ? new Refusal(405, { key: 'problem.methodNotAllowed' })
      : new Refusal(404, { key: 'problem.notFound' })
    const response = fail(refusal, env, log)
    if (isKnownPath) response.headers.set('allow', allowed.join(', '))
    return response
  }
  router.notFound(({ req, env }) => unanswered(req.path, req.method, env))
  if (!head) {
    // Hono answers HEAD by GET; a middleware against it would cost every other request.
    const { fetch } = router
    router.fetch = (request, env, execution) =>
      request.method === 'HEAD'
        ? unanswered(router.getPath(request), 'HEAD', env as Caller)
        : fetch(request, env, execution)
  }
  return router
}

/** The declared pattern of the route that answers a method at a path; middleware does not count. */
export function patternAt(router: Router, method: string, path: string): string | undefined {
  const [matches] = router.router.match(method, path)
  for (const [[, route]] of matches) if (route.method !== 'ALL') return route.path
  return undefined
}

function methodsAt(router: Router, path: string): string[] {
  return ['GET', 'POST', 'PUT', 'DELETE'].filter(
    (method) => patternAt(router, method, path) !== undefined,
  )
}

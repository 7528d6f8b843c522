import { ApiProblem, type Problem } from '@jiaowu/api/problem'

/** A problem as a port reports it: by default a refusal with `code` and the message `m<code>`. */
export function apiProblem(code: number, more: Partial<Problem> = {}): ApiProblem {
  const refusal: Problem = {
    kind: 'refused',
    code,
    message: `m${code}`,
    issues: [],
    data: null,
    traceId: null,
  }
  return new ApiProblem({ ...refusal, ...more })
}

/** The failed answer of a call, with `apiProblem(code, more)` as its error. */
export function answerFailure(code: number, more: Partial<Problem> = {}) {
  return { ok: false, error: apiProblem(code, more) } as const
}

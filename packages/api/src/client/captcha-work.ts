import { type CaptchaWork, captchaWorkHeader } from '../contract/student/captcha-work.ts'
import { ApiProblem } from '../problem.ts'

/** Finds the solution that the header carries: `COUNTER.KEY` (docs/rules/contract.md#student-service). */
export type SolveWork = (work: CaptchaWork, signal: AbortSignal) => Promise<string>

interface Input {
  readonly body?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}
interface Begun {
  readonly key: string
  /** Null: not found; the server refuses the answer and gives another captcha. */
  readonly solution: Promise<string | null>
  readonly controller: AbortController
}

/**
 * Calls that do the work which comes with a captcha while the person reads it, and send it with the answer
 * (docs/rules/security.md#h1). A newer captcha ends the work for the older.
 */
export function withCaptchaWork<E, I extends Input>(
  solve: SolveWork | undefined,
  call: (endpoint: E, input: I) => Promise<unknown>,
): (endpoint: E, input: I) => Promise<unknown> {
  if (solve === undefined) return call
  let begun: Begun | null = null
  const note = (data: unknown): void => {
    const found = workIn(data)
    if (found === null || found.key === begun?.key) return
    begun?.controller.abort()
    const controller = new AbortController()
    const solution = solve(found.work, controller.signal).catch(() => null)
    begun = { key: found.key, solution, controller }
  }
  const headersFor = async ({ body }: Input): Promise<Readonly<Record<string, string>>> => {
    const key = body?.['captchaKey'] ?? body?.['key']
    if (begun === null || key !== begun.key) return {}
    const solution = await begun.solution
    return solution === null ? {} : { [captchaWorkHeader]: solution }
  }
  return async (endpoint, input) => {
    const headers = await headersFor(input)
    input.signal?.throwIfAborted()
    try {
      const data = await call(endpoint, { ...input, headers: { ...input.headers, ...headers } })
      note(data)
      return data
    } catch (error) {
      if (error instanceof ApiProblem) note(error.problem.data)
      throw error
    }
  }
}

/** The work in an answer, or in the data of a refusal. */
function workIn(data: unknown): { readonly key: string; readonly work: CaptchaWork } | null {
  if (typeof data !== 'object' || data === null || !('work' in data)) return null
  const key = 'captchaKey' in data ? data.captchaKey : 'key' in data ? data.key : null
  const { work } = data
  return typeof key === 'string' && isWork(work) ? { key, work } : null
}

function isWork(work: unknown): work is CaptchaWork {
  return typeof work === 'object' && work !== null && 'parameters' in work
}

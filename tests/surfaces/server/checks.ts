import { setTimeout as pause } from 'node:timers/promises'
import { ApiProblem } from '@jiaowu/api/problem'

/** A line per fault of the server; lists within it and promises of lists belong to it. */
export type Faults = readonly (string | Faults | Promise<Faults>)[]

export async function flatFaults(faults: Faults): Promise<readonly string[]> {
  const lists = await Promise.all(
    faults.map(async (each) => (typeof each === 'string' ? [each] : flatFaults(await each))),
  )
  return lists.flat()
}

/** The line, unless the condition holds. */
export function must(holds: boolean, line: string): Faults {
  return holds ? [] : [line]
}

/** A line when two values differ. */
export function expectSame(what: string, expected: unknown, got: unknown): Faults {
  const [wanted, given] = [JSON.stringify(expected), JSON.stringify(got)]
  return must(wanted === given, `${what}: expected ${wanted}, the server gave ${given}`)
}

/** A line unless the call is refused with one of the codes. */
export async function isRefused(
  what: string,
  call: Promise<unknown>,
  codes: number | readonly number[],
): Promise<Faults> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  const wanted = [codes].flat(),
    code = error instanceof ApiProblem ? error.problem.code : null
  return must(
    code !== null && wanted.includes(code),
    `${what}: expected ${wanted.join(' or ')}, the server gave ${code ?? 'an answer'}`,
  )
}

/** Reads something before a call; the result says afterwards whether it is still the same. */
export async function expectUnchanged(
  what: string,
  read: () => Promise<unknown>,
): Promise<() => Promise<Faults>> {
  const before = await read()
  return async () => expectSame(what, before, await read())
}

/** Reads every 50 ms until the value fits. @throws after the seconds */
export async function waitUntilFits<T>(
  what: string,
  seconds: number,
  read: () => Promise<T>,
  fits: (value: T) => boolean,
): Promise<T> {
  for (let tries = 0; tries < seconds * 20; tries += 1) {
    const value = await read()
    if (fits(value)) return value
    await pause(50)
  }
  throw new Error(`${what}: not within ${seconds} s`)
}

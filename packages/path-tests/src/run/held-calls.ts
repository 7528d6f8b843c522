import type { Outcome } from '../model/children.ts'
import { callEffect } from '../model/effects.ts'
import { ModelError } from '../model/model-error.ts'

type AnyCall = (input: unknown, signal?: AbortSignal) => Promise<unknown>
interface Held {
  readonly name: string
  readonly input: unknown
  readonly resolve: (output: unknown) => void
  readonly reject: (error: unknown) => void
}

export interface HeldCalls<F> {
  /** Functions for the machine's actors or a surface: every call stays pending until it is settled. */
  readonly functions: F
  /** Names of the pending calls, oldest first. */
  pending(): string[]
  /** Inputs of the pending calls of that name, oldest first. */
  inputs(name: string): unknown[]
  /** Ends the oldest pending call of that name. @throws ModelError `no-call` when none is pending. */
  settle(name: string, outcome: Outcome): void
  /** The calls started since the last time, as effects: `call name {input}`. */
  started(): string[]
}

/** Functions whose calls stay pending until `settle`. An aborted call is removed. */
export function heldCalls<F extends object>(): HeldCalls<F> {
  let held: Held[] = []
  let calls: string[] = []
  const made = new Map<string, AnyCall>()
  const functionOf =
    (name: string): AnyCall =>
    (input, signal) =>
      new Promise((resolve, reject) => {
        const call = { name, input, resolve, reject }
        calls.push(callEffect(name, input))
        if (signal?.aborted === true) return
        held.push(call)
        signal?.addEventListener(
          'abort',
          () => {
            held = held.filter((other) => other !== call)
          },
          { once: true },
        )
      })
  const functions = new Proxy({} as F, {
    get: (_target, name) => {
      // A proxy with a `then` would be treated as a promise.
      if (typeof name !== 'string' || name === 'then') return undefined
      const known = made.get(name) ?? functionOf(name)
      made.set(name, known)
      return known
    },
  })
  return {
    functions,
    pending: () => held.map(({ name }) => name),
    inputs: (name) => held.filter((call) => call.name === name).map(({ input }) => input),
    settle: (name, outcome) => {
      const call = held.find((each) => each.name === name)
      if (call === undefined)
        throw new ModelError(
          'no-call',
          `no pending call of ${name}; pending: ${held.map((each) => each.name).join(', ') || 'none'}`,
        )
      held = held.filter((other) => other !== call)
      if (outcome.ok) call.resolve(outcome.output)
      else call.reject(outcome.error)
    },
    started: () => {
      const taken = calls
      calls = []
      return taken
    },
  }
}

import type { Outcome } from '../explore/spec.ts'
import { callEffect } from '../explore/world.ts'

type AnyPort = (input: unknown, signal?: AbortSignal) => Promise<unknown>
interface Held {
  readonly port: string
  readonly input: unknown
  readonly resolve: (output: unknown) => void
  readonly reject: (error: unknown) => void
}

export interface HeldPorts<P> {
  /** Ports for the machine's actors or a surface: every call stays pending until it is settled. */
  readonly ports: P
  /** Ports of the pending calls, oldest first. */
  pending(): string[]
  /** Inputs of a port's pending calls, oldest first. */
  inputs(port: string): unknown[]
  /** Ends the oldest pending call of a port. @throws when none is pending. */
  settle(port: string, outcome: Outcome): void
  /** The calls started since the last time, as effects: `call port {input}`. */
  started(): string[]
}

/** Ports whose calls stay pending until `settle`. An aborted call is removed. */
export function heldPorts<P extends object>(): HeldPorts<P> {
  let held: Held[] = []
  let calls: string[] = []
  const made = new Map<string, AnyPort>()
  const portOf =
    (port: string): AnyPort =>
    (input, signal) =>
      new Promise((resolve, reject) => {
        const call = { port, input, resolve, reject }
        calls.push(callEffect(port, input))
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
  const ports = new Proxy({} as P, {
    get: (_target, name) => {
      // A proxy with a `then` would be treated as a promise.
      if (typeof name !== 'string' || name === 'then') return undefined
      const known = made.get(name) ?? portOf(name)
      made.set(name, known)
      return known
    },
  })
  return {
    ports,
    pending: () => held.map(({ port }) => port),
    inputs: (port) => held.filter((call) => call.port === port).map(({ input }) => input),
    settle: (port, outcome) => {
      const call = held.find((each) => each.port === port)
      if (call === undefined)
        throw new Error(
          `nobody waits for ${port}; pending: ${held.map((each) => each.port).join(', ') || 'none'}`,
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

import { fromPromise, type PromiseActorLogic } from 'xstate'

/**
 * A call from a machine: plain data in and out; the signal aborts when the machine stops waiting.
 * Implementations do not depend on xstate.
 */
export type Port<Input, Output> = (input: Input, signal: AbortSignal) => Promise<Output>

type AnyPorts<P> = { readonly [K in keyof P]: P[K] extends Port<infer _I, infer _O> ? P[K] : never }
/** The actors of a machine, one per port; a missing port is a type error. */
export type ActorsOf<P> = {
  [K in keyof P]: P[K] extends Port<infer I, infer O> ? PromiseActorLogic<O, I> : never
}

/** Wraps ports as promise actors. `names` lists every port once. */
export function createPortActors<P extends AnyPorts<P>>(
  ports: P,
  names: readonly (keyof P & string)[],
): ActorsOf<P> {
  return Object.fromEntries(
    names.map((name) => [
      name,
      fromPromise(({ input, signal }: { input: unknown; signal: AbortSignal }) =>
        (ports[name] as Port<unknown, unknown>)(input, signal),
      ),
    ]),
  ) as ActorsOf<P>
}

/**
 * Placeholders for ports: each call fails through the machine's `onError` until real ports are
 * provided.
 */
export function createMissingPorts<P extends object>(): P {
  return new Proxy({} as P, {
    get: (_target, name) => () => Promise.reject(new Error(`port not provided: ${String(name)}`)),
  })
}

import type { Left } from '@jiaowu/path-tests'
import type { EventObject } from 'xstate'
import type { Plain } from './samples.ts'

/** The observation of a surface, by the rows of its table, with `says` and `offers`. */
export type TableSeen = Readonly<Record<string, Plain>>

/** The view of a machine, which its surfaces show. */
export type ViewOf = (snapshot: never) => object
type SnapshotOf<V extends ViewOf> = Parameters<V>[0]
type ContextOf<S> = S extends { readonly context: infer C } ? C : never
export type EventOf<V extends ViewOf> =
  SnapshotOf<V> extends { can(event: infer E): boolean } ? E : never
export type TypeOf<E> = E extends EventObject ? E['type'] : never
export type Typed<E, T> = Extract<E, { readonly type: T }>

/**
 * The input of the rows of a table: the machine's view, its snapshot and context, and how long its
 * timers run.
 */
export type Shown<V extends ViewOf> = ReturnType<V> & {
  readonly s: SnapshotOf<V>
  readonly c: ContextOf<SnapshotOf<V>>
  readonly left: Left
}

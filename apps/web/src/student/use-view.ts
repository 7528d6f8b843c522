import { useSelector } from '@xstate/react'
import type { AnyActorRef, SnapshotFrom } from 'xstate'

type View = object
/** Long strings (a document in base64) are compared as they are, the rest by what it says. */
const sameValue = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b))
const same = (a: View, b: View): boolean =>
  Object.entries(a).every(([key, value]) => sameValue(value, b[key as keyof View]))

/** An actor's view, drawn again only when it says something else. */
export const useView = <A extends AnyActorRef, V extends View>(
  actor: A,
  view: (snapshot: SnapshotFrom<A>) => V,
): V => useSelector(actor, view as never, same as never) as V

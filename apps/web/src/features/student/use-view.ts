import { useSelector } from '@xstate/react'
import type { AnyActorRef, SnapshotFrom } from 'xstate'

type View = object

/** An actor's view, drawn again only when it says something else. */
export function useView<A extends AnyActorRef, V extends View>(
  actor: A,
  view: (snapshot: SnapshotFrom<A>) => V,
): V {
  return useSelector(actor, view as never, same as never) as V
}

function same(a: View, b: View): boolean {
  return Object.entries(a).every(([key, value]) => sameValue(value, b[key as keyof View]))
}

/** Long strings (a document in base64) are compared as they are, the rest by what it says. */
function sameValue(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b))
}

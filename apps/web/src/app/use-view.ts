import { sameView } from '@jiaowu/machines/same-view'
import { useSelector } from '@xstate/react'
import type { AnyActorRef, SnapshotFrom } from 'xstate'

/** An actor's view. The component renders again only when a part of it changed. */
export function useView<A extends AnyActorRef, V extends object>(
  actor: A,
  view: (snapshot: SnapshotFrom<A>) => V,
): V {
  return useSelector(actor, view as never, sameView as never) as V
}

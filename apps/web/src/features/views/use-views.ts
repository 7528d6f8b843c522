import type { ViewContent } from '@jiaowu/api/entity/list/view'
import type { EntityListEvent } from '@jiaowu/machines/entity-list/context'
import type { EntityListView } from '@jiaowu/machines/entity-list/view'
import type { ViewsEvent } from '@jiaowu/machines/views/context'
import { viewsActors } from '@jiaowu/machines/views/ports'
import { viewsMachine } from '@jiaowu/machines/views/machine'
import { type ViewsView, viewsView } from '@jiaowu/machines/views/view'
import { useCallback, useEffect, useRef } from 'react'
import { type ActorRefFrom, type InputFrom, waitFor } from 'xstate'
import { useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { useText } from '../../app/text-context.ts'
import { useMachineActor } from '../../fields/use-machine-actor.ts'
import { viewsPorts } from '../../ports/views-ports.ts'
import { useView } from '../../app/use-view.ts'

export interface Views {
  readonly actor: ActorRefFrom<typeof viewsMachine>
  readonly view: ViewsView
  readonly send: (event: ViewsEvent) => void
  /** Resolves when the opening view is known; the list loads its first rows after that. */
  readonly settled: (signal: AbortSignal) => Promise<void>
}

/** The saved views of a list, and its columns. */
export function useViews(tag: string, input: Omit<InputFrom<typeof viewsMachine>, 'tag'>): Views {
  const { messageText } = useText()
  const { api } = useApi()
  const { toast } = useNotice()
  const actor = useMachineActor(() => ({
    machine: viewsMachine.provide({ actors: viewsActors(viewsPorts(api)) }),
    input: { tag, ...input },
  }))
  const latest = useRef(actor)
  latest.current = actor
  useEffect(() => {
    const watching = actor.on('toast', ({ tone, message, lasting }) =>
      toast(tone, messageText(message), { lasting }),
    )
    return () => watching.unsubscribe()
  }, [actor, toast, messageText])
  const view = useView(actor, viewsView)
  const settled = useCallback(async (signal: AbortSignal) => {
    await waitFor(latest.current, (snapshot) => !snapshot.hasTag('loading'), { signal })
  }, [])
  return { actor, view, send: actor.send, settled }
}

/** Applies an opened view to the list and reports the list's state back to the views. */
export function useViewOnList(
  { actor }: Views,
  list: { send(event: EntityListEvent): void },
  {
    applied,
    where,
    sorts,
    pageSize,
    group,
    footer,
    frozen,
  }: Pick<EntityListView, 'applied' | Exclude<keyof ViewContent, 'queries' | 'columns'>>,
): void {
  useEffect(() => {
    const watching = actor.on('apply', (shown) => list.send({ ...shown, type: 'view.apply' }))
    return () => watching.unsubscribe()
  }, [actor, list])
  useEffect(() => {
    actor.send({
      type: 'list.changed',
      queries: applied,
      where,
      sorts,
      pageSize,
      group,
      footer,
      frozen,
    })
  }, [actor, applied, where, sorts, pageSize, group, footer, frozen])
}

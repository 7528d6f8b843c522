import { buttonsActors } from '@jiaowu/machines/buttons/ports'
import { buttonsMachine } from '@jiaowu/machines/buttons/machine'
import type { ButtonEffect } from '@jiaowu/machines/buttons/actions'
import { useEffect } from 'react'
import { useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { useTabs } from '../../app/tab-context.ts'
import { buttonsPorts, showEffect } from '../../ports/buttons-ports.ts'
import { useMachineActor } from '../../fields/use-machine-actor.ts'

/**
 * The machine of an entity's buttons. Messages and pages are shown here; `onEffect` handles the fields and
 * refreshes of what holds the buttons. Stops with the component: a call under way is aborted.
 */
export function useButtons(tag: string, onEffect: (effect: ButtonEffect) => void) {
  const { api } = useApi()
  const { toast } = useNotice()
  const { openTab, openDrawer } = useTabs()
  const actor = useMachineActor(() => ({
    machine: buttonsMachine.provide({ actors: buttonsActors(buttonsPorts(api)) }),
    input: { tag },
  }))
  useEffect(() => {
    const watching = actor.on('*', (effect) => {
      showEffect({ toast, openTab, openDrawer }, effect)
      onEffect(effect)
    })
    return () => watching.unsubscribe()
  }, [actor, onEffect, openDrawer, openTab, toast])
  return actor
}

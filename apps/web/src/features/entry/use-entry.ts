import { entryActors, type EntryBy } from '@jiaowu/machines/entry-sheet/ports'
import { entryApiPorts } from '@jiaowu/machines/entry-sheet/api-ports'
import { entrySheetMachine } from '@jiaowu/machines/entry-sheet/machine'
import { entryView } from '@jiaowu/machines/entry-sheet/view'
import { useCallback, useEffect } from 'react'
import { useMachineActor } from '../../fields/use-machine-actor.ts'
import { useView } from '../../app/use-view.ts'
import { useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { useText } from '../../app/text-context.ts'
import { onSavedElsewhere } from '../../app/saved-signal.ts'

/** An entry sheet; `by` is what the address names. Its counts follow what is stored. */
export function useEntry(tag: string, by: EntryBy | null) {
  const { messageText } = useText()
  const { api } = useApi()
  const { toast } = useNotice()
  const actor = useMachineActor(() => ({
    machine: entrySheetMachine.provide({ actors: entryActors(entryApiPorts(api)) }),
    input: { tag, by },
  }))
  const view = useView(actor, entryView)
  useEffect(() => {
    const said = actor.on('said', ({ message }) => toast('success', messageText(message)))
    const saved = onSavedElsewhere((other) => {
      if (other === tag) actor.send({ type: 'entry.refresh' })
    })
    return () => {
      said.unsubscribe()
      saved()
    }
  }, [actor, tag, toast, messageText])
  const onDirty = useCallback(
    (isDirty: boolean) => actor.send({ type: 'grid.change', isDirty }),
    [actor],
  )
  return { actor, view, onDirty }
}

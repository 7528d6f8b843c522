import {
  type TransferEvent,
  type TransferInput,
  transferActors,
  transferMachine,
  transferView,
} from '@jiaowu/machines'
import { useSelector } from '@xstate/react'
import { useEffect, useState } from 'react'
import { useApp } from '../../shell/context/app-context.tsx'
import { useMachineActor } from '../../fields/use-machine-actor.ts'
import { createFileShelf, transferPorts } from '../../ports/transfer-ports.ts'

const placeOf = (tag: string) => `JIAOWU_IMPORT_${tag}`
/** The import of this entity that was under way in this tab; it goes on where it is after a reload. */
export const openJob = (tag: string): string | null => sessionStorage.getItem(placeOf(tag))

/** The transfer machine with this surface's ports. `onChanged`: rows of the entity may be others now. */
export function useTransfer(input: TransferInput, onChanged: () => void) {
  const app = useApp()
  const [shelf] = useState(createFileShelf)
  const actor = useMachineActor((self) => ({
    machine: transferMachine.provide({
      actors: transferActors(
        transferPorts(app, shelf, {
          onSent: (bytes) => self().send({ type: 'upload.progress', sent: bytes }),
          onReceived: (bytes, rows) => self().send({ type: 'export.progress', bytes, rows }),
        }),
      ),
    }),
    input,
  }))
  const { toast, say } = app
  const { tag } = input
  useEffect(() => {
    const watching = [
      actor.on('toast', ({ tone, message, lasting }) => toast(tone, say(message), { lasting })),
      actor.on('job', ({ id }) => {
        if (id === null) sessionStorage.removeItem(placeOf(tag))
        else sessionStorage.setItem(placeOf(tag), id)
      }),
      actor.on('finished', ({ job }) => {
        sessionStorage.removeItem(placeOf(tag))
        if (job.inserted + job.updated > 0) onChanged()
      }),
    ]
    return () => {
      for (const each of watching) each.unsubscribe()
    }
  }, [actor, toast, say, tag, onChanged])
  const view = useSelector(actor, transferView, (a, b) => JSON.stringify(a) === JSON.stringify(b))
  return { view, send: actor.send as (event: TransferEvent) => void, shelf }
}
export type Transfer = ReturnType<typeof useTransfer>

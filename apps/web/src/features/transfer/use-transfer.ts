import type { TransferEvent, TransferInput } from '@jiaowu/machines/transfer/context'
import { transferActors } from '@jiaowu/machines/transfer/ports'
import { transferMachine } from '@jiaowu/machines/transfer/machine'
import { transferView } from '@jiaowu/machines/transfer/view'
import { useEffect, useState } from 'react'
import { useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { useText } from '../../app/text-context.ts'
import { useMachineActor } from '../../fields/use-machine-actor.ts'
import { useView } from '../../app/use-view.ts'
import { createFileRegistry, transferPorts } from '../../ports/transfer-ports.ts'

const storageKey = (tag: string) => `JIAOWU_IMPORT_${tag}`
/** Id of the import job of this entity that this browser tab had open before a reload, or null. */
export const openJob = (tag: string): string | null => sessionStorage.getItem(storageKey(tag))

/** The import drawer of the entity opens this job. */
export const keepOpenJob = (tag: string, id: string): void => {
  sessionStorage.setItem(storageKey(tag), id)
}

const findNothing = () => null

/**
 * The transfer machine with the web's ports.
 *
 * @param revealFor asked when an export starts: the reason for personal data unmasked.
 * @param onChanged called after an import that wrote rows of the entity.
 */
export function useTransfer(
  input: TransferInput,
  onChanged: () => void,
  revealFor: () => string | null = findNothing,
) {
  const { api, saveFile } = useApi()
  const { messageText } = useText()
  const { toast } = useNotice()
  const [files] = useState(createFileRegistry)
  const actor = useMachineActor((self) => ({
    machine: transferMachine.provide({
      actors: transferActors(
        transferPorts({ api, saveFile }, files, {
          onSent: (bytes) => self().send({ type: 'upload.progress', sent: bytes }),
          revealFor,
          onReceived: (bytes, rows) => self().send({ type: 'export.progress', bytes, rows }),
        }),
      ),
    }),
    input,
  }))
  const { tag } = input
  useEffect(() => {
    const subscriptions = [
      actor.on('toast', ({ tone, message, lasting }) =>
        toast(tone, messageText(message), { lasting }),
      ),
      actor.on('job', ({ id }) => {
        if (id === null) sessionStorage.removeItem(storageKey(tag))
        else sessionStorage.setItem(storageKey(tag), id)
      }),
      actor.on('finished', ({ job }) => {
        sessionStorage.removeItem(storageKey(tag))
        if (job.inserted + job.updated > 0) onChanged()
      }),
    ]
    return () => {
      for (const each of subscriptions) each.unsubscribe()
    }
  }, [actor, toast, messageText, tag, onChanged])
  const view = useView(actor, transferView)
  return { view, send: actor.send as (event: TransferEvent) => void, files }
}
export type Transfer = ReturnType<typeof useTransfer>

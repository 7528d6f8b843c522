import { parseJson } from '@jiaowu/api/exact-json'
import type { FileReply } from '@jiaowu/api/endpoint'
import { bulkEditActors, type BulkEditPorts } from '@jiaowu/machines/bulk-edit/ports'
import {
  type BulkEditEvent,
  type BulkEditInput,
  bulkEditMachine,
} from '@jiaowu/machines/bulk-edit/machine'
import { bulkEditView } from '@jiaowu/machines/bulk-edit/view'
import { useEffect } from 'react'
import { type Services, useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { useText } from '../../app/text-context.ts'
import { useMachineActor } from '../../fields/use-machine-actor.ts'
import { useView } from '../../app/use-view.ts'

const storageKey = (tag: string) => `JIAOWU_BULK_${tag}`
type Kept = Pick<BulkEditInput, 'action' | 'selection'> & { readonly id: string }
/**
 * The bulk job of this entity that was started in this browser tab, so that it can be resumed after
 * a reload.
 */
export function openBulk(tag: string): Kept | null {
  const [action, id, ...rest] = sessionStorage.getItem(storageKey(tag))?.split(' ') ?? []
  return id === undefined || (action !== 'update' && action !== 'delete')
    ? null
    : { id, action, selection: parseJson(rest.join(' ')) as BulkEditInput['selection'] }
}

/** The ports of the bulk-edit machine on the web. */
export function bulkPorts({ api, saveFile }: Pick<Services, 'api' | 'saveFile'>): BulkEditPorts {
  return {
    startBulk: ({ tag, action, selection, set }, signal) => {
      const { ids, queries, where, except } = selection
      const chosen = {
        ...(ids === undefined ? {} : { ids: [...ids] }),
        ...(queries === undefined ? {} : { queries: { ...queries } }),
        ...(where === undefined ? {} : { where }),
        ...(except === undefined || except.length === 0 ? {} : { except: [...except] }),
      }
      return action === 'delete'
        ? api.bulk.remove({ params: { tag }, body: chosen, signal })
        : api.bulk.update({ params: { tag }, body: { ...chosen, set: { ...set } }, signal })
    },
    readBulk: ({ id }, signal) => api.bulk.get({ params: { id }, signal }),
    applyBulk: ({ id, count, onError }, signal) =>
      api.bulk.apply({ params: { id }, body: { count, onError }, signal }),
    cancelBulk: ({ id }, signal) => api.bulk.cancel({ params: { id }, signal }),
    saveBulk: async ({ id, format, only }, signal) => {
      const file: FileReply = await api.bulk.result({
        params: { id },
        query: { format, only },
        signal,
      })
      await saveFile(file, undefined, signal)
    },
  }
}

/** The bulk-edit machine with the web's ports. `onChanged`: the job has changed rows. */
export function useBulk(input: BulkEditInput, onChanged: () => void) {
  const { api, saveFile } = useApi()
  const { messageText } = useText()
  const { toast } = useNotice()
  const actor = useMachineActor(() => ({
    machine: bulkEditMachine.provide({ actors: bulkEditActors(bulkPorts({ api, saveFile })) }),
    input,
  }))
  const { tag, action, selection } = input
  useEffect(() => {
    const watching = [
      actor.on('toast', ({ tone, message, lasting }) =>
        toast(tone, messageText(message), { lasting }),
      ),
      actor.on('job', ({ id }) => {
        if (id === null) sessionStorage.removeItem(storageKey(tag))
        else sessionStorage.setItem(storageKey(tag), `${action} ${id} ${JSON.stringify(selection)}`)
      }),
      actor.on('finished', ({ job }) => {
        sessionStorage.removeItem(storageKey(tag))
        if (job.updated > 0) onChanged()
      }),
    ]
    return () => {
      for (const each of watching) each.unsubscribe()
    }
  }, [actor, toast, messageText, tag, action, selection, onChanged])
  const view = useView(actor, bulkEditView)
  return { view, send: actor.send as (event: BulkEditEvent) => void }
}
export type Bulk = ReturnType<typeof useBulk>

import type { FoundRecord } from '@jiaowu/api/contract/entity/search'
import type { DictItem } from '@jiaowu/api/entity/values'
import { lookupActors } from '@jiaowu/machines/lookup/ports'
import { lookupMachine } from '@jiaowu/machines/lookup/machine'
import { lookupView } from '@jiaowu/machines/lookup/view'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useApi } from '../../app/api-context.ts'
import { listRecentRecords } from '../../app/recent-records.ts'
import { useView } from '../../app/use-view.ts'
import { useMachineActor } from '../../fields/use-machine-actor.ts'

/**
 * Records of all entities on the lookup machine: the recent ones before anything is typed. `onChosen` also
 * gets the first hit of an answer that was still under way when Enter was pressed. `typed` is there already
 * when the palette returns from the actions of a record.
 */
export function useRecordSearch(onChosen: (record: FoundRecord) => void, typed: string) {
  const { api, user } = useApi()
  const actor = useMachineActor(() => ({
    machine: lookupMachine.provide({
      actors: lookupActors({
        find: async ({ searchKey }, signal) => {
          const key = searchKey.trim()
          const recent = key === '' ? [...listRecentRecords(user)] : []
          const { records } =
            key !== ''
              ? await api.search.find({ body: { searchKey: key }, signal })
              : recent.length === 0
                ? { records: [] }
                : await api.search.titles({ body: { records: recent }, signal })
          return { records: records.map(toItem), total: records.length }
        },
      }),
    }),
    input: { tag: '', fieldId: '' },
  }))
  const latest = useRef(onChosen)
  latest.current = onChosen
  const [begun] = useState(typed)
  useEffect(() => {
    const listening = actor.on('chosen', ({ item }) => latest.current(toRecord(item)))
    actor.send({ type: 'lookup.open' })
    if (begun !== '') actor.send({ type: 'lookup.search', searchKey: begun })
    return () => listening.unsubscribe()
  }, [actor, begun])
  const view = useView(actor, lookupView)
  const { items } = view
  return { actor, view, records: useMemo(() => items.map(toRecord), [items]) }
}

function toItem({ tag, id, entity, title, note }: FoundRecord): DictItem {
  return { id: `${tag}/${id}`, name: title, note, values: { tag, id, entity } }
}

function toRecord({ name, note = '', values = {} }: DictItem): FoundRecord {
  const read = (key: string) => String(values[key] ?? '')
  return { tag: read('tag'), id: read('id'), entity: read('entity'), title: name, note }
}

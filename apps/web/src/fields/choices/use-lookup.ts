import type { Field } from '@jiaowu/api/entity/config'
import { findKind } from '@jiaowu/api/fields/kinds'
import { parseJson } from '@jiaowu/api/exact-json'
import { findLocally, lookupActors } from '@jiaowu/machines/lookup/ports'
import { type LookupChosen, lookupMachine } from '@jiaowu/machines/lookup/machine'
import { lookupView } from '@jiaowu/machines/lookup/view'
import { useEffect, useRef } from 'react'
import { useApi } from '../../app/api-context.ts'
import { useMachineActor } from '../use-machine-actor.ts'
import { useView } from '../../app/use-view.ts'

interface Subject {
  readonly tag: string
  readonly field: Field
  readonly cascades: Readonly<Record<string, string>>
  readonly onChosen: (chosen: LookupChosen) => void
}

export type Lookup = ReturnType<typeof useLookup>

/**
 * The lookup machine of a choice field: searches the dictionary that came with the field, else asks
 * the server. `cascades`: chosen ids of the cascade parents. `onChosen` gets the choices of the answer
 * on screen, also when it came after Enter was pressed.
 */
export function useLookup({ tag, field, cascades, onChosen }: Subject) {
  const { api } = useApi()
  const tree = findKind(field.uiType).tree
  const actor = useMachineActor(() => ({
    machine: lookupMachine.provide({
      actors: lookupActors({
        find:
          field.dictData === undefined
            ? (question, signal) =>
                api.entityData.lookup({
                  params: { tag },
                  body: {
                    fieldId: question.fieldId,
                    searchKey: question.searchKey,
                    cascades: question.cascades,
                    pageNum: question.pageNum,
                    pageSize: question.pageSize,
                  },
                  signal,
                })
            : findLocally(field.dictData, tree),
      }),
    }),
    input: { tag, fieldId: field.id, cascades },
  }))
  const latest = useRef(onChosen)
  latest.current = onChosen
  useEffect(() => {
    const listening = actor.on('chosen', (chosen) => latest.current(chosen))
    return () => listening.unsubscribe()
  }, [actor])
  const key = JSON.stringify(cascades)
  useEffect(() => {
    actor.send({ type: 'cascades.change', cascades: parseJson(key) as Record<string, string> })
  }, [actor, key])
  return {
    actor,
    view: useView(actor, lookupView),
    tree,
  }
}

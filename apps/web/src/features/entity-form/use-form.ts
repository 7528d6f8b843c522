import type { Row, Values } from '@jiaowu/api/entity/values'
import { entityFormActors, type EntityFormPorts } from '@jiaowu/machines/entity-form/ports'
import { entityFormApiPorts } from '@jiaowu/machines/entity-form/api-ports'
import { entityFormMachine } from '@jiaowu/machines/entity-form/machine'
import { entityFormView } from '@jiaowu/machines/entity-form/view'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useMachineActor } from '../../fields/use-machine-actor.ts'
import { toFormPerson } from '../../ports/form-ports.ts'
import { useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { useText } from '../../app/text-context.ts'

export interface FormSubject {
  readonly tag: string
  /** Null: a new record. */
  readonly id: string | null
  readonly viewOnly?: boolean
  readonly defaults?: Values
  /** Replace the server in the designer's preview. */
  readonly ports?: EntityFormPorts
}
interface FormListeners {
  readonly onSaved: (row: Row) => void
  readonly onLeft: () => void
}

export function useFormActor({ tag, id, viewOnly = false, defaults = {}, ports }: FormSubject) {
  const { api, user } = useApi()
  return useMachineActor(() => ({
    machine: entityFormMachine.provide({
      actors: entityFormActors(ports ?? entityFormApiPorts(api, viewOnly)),
    }),
    input: { tag, id, viewOnly, defaults, person: toFormPerson(user) },
  }))
}

/** Reports that the form was saved or left, and focuses the first invalid field. */
export function useFormEvents(
  actor: ReturnType<typeof useFormActor>,
  formId: string,
  { onSaved, onLeft }: FormListeners,
) {
  const { messageText } = useText()
  const { toast } = useNotice()
  useEffect(() => {
    const reveal = (attrName: string) => {
      const group = entityFormView(actor.getSnapshot()).groups.find(
        ({ folded, fields }) => folded && fields.some(({ field }) => field.attrName === attrName),
      )
      if (group?.group !== undefined && group.group !== null)
        actor.send({ type: 'group.toggle', attrName: group.group.attrName })
      requestAnimationFrame(() => document.getElementById(`${formId}-${attrName}`)?.focus())
    }
    const watching = [
      actor.on('saved', ({ row, message }) => {
        toast('success', messageText(message))
        onSaved(row)
      }),
      actor.on('left', onLeft),
      actor.on('invalid', ({ attrName }) => {
        reveal(attrName)
      }),
    ]
    return () => {
      for (const each of watching) each.unsubscribe()
    }
  }, [actor, formId, onSaved, onLeft, messageText, toast])
}

/** Returns the focus to where it was when a save or reload ends; the form is inert meanwhile. */
export function useFocusAfterLock(locked: boolean): void {
  const before = useRef<HTMLElement | null>(null)
  useLayoutEffect(() => {
    if (locked) before.current = document.activeElement as HTMLElement | null
    else before.current?.focus({ preventScroll: true })
  }, [locked])
}

/** Saves the visible form on Ctrl+S, wherever the focus is. @returns the ref of the form element */
export function useSaveKey(save: () => void) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (
        !(event.ctrlKey || event.metaKey) ||
        event.key.toLowerCase() !== 's' ||
        form.current === null ||
        form.current.getClientRects().length === 0
      )
        return
      event.preventDefault()
      save()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [save])
  return form
}

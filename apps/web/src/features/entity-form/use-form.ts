import { editingOf, type EntityConfig, kindOf, type Row, type Values } from '@jiaowu/api'
import {
  entityFormActors,
  entityFormMachine,
  type EntityFormPorts,
  entityFormView,
} from '@jiaowu/machines'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useMachineActor } from '../../fields/use-machine-actor.ts'
import { formPorts, personOf } from '../../ports/form-ports.ts'
import { useApp } from '../../shell/context/app-context.tsx'

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

/** The form's actor. @param rowId holds the id a new record was given for its uploads */
export function useFormActor(
  { tag, id, viewOnly = false, defaults = {}, ports: given }: FormSubject,
  rowId: { current: string | null },
) {
  const { api, user } = useApp()
  return useMachineActor(() => {
    const ports = given ?? formPorts(api)
    const saveRow: typeof ports.saveRow = (input, signal) =>
      ports.saveRow(
        input.id === null && rowId.current !== null
          ? { ...input, values: { ...input.values, id: rowId.current } }
          : input,
        signal,
      )
    return {
      machine: entityFormMachine.provide({ actors: entityFormActors({ ...ports, saveRow }) }),
      input: { tag, id, viewOnly, defaults, person: personOf(user) },
    }
  })
}

/**
 * A new record with media fields gets its id when its form opens, so that files can be uploaded
 * before it is saved.
 */
export function useRowId(id: string | null, config: EntityConfig | null): string | null {
  const { api } = useApp()
  const [fresh, setFresh] = useState<string | null>(null)
  const needed =
    id === null &&
    (config?.fields.some(
      (field) => kindOf(field.uiType).family === 'media' && editingOf(field, 'add') === 'editable',
    ) ??
      false)
  useEffect(() => {
    if (!needed) return undefined
    const stop = new AbortController()
    // Without an id uploads wait until the record is saved.
    api.session.generateId({ signal: stop.signal }).then(setFresh, () => {})
    return () => stop.abort()
  }, [api, needed])
  return id ?? fresh
}

/** Reports that the form was saved or left, and focuses the first invalid field. */
export function useFormEvents(
  actor: ReturnType<typeof useFormActor>,
  formId: string,
  { onSaved, onLeft }: FormListeners,
) {
  const { messageText, toast } = useApp()
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

/** Makes the browser ask before it closes a window with unsaved input. */
export function useUnloadGuard(dirty: boolean) {
  useEffect(() => {
    if (!dirty) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [dirty])
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

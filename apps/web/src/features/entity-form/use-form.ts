import type { Row, Values } from '@jiaowu/api/entity/values'
import { entityFormActors, type EntityFormPorts } from '@jiaowu/machines/entity-form/ports'
import { entityFormApiPorts } from '@jiaowu/machines/entity-form/api-ports'
import { entityFormMachine } from '@jiaowu/machines/entity-form/machine'
import { isEmpty } from '@jiaowu/api/fields/kinds'
import { type EntityFormView, entityFormView } from '@jiaowu/machines/entity-form/view'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useMachineActor } from '../../fields/use-machine-actor.ts'
import { toFormPerson } from '../../ports/form-ports.ts'
import { keepPinnedValues, readPinnedValues } from '../../app/pinned-values.ts'
import { useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { useText } from '../../app/text-context.ts'

export interface FormSubject {
  readonly tag: string
  /** Null: a new record. */
  readonly id: string | null
  readonly viewOnly?: boolean
  readonly defaults?: Values
  /** The record that a new one copies. */
  readonly copyOf?: string | undefined
  /** Replace the server in the designer's preview. */
  readonly ports?: EntityFormPorts
}
interface FormListeners {
  readonly onSaved: (row: Row) => void
  /** A record was saved, and the form stays for another one. Absent: it is not offered. */
  readonly onNext?: ((row: Row) => void) | undefined
  readonly onLeft: () => void
}

export function useFormActor({
  tag,
  id,
  viewOnly = false,
  defaults = {},
  copyOf,
  ports,
  onNext,
}: FormSubject & Pick<FormListeners, 'onNext'>) {
  const { api, user } = useApi()
  return useMachineActor(() => ({
    machine: entityFormMachine.provide({
      actors: entityFormActors(ports ?? entityFormApiPorts(api, viewOnly)),
    }),
    input: {
      tag,
      id,
      viewOnly,
      defaults,
      person: toFormPerson(user),
      ...(copyOf === undefined ? {} : { copyOf }),
      ...(id === null && onNext !== undefined ? { pins: readPinnedValues(user, tag) } : {}),
    },
  }))
}

/** Reports that the form was saved or left, and focuses the first invalid field. */
export function useFormEvents(
  actor: ReturnType<typeof useFormActor>,
  formId: string,
  tag: string,
  { onSaved, onNext, onLeft }: FormListeners,
) {
  const { user } = useApi()
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
      actor.on('saved', ({ row, message, next }) => {
        toast('success', messageText(message))
        if (next) onNext?.(row)
        else onSaved(row)
      }),
      actor.on('pinned', ({ pins }) => keepPinnedValues(user, tag, pins)),
      actor.on('left', onLeft),
      actor.on('invalid', ({ attrName }) => {
        reveal(attrName)
      }),
    ]
    return () => {
      for (const each of watching) each.unsubscribe()
    }
  }, [actor, formId, tag, user, onSaved, onNext, onLeft, messageText, toast])
}

/** Returns the focus to where it was when a save or reload ends; the form is inert meanwhile. */
export function useFocusAfterLock(locked: boolean): void {
  const before = useRef<HTMLElement | null>(null)
  useLayoutEffect(() => {
    if (locked) before.current = document.activeElement as HTMLElement | null
    else before.current?.focus({ preventScroll: true })
  }, [locked])
}

/**
 * Puts the focus into the first field that waits for a value, each time a form has been read. A touch
 * would open the keyboard of the screen over it.
 */
export function useFirstFocus(isReady: boolean, formId: string, groups: EntityFormView['groups']) {
  const latest = useRef(groups)
  latest.current = groups
  useEffect(() => {
    if (!isReady || matchMedia('(pointer: coarse)').matches) return undefined
    const fields = latest.current
      .flatMap((group) => (group.folded ? [] : group.fields))
      .filter(({ editing }) => editing === 'editable')
    const first = fields.find(({ value }) => isEmpty(value)) ?? fields[0]
    // A drawer that opens takes the focus first.
    const timer = requestAnimationFrame(() =>
      document
        .getElementById(`${formId}-${first?.field.attrName ?? ''}`)
        ?.focus({ preventScroll: true }),
    )
    return () => cancelAnimationFrame(timer)
  }, [isReady, formId])
}

/**
 * Saves the visible form on Ctrl+S, and with Shift goes on with another record, wherever the focus is.
 * @returns the ref of the form element
 */
export function useSaveKey(save: (next: boolean) => void) {
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
      save(event.shiftKey)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [save])
  return form
}

import type { Button } from '@jiaowu/api/entity/definition/button'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useReorder } from '../../../../ui/drag/reorder.ts'

/** A drag in progress: the order on screen, and the index of the dragged button in the draft. */
interface Drag {
  readonly order: readonly number[]
  readonly index: number
}

/** Indices of `count` buttons in their new order after the button at `index` moves to `to`. */
export function orderAfterMove(count: number, index: number, to: number): readonly number[] {
  return indices(count)
    .filter((each) => each !== index)
    .toSpliced(to, 0, index)
}

function indices(count: number): readonly number[] {
  return Array.from({ length: count }, (_none, index) => index)
}

/**
 * Reordering by drag. The order changes only on screen until the drop, which is one edit, so one
 * undo reverts it.
 */
export function useButtonDrag(count: number, onDrop: (index: number, to: number) => void) {
  const [drag, setDrag] = useState<Drag | null>(null)
  const order = drag?.order ?? indices(count)
  const reorder = useReorder(
    (from, to) => {
      const next = [...order]
      const [index] = next.splice(from, 1)
      if (index !== undefined) {
        next.splice(to, 0, index)
        setDrag({ order: next, index: drag?.index ?? index })
      }
    },
    (kept) => {
      setDrag(null)
      if (kept && drag !== null) onDrop(drag.index, drag.order.indexOf(drag.index))
    },
  )
  return { ...reorder, order }
}

/**
 * Alt with an arrow moves a button and keeps its focus, arrows move the focus, Delete removes a
 * button.
 */
export function useButtonKeys(
  buttons: readonly Button[],
  list: RefObject<HTMLElement | null>,
  move: (index: number, to: number) => void,
  remove: (index: number) => void,
) {
  const focusNext = useRef<string | null>(null)
  const removeAndFocus = (index: number) => {
    focusNext.current = (buttons[index + 1] ?? buttons[index - 1])?.code ?? null
    remove(index)
  }
  const focusOn = (code: string | undefined) => {
    if (code !== undefined)
      list.current?.querySelector<HTMLElement>(`[data-button="${CSS.escape(code)}"]`)?.focus()
  }
  useEffect(() => {
    if (focusNext.current !== null) {
      focusOn(focusNext.current)
      focusNext.current = null
    }
  })
  const onKeyDown = (index: number) => (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (by === 0 && event.key !== 'Delete') return
    event.preventDefault()
    const neighbour = buttons[index + by]
    if (by === 0) {
      removeAndFocus(index)
      return
    }
    if (!event.altKey) {
      focusOn(neighbour?.code)
      return
    }
    if (neighbour === undefined) return
    focusNext.current = buttons[index]?.code ?? null
    move(index, index + by)
  }
  return { onKeyDown, removeAndFocus }
}

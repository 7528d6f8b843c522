import { limits } from '@jiaowu/api/limits'
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { useText } from '../../app/text-context.ts'
import type { Column } from './columns.ts'

/**
 * A width in px, or null for that of the definition; `isKept` is false while the edge is being
 * dragged.
 */
export type OnWidth = (attrName: string, width: number | null, isKept: boolean) => void

const { least, most } = limits.columnWidth
const step = 16
const limitWidth = (width: number) => Math.round(Math.min(most, Math.max(least, width)))
const measureHeaderWidth = (inside: Element) =>
  inside.closest('th')?.getBoundingClientRect().width ?? 0

/** Alt+← and Alt+→ on a header change the width of its column, Alt+Home resets it. */
export function widthKeys({ field }: Column, onWidth: OnWidth) {
  return (event: KeyboardEvent) => {
    if (!event.altKey) return
    const by = event.key === 'ArrowLeft' ? -step : event.key === 'ArrowRight' ? step : 0
    if (by === 0 && event.key !== 'Home') return
    event.preventDefault() // Alt+← is the browser's Back
    onWidth(
      field.attrName,
      by === 0 ? null : limitWidth(measureHeaderWidth(event.currentTarget) + by),
      true,
    )
  }
}

/**
 * The right edge of a header: drag it to resize the column, double-click it to reset. Sortable
 * headers take the keys themselves.
 */
export function ColumnEdge({
  column,
  inTabOrder,
  onWidth,
}: {
  readonly column: Column
  readonly inTabOrder: boolean
  readonly onWidth: OnWidth
}) {
  const { t } = useText()
  const from = useRef<{ readonly x: number; readonly width: number } | null>(null)
  const {
    field: { attrName },
    label,
    width,
  } = column
  const at = ({ clientX }: PointerEvent) =>
    from.current === null || clientX === from.current.x
      ? null
      : limitWidth(from.current.width + clientX - from.current.x)
  const begin = (event: PointerEvent) => {
    if (event.button !== 0) return
    from.current = { x: event.clientX, width: measureHeaderWidth(event.currentTarget) }
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  const move = (event: PointerEvent) => {
    const next = at(event)
    if (next !== null) onWidth(attrName, next, false)
  }
  const end = (event: PointerEvent) => {
    const next = at(event)
    from.current = null
    if (next !== null) onWidth(attrName, next, true)
  }
  return (
    <span
      className="jw-edge"
      role="separator"
      aria-orientation="vertical"
      aria-label={t('view.resize', { name: label })}
      aria-valuenow={width}
      aria-valuemin={least}
      aria-valuemax={most}
      title={t('view.resizeHint')}
      tabIndex={inTabOrder ? 0 : -1}
      onKeyDown={widthKeys(column, onWidth)}
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
      onDoubleClick={() => onWidth(attrName, null, true)}
    />
  )
}

import type { GridEditView } from '@jiaowu/machines/grid-edit/view'
import type { GridEvent } from '@jiaowu/machines/grid-edit/context'
import { type PointerEvent, type RefObject, useState } from 'react'
import { useText } from '../../app/text-context.ts'
import { rowAtPoint } from './cell-place.ts'
import { useCellPlace } from './use-cell-place.ts'

interface Props {
  readonly frame: RefObject<HTMLDivElement | null>
  readonly view: GridEditView
  readonly frozen: number
  readonly send: (event: GridEvent) => void
}

/** The corner of the selection: dragging it down continues the selected cells. */
export function FillHandle({ frame, view, frozen, send }: Props) {
  const { t } = useText()
  const { bottom, right, top, left } = view.box
  const place = useCellPlace(frame, view, { row: bottom, col: right }, frozen)
  const [to, setTo] = useState<number | null>(null)
  const { rowCount, step } = view
  if (place === null || step !== 'selecting') return null
  const rowOf = (event: PointerEvent) => rowAtPoint(frame.current, event.clientY)
  return (
    <>
      {to === null || to <= bottom ? null : (
        <div
          className="jw-cells__fill"
          style={{
            left: place.left,
            top: place.top + place.height,
            width: place.width,
            height: (to - bottom) * place.height,
          }}
        />
      )}
      <div
        className="jw-cells__handle"
        title={t('grid.fillDown')}
        style={{ left: place.left + place.width - 4, top: place.top + place.height - 4 }}
        onPointerDown={(event) => {
          event.preventDefault()
          event.stopPropagation()
          event.currentTarget.setPointerCapture(event.pointerId)
          setTo(bottom)
        }}
        onPointerMove={(event) => {
          if (to !== null) setTo(rowOf(event) ?? to)
        }}
        onPointerUp={() => {
          setTo(null)
          if (to === null || to <= bottom) return
          const row = Math.min(to, rowCount - 1)
          send({ type: 'cells.fill', row })
          send({
            type: 'range.select',
            anchor: { row: top, col: left },
            focus: { row, col: right },
          })
        }}
      />
    </>
  )
}

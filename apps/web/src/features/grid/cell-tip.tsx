import { Button } from '@blueprintjs/core'
import type { Locale } from '@jiaowu/api/locale'
import type { Message } from '@jiaowu/api/texts/index'
import { formatRange } from '@jiaowu/machines/range-text'
import {
  type GridCell,
  gridCell,
  type GridConflict,
  type GridEditView,
  gridValues,
} from '@jiaowu/machines/grid-edit/view'
import type { GridEvent } from '@jiaowu/machines/grid-edit/context'
import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react'
import { useText } from '../../app/text-context.ts'
import { type CellPlace, placeOfCell } from './cell-place.ts'
import type { Grid } from './use-grid.ts'

interface Props {
  readonly frame: RefObject<HTMLDivElement | null>
  readonly input: RefObject<HTMLTextAreaElement | null>
  readonly view: GridEditView
  readonly context: Grid['context']
  readonly frozen: number
  /** Where the active cell is drawn; null: out of sight. */
  readonly place: CellPlace | null
  readonly id: string
  readonly send: (event: GridEvent) => void
}

/** Pixels between a cell and its tip. */
const gap = 4

/**
 * Why a cell is not stored: below the active cell, and below the one under the mouse; while a number is
 * typed, the values that it can have. A conflict shows
 * both values, with the buttons that end it.
 */
export function CellTip(props: Props) {
  const { frame, input, view, context, frozen, place, id, send } = props
  const { t, locale } = useText()
  const hovered = useHovered(frame)
  const { row, col } = view.selection.anchor
  const isRest = view.step === 'selecting' || view.step === 'editing'
  const shown = hovered === null || view.conflict !== null ? { row, col } : hovered
  const isActive = shown.row === row && shown.col === col
  const cell = gridCell(context, shown.row, shown.col)
  const reason = cell?.fault ?? null
  const at = isActive ? place : placeOfCell(frame.current, shown.row, shown.col, shown.col < frozen)
  if (!isRest) return null
  const range =
    isActive && cell !== null
      ? readHint(cell, view.columns[shown.col]?.owner, t) ||
        (view.step === 'editing' ? readRange(view, context, locale) : '')
      : ''
  if (view.conflict !== null && view.can.take)
    return (
      <Conflict
        id={id}
        style={styleAt(at, frame.current)}
        conflict={view.conflict}
        onTake={(side) => {
          send({ type: 'stale.take', side })
          input.current?.focus({ preventScroll: true })
        }}
        onLeave={() => input.current?.focus({ preventScroll: true })}
      />
    )
  if (at === null || view.conflict !== null) return null
  const style = styleAt(at, frame.current)
  if (reason !== null) return <Reason id={id} style={style} reason={reason} />
  return range === '' ? null : (
    <div className="jw-cells__tip is-hint" role="tooltip" id={id} style={style}>
      {range}
    </div>
  )
}

/** Why a flow keeps the cell from being changed; empty where it does not. */
function readHint(
  { isClosed, isEditable }: GridCell,
  owner: string | undefined,
  t: ReturnType<typeof useText>['t'],
): string {
  if (isClosed) return t('grid.closed')
  return owner === undefined || isEditable ? '' : t('field.owned', { flow: owner })
}

/** Tells which values the active cell takes, where its field has bounds. */
export function readRange(view: GridEditView, context: Grid['context'], locale: Locale): string {
  const { row, col } = view.selection.anchor
  const field = view.columns[col]
  return field === undefined ? '' : formatRange(field, gridValues(context, row), locale)
}

interface Drawn {
  readonly id: string
  readonly style: React.CSSProperties
}

function Reason({ id, style, reason }: Drawn & { readonly reason: Message | string }) {
  const { messageText } = useText()
  return (
    <div className="jw-cells__tip is-bad" role="tooltip" id={id} style={style}>
      {messageText(reason)}
    </div>
  )
}

function Conflict({
  id,
  style,
  conflict: { cells, by },
  onTake,
  onLeave,
}: Drawn & {
  readonly conflict: GridConflict
  readonly onTake: (side: 'mine' | 'theirs') => void
  readonly onLeave: () => void
}) {
  const { t } = useText()
  return (
    <div
      className="jw-cells__tip is-stale"
      role="group"
      aria-label={t('grid.staleRow')}
      style={style}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onLeave()
      }}
    >
      <div id={id}>
        <p>
          {by === null
            ? t('grid.staleRow')
            : t('grid.conflictBy', { name: by.name ?? t('grid.system'), at: by.at })}
        </p>
        <dl>
          {cells.map(({ label, mine, theirs }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                {t('grid.conflictMine')} <b>{mine === '' ? t('grid.emptyCell') : mine}</b>
              </dd>
              <dd>
                {t('grid.conflictTheirs')} <b>{theirs === '' ? t('grid.emptyCell') : theirs}</b>
              </dd>
            </div>
          ))}
        </dl>
      </div>
      <div className="jw-cells__tip-foot">
        <Button
          size="small"
          intent="primary"
          text={t('grid.mine')}
          onClick={() => onTake('mine')}
        />
        <Button size="small" text={t('grid.theirs')} onClick={() => onTake('theirs')} />
        <span className="jw-muted">{t('grid.conflictKey')}</span>
      </div>
    </div>
  )
}

/** Below the cell, above it where there is no room, and at the top of the grid for one out of sight. */
function styleAt(place: CellPlace | null, frame: HTMLElement | null): React.CSSProperties {
  const [width, height] = [frame?.clientWidth ?? 0, frame?.clientHeight ?? 0]
  if (place === null) return { left: 12, top: 40 }
  const isRight = place.left > width / 2
  return {
    ...(isRight
      ? { right: Math.max(gap, width - place.left - place.width) }
      : { left: Math.max(gap, place.left) }),
    ...(place.top > height / 2
      ? { bottom: height - place.top + gap }
      : { top: place.top + place.height + gap }),
  }
}

/** The cell under the mouse, where it has something to tell. */
function useHovered(frame: RefObject<HTMLDivElement | null>) {
  const [at, setAt] = useState<{ readonly row: number; readonly col: number } | null>(null)
  useEffect(() => {
    const element = frame.current
    const over = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest('.jw-cells__tip') !== null) return
      const cell = target instanceof Element ? target.closest('.jw-cells__cell.is-refused') : null
      setAt(cell === null ? null : cellNumbers(cell))
    }
    const out = () => setAt(null)
    element?.addEventListener('mouseover', over)
    element?.addEventListener('mouseleave', out)
    return () => {
      element?.removeEventListener('mouseover', over)
      element?.removeEventListener('mouseleave', out)
    }
  }, [frame])
  return at
}

function cellNumbers({ className }: Element) {
  const [, row] = /bp6-table-cell-row-(\d+)/.exec(className) ?? []
  const [, col] = /bp6-table-cell-col-(\d+)/.exec(className) ?? []
  return row === undefined || col === undefined ? null : { row: Number(row), col: Number(col) }
}

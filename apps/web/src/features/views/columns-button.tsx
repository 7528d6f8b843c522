import { Button } from '@blueprintjs/core'
import { ArrowDown, ArrowUp, DragHandleVertical, ListColumns, Pin } from '@blueprintjs/icons'
import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { useText } from '../../app/text-context.ts'
import { Popover } from '../../ui/overlays/popover.tsx'
import { useReorder } from '../../ui/drag/reorder.ts'
import {
  chosenColumns,
  moveField,
  orderedColumns,
  shownColumns,
} from '../../ui/table/column-order.ts'

interface Props {
  readonly config: EntityConfig
  readonly columns: readonly string[] | null
  readonly canArrange: boolean
  readonly onChange: (columns: readonly string[] | null) => void
}
const readColumnLabel = (field: Field): string => field.options.column?.label ?? field.uiLabel

interface ColumnProps {
  readonly field: Field
  readonly index: number
  readonly last: number
  readonly on: boolean
  /** The last shown column cannot be hidden. */
  readonly isLocked: boolean
  /** The row is being dragged. */
  readonly held: boolean
  readonly grip: ReturnType<ReturnType<typeof useReorder>['grip']>
  readonly onToggle: () => void
  readonly onMove: (by: number) => void
}

/**
 * Chooses and orders the columns by drag or keyboard. The list follows at once without loading its
 * rows again.
 */
export function ColumnsPanel({ config, columns, canArrange, onChange }: Props) {
  const { t } = useText()
  const [order, setOrder] = useState(() => orderedColumns(config, columns))
  const [announced, setAnnounced] = useState('')
  const follow = useRef<HTMLElement | null>(null)
  const shown = new Set(shownColumns(config, columns).map(({ attrName }) => attrName))
  const choose = (next: readonly Field[], on: ReadonlySet<string>) => {
    setOrder(next)
    onChange(chosenColumns(config, next, on))
  }
  const shift = (from: number, to: number) => {
    const [field, next] = [order[from], moveField(order, from, to)]
    if (field === undefined) return
    follow.current = document.activeElement instanceof HTMLElement ? document.activeElement : null
    setAnnounced(
      t('view.columnMoved', { name: readColumnLabel(field), n: next.indexOf(field) + 1 }),
    )
    choose(next, shown)
  }
  const { held, list, grip } = useReorder(
    (from, to) => setOrder(moveField(order, from, to)),
    (kept) => {
      if (kept) choose(order, shown)
    },
  )
  // A row moved in the DOM loses the focus: restore it, on the check box when the arrow that was
  // used is now disabled.
  useLayoutEffect(() => {
    const wanted = follow.current
    follow.current = null
    if (wanted === null || list.current?.contains(wanted) !== true) return
    const usable = wanted.matches(':disabled')
      ? wanted.closest('.jw-column')?.querySelector<HTMLElement>('input')
      : wanted
    if (usable !== document.activeElement) usable?.focus()
  }, [order, list])
  const toggle = (name: string) =>
    choose(
      order,
      new Set(shown.has(name) ? [...shown].filter((other) => other !== name) : [...shown, name]),
    )
  return (
    <section className="jw-columns" aria-label={t('view.columnsShown')}>
      <header>
        <h4>{t('view.columnsShown')}</h4>
        <Button
          size="small"
          variant="minimal"
          text={t('view.columnsReset')}
          disabled={!canArrange || columns === null}
          onClick={() => {
            setOrder(orderedColumns(config, null))
            onChange(null)
          }}
        />
      </header>
      <ul ref={list}>
        {order.map((field, index) => (
          <Column
            key={field.attrName}
            field={field}
            index={index}
            last={order.length - 1}
            on={shown.has(field.attrName)}
            isLocked={!canArrange || (shown.size === 1 && shown.has(field.attrName))}
            held={held === index}
            grip={canArrange ? grip(index) : { onPointerDown: () => {} }}
            onToggle={() => toggle(field.attrName)}
            onMove={(by) => {
              if (index + by >= 0 && index + by < order.length) shift(index, index + by)
            }}
          />
        ))}
      </ul>
      <footer className="jw-muted">{t('view.columnsHint')}</footer>
      <p className="jw-only-read" role="status">
        {announced}
      </p>
    </section>
  )
}

function Column({ field, index, last, on, isLocked, held, grip, onToggle, onMove }: ColumnProps) {
  const { t } = useText()
  const name = readColumnLabel(field)
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (by !== 0 && event.altKey) {
      event.preventDefault()
      onMove(by)
    }
  }
  return (
    <li className={`jw-column${held ? ' is-dragged' : ''}${on ? '' : ' is-off'}`}>
      <span className="jw-column__grip" aria-hidden {...grip}>
        <DragHandleVertical size={14} />
      </span>
      <label>
        <input
          type="checkbox"
          data-column={field.attrName}
          checked={on}
          disabled={isLocked}
          onChange={onToggle}
          onKeyDown={onKeyDown}
        />
        <span>{name}</span>
      </label>
      {(field.options.column?.fixed ?? null) === null ? null : (
        <Pin size={12} className="jw-muted" title={t('view.columnFixed')} />
      )}
      <Button
        variant="minimal"
        size="small"
        icon={<ArrowUp size={14} />}
        aria-label={t('view.columnUp', { name })}
        disabled={index === 0}
        onClick={() => onMove(-1)}
      />
      <Button
        variant="minimal"
        size="small"
        icon={<ArrowDown size={14} />}
        aria-label={t('view.columnDown', { name })}
        disabled={index === last}
        onClick={() => onMove(1)}
      />
    </li>
  )
}

export function ColumnsButton(props: Props) {
  const { t } = useText()
  return (
    <Popover content={<ColumnsPanel {...props} />}>
      <Button
        variant="minimal"
        className={props.columns === null ? '' : 'is-on'}
        icon={<ListColumns />}
        aria-label={t('view.columns')}
        title={t('view.columns')}
      />
    </Popover>
  )
}

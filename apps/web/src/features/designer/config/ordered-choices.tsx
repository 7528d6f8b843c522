import { Button } from '@blueprintjs/core'
import { ArrowDown, ArrowUp } from '@blueprintjs/icons'
import type { DesignerEdit } from '@jiaowu/machines/designer/types'
import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { useText } from '../../../app/text-context.ts'
import type { ControlOf } from './rows.ts'

/** Check boxes whose order counts: the chosen ones first, moved by their buttons or Alt with an arrow key. */
export function OrderedChoices({
  label,
  control: { value, items, set },
  send,
}: {
  readonly label: string
  readonly control: ControlOf<'many'>
  readonly send: (edit: DesignerEdit) => void
}) {
  const list = useRef<HTMLUListElement>(null)
  const moved = useRef<string | null>(null)
  // A moved element loses the focus, and so does a button that becomes disabled.
  useLayoutEffect(() => {
    const name = moved.current
    moved.current = null
    if (name !== null)
      list.current?.querySelector<HTMLElement>(`input[data-value="${CSS.escape(name)}"]`)?.focus()
  }, [value])
  const move = (name: string, by: number) => {
    const from = value.indexOf(name)
    const to = from + by
    if (from < 0 || to < 0 || to >= value.length) return
    moved.current = name
    send(set(value.toSpliced(from, 1).toSpliced(to, 0, name)))
  }
  const chosen = value.flatMap((name) => items.find((item) => item.value === name) ?? [])
  const free = items.filter((item) => !value.includes(item.value))
  return (
    <ul className="jw-cfg__ordered" aria-label={label} ref={list}>
      {[...chosen, ...free].map((item, index) => (
        <Choice
          key={item.value}
          name={item.value}
          text={item.text}
          place={
            index < chosen.length
              ? { isFirst: index === 0, isLast: index === chosen.length - 1 }
              : null
          }
          onToggle={() =>
            send(
              set(
                value.includes(item.value)
                  ? value.filter((name) => name !== item.value)
                  : [...value, item.value],
              ),
            )
          }
          onMove={(by) => move(item.value, by)}
        />
      ))}
    </ul>
  )
}

function Choice({
  name,
  text,
  place,
  onToggle,
  onMove,
}: {
  readonly name: string
  readonly text: string
  /** Null: not chosen. */
  readonly place: { readonly isFirst: boolean; readonly isLast: boolean } | null
  readonly onToggle: () => void
  readonly onMove: (by: number) => void
}) {
  const { t } = useText()
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (by === 0 || !event.altKey) return
    event.preventDefault()
    onMove(by)
  }
  return (
    <li>
      <label>
        <input
          type="checkbox"
          data-value={name}
          checked={place !== null}
          onChange={onToggle}
          onKeyDown={onKeyDown}
        />
        {text}
      </label>
      {place === null ? null : (
        <>
          <Button
            variant="minimal"
            size="small"
            icon={<ArrowUp size={14} />}
            aria-label={t('export.up', { label: text })}
            disabled={place.isFirst}
            onClick={() => onMove(-1)}
          />
          <Button
            variant="minimal"
            size="small"
            icon={<ArrowDown size={14} />}
            aria-label={t('export.down', { label: text })}
            disabled={place.isLast}
            onClick={() => onMove(1)}
          />
        </>
      )}
    </li>
  )
}

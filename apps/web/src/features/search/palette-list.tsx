import { InputGroup, Spinner } from '@blueprintjs/core'
import { ChevronRight, Search } from '@blueprintjs/icons'
import { Fragment, type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { useText } from '../../app/text-context.ts'
import { isComposing } from '../../fields/is-composing.ts'
import { MenuIcon } from '../../shell/navigation/menu-icons.tsx'
import type { PaletteItem } from './palette-items.ts'

interface Props {
  readonly label: string
  readonly placeholder: string
  readonly query: string
  readonly onQuery: (query: string) => void
  readonly items: readonly PaletteItem[]
  readonly isBusy: boolean
  /** Heads of the groups, which stand in the order of their items. */
  readonly heads: Readonly<Record<string, string>>
  /** Below the items: why there are none, or a fault. */
  readonly note: ReactNode
  /** Enter while there is nothing to choose yet. */
  readonly onEarlyEnter?: () => void
  /** The right arrow, or the mark at the end of the line of a record. */
  readonly onActions?: (item: PaletteItem) => void
  /** Backspace in the empty field, the left arrow and Escape. */
  readonly onBack?: () => void
}

/** A field with lines below it: the arrows move, Enter runs the line; the first one is chosen. */
export function PaletteList(props: Props) {
  const { label, placeholder, query, onQuery, items, isBusy, heads, note, onActions } = props
  const { t } = useText()
  const id = useId()
  const { at, setAt, onKey } = useCursor(id, props)
  return (
    <>
      <InputGroup
        autoFocus
        size="large"
        className="jw-palette__input"
        leftElement={<Search className="bp6-icon" />}
        {...(isBusy ? { rightElement: <Spinner size={16} /> } : {})}
        placeholder={placeholder}
        aria-label={label}
        value={query}
        onValueChange={onQuery}
        onKeyDown={onKey}
        role="combobox"
        aria-expanded
        aria-autocomplete="list"
        aria-controls={id}
        aria-activedescendant={items.length > 0 ? `${id}-${at}` : undefined}
      />
      <div className="jw-palette__list" role="listbox" id={id} aria-label={label}>
        {items.map((item, index) => (
          <Fragment key={item.key}>
            {items[index - 1]?.group === item.group ? null : (
              <div className="jw-palette__head" role="presentation">
                {heads[item.group]}
              </div>
            )}
            <div
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              className={`jw-palette__item${index === at ? ' is-at' : ''}`}
              onMouseMove={() => setAt(index)}
              onClick={() => item.run()}
            >
              <MenuIcon name={item.icon} size={16} />
              <span className="jw-palette__text">{item.text}</span>
              <span className="jw-palette__note">{item.note}</span>
              <span className="jw-palette__kind">{item.kind}</span>
              {item.record === undefined || onActions === undefined ? null : (
                <span
                  className="jw-palette__more"
                  title={t('shell.palette.actions')}
                  onClick={(event) => {
                    event.stopPropagation()
                    onActions(item)
                  }}
                >
                  <ChevronRight size={14} />
                </span>
              )}
            </div>
          </Fragment>
        ))}
      </div>
      {note}
    </>
  )
}

/** The chosen line and the keys. Other items begin at their first line. */
function useCursor(
  id: string,
  { items, query, onEarlyEnter, onActions, onBack }: Props,
): { at: number; setAt: (at: number) => void; onKey: (event: KeyboardEvent) => void } {
  const mark = items.map(({ key }) => key).join()
  const [cursor, setCursor] = useState({ mark, at: 0 })
  const at = cursor.mark === mark ? cursor.at : 0
  const setAt = (to: number) => {
    if (to !== at) setCursor({ mark, at: to })
  }
  const move = (event: KeyboardEvent, to: number) => {
    event.preventDefault()
    setAt(to)
    document.getElementById(`${id}-${to}`)?.scrollIntoView({ block: 'nearest' })
  }
  const onKey = (event: KeyboardEvent) => {
    // The Enter that ends a composition chooses nothing.
    if (isComposing(event)) return
    const { key, currentTarget } = event
    const item = items[at]
    const isAtEnd = (currentTarget as HTMLInputElement).selectionStart === query.length
    if (key === 'ArrowDown') move(event, at + 1 < items.length ? at + 1 : 0)
    else if (key === 'ArrowUp') move(event, at > 0 ? at - 1 : Math.max(items.length - 1, 0))
    else if (key === 'Enter') {
      event.preventDefault()
      if (item === undefined) onEarlyEnter?.()
      else item.run()
    } else if (key === 'ArrowRight' && isAtEnd && item?.record !== undefined) {
      event.preventDefault()
      onActions?.(item)
    } else if (onBack !== undefined && isBackKey(key, query)) {
      event.preventDefault()
      event.stopPropagation()
      onBack()
    }
  }
  return { at, setAt, onKey }
}

function isBackKey(key: string, query: string): boolean {
  return key === 'Escape' || (query === '' && (key === 'Backspace' || key === 'ArrowLeft'))
}

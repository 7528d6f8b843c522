import { ContextMenuPopover, Menu, MenuItem } from '@blueprintjs/core'
import { Clipboard, Filter, FilterRemove } from '@blueprintjs/icons'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { Row } from '@jiaowu/api/entity/values'
import { valueText } from '@jiaowu/api/fields/money'
import { cellLeaf } from '@jiaowu/machines/entity-list/conditions/cell-leaf'
import { type MouseEvent, useState } from 'react'
import { useNotice } from '../../../app/notice-context.ts'
import { useText } from '../../../app/text-context.ts'
import type { ColumnDeeds } from './column-deeds.ts'

interface Place {
  readonly left: number
  readonly top: number
  readonly row: Row
  readonly column: string
  /** The cell, which gets the focus back. */
  readonly cell: HTMLElement
}

/**
 * The menu of a cell, by the right button, the menu key or Shift+F10: rows with its value only or without, and its
 * text.
 */
export function useCellMenu(
  config: EntityConfig,
  rows: readonly Row[],
  deeds: ColumnDeeds | undefined,
) {
  const [place, setPlace] = useState<Place | null>(null)
  const onContextMenu = (event: MouseEvent<HTMLElement>) => {
    if (deeds === undefined) return
    const target = event.target as HTMLElement
    const cell =
      target.closest<HTMLElement>('td[data-column]') ??
      target.closest('tr')?.querySelector<HTMLElement>('td[data-column]') ??
      null
    const id = cell?.closest('tr')?.dataset.row
    const row = rows.find((each) => each.id === id)
    if (cell === null || row === undefined) return
    event.preventDefault()
    const box = cell.getBoundingClientRect()
    // Pressed on the keyboard, the event has no place of its own.
    const isAt = event.clientX !== 0 || event.clientY !== 0
    setPlace({
      left: isAt ? event.clientX : box.left + 12,
      top: isAt ? event.clientY : box.bottom,
      row,
      column: cell.dataset.column ?? '',
      cell,
    })
  }
  const menu =
    place === null || deeds === undefined ? null : (
      <ContextMenuPopover
        isOpen
        targetOffset={{ left: place.left, top: place.top }}
        content={<CellItems config={config} place={place} deeds={deeds} />}
        onClose={() => {
          setPlace(null)
          place.cell.focus()
        }}
      />
    )
  return { onContextMenu, menu }
}

function CellItems({
  config,
  place: { row, column },
  deeds,
}: {
  readonly config: EntityConfig
  readonly place: Place
  readonly deeds: ColumnDeeds
}) {
  const { t } = useText()
  const { toast } = useNotice()
  const field = config.fields.find(({ attrName }) => attrName === column)
  if (field === undefined) return null
  const text = valueText(field, row[column])
  const [only, except] = [
    cellLeaf(field, row[column], 'only'),
    cellLeaf(field, row[column], 'except'),
  ]
  return (
    <Menu aria-label={t('cell.menu')}>
      {only === null ? null : (
        <MenuItem
          icon={<Filter />}
          text={text === '' ? t('cell.onlyEmpty') : t('cell.only', { text: cut(text) })}
          onClick={() => deeds.filter(only)}
        />
      )}
      {except === null ? null : (
        <MenuItem
          icon={<FilterRemove />}
          text={text === '' ? t('cell.exceptEmpty') : t('cell.except', { text: cut(text) })}
          onClick={() => deeds.filter(except)}
        />
      )}
      <MenuItem
        icon={<Clipboard />}
        text={t('cell.copy')}
        disabled={text === ''}
        onClick={() => {
          void navigator.clipboard.writeText(text).then(() => toast('success', t('cell.copied')))
        }}
      />
    </Menu>
  )
}

const shownCharacters = 20

function cut(text: string): string {
  const characters = [...text]
  return characters.length > shownCharacters
    ? `${characters.slice(0, shownCharacters).join('')}…`
    : text
}

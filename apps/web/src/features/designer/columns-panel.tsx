import { InputGroup, Tag } from '@blueprintjs/core'
import { Add, Search, Tick } from '@blueprintjs/icons'
import type { DesignColumnView, DesignerView } from '@jiaowu/machines/designer/view'
import { type ReactNode, useState } from 'react'
import { useText } from '../../app/text-context.ts'
import type { FieldDrag } from './field-drag.ts'
import { moveFocusByKey } from './arrow-keys.ts'

interface ColumnProps {
  readonly view: DesignColumnView
  readonly disabled: boolean
  readonly drag: FieldDrag
  /** The one column that Tab reaches; arrow keys reach the others. */
  readonly isTabStop: boolean
  readonly onPick: () => void
  readonly onFocus: () => void
}

/**
 * Columns of the table. Click, Enter or drag adds a field for a column; a column in use selects its
 * field (docs/spec/2-student-service-and-designer.md §4).
 */
export function ColumnsPanel({
  view,
  drag,
  archived,
  tools,
  onPick,
}: {
  readonly view: DesignerView
  readonly drag: FieldDrag
  /** Columns that are not offered. */
  readonly archived: readonly string[]
  readonly tools: ReactNode
  readonly onPick: (columnName: string) => void
}) {
  const { t } = useText()
  const [search, setSearch] = useState('')
  const [focused, setFocused] = useState<string | null>(null)
  const keyword = search.trim().toLowerCase()
  const shown = view.columns.filter(
    ({ column, fieldId }) =>
      (fieldId !== null || !archived.includes(column.columnName)) &&
      (column.columnName.toLowerCase().includes(keyword) ||
        column.columnComment.toLowerCase().includes(keyword)),
  )
  // One tab stop for the list, since a table may have a hundred columns; arrow keys move within it.
  const tabStop = (shown.find(({ column }) => column.columnName === focused) ?? shown[0])?.column
    .columnName
  return (
    <section
      className="jw-dpanel jw-dcols"
      aria-label={t('designer.columns')}
      tabIndex={-1}
      data-part-of-page
    >
      <header>
        <h3>{t('designer.columns')}</h3>
        <span className="jw-dpanel__count">
          {t('designer.columns.count', { n: shown.length, all: view.columns.length })}
        </span>
      </header>
      {view.columns.length === 0 ? (
        <p className="jw-muted jw-dpanel__none">{t('designer.columns.system')}</p>
      ) : (
        <>
          <div className="jw-dpanel__search">
            <InputGroup
              size="small"
              type="search"
              leftElement={<Search className="bp6-icon" size={12} />}
              placeholder={t('designer.columns.search')}
              aria-label={t('designer.columns.search')}
              value={search}
              onValueChange={setSearch}
            />
          </div>
          <ul
            className="jw-dpanel__scroll"
            onKeyDown={(event) => moveFocusByKey(event, '.jw-dcol')}
          >
            {shown.map((each) => (
              <Column
                key={each.column.columnName}
                view={each}
                isTabStop={each.column.columnName === tabStop}
                onFocus={() => setFocused(each.column.columnName)}
                drag={drag}
                disabled={!view.can.edit}
                onPick={() => onPick(each.column.columnName)}
              />
            ))}
            {shown.length === 0 ? (
              <li className="jw-dpanel__none jw-muted">{t('designer.columns.none')}</li>
            ) : null}
          </ul>
          <footer className="jw-muted">{t('designer.columns.hint')}</footer>
        </>
      )}
      {tools}
    </section>
  )
}

function Column({
  view: { column, fieldId },
  disabled,
  drag,
  isTabStop,
  onPick,
  onFocus,
}: ColumnProps) {
  const { t } = useText()
  const { columnName } = column
  const isDragged = drag.drag?.what.kind === 'column' && drag.drag.what.columnName === columnName
  return (
    <li>
      <button
        type="button"
        disabled={disabled}
        tabIndex={isTabStop ? 0 : -1}
        onFocus={onFocus}
        className={`jw-dcol${fieldId === null ? '' : ' is-used'}${isDragged ? ' is-dragged' : ''}`}
        data-column={columnName}
        title={
          column.columnComment === ''
            ? column.columnName
            : `${column.columnComment} (${column.columnName})`
        }
        {...(fieldId === null && !disabled
          ? { onPointerDown: drag.take({ kind: 'column', columnName, label: columnName }) }
          : {})}
        onClick={onPick}
      >
        <span className="jw-dcol__name">
          <code>{column.columnName}</code>
          {column.columnKey === 'PRI' ? <Tag minimal>{t('designer.columns.primary')}</Tag> : null}
          {column.isNullable === 'NO' && column.columnKey === '' ? (
            <span className="is-required" title={t('designer.a.isNull')}>
              *
            </span>
          ) : null}
        </span>
        <small>
          {column.columnType}
          {column.columnComment === '' ? '' : ` · ${column.columnComment}`}
        </small>
        {fieldId === null ? (
          <Add className="jw-dcol__mark" size={14} />
        ) : (
          <Tick className="jw-dcol__mark" size={14} title={t('designer.columns.used')} />
        )}
      </button>
    </li>
  )
}

import { Button, Menu, MenuItem } from '@blueprintjs/core'
import { More } from '@blueprintjs/icons'
import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import type { Row } from '@jiaowu/api/entity/values'
import { buildCard } from '@jiaowu/machines/entity-list/card'
import { memo, type ReactNode } from 'react'
import { useText } from '../../../app/text-context.ts'
import { findFieldSurface } from '../../../fields/index.tsx'
import { Popover } from '../../../ui/overlays/popover.tsx'
import type { RowAction } from '../../../ui/table/row-actions.tsx'
import { shownColumns } from '../../../ui/table/column-order.ts'

interface Props {
  readonly config: EntityConfig
  readonly rows: readonly Row[]
  /** The columns as the user chose them; null: those of the definition. */
  readonly chosen: readonly string[] | null
  readonly selected: readonly string[]
  readonly selection: 'none' | 'single' | 'multi'
  readonly busy: boolean
  readonly stale: boolean
  readonly canToggle: boolean
  readonly skeletons: number
  readonly empty: ReactNode
  readonly actionsOf: (row: Row) => readonly RowAction[]
  readonly onToggle: (id: string) => void
  readonly onOpen: (row: Row) => void
}

/** The rows of a list on a narrow screen: a card each, whose title opens the record. */
export function EntityCards(props: Props) {
  const { config, rows, chosen, selected, busy, stale, skeletons, empty } = props
  const columns = shownColumns(config, chosen)
  return (
    <div
      className={`jw-cards${busy ? ' is-busy' : ''}${stale ? ' is-stale' : ''}`}
      aria-busy={busy}
    >
      {busy ? <div className="jw-busy-line" /> : null}
      <ul aria-label={config.name}>
        {rows.map((row) => (
          <RowCard
            key={row.id}
            {...props}
            row={row}
            columns={columns}
            isSelected={selected.includes(row.id)}
          />
        ))}
        {Array.from({ length: skeletons }, (_none, at) => (
          <li key={`skeleton-${at}`} className="jw-rowcard" aria-hidden>
            <div className="jw-skeleton" style={{ width: `${40 + ((at * 17) % 40)}%` }} />
          </li>
        ))}
      </ul>
      {rows.length === 0 && skeletons === 0 ? empty : null}
    </div>
  )
}

interface RowCardProps extends Omit<Props, 'rows' | 'chosen' | 'selected'> {
  readonly row: Row
  readonly columns: readonly Field[]
  readonly isSelected: boolean
}

function RowCard({
  config,
  row,
  columns,
  isSelected,
  selection,
  canToggle,
  actionsOf,
  onToggle,
  onOpen,
}: RowCardProps) {
  const { t } = useText()
  const { title, states, lines } = buildCard(config, columns, row)
  const actions = actionsOf(row)
  const opens = actions.some(({ code, disabled }) => isOpening(code) && disabled !== true)
  return (
    <li className={`jw-rowcard${isSelected ? ' is-selected' : ''}`} data-row={row.id}>
      {selection === 'none' ? null : (
        <label className="jw-rowcard__check">
          <input
            type={selection === 'multi' ? 'checkbox' : 'radio'}
            aria-label={t('card.select', { name: title })}
            checked={isSelected}
            disabled={!canToggle}
            onChange={() => onToggle(row.id)}
          />
        </label>
      )}
      <div className="jw-rowcard__body">
        <div className="jw-rowcard__head">
          {opens ? (
            <button type="button" className="jw-rowcard__title" onClick={() => onOpen(row)}>
              {title}
            </button>
          ) : (
            <span className="jw-rowcard__title">{title}</span>
          )}
          {states.map((field) => (
            <CardCell key={field.attrName} tag={config.tag} field={field} row={row} />
          ))}
        </div>
        <dl className="jw-rowcard__lines">
          {lines.map((field) => (
            <div key={field.attrName}>
              <dt>{field.options.column?.label ?? field.uiLabel}</dt>
              <dd>
                <CardCell tag={config.tag} field={field} row={row} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
      <CardMenu title={title} actions={actions} />
    </li>
  )
}

function isOpening(code: string): boolean {
  return code === 'view' || code === 'edit'
}

const CardCell = memo(function CardCell({
  tag,
  field,
  row,
}: {
  readonly tag: string
  readonly field: Field
  readonly row: Row
}) {
  const { Cell } = findFieldSurface(field.uiType)
  return <Cell tag={tag} field={field} value={row[field.attrName]} row={row} />
})

/** All actions of the row, in a menu that the thumb reaches. */
function CardMenu({
  title,
  actions,
}: {
  readonly title: string
  readonly actions: readonly RowAction[]
}) {
  const { t } = useText()
  if (actions.length === 0) return null
  return (
    <Popover
      placement="bottom-end"
      content={
        <Menu className="jw-more">
          {actions.map(({ code, name, danger, disabled, run }) => (
            <MenuItem
              key={code}
              text={name}
              disabled={disabled === true}
              intent={danger === true ? 'danger' : 'none'}
              onClick={run}
            />
          ))}
        </Menu>
      }
    >
      <Button
        className="jw-rowcard__more"
        variant="minimal"
        icon={<More />}
        aria-label={t('card.actions', { name: title })}
      />
    </Popover>
  )
}

import { Button, HTMLSelect, InputGroup, Menu, MenuItem } from '@blueprintjs/core'
import { CaretDown, Cross, Filter, SortAsc, SortDesc } from '@blueprintjs/icons'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import {
  groupComparisons,
  type GroupComparison,
  type GroupOrder,
  type GroupQuery,
} from '@jiaowu/api/entity/list/list-query'
import {
  figureTitle,
  onlyFigure,
  withFigureAt,
  withHaving,
  withOrder,
  withoutFigure,
} from '@jiaowu/machines/entity-list/table'
import { type SubmitEvent, useState } from 'react'
import { changeTable } from './change-table.ts'
import { useText } from '../../../app/text-context.ts'
import { Popover } from '../../../ui/overlays/popover.tsx'
import { FilterDrawer } from '../filter/filter-drawer.tsx'
import type { List } from '../use-list.ts'

interface OrderProps {
  readonly list: Pick<List, 'view' | 'actor'>
  readonly group: GroupQuery
  readonly by: GroupOrder['by']
  readonly name: string
}

/** The head of a column, which orders the groups by it. */
export function OrderButton({ list, group, by, name }: OrderProps) {
  const { t } = useText()
  const order = group.table?.order
  const isOn = order?.by === by
  return (
    <button
      type="button"
      className="jw-cross__sort"
      disabled={!list.view.can.search}
      title={t('table.sortBy', { name })}
      aria-label={
        isOn
          ? `${name}，${t(order.asc ? 'table.ascending' : 'table.descending')}`
          : t('table.sortBy', { name })
      }
      onClick={() => changeTable(list, (now) => withOrder(now, by))}
    >
      {name}
      {isOn ? <span aria-hidden>{order.asc ? '↑' : '↓'}</span> : null}
    </button>
  )
}

interface FigureProps {
  readonly list: List
  readonly config: EntityConfig
  readonly group: GroupQuery
  /** Null: the number of rows. */
  readonly place: number | null
}

/** The head of a figure: orders by it, and has a menu of what else it does. */
export function FigureMenu({ list, config, group, place }: FigureProps) {
  const { t, locale } = useText()
  const [isFiltering, setFiltering] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const { view } = list
  const figure = place === null ? undefined : group.table?.figures?.[place]
  const name = figureTitle(config, figure ?? null, locale)
  const set = (change: (now: GroupQuery) => GroupQuery) => changeTable(list, change)
  const by = place ?? 'count'
  return (
    <span className="jw-cross__head">
      <OrderButton list={list} group={group} by={by} name={name} />
      <Popover
        placement="bottom-end"
        isOpen={isOpen}
        onInteraction={setOpen}
        content={
          <div className="jw-column-menu">
            <Menu>
              <MenuItem
                icon={<SortDesc />}
                text={t('table.descending')}
                onClick={() => set((now) => withOrder(now, by, false))}
              />
              <MenuItem
                icon={<SortAsc />}
                text={t('table.ascending')}
                onClick={() => set((now) => withOrder(now, by, true))}
              />
            </Menu>
            <HavingForm
              name={name}
              onApply={(op, value) => {
                setOpen(false)
                set((now) => withHaving(now, { of: by, op, value }))
              }}
            />
            {figure === undefined || place === null ? null : (
              <Menu>
                <MenuItem
                  icon={<Filter />}
                  text={`${t('table.figureOnly')}…`}
                  onClick={() => setFiltering(true)}
                />
                <MenuItem
                  icon={<Cross />}
                  text={t('table.removeFigure', { name })}
                  onClick={() => set((now) => withoutFigure(now, place))}
                />
              </Menu>
            )}
          </div>
        }
      >
        <Button
          className="jw-head-menu"
          variant="minimal"
          size="small"
          icon={<CaretDown size={12} />}
          disabled={!view.can.search}
          aria-label={t('column.menu', { name })}
          title={t('column.menu', { name })}
        />
      </Popover>
      {isFiltering && figure !== undefined && place !== null ? (
        <FilterDrawer
          config={config}
          where={figure.where ?? null}
          rows={[]}
          onApply={(where) =>
            set((now) => withFigureAt(now, place, onlyFigure(config, figure, where, locale)))
          }
          onClose={() => setFiltering(false)}
        />
      ) : null}
    </span>
  )
}

/** A condition on the groups: a comparison and a number; Enter applies it. */
function HavingForm({
  name,
  onApply,
}: {
  readonly name: string
  readonly onApply: (op: GroupComparison, value: number) => void
}) {
  const { t } = useText()
  const [op, setOp] = useState<GroupComparison>('ge')
  const [text, setText] = useState('')
  const value = text.trim() === '' ? Number.NaN : Number(text)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (Number.isFinite(value)) onApply(op, value)
  }
  return (
    <form className="jw-column-menu__typed jw-cross__having" onSubmit={submit}>
      <span>{t('table.having')}</span>
      <div>
        <HTMLSelect
          aria-label={t('table.havingOf')}
          value={op}
          options={groupComparisons.map((each) => ({
            value: each,
            label: t(`table.op.${each}`),
          }))}
          onChange={({ currentTarget }) =>
            setOp(groupComparisons.find((each) => each === currentTarget.value) ?? 'ge')
          }
        />
        <InputGroup
          size="small"
          inputMode="decimal"
          aria-label={`${name} ${t('table.havingValue')}`}
          placeholder={t('table.havingValue')}
          value={text}
          onValueChange={setText}
        />
        <Button
          type="submit"
          size="small"
          intent="primary"
          disabled={!Number.isFinite(value)}
          text={t('table.apply')}
        />
      </div>
    </form>
  )
}

import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { GroupQuery, GroupTable, TableCell } from '@jiaowu/api/entity/list/list-query'
import type { TablePlace } from '@jiaowu/machines/entity-list/context'
import type { WireValue } from '@jiaowu/api/entity/values'
import {
  dimensionName,
  shownFigures,
  shownTitles,
  tableText,
  whereOfCell,
} from '@jiaowu/machines/entity-list/table'
import { useState } from 'react'
import { useText } from '../../../app/text-context.ts'
import { Empty, Loading } from '../../../ui/resource/page-state.tsx'
import { ListBlank } from '../list-blank.tsx'
import type { List } from '../use-list.ts'
import { FigureMenu, OrderButton } from './figure-menu.tsx'
import { TableBar } from './table-bar.tsx'
import { TableChart } from './table-chart.tsx'
import { TablePaper } from './table-paper.tsx'
import { useTableTitle } from './use-table-title.ts'

interface Props {
  readonly list: List
  readonly config: EntityConfig
  readonly group: GroupQuery
}

/** The groups of the list as a table with their figures: rows, or rows by columns. */
export function GroupTableView({ list, config, group }: Props) {
  const { t } = useText()
  const { view } = list
  const [isChart, setChart] = useState(false)
  const [isPrinting, setPrinting] = useState(false)
  const { table, tableOf } = view
  const busy = view.step === 'loading'
  return (
    <>
      <TableBar
        list={list}
        config={config}
        group={group}
        isChart={isChart}
        onChart={() => setChart(!isChart)}
        onPrint={() => setPrinting(true)}
      />
      {view.step === 'failed' ? (
        <ListBlank list={list} config={config} />
      ) : table === null || tableOf === null ? (
        <Loading />
      ) : table.rows.length === 0 ? (
        <Empty title={t('table.empty')} />
      ) : (
        <div className={`jw-table-wrap jw-cross${busy ? ' is-busy' : ''}`} aria-busy={busy}>
          {busy ? <div className="jw-busy-line" /> : null}
          {isChart ? (
            <TableChart list={list} config={config} group={tableOf} table={table} />
          ) : null}
          <Cross list={list} config={config} group={tableOf} table={table} />
        </div>
      )}
      {isPrinting ? (
        <TablePaper list={list} config={config} group={group} onDone={() => setPrinting(false)} />
      ) : null}
    </>
  )
}

interface CrossProps extends Props {
  readonly table: GroupTable
}

function Cross(props: CrossProps) {
  const { t, locale } = useText()
  const { config, group, table } = props
  const title = useTableTitle(config, group)
  return (
    <table className="jw-table jw-cross__table" aria-label={title}>
      <CrossHead {...props} />
      <tbody>
        {table.rows.map(({ value, cells, all }, at) => {
          const name = dimensionName(config, group, value, locale)
          return (
            <tr key={at}>
              <th scope="row" className="is-name">
                <CellButton {...props} text={name} name={name} place={{ row: value }} />
              </th>
              <CrossCells {...props} name={name} row={{ row: value }} cells={cells} all={all} />
            </tr>
          )
        })}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" className="is-name">
            {t('table.total')}
          </th>
          <CrossCells
            {...props}
            name={t('table.total')}
            row={{}}
            cells={table.totals}
            all={table.all}
          />
        </tr>
      </tfoot>
    </table>
  )
}

/** The heads: of the figures, or of the columns with the figures below each. */
function CrossHead(props: CrossProps) {
  const { t, locale } = useText()
  const { list, config, group, table } = props
  const { across } = group.table ?? {}
  const places = shownFigures(group)
  const isTall = across !== undefined && places.length > 1
  const label = config.fields.find(({ attrName }) => attrName === group.column)?.uiLabel ?? ''
  const corner = (
    <th scope="col" rowSpan={isTall ? 2 : 1} className="is-name">
      <OrderButton list={list} group={group} by="value" name={label} />
    </th>
  )
  if (across === undefined)
    return (
      <thead>
        <tr>
          {corner}
          {places.map((place) => (
            <th key={place} scope="col" className="is-right">
              <FigureMenu list={list} config={config} group={group} place={place} />
            </th>
          ))}
        </tr>
      </thead>
    )
  const heads = [
    ...table.heads.map((head) => dimensionName(config, across, head, locale)),
    t('table.total'),
  ]
  return (
    <thead>
      <tr>
        {corner}
        {heads.map((head, at) => (
          <th key={at} scope={isTall ? 'colgroup' : 'col'} colSpan={places.length}>
            {head}
          </th>
        ))}
      </tr>
      {isTall ? (
        <tr>
          {heads.flatMap((_head, at) =>
            shownTitles(config, group, locale).map((title, place) => (
              <th key={`${at} ${place}`} scope="col" className="is-right">
                {title}
              </th>
            )),
          )}
        </tr>
      ) : null}
    </thead>
  )
}

/** The cells of a row, and of all its columns. */
function CrossCells({
  name,
  row,
  cells,
  all,
  ...props
}: CrossProps & {
  readonly name: string
  readonly row: TablePlace
  readonly cells: readonly (TableCell | null)[]
  readonly all: TableCell
}) {
  const { locale } = useText()
  const { config, group, table } = props
  const { across } = group.table ?? {}
  return [...cells, all].flatMap((cell, at) => {
    const head: WireValue | undefined = at < cells.length ? table.heads[at] : undefined
    const isHead = head !== undefined && across !== undefined
    return shownFigures(group).map((place) => (
      <td
        key={`${at} ${place}`}
        className={at === cells.length && at > 0 ? 'is-right is-total' : 'is-right'}
      >
        <CellButton
          {...props}
          text={tableText(config, group, cell, place, locale)}
          name={isHead ? `${name} · ${dimensionName(config, across, head, locale)}` : name}
          place={{
            ...row,
            ...(isHead ? { head } : {}),
            ...(place === null ? {} : { figure: place }),
          }}
        />
      </td>
    ))
  })
}

/** A number that opens the rows which it counts, where the list can be asked for them. */
function CellButton({
  list: { view, actor },
  config,
  group,
  text,
  name,
  place,
}: Props & { readonly text: string; readonly name: string; readonly place: TablePlace }) {
  const { t } = useText()
  const isAll = Object.keys(place).length === 0
  if (text === '') return null
  if (!view.can.search || (!isAll && whereOfCell(config, group, place) === null)) return text
  return (
    <button
      type="button"
      className="jw-cross__open"
      title={t('table.openRows', { name })}
      onClick={() => actor.send({ type: 'group.rows', ...place })}
    >
      {text}
    </button>
  )
}

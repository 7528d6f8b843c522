import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { GroupQuery, GroupTable, TableCell } from '@jiaowu/api/entity/list/list-query'
import { schoolTime } from '@jiaowu/api/formats'
import { limits } from '@jiaowu/api/limits'
import {
  shownConditions,
  shownLeaves,
} from '@jiaowu/machines/entity-list/conditions/shown-conditions'
import { buildRowsQuery } from '@jiaowu/machines/entity-list/query'
import {
  dimensionName,
  figureTitle,
  shownFigures,
  shownTitles,
  tableText,
} from '@jiaowu/machines/entity-list/table'
import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { useApi } from '../../../app/api-context.ts'
import { useText } from '../../../app/text-context.ts'
import { useTimeOfMount } from '../../../app/use-time-of-mount.ts'
import { askedWhere } from '../../../ports/asked-where.ts'
import { useResource } from '../../../ui/resource/use-resource.ts'
import type { List } from '../use-list.ts'
import { useTableTitle } from './use-table-title.ts'

interface Props {
  readonly list: List
  readonly config: EntityConfig
  readonly group: GroupQuery
  readonly onDone: () => void
}

/** The table of all groups on paper: it is loaded, printed and gone. */
export function TablePaper(props: Props) {
  const { api } = useApi()
  const { list, group, onDone } = props
  const { tag, view } = list
  const { data, problem } = useResource({
    query: tag,
    load: async (_tag, signal) => {
      const { queries } = buildRowsQuery(view)
      const body = {
        pageNum: 1,
        pageSize: limits.maxPageSize,
        queries: { ...queries },
        ...askedWhere(view.where),
        group,
      }
      return await api.entityData.page({ params: { tag }, body, signal })
    },
  })
  useEffect(() => {
    if (problem !== null) onDone()
    if (data === null) return
    globalThis.print()
    onDone()
  }, [data, problem, onDone])
  if (data?.table === undefined) return null
  return createPortal(
    <div className="jw-print__paper" aria-hidden>
      <Paper {...props} table={data.table} total={data.total ?? 0} />
    </div>,
    document.body,
  )
}

interface PaperProps extends Props {
  readonly table: GroupTable
  readonly total: number
}

function Paper(props: PaperProps) {
  const { t, locale } = useText()
  const { config, group, table, total } = props
  const title = useTableTitle(config, group)
  const printed = useTimeOfMount()
  const { across } = group.table ?? {}
  const places = shownFigures(group)
  const titles = shownTitles(config, group, locale)
  const heads =
    across === undefined
      ? ['']
      : [
          ...table.heads.map((head) => dimensionName(config, across, head, locale)),
          t('table.total'),
        ]
  const line = (
    name: string,
    cells: readonly (TableCell | null)[],
    all: TableCell,
    key: string,
  ) => (
    <tr key={key}>
      <th scope="row">{name}</th>
      {[...cells, all].flatMap((cell, at) =>
        places.map((place) => (
          <td key={`${at} ${place}`} className="is-right">
            {tableText(config, group, cell, place, locale)}
          </td>
        )),
      )}
    </tr>
  )
  return (
    <article className="jw-paper">
      <h1>{`${config.name} · ${title}`}</h1>
      <p>
        {schoolTime(printed).slice(0, 16)} ·{' '}
        {t('table.groups', { n: total.toLocaleString(locale) })}
        <Conditions {...props} />
      </p>
      <table>
        <thead>
          <tr>
            <th>{config.fields.find(({ attrName }) => attrName === group.column)?.uiLabel}</th>
            {heads.flatMap((head, at) =>
              titles.map((each, place) => (
                <th key={`${at} ${place}`} className="is-right">
                  {head === '' ? each : titles.length === 1 ? head : `${head} · ${each}`}
                </th>
              )),
            )}
          </tr>
        </thead>
        <tbody>
          {table.rows.map(({ value, cells, all }, at) =>
            line(dimensionName(config, group, value, locale), cells, all, String(at)),
          )}
          {line(t('table.total'), table.totals, table.all, 'total')}
        </tbody>
      </table>
    </article>
  )
}

/** The conditions of the rows and of the groups in words. */
function Conditions({ list: { view }, config, group }: PaperProps) {
  const { t, locale } = useText()
  const rows = [
    ...shownConditions(config, view.applied, view.rows, locale),
    ...shownLeaves(config, view.where, view.rows, locale),
  ].map(({ label, text }) => `${label} ${text}`)
  const having = (group.table?.having ?? []).map(({ of, op, value }) => {
    const figure = of === 'count' ? null : (group.table?.figures?.[of] ?? null)
    return `${figureTitle(config, figure, locale)} ${t(`table.op.${op}`)} ${value}`
  })
  const words = [...rows, ...having]
  return words.length === 0 ? null : ` · ${t('list.applied')}：${words.join('；')}`
}

import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { GroupQuery, GroupTable } from '@jiaowu/api/entity/list/list-query'
import { cutText } from '@jiaowu/api/cut-text'
import { limits } from '@jiaowu/api/limits'
import {
  dimensionName,
  figureTitle,
  shownFigures,
  tableText,
  whereOfCell,
} from '@jiaowu/machines/entity-list/table'
import { useText } from '../../../app/text-context.ts'
import type { List } from '../use-list.ts'

interface Props {
  readonly list: List
  readonly config: EntityConfig
  readonly group: GroupQuery
  readonly table: GroupTable
}

const [width, line, left, right] = [720, 26, 190, 90]

/**
 * The figure by which the groups are ordered as bars, each of which opens its rows. Screen readers and the
 * keyboard have the table below it.
 */
export function TableChart({ list: { actor }, config, group, table }: Props) {
  const { t, locale } = useText()
  const by = group.table?.order?.by
  const place = typeof by === 'number' ? by : (shownFigures(group)[0] ?? null)
  const figure = place === null ? null : (group.table?.figures?.[place] ?? null)
  const title = figureTitle(config, figure, locale)
  const bars = table.rows.slice(0, limits.chartBars).map(({ value, all }) => ({
    value,
    name: dimensionName(config, group, value, locale),
    size: Math.max(0, Number(place === null ? all.count : (all.figures[place] ?? 0)) || 0),
    text: tableText(config, group, all, place, locale),
    canOpen: whereOfCell(config, group, { row: value }) !== null,
  }))
  const most = Math.max(1e-9, ...bars.map(({ size }) => size))
  return (
    <figure className="jw-chart jw-cross__chart" aria-label={title}>
      <figcaption>
        {title}
        {table.rows.length > bars.length ? (
          <span className="jw-muted"> {t('table.chartFirst', { n: bars.length })}</span>
        ) : null}
      </figcaption>
      <svg viewBox={`0 0 ${width} ${bars.length * line + 4}`} aria-hidden focusable="false">
        {bars.map(({ value, name, size, text, canOpen }, at) => (
          <g
            key={at}
            className={canOpen ? 'is-open' : ''}
            onClick={() => {
              if (canOpen) actor.send({ type: 'group.rows', row: value })
            }}
          >
            <title>{`${name}：${text}`}</title>
            <rect className="jw-chart__hit" x={0} y={at * line} width={width} height={line} />
            <text className="is-name" x={left - 8} y={at * line + 18}>
              {[...name].length > 13 ? `${cutText(name, 12)}…` : name}
            </text>
            <rect
              className="jw-chart__bar"
              x={left}
              y={at * line + 4}
              width={Math.max((size / most) * (width - left - right), size > 0 ? 2 : 0)}
              height={line - 8}
              rx={3}
            />
            <text
              className="is-value"
              x={left + (size / most) * (width - left - right) + 6}
              y={at * line + 18}
            >
              {text}
            </text>
          </g>
        ))}
      </svg>
    </figure>
  )
}

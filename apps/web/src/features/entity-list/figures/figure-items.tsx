import { MenuDivider, MenuItem } from '@blueprintjs/core'
import {
  Blank,
  GroupObjects,
  Numerical,
  PanelTable,
  Snowflake,
  Tick,
  TimelineBarChart,
} from '@blueprintjs/icons'
import type { Field } from '@jiaowu/api/entity/config'
import type { FooterFunction, FooterValue, GroupQuery } from '@jiaowu/api/entity/list/list-query'
import { canGroup, figuresFor, figureText, hasUnits } from '@jiaowu/machines/entity-list/figures'
import { asTable, buildDimension } from '@jiaowu/machines/entity-list/table'
import { useText } from '../../../app/text-context.ts'
import { Submenu } from '../../../ui/overlays/submenu.tsx'
import { useResource } from '../../../ui/resource/use-resource.ts'
import type { ColumnDeeds } from '../table/column-deeds.ts'

interface Props {
  readonly field: Field
  readonly deeds: ColumnDeeds
}

/** Group by the column, a figure below it, statistics, and freezing, in its menu. */
export function FigureItems({ field, deeds }: Props) {
  const { t } = useText()
  const column = field.attrName
  const isFrozen = deeds.shown.frozen === column
  return (
    <>
      <GroupItems field={field} deeds={deeds} />
      <FooterItems field={field} deeds={deeds} />
      <MenuItem
        icon={<Snowflake />}
        text={t(isFrozen ? 'column.unfreeze' : 'column.freeze')}
        onClick={() => deeds.freeze(isFrozen ? null : column)}
      />
    </>
  )
}

const units = ['day', 'month', 'year'] as const

function GroupItems({ field, deeds }: Props) {
  const { t } = useText()
  const { group } = deeds.shown
  const column = field.attrName
  const isOn = group?.column === column
  if (!canGroup(field)) return null
  const choices: readonly GroupQuery[] = hasUnits(field)
    ? units.map((by) => ({ column, by }))
    : [{ column }]
  return (
    <>
      {choices.map((each) => (
        <MenuItem
          key={each.by ?? ''}
          icon={isOn && group.by === each.by ? <Tick /> : <GroupObjects />}
          text={t(each.by === undefined ? 'group.by' : `group.${each.by}`)}
          onClick={() => deeds.group(each)}
        />
      ))}
      <MenuItem
        icon={<PanelTable />}
        text={t('table.by')}
        onClick={() => deeds.group(asTable(buildDimension(field), deeds.shown.footer))}
      />
      {isOn ? (
        <MenuItem icon={<Blank />} text={t('group.none')} onClick={() => deeds.group(null)} />
      ) : null}
    </>
  )
}

function FooterItems({ field, deeds }: Props) {
  const { t } = useText()
  const column = field.attrName
  const chosen = deeds.shown.footer.find((each) => each.column === column)?.fn ?? null
  const offered = figuresFor(field)
  if (offered.length === 0) return null
  const item = (fn: FooterFunction | null) => (
    <MenuItem
      key={fn ?? ''}
      icon={chosen === fn ? <Tick /> : <Blank />}
      text={t(fn === null ? 'figure.none' : `figure.${fn}`)}
      onClick={() => deeds.foot(column, fn)}
    />
  )
  return (
    <>
      <Submenu icon={<Numerical />} text={t('figure.menu')}>
        {offered.map(item)}
        {chosen === null ? null : (
          <>
            <MenuDivider />
            {item(null)}
          </>
        )}
      </Submenu>
      <Submenu icon={<TimelineBarChart />} text={t('figure.statistics')}>
        <Statistics field={field} deeds={deeds} offered={offered} />
      </Submenu>
    </>
  )
}

/** The figures of the column over all rows that match, loaded when they are opened. */
function Statistics({
  field,
  deeds,
  offered,
}: Props & { readonly offered: readonly FooterFunction[] }) {
  const { t, locale } = useText()
  const { data, isLoading } = useResource({
    query: field.attrName,
    load: (column, signal): Promise<readonly FooterValue[]> =>
      deeds.measure(
        offered.map((fn) => ({ column, fn })),
        signal,
      ),
  })
  if (data === null)
    return <MenuItem disabled text={t(isLoading ? 'common.loading' : 'column.noStatistics')} />
  return data.map((each) => (
    <MenuItem
      key={each.fn}
      shouldDismissPopover={false}
      text={t(`figure.${each.fn}`)}
      label={figureText(each, field, locale)}
    />
  ))
}

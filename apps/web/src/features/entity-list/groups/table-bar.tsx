import { Button, HTMLSelect, Menu, MenuDivider, MenuItem } from '@blueprintjs/core'
import { SmallCross } from '@blueprintjs/icons'
import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import { groupUnits, type Dimension, type GroupQuery } from '@jiaowu/api/entity/list/list-query'
import { limits } from '@jiaowu/api/limits'
import { canGroup, figuresFor, hasUnits } from '@jiaowu/machines/entity-list/figures'
import {
  buildDimension,
  figureTitle,
  toDimension,
  withDimensions,
  withFigure,
  withoutHaving,
  withoutFigure,
} from '@jiaowu/machines/entity-list/table'
import { changeTable } from './change-table.ts'
import { useText } from '../../../app/text-context.ts'
import { Popover } from '../../../ui/overlays/popover.tsx'
import { Submenu } from '../../../ui/overlays/submenu.tsx'
import { Exporting } from '../../export/exporting.tsx'
import type { List } from '../use-list.ts'

interface Props {
  readonly list: List
  readonly config: EntityConfig
  readonly group: GroupQuery
}

interface BarProps extends Props {
  readonly isChart: boolean
  readonly onChart: () => void
  readonly onPrint: () => void
}

/** Rows, columns and figures of the table, the conditions on its groups, and what is done with it. */
export function TableBar(props: BarProps) {
  const { t } = useText()
  const { list, config, group } = props
  const { view } = list
  const { across } = group.table ?? {}
  return (
    <div className="jw-cross-bar">
      <div className="jw-cross-bar__line" role="group" aria-label={t('table.setupTitle')}>
        <DimensionChoice
          label={t('table.rows')}
          config={config}
          chosen={toDimension(group)}
          disabled={!view.can.search}
          onChoose={(next) => {
            if (next !== null)
              changeTable(list, (now) => withDimensions(now, next, now.table?.across ?? null))
          }}
        />
        <DimensionChoice
          label={t('table.columns')}
          config={config}
          chosen={across ?? null}
          isOptional
          disabled={!view.can.search}
          onChoose={(next) =>
            changeTable(list, (now) => withDimensions(now, toDimension(now), next))
          }
        />
        <AddFigure list={list} config={config} group={group} />
        <FigureTags list={list} config={config} group={group} />
        <HavingTags list={list} config={config} group={group} />
      </div>
      <TableActions {...props} />
    </div>
  )
}

/** Chart, export, print, and the way back to the records. */
function TableActions({ list: { view, actor }, isChart, onChart, onPrint }: BarProps) {
  const { t } = useText()
  const formats = [
    ['xlsx', t('table.exportExcel')],
    ['csv', t('table.exportCsv')],
  ] as const
  return (
    <div className="jw-cross-bar__line">
      <Button
        size="small"
        variant="minimal"
        active={isChart}
        aria-pressed={isChart}
        text={t('table.chart')}
        onClick={onChart}
      />
      {view.exporting !== null ? (
        <Exporting
          bytes={view.exporting.bytes}
          onCancel={() => actor.send({ type: 'export.cancel' })}
        />
      ) : view.may.export ? (
        formats.map(([format, text]) => (
          <Button
            key={format}
            size="small"
            variant="minimal"
            disabled={!view.can.export}
            text={text}
            onClick={() => actor.send({ type: 'export.start', format })}
          />
        ))
      ) : null}
      <Button size="small" variant="minimal" text={t('table.print')} onClick={onPrint} />
      <Button
        size="small"
        variant="minimal"
        disabled={!view.can.group}
        text={t('table.leave')}
        onClick={() => actor.send({ type: 'group.set', group: null })}
      />
    </div>
  )
}

/** The conditions on groups, each of which can be taken away. */
function HavingTags({ list, config, group }: Props) {
  const { t, locale } = useText()
  return (group.table?.having ?? []).map(({ of, op, value }, place) => {
    const figure = of === 'count' ? null : (group.table?.figures?.[of] ?? null)
    const label = figureTitle(config, figure, locale)
    return (
      <Tag
        key={place}
        text={`${label} ${t(`table.op.${op}`)} ${value.toLocaleString(locale)}`}
        removeLabel={t('table.removeHaving', { n: place + 1 })}
        disabled={!list.view.can.search}
        onRemove={() => changeTable(list, (now) => withoutHaving(now, place))}
      />
    )
  })
}

function DimensionChoice({
  label,
  config,
  chosen,
  isOptional = false,
  disabled,
  onChoose,
}: {
  readonly label: string
  readonly config: EntityConfig
  readonly chosen: Dimension | null
  readonly isOptional?: boolean
  readonly disabled: boolean
  readonly onChoose: (dimension: Dimension | null) => void
}) {
  const { t } = useText()
  const fields = config.fields.filter(canGroup)
  const field = fields.find(({ attrName }) => attrName === chosen?.column)
  const build = (next: Field | undefined, by?: Dimension['by']) =>
    onChoose(next === undefined ? null : buildDimension(next, by))
  return (
    <span className="jw-cross-bar__choice">
      <span className="jw-muted" aria-hidden>
        {label}
      </span>
      <HTMLSelect
        aria-label={label}
        disabled={disabled}
        value={chosen?.column ?? ''}
        options={[
          ...(isOptional ? [{ value: '', label: t('table.noColumns') }] : []),
          ...fields.map(({ attrName, uiLabel }) => ({ value: attrName, label: uiLabel })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          build(fields.find(({ attrName }) => attrName === value))
        }
      />
      {field !== undefined && hasUnits(field) ? (
        <HTMLSelect
          aria-label={`${field.uiLabel} ${t('table.unit')}`}
          disabled={disabled}
          value={chosen?.by ?? 'day'}
          options={groupUnits.map((unit) => ({ value: unit, label: t(`table.unit.${unit}`) }))}
          onChange={({ currentTarget: { value } }) =>
            build(
              field,
              groupUnits.find((unit) => unit === value),
            )
          }
        />
      ) : null}
    </span>
  )
}

/** The figures that the columns of the list have, by column; those of numbers first. */
function AddFigure({ list, config, group }: Props) {
  const { t } = useText()
  const offered = config.fields
    .map((field) => ({ field, fns: figuresFor(field) }))
    .filter(({ fns }) => fns.length > 0)
  const [numbers, others] = [
    offered.filter(({ fns }) => fns.includes('avg')),
    offered.filter(({ fns }) => !fns.includes('avg')),
  ]
  const isFull = (group.table?.figures ?? []).length >= limits.maxTableFigures
  const item = (field: Field, fn: (typeof offered)[number]['fns'][number]) => (
    <MenuItem
      key={`${field.attrName} ${fn}`}
      text={`${field.uiLabel} ${t(`figure.${fn}`)}`}
      onClick={() => changeTable(list, (now) => withFigure(now, { column: field.attrName, fn }))}
    />
  )
  return (
    <Popover
      placement="bottom-start"
      popoverClassName="jw-head-popover"
      content={
        <Menu>
          {numbers
            .slice(0, 1)
            .map(({ field, fns }) => orderedFns(fns).map((fn) => item(field, fn)))}
          <MenuDivider />
          {[...numbers.slice(1), ...others].map(({ field, fns }) => (
            <Submenu key={field.attrName} text={field.uiLabel}>
              {orderedFns(fns).map((fn) => item(field, fn))}
            </Submenu>
          ))}
        </Menu>
      }
    >
      <Button
        size="small"
        variant="outlined"
        disabled={isFull || !list.view.can.search}
        text={t('table.addFigure')}
      />
    </Popover>
  )
}

const usual = ['below', 'avg', 'sum', 'max', 'min', 'count', 'distinct', 'empty'] as const
const orderedFns = (fns: ReturnType<typeof figuresFor>) => usual.filter((fn) => fns.includes(fn))

/** The figures of a cross table, whose heads have no room for their menus. */
function FigureTags({ list, config, group }: Props) {
  const { t, locale } = useText()
  if (group.table?.across === undefined) return null
  return (group.table.figures ?? []).map((figure, place) => {
    const name = figureTitle(config, figure, locale)
    return (
      <Tag
        key={place}
        text={name}
        removeLabel={t('table.removeFigure', { name })}
        disabled={!list.view.can.search}
        onRemove={() => changeTable(list, (now) => withoutFigure(now, place))}
      />
    )
  })
}

function Tag({
  text,
  removeLabel,
  disabled,
  onRemove,
}: {
  readonly text: string
  readonly removeLabel: string
  readonly disabled: boolean
  readonly onRemove: () => void
}) {
  return (
    <span className="jw-condition" title={text}>
      <span className="jw-condition__text">{text}</span>
      <button type="button" aria-label={removeLabel} disabled={disabled} onClick={onRemove}>
        <SmallCross size={14} />
      </button>
    </span>
  )
}

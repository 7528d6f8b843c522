import {
  Button,
  InputGroup,
  Menu,
  MenuDivider,
  MenuItem,
  type PopoverNextProps,
} from '@blueprintjs/core'
import { Blank, CaretDown, EyeOff, SortAsc, SortDesc } from '@blueprintjs/icons'
import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import type { ListGroup } from '@jiaowu/api/entity/list/list-query'
import { findKind } from '@jiaowu/api/fields/kinds'
import { periods } from '@jiaowu/api/entity/list/periods'
import { hasPeriods, hasTerms } from '@jiaowu/machines/entity-list/conditions/where-draft'
import { type SubmitEvent, useState } from 'react'
import { type Texts, useText } from '../../../app/text-context.ts'
import { Popover } from '../../../ui/overlays/popover.tsx'
import { useResource } from '../../../ui/resource/use-resource.ts'
import { FigureItems } from '../figures/figure-items.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import type { ColumnDeeds } from './column-deeds.ts'

interface Props {
  readonly config: EntityConfig
  readonly column: Column
  readonly canAsk: boolean
  readonly deeds: ColumnDeeds
}

/** A menu that is longer than the room below its column scrolls. */
const withinWindow: NonNullable<PopoverNextProps['middleware']> = {
  size: {
    padding: 8,
    apply: ({ availableHeight, elements }) =>
      elements.floating.style.setProperty('--jw-room', `${availableHeight}px`),
  },
}

/** Sort, values with counts, contains or between, empty or not, hide. */
export function HeaderMenu(props: Props) {
  const { column, canAsk } = props
  const { t } = useText()
  const { label } = column
  return (
    <Popover
      content={<ColumnMenu {...props} />}
      popoverClassName="jw-head-popover"
      middleware={withinWindow}
    >
      <Button
        className="jw-head-menu"
        variant="minimal"
        size="small"
        icon={<CaretDown size={12} />}
        disabled={!canAsk}
        aria-label={t('column.menu', { name: label })}
        title={t('column.menu', { name: label })}
      />
    </Popover>
  )
}

function ColumnMenu({ column: { field }, deeds }: Props) {
  const { t } = useText()
  const name = field.attrName
  const filters = field.isQuery === 1 ? <Filters field={field} deeds={deeds} /> : null
  const typed = field.isQuery === 1 ? typedFilter(field, deeds, t) : null
  const sorting = field.sortable ? (
    <>
      <MenuItem
        icon={<SortAsc />}
        text={t('column.ascending')}
        onClick={() => deeds.sort(name, true)}
      />
      <MenuItem
        icon={<SortDesc />}
        text={t('column.descending')}
        onClick={() => deeds.sort(name, false)}
      />
      <MenuDivider />
    </>
  ) : null
  const rest = (
    <>
      {filters}
      <FigureItems field={field} deeds={deeds} />
      <MenuItem icon={<EyeOff />} text={t('column.hide')} onClick={() => deeds.hide(name)} />
      {hasValues(field) ? <Values field={field} deeds={deeds} /> : null}
    </>
  )
  // Inputs may not be inside a menu.
  return typed === null ? (
    <Menu>
      {sorting}
      {rest}
    </Menu>
  ) : (
    <div className="jw-column-menu">
      {sorting === null ? null : <Menu>{sorting}</Menu>}
      <TypedFilter {...typed} />
      <Menu>{rest}</Menu>
    </div>
  )
}

function typedFilter(field: Field, deeds: ColumnDeeds, t: Texts['t']): TypedProps | null {
  const { family } = findKind(field.uiType)
  const column = field.attrName
  if ((field.pii ?? null) !== null) return null
  if (family === 'text')
    return {
      labels: [t('column.contains')],
      onApply: ([text]) => deeds.filter({ column, op: 'like', value: text }),
    }
  if (family !== 'number' && family !== 'temporal') return null
  return {
    labels: [t('column.from'), t('column.to')],
    onApply: ([from, to]) =>
      deeds.filter({
        column,
        op: 'between',
        value: [from === '' ? null : from, to === '' ? null : to],
      }),
  }
}

function Filters({ field, deeds }: { readonly field: Field; readonly deeds: ColumnDeeds }) {
  const { t } = useText()
  const column = field.attrName
  return (
    <>
      {(hasPeriods(field) ? periods : hasTerms(field) ? (['term'] as const) : []).map((period) => (
        <MenuItem
          key={period}
          icon={<Blank />}
          text={t(`period.${period}`)}
          onClick={() => deeds.filter({ column, op: 'during', value: period })}
        />
      ))}
      <MenuItem
        icon={<Blank />}
        text={t('column.isEmpty')}
        onClick={() => deeds.filter({ column, op: 'isEmpty' })}
      />
      <MenuItem
        icon={<Blank />}
        text={t('column.notEmpty')}
        onClick={() => deeds.filter({ column, op: 'notEmpty' })}
      />
      <MenuDivider />
    </>
  )
}

function hasValues(field: Field): boolean {
  const { family, sortable } = findKind(field.uiType)
  const isPersonal = (field.pii ?? null) !== null
  const isListed = family === 'choice' || family === 'flag'
  return field.isQuery === 1 && !isPersonal && field.sortable && sortable && isListed
}

interface TypedProps {
  readonly labels: readonly string[]
  readonly onApply: (texts: readonly string[]) => void
}

/** One or two inputs; Enter applies them. */
function TypedFilter({ labels, onApply }: TypedProps) {
  const { t } = useText()
  const [texts, setTexts] = useState<readonly string[]>(labels.map(() => ''))
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (texts.some((text) => text.trim() !== '')) onApply(texts.map((text) => text.trim()))
  }
  return (
    <form className="jw-column-menu__typed" onSubmit={submit}>
      {labels.map((label, index) => (
        <InputGroup
          key={label}
          size="small"
          aria-label={label}
          placeholder={label}
          value={texts[index] ?? ''}
          onValueChange={(text) => setTexts(texts.map((each, at) => (at === index ? text : each)))}
        />
      ))}
      <Button type="submit" size="small" intent="primary" text={t('common.search')} />
    </form>
  )
}

const shownValues = 12

/**
 * The most frequent values with their counts; a click keeps the rows of one. Last in the menu: they
 * come later than the other items, which must not move below the pointer.
 */
function Values({ field, deeds }: { readonly field: Field; readonly deeds: ColumnDeeds }) {
  const { t, locale } = useText()
  const { data, isLoading } = useResource({
    query: field.attrName,
    load: (column, signal) => deeds.count(column, signal),
  })
  if (data === null)
    return isLoading ? (
      <>
        <MenuDivider />
        <MenuItem disabled text={t('common.loading')} />
      </>
    ) : null
  const values = data
    .toSorted((a, b) => b.count - a.count)
    .slice(0, shownValues)
    .map((group) => ({ group, ...toGroupItem(group) }))
    .filter(({ id }) => id !== '')
  return (
    <>
      {values.length === 0 ? null : <MenuDivider />}
      {values.map(({ group, id, name }) => (
        <MenuItem
          key={id}
          icon={<Blank />}
          text={formatGroupName(field, id, name, t)}
          label={group.count.toLocaleString(locale)}
          onClick={() => deeds.filter({ column: field.attrName, op: 'in', value: [id] })}
        />
      ))}
    </>
  )
}

function toGroupItem({ value }: ListGroup): { readonly id: string; readonly name: string } {
  const [first] = Array.isArray(value) ? value : []
  return first === undefined
    ? { id: Array.isArray(value) ? '' : String(value ?? ''), name: '' }
    : { id: first.id, name: first.name }
}

function formatGroupName(field: Field, id: string, name: string, t: Texts['t']): string {
  if (findKind(field.uiType).family === 'flag') return t(id === '1' ? 'common.yes' : 'common.no')
  return name === '' ? (field.dictData?.find((item) => item.id === id)?.name ?? id) : name
}

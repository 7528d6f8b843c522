import { Button } from '@blueprintjs/core'
import { ChevronDown, ChevronRight } from '@blueprintjs/icons'
import type { Field } from '@jiaowu/api/entity/config'
import { limits } from '@jiaowu/api/limits'
import type { Row } from '@jiaowu/api/entity/values'
import type { EntityListView } from '@jiaowu/machines/entity-list/view'
import { groupName } from '@jiaowu/machines/entity-list/figures'
import type { Section } from '@jiaowu/machines/entity-list/groups'
import { Fragment, type ReactNode } from 'react'
import { useText } from '../../../app/text-context.ts'

export interface Grouping {
  readonly field: Field
  readonly sections: readonly Section[]
  readonly canToggle: boolean
  readonly onToggle: (key: string) => void
}

/** The rows of a page in their groups. */
export function GroupRows({
  grouping: { field, sections, canToggle, onToggle },
  span,
  rowOf,
}: {
  readonly grouping: Grouping
  /** Columns of the table. */
  readonly span: number
  readonly rowOf: (row: Row) => ReactNode
}) {
  const { t, locale } = useText()
  return sections.map(({ key, value, count, isOpen, isContinued, rows }) => {
    const name = groupName(value, field, locale)
    return (
      <Fragment key={key}>
        <tr className="jw-section">
          <th colSpan={span} scope="rowgroup">
            <span className="jw-section__head">
              <Button
                variant="minimal"
                size="small"
                aria-expanded={isOpen}
                disabled={!canToggle}
                icon={isOpen ? <ChevronDown size={14} /> : <ChevronRight size={14} />}
                text={name}
                onClick={() => onToggle(key)}
              />
              {isContinued ? <span className="jw-muted">{t('group.continued')}</span> : null}
              <span className="jw-muted">
                {count === null ? '—' : t('group.count', { n: count.toLocaleString(locale) })}
              </span>
            </span>
          </th>
        </tr>
        {rows.map(rowOf)}
      </Fragment>
    )
  })
}

/** By what the rows are grouped, and the ways to open, close and leave the groups. */
export function GroupBar({
  view,
  field,
  onToggleAll,
  onTable,
  onLeave,
}: {
  readonly view: EntityListView
  readonly field: Field
  readonly onToggleAll: () => void
  /** Shows the groups as a table with figures. */
  readonly onTable: () => void
  readonly onLeave: () => void
}) {
  const { t } = useText()
  return (
    <div
      className="jw-section-bar"
      role="group"
      aria-label={t('group.applied', { name: field.uiLabel })}
    >
      <span className="jw-muted">{t('group.applied', { name: field.uiLabel })}</span>
      <Button
        variant="minimal"
        size="small"
        disabled={!view.can.toggleGroups}
        text={t(view.allOpen ? 'group.closeAll' : 'group.openAll')}
        onClick={onToggleAll}
      />
      <Button
        variant="minimal"
        size="small"
        disabled={!view.can.search}
        text={t('table.fromGroup')}
        onClick={onTable}
      />
      <Button
        variant="minimal"
        size="small"
        disabled={!view.can.group}
        text={t('group.none')}
        onClick={onLeave}
      />
      {view.moreGroups ? (
        <span className="jw-muted">{t('group.more', { n: limits.maxGroups })}</span>
      ) : null}
    </div>
  )
}

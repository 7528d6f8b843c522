import { Button } from '@blueprintjs/core'
import { Filter } from '@blueprintjs/icons'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import { filterFields } from '@jiaowu/machines/entity-list/conditions/where-draft'
import { useState } from 'react'
import { useText } from '../../../app/text-context.ts'
import { useNarrow } from '../../../app/use-narrow.ts'
import type { List } from '../use-list.ts'
import { FilterDrawer } from './filter-drawer.tsx'

/** Opens the conditions in groups. Nothing for lists without filters. */
export function FilterButton({
  list: { view, actor },
  config,
}: {
  readonly list: Pick<List, 'view' | 'actor'>
  readonly config: EntityConfig
}) {
  const { t } = useText()
  const narrow = useNarrow()
  const [isOpen, setOpen] = useState(false)
  if (filterFields(config).length === 0) return null
  return (
    <>
      <Button
        variant="minimal"
        className={view.where === null ? '' : 'is-on'}
        icon={<Filter />}
        {...(narrow
          ? { 'aria-label': t('filter.open'), title: t('filter.open') }
          : { text: t('filter.open') })}
        disabled={!view.can.search}
        onClick={() => setOpen(true)}
      />
      {isOpen ? (
        <FilterDrawer
          config={config}
          where={view.where}
          rows={view.rows}
          onApply={(where) => actor.send({ type: 'where.apply', where })}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  )
}

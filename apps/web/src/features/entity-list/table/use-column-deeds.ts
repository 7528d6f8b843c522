import type { EntityConfig } from '@jiaowu/api'
import { rowsQueryOf, withLeaf } from '@jiaowu/machines'
import { useMemo } from 'react'
import { useApp } from '../../../shell/context/app-context.tsx'
import { shownColumns } from '../../views/column-order.ts'
import type { List } from '../use-list.ts'
import type { ColumnDeeds } from './header-menu.tsx'

/** What the menus of the columns do: on the list, on its columns, and the counts they show. */
export function useColumnDeeds(
  { tag, actor, view, views }: List,
  config: EntityConfig,
): ColumnDeeds {
  const { api } = useApp()
  const { applied, where, sorts } = view
  const { columns } = views.view
  const { send } = views
  return useMemo<ColumnDeeds>(() => {
    const shown = () => shownColumns(config, columns).map(({ attrName }) => attrName)
    return {
      sort: (column, asc) => actor.send({ type: 'sort.set', column, asc }),
      filter: (leaf) => actor.send({ type: 'where.apply', where: withLeaf(where, leaf) }),
      hide: (column) =>
        send({ type: 'columns.change', columns: shown().filter((name) => name !== column) }),
      count: async (column, signal) => {
        const { sorts: _sorts, ...rows } = rowsQueryOf({ applied, where, sorts })
        const { groups = [] } = await api.entityData.page({
          params: { tag },
          body: {
            pageNum: 1,
            pageSize: 1,
            withTotal: false,
            group: { column },
            ...rows,
            queries: { ...rows.queries },
          },
          signal,
        })
        return groups
      },
    }
  }, [actor, api, applied, columns, config, send, sorts, tag, where])
}

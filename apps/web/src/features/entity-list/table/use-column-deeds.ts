import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { PageQuery } from '@jiaowu/api/entity/list/page'
import { buildRowsQuery } from '@jiaowu/machines/entity-list/query'
import { withLeaf } from '@jiaowu/machines/entity-list/conditions/where'
import { useMemo } from 'react'
import { askedWhere } from '../../../ports/asked-where.ts'
import { useApi } from '../../../app/api-context.ts'
import { shownColumns } from '../../../ui/table/column-order.ts'
import type { List } from '../use-list.ts'
import type { ColumnDeeds } from './column-deeds.ts'

/**
 * Builds the deeds of the columns' menus: on the list, on its columns, and the counts they show.
 */
export function useColumnDeeds(
  { tag, actor, view, views }: List,
  config: EntityConfig,
): ColumnDeeds {
  const { api } = useApi()
  const { applied, where, sorts, group, footer, frozen } = view
  const { columns } = views.view
  const { send } = views
  return useMemo<ColumnDeeds>(() => {
    const shown = () => shownColumns(config, columns).map(({ attrName }) => attrName)
    const ask = async (figures: Pick<PageQuery, 'group' | 'footer'>, signal: AbortSignal) => {
      const { queries } = buildRowsQuery({ applied, where, sorts })
      return await api.entityData.page({
        params: { tag },
        body: {
          pageNum: 1,
          pageSize: 1,
          withTotal: false,
          ...figures,
          ...askedWhere(where),
          queries: { ...queries },
        },
        signal,
      })
    }
    return {
      shown: { group, footer, frozen },
      sort: (column, asc) => actor.send({ type: 'sort.set', column, asc }),
      filter: (leaf) => actor.send({ type: 'where.apply', where: withLeaf(where, leaf) }),
      hide: (column) =>
        send({ type: 'columns.change', columns: shown().filter((name) => name !== column) }),
      group: (by) => actor.send({ type: 'group.set', group: by }),
      foot: (column, fn) => actor.send({ type: 'footer.set', column, fn }),
      freeze: (column) => actor.send({ type: 'freeze.set', column }),
      count: async (column, signal) => (await ask({ group: { column } }, signal)).groups ?? [],
      measure: async (figures, signal) => (await ask({ footer: figures }, signal)).footer ?? [],
    }
  }, [actor, api, applied, columns, config, footer, frozen, group, send, sorts, tag, where])
}

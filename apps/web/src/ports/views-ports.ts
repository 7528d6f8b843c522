import type { ViewContent } from '@jiaowu/api/entity/list/view'
import type { ViewsPorts } from '@jiaowu/machines/views/ports'
import type { Api } from '../app/api.ts'

export function viewsPorts(api: Api): ViewsPorts {
  return {
    loadViews: (params, signal) => api.view.list({ params, signal }),
    saveView: ({ tag, id, version, view }, signal) => {
      const { name, scope, roleId, isDefault } = view
      const body = { name, scope, roleId, isDefault, ...copyViewBody(view) }
      return id === null
        ? api.view.create({ params: { tag }, body, signal })
        : api.view.update({ params: { tag, id }, body: { ...body, version }, signal })
    },
    removeView: (params, signal) => api.view.remove({ params, signal }),
    chooseOpening: ({ tag, opens }, signal) =>
      api.view.open({ params: { tag }, body: { opens }, signal }),
    keepLayout: ({ tag, columns }, signal) =>
      api.view.keepLayout({
        params: { tag },
        body: { columns: columns === null ? null : [...columns] },
        signal,
      }),
  }
}

/** Copies the readonly lists, since request bodies have mutable types. */
function copyViewBody({
  queries,
  where,
  sorts,
  columns,
  pageSize,
  group,
  footer,
  frozen,
}: ViewContent) {
  return {
    queries: { ...queries },
    sorts: [...sorts],
    columns: columns === null ? null : [...columns],
    pageSize,
    where,
    group,
    footer: [...footer],
    frozen,
  }
}

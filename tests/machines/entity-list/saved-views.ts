import { blankContent, type SavedViews } from '@jiaowu/api/entity/list/view'

/** One saved view, as the server answers it. */
export const savedViews: SavedViews = {
  views: [
    {
      ...blankContent,
      queries: { name: 'v' },
      sorts: [{ column: 'name', asc: false }],
      columns: null,
      pageSize: 20,
      id: 'v',
      name: '视图甲',
      scope: 'mine',
      roleId: null,
      roleName: null,
      isDefault: false,
      version: 1,
      editable: false,
      lacks: { queries: 0, sorts: 0, columns: 0 },
    },
  ],
  opens: 'shared',
  opening: null,
  layout: null,
  widths: {},
  mayShare: false,
  roles: [],
}

// Groups and figures over all rows.
import type { Field } from '@jiaowu/api/entity/config'
import type { Row } from '@jiaowu/api/entity/values'
import type { PageQuery } from '@jiaowu/api/entity/list/page'
import type { EventObject } from 'xstate'
import { listModel, type Snapshot } from './list-model.ts'
import {
  type Events,
  buildListField,
  listConfig,
  outcomes,
  buildListPage,
  buildListRow,
} from './samples.ts'

const groupFields: readonly Field[] = [
  { ...buildListField('kind'), uiType: 'select' },
  { ...buildListField('born'), uiType: 'date' },
  { ...buildListField('mark'), uiType: 'inputNumber', options: { warnBelow: 60 } },
]
const kindRow = (id: string, kind: string, born: string): Row => ({
  ...buildListRow(id),
  kind: kind === '' ? [] : [{ id: kind, name: kind }],
  born,
})

/** Groups and figures over all rows: one field at a time, since both together differ only in data. */
function groupModel(
  only: readonly (keyof Events)[],
  pick: Partial<{ readonly [T in keyof Events]: readonly string[] }>,
  figures: readonly (keyof typeof outcomes.loadFigures)[],
  {
    pages = ['two'],
    unhandled = 'all',
  }: {
    readonly pages?: readonly ('two' | 'pastEnd' | 'down')[]
    readonly unhandled?: 'all' | readonly string[]
  } = {},
) {
  const model = listModel(only, 'multi', unhandled)
  const rows = [kindRow('a', '1', '2026-01-05'), kindRow('b', '', '2026-03-01')]
  const buildRowPages = (query: PageQuery | undefined) => ({
    two: {
      ok: true,
      output: {
        ...buildListPage([], 12),
        records: rows,
        total: query?.withTotal === false ? null : 12,
      },
    },
    ...((query?.pageNum ?? 1) > 1 &&
      pages.includes('pastEnd') && {
        pastEnd: {
          ok: true,
          output: { ...buildListPage([], 5), total: query?.withTotal === false ? null : 5 },
        },
      }),
    ...(pages.includes('down') && { down: outcomes.loadPage.down }),
  })
  return {
    ...model,
    events: Object.fromEntries(
      Object.entries(model.events).map(([type, cases]) => [
        type,
        Object.fromEntries(
          Object.entries(cases).filter(
            ([name]) => pick[type as keyof Events]?.includes(name) ?? true,
          ),
        ),
      ]),
    ) as unknown as Events,
    outcomes: {
      ...model.outcomes,
      loadConfig: {
        multi: {
          ok: true,
          output: {
            ...listConfig('multi'),
            fields: [buildListField('name'), buildListField('no'), ...groupFields],
          },
        },
      } as never,
      loadPage: (({ query }: { query?: PageQuery } = {}) =>
        query?.group?.table === undefined
          ? buildRowPages(query)
          : { table: outcomes.loadPage.table }) as never,
      loadFigures: (({ query }: { query?: PageQuery } = {}) =>
        Object.fromEntries(
          figures.map((name) => {
            const outcome = outcomes.loadFigures[name]
            return [
              name,
              outcome.ok && query?.withTotal === false
                ? { ok: true, output: { ...outcome.output, total: null } }
                : outcome,
            ]
          }),
        )) as never,
    },
  }
}

export const listGroupModel = groupModel(
  ['group.set', 'group.toggle', 'groups.toggle'],
  { 'group.set': ['kind', 'unfit', 'none'], 'group.toggle': ['one', 'none'] },
  ['kinds'],
  { unhandled: ['group.toggle', 'groups.toggle', 'group.set'] },
)
export const listGroupPagesModel = groupModel(
  ['group.set', 'group.toggle', 'page.go'],
  { 'group.set': ['kind'], 'group.toggle': ['one'] },
  ['kinds'],
  { pages: ['two', 'pastEnd'], unhandled: ['page.go'] },
)
export const listGroupFailingModel = groupModel(
  ['group.set', 'list.refresh'],
  { 'group.set': ['kind', 'none'] },
  ['kinds', 'down'],
  { pages: ['two', 'down'] },
)
/** A table of groups, and the rows behind its cells. */
export const listTableModel = {
  ...groupModel(
    ['group.set', 'group.rows', 'page.go', 'list.refresh'],
    { 'group.set': ['table', 'noTable', 'none'] },
    ['kinds'],
    { unhandled: ['group.set', 'group.rows', 'page.go'] },
  ),
  // The conditions of one cell, not of a cell of its rows as well.
  hidden: ({ context }: Snapshot, { type }: EventObject) =>
    context.where !== null && type === 'group.set',
}
export const listMonthsModel = groupModel(
  ['group.set', 'group.toggle', 'groups.toggle', 'list.refresh'],
  { 'group.set': ['month'], 'group.toggle': ['month'] },
  ['months'],
)
export const listManyModel = groupModel(
  ['group.set', 'group.toggle', 'groups.toggle', 'query.reset'],
  { 'group.set': ['kind'], 'group.toggle': ['one'] },
  ['many'],
)
export const listFooterModel = groupModel(
  ['footer.set', 'figures.ask'],
  { 'footer.set': ['sum', 'below', 'unfit', 'none'] },
  ['kinds', 'down'],
  { unhandled: ['footer.set'] },
)
export const listFrozenModel = groupModel(['freeze.set', 'view.apply'], {}, ['kinds'])

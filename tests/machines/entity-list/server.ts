import type { PageQuery } from '@jiaowu/api/entity/list/page'
import type { AnyMachineSnapshot } from 'xstate'
import { fileSink } from '../../surfaces/server/file-sink.ts'
import { quietListPorts, serverListKinds } from '../../surfaces/server/rows/list-kinds.ts'
import { firstRow, type RowSet } from '../../surfaces/server/rows/rows.ts'
import { type ServerParts, buildServerParts } from '../../surfaces/server/server-part.ts'
import { entityListModels } from './model.ts'
import { buildListCalls } from './server-calls.ts'
import { questions } from './server-pages.ts'

/** A list is searched, sorted, paged and exported; rows are chosen and deleted. */
export const serverEntityList: ServerParts = async (fixtures) => {
  const { run, registrar, listed, children } = fixtures
  const subject = await registrar(),
    rows = await listed(),
    linked = await children(),
    { api } = await run.helper('admin')
  const sink = fileSink(),
    others = (await firstRow(api, rows.tag)).total
  const asked = questions.join(', ')
  /** The list that opens with a search. */
  const list = (search: string) => ({
    model: entityListModels,
    ports: quietListPorts(subject.api, sink.save),
    subject,
    calls: buildListCalls({ api, rows, linked, sink, others, search }),
    samples: buildListSamples(rows),
    start: opensWith(rows, search),
    ends: `loadConfig(multi), loadPage(${asked})`,
    before: () => rows.ensure(),
    translate: rows.translate,
    key: (s: AnyMachineSnapshot) => buildServerListKey(rows, s),
  })
  const inOrder = { start: opensWith(rows, '', [{ column: rows.name, asc: true }]) }
  return {
    ...(await serverListKinds(fixtures)),
    ...buildServerParts({
      ...list(''),
      parts: {
        query: {
          events: 'query.change, query.search, query.reset, list.refresh',
          ends: 'loadConfig(multi, gone)',
        },
        pages: {
          events: 'sort.cycle, page.go(second, first), list.refresh',
          ends: `loadPage(${asked}, pastEnd, ended)`,
        },
        size: { events: 'page.resize, page.go(second), query.search, row.saved' },
        // Rows chosen one by one, all that the search finds, or all but one.
        export: {
          ...inOrder,
          events: 'rows.toggle, selection.all, row.toggle(three), export.start, export.cancel',
        },
        anew: {
          ...inOrder,
          events: 'rows.toggle, selection.all, selection.clear, query.search',
          ends: `loadPage(${asked}, all, none)`,
        },
      },
    }),
    ...buildServerParts({
      ...list('1'),
      parts: {
        rows: {
          events: `row.toggle(ten), rows.toggle, list.refresh,
            delete.ask, delete.confirm, delete.cancel`,
        },
      },
    }),
  }
}

function opensWith(rows: RowSet, search: string, sorts: PageQuery['sorts'] = []) {
  const preset = { queries: { [rows.name]: `${rows.stem}${search}` }, sorts }
  return () => ({ tag: rows.tag, preset })
}

function buildListSamples({ name, stem }: RowSet) {
  const typed = (value: string) => ({ attrName: name, value })
  return {
    'query.change': { some: typed(`${stem}1`), none: typed(`${stem}no`) },
    'sort.cycle': { name: { column: name } },
    'page.go': { second: { pageNum: 2 }, first: { pageNum: 1 } },
    'page.resize': { twenty: { pageSize: 20 } },
    'row.saved': { default: {} },
    'row.toggle': { ten: { id: '10' }, three: { id: '03' } },
    'delete.ask': { selection: {}, row: { id: '11' } },
    'export.start': { csv: { format: 'csv' }, chosen: { format: 'csv', chosen: true } },
  }
}

function buildServerListKey(
  rows: RowSet,
  { value, context: c }: AnyMachineSnapshot,
): readonly unknown[] {
  return [
    value,
    c.config === null,
    c.draft[rows.name] ?? null,
    c.applied[rows.name] ?? null,
    c.sorts,
    c.pageNum,
    c.pageSize,
    c.page?.records.length ?? null,
    c.page === null ? null : c.total > c.pageSize,
    c.counting,
    c.selected.map(rows.aliasOf).sort(),
    c.matching?.map(rows.aliasOf) ?? null,
    c.pendingDeletion.map(rows.aliasOf),
    c.outdated,
    c.problem?.kind ?? null,
    c.exporting !== null,
  ]
}

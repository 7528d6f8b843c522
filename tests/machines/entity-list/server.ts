import type { Page, PageQuery, Row } from '@jiaowu/api'
import { listPorts } from '../../../apps/web/src/ports/list-ports.ts'
import type { EventObject } from 'xstate'
import type { Spec } from '../spec.ts'
import { entityListModels } from './model.ts'
import { fileSink } from '../../surfaces/server/file-sink.ts'
import { serverListKinds } from '../../surfaces/server/rows/list-kinds.ts'
import type { RowSet } from '../../surfaces/server/rows/rows.ts'
import { no, ok, type Stage } from '../../surfaces/server/server-driver.ts'
import type { ServerPart, ServerParts } from '../../surfaces/server/server-part.ts'
import { few, expectedPage, isOurs, type Question, questions, scenesOf } from './server-scenes.ts'

type Samples = Readonly<Record<string, Readonly<Record<string, object>>>>
export const serverEntityList: ServerParts = async (fixtures) => {
  const { run, registrar, listed, children } = fixtures
  const subject = await registrar(),
    rows = await listed(),
    linked = await children()
  const sink = fileSink()
  const others = (
    await (
      await run.helper('admin')
    ).api.entityData.page({ params: { tag: rows.tag }, body: { pageSize: 1 } })
  ).total
  const scenes = scenesOf(run, subject, rows, linked, sink)
  const translate = (event: EventObject): EventObject =>
    'id' in event && typeof event.id === 'string'
      ? Object.assign({}, event, { id: rows.idOf(event.id) })
      : event
  const base = Object.values(entityListModels.parts)[0] as Spec<unknown>
  const part = (
    search: string,
    events: Samples,
    names: Readonly<Record<string, readonly string[]>>,
    sorts: PageQuery['sorts'] = [],
  ) => {
    const spec: Spec<unknown> = {
      ...base,
      input: () => ({
        tag: rows.tag,
        preset: { queries: { [rows.name]: `${rows.stem}${search}` }, sorts },
      }),
      events,
      outcomes: outcomesOf(rows, others ?? 0, search, {
        loadConfig: ['multi'],
        ...names,
        loadPage: [...questions, ...(names.loadPage ?? [])],
      }),
      unhandled: [],
      eventsIn: () => ({}),
      key: (s) => keyOf(rows, s),
    }
    const stage = (): Promise<Stage> =>
      rows.ensure().then(() => ({
        ports: listPorts(
          {
            api: subject.api,
            saveFile: sink.save,
            toast: () => {},
            openTab: () => {},
            openDrawer: () => {},
          },
          () => {},
        ) as never,
        scenes,
        translate,
      }))
    return { spec, scenes, stage }
  }
  return { ...(await serverListKinds(fixtures)), ...listParts(rows, part) }
}

function outcomesOf(
  rows: RowSet,
  others: number,
  search: string,
  names: Readonly<Record<string, readonly string[]>>,
) {
  const samples: Readonly<
    Record<string, (input: never) => Readonly<Record<string, ReturnType<typeof ok>>>>
  > = {
    loadConfig: () => ({ multi: ok(rows.config), gone: no('refused', 403) }),
    loadPage: ({ query }: Question) => ({
      [questionOf(rows, query, search)]: ok(samplePage(rows, query, others)),
      all: ok(samplePage(rows, query, others, few)),
      none: ok(samplePage(rows, query, others, [])),
      pastEnd: ok({
        ...samplePage(rows, query, others),
        records: [],
        total: query.withTotal === false ? null : (query.pageNum - 1) * query.pageSize,
      }),
      ended: no('session', 401),
    }),
    removeRows: ({ ids }: { ids: readonly string[] }) => ({
      done: ok({ deleted: ids.length }),
      inUse: no('refused', 409),
      gone: no('refused', 404),
      forbidden: no('refused', 403),
    }),
    exportRows: () => ({ saved: ok(undefined), refused: no('refused', 403) }),
    pressButton: () => ({}),
  }
  return Object.fromEntries(
    Object.entries(samples).map(([port, sample]) => [
      port,
      (input: never) =>
        Object.fromEntries(
          Object.entries(sample(input)).filter(([name]) => names[port]?.includes(name) ?? false),
        ),
    ]),
  )
}

function keyOf(rows: RowSet, s: Parameters<Spec<unknown>['key']>[0]): string {
  const c = s.context
  return JSON.stringify([
    s.value,
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
    c.problem === null ? null : c.problem.kind,
    c.exporting !== null,
  ])
}

/** The concerns of the list: each takes a search, events, outcomes per port and an order. */
function listParts(
  rows: RowSet,
  part: (
    search: string,
    events: Samples,
    names: Readonly<Record<string, readonly string[]>>,
    sorts?: PageQuery['sorts'],
  ) => ServerPart,
) {
  const bare = { bare: {} },
    inOrder = [{ column: rows.name, asc: true }]
  const typed = (value: string) => ({ attrName: rows.name, value })
  return {
    query: part(
      '',
      {
        'query.change': { some: typed(`${rows.stem}1`), none: typed(`${rows.stem}no`) },
        'query.search': bare,
        'query.reset': bare,
        'list.refresh': bare,
      },
      { loadConfig: ['multi', 'gone'] },
    ),
    pages: part(
      '',
      {
        'sort.cycle': { name: { column: rows.name } },
        'page.go': { second: { pageNum: 2 }, first: { pageNum: 1 } },
        'list.refresh': bare,
      },
      { loadPage: ['pastEnd', 'ended'] },
    ),
    size: part(
      '',
      {
        'page.resize': { twenty: { pageSize: 20 } },
        'page.go': { second: { pageNum: 2 } },
        'query.search': bare,
        'row.saved': bare,
      },
      {},
    ),
    rows: part(
      '1',
      {
        'row.toggle': { ten: { id: '10' } },
        'rows.toggle': bare,
        'delete.ask': { selection: {}, row: { id: '11' } },
        'delete.confirm': bare,
        'delete.cancel': bare,
        'list.refresh': bare,
      },
      { removeRows: ['done', 'inUse', 'gone', 'forbidden'] },
    ),
    // Rows chosen one by one, all that the search finds, or all but one.
    export: part(
      '',
      {
        'rows.toggle': bare,
        'selection.all': bare,
        'row.toggle': { three: { id: '03' } },
        'export.start': { csv: { format: 'csv' }, chosen: { format: 'csv', chosen: true } },
        'export.cancel': bare,
      },
      { exportRows: ['saved', 'refused'] },
      inOrder,
    ),
    anew: part(
      '',
      { 'rows.toggle': bare, 'selection.all': bare, 'selection.clear': bare, 'query.search': bare },
      { loadPage: ['all', 'none'] },
      inOrder,
    ),
  }
}

function questionOf(
  rows: RowSet,
  { queries, sorts, pageNum }: PageQuery,
  search: string,
): (typeof questions)[number] {
  const wanted = String(queries[rows.name] ?? ''),
    [sort] = sorts
  return wanted === ''
    ? 'everything'
    : sort !== undefined
      ? sort.asc
        ? 'upwards'
        : 'downwards'
      : wanted !== `${rows.stem}${search}`
        ? 'found'
        : pageNum > 1
          ? 'other'
          : 'two'
}

function samplePage(
  rows: RowSet,
  query: PageQuery,
  others: number,
  there: readonly string[] = rows.aliases,
): Page {
  const { names, total } = expectedPage(rows, query, there)
  const records: Row[] = isOurs(rows, query)
    ? names.map((called) => ({ id: called.slice(rows.stem.length), [rows.name]: called }))
    : Array.from({ length: Math.min(query.pageSize, others) }, (_, index) => ({
        id: `other${index}`,
      }))
  return {
    records,
    total: query.withTotal === false ? null : isOurs(rows, query) ? total : others,
    size: query.pageSize,
    current: query.pageNum,
  }
}

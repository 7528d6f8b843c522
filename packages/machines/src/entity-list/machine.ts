import {
  type EntityConfig,
  type ExportFormat,
  limits,
  type Message,
  type Page,
  type Problem,
  problemOf,
  type Row,
  type Sort,
} from '@jiaowu/api'
import { assign, emit, raise, setup } from 'xstate'
import { unprovided } from '../port.ts'
import { entityListActors, type EntityListPorts } from './ports.ts'
import {
  type Chosen,
  chosenOf,
  cycleSort,
  filledQueries,
  lastPage,
  nearestPage,
  noPreset,
  pageQueryOf,
  type Preset,
  selectedOn,
  selects,
  selectsMany,
  toggleRow,
  toggleRows,
} from './query.ts'

export interface EntityListInput {
  readonly tag: string
  readonly preset?: Preset
  /** Without paging a list fetches up to 1,000 rows (docs/spec/1-entity-console.md §9). */
  readonly hidePagination?: boolean
}
type Queries = Readonly<Record<string, unknown>>
export interface EntityListContext {
  readonly tag: string
  readonly config: EntityConfig | null
  /** What the search form shows, and what the shown rows were asked with. */
  readonly draft: Queries
  readonly applied: Queries
  readonly sorts: readonly Sort[]
  readonly pageNum: number
  readonly pageSize: number
  readonly page: Page | null
  /** Rows of the shown page. */
  readonly selected: readonly string[]
  /** Every row of the filter is chosen but these; null: only `selected` is. */
  readonly matching: readonly string[] | null
  /** Ids a confirmed delete takes: one row's, or the selection. */
  readonly doomed: readonly string[]
  /** A row was saved while a question about rows was open: they are read again when it is answered. */
  readonly outdated: boolean
  readonly problem: Problem | null
  readonly exporting: {
    readonly format: ExportFormat
    readonly columns: readonly string[] | null
    readonly only: Chosen | null
    readonly bytes: number
  } | null
  readonly pressed: { readonly code: string; readonly row: Row | null } | null
}

export type EntityListEvent =
  | { readonly type: 'query.change'; readonly attrName: string; readonly value: unknown }
  | { readonly type: 'query.search' }
  | { readonly type: 'query.reset' }
  /** What a saved view asks for takes the place of what was asked. */
  | {
      readonly type: 'view.apply'
      readonly queries: Queries
      readonly sorts: readonly Sort[]
      readonly pageSize: number
    }
  | { readonly type: 'sort.cycle'; readonly column: string; readonly multi?: boolean }
  | { readonly type: 'page.go'; readonly pageNum: number }
  | { readonly type: 'page.resize'; readonly pageSize: number }
  | { readonly type: 'row.toggle'; readonly id: string }
  | { readonly type: 'rows.toggle' }
  /** Not this page's rows only: all that the filter finds. */
  | { readonly type: 'selection.all' }
  | { readonly type: 'selection.clear' }
  | { readonly type: 'list.refresh' }
  /** A form added or changed a row. */
  | { readonly type: 'row.saved' }
  /** With an id that row, else the selection. */
  | { readonly type: 'delete.ask'; readonly id?: string }
  | { readonly type: 'delete.confirm' }
  | { readonly type: 'delete.cancel' }
  | {
      readonly type: 'export.start'
      readonly format: ExportFormat
      readonly columns?: readonly string[]
      readonly chosen?: boolean
    }
  | { readonly type: 'export.progress'; readonly bytes: number }
  | { readonly type: 'export.cancel' }
  | { readonly type: 'button.press'; readonly code: string; readonly row: Row | null }

export type EntityListEmitted = {
  readonly type: 'toast'
  readonly tone: 'info' | 'success' | 'warning' | 'danger'
  readonly message: string | Message
  readonly lasting: boolean
}

/** The list of any entity (docs/spec/1-entity-console.md §4). */
export const entityListMachine = setup({
  types: {
    context: {} as EntityListContext,
    events: {} as EntityListEvent,
    emitted: {} as EntityListEmitted,
    input: {} as EntityListInput,
    children: {} as {
      loadConfig: 'loadConfig'
      loadPage: 'loadPage'
      removeRows: 'removeRows'
      exportRows: 'exportRows'
      pressButton: 'pressButton'
    },
    tags: {} as 'loading' | 'shown',
  },
  actors: entityListActors(unprovided<EntityListPorts>()),
  guards: {
    hasSelection: ({ context, event }) =>
      event.type === 'delete.ask' &&
      (event.id !== undefined || (context.matching === null && context.selected.length > 0)),
    // All of a filter is a matter for bulkEdit: never these ids by mistake.
    choosesRows: ({ context }) => context.matching === null,
    selects: ({ context }) => context.config !== null && selects(context.config),
    selectsMany: ({ context }) => context.config !== null && selectsMany(context.config),
    hasMore: ({ context: { config, page, selected, matching } }) =>
      config !== null &&
      selectsMany(config) &&
      matching === null &&
      page !== null &&
      page.records.length > 0 &&
      page.total > page.records.length &&
      page.records.every(({ id }) => selected.includes(id)),
    hasChosen: ({ context }) => context.matching !== null || context.selected.length > 0,
    isOtherPage: ({ context }, { pageNum }: { pageNum: number }) =>
      pageNum >= 1 &&
      pageNum !== context.pageNum &&
      pageNum <= lastPage(context.page?.total ?? 0, context.pageSize),
    isPastEnd: ({ context }, { page }: { page: Page }) =>
      page.records.length === 0 && page.total > 0 && context.pageNum > 1,
    isOutdated: ({ context }) => context.outdated,
    wantsRefresh: (_args, { refresh }: { refresh: boolean }) => refresh,
    mayExport: ({ context }, { chosen }: { chosen: boolean }) =>
      context.config !== null &&
      (!chosen || context.matching !== null || context.selected.length > 0),
    hasConfig: ({ context }) => context.config !== null,
  },
  actions: {
    keepConfig: assign((_args, { config }: { config: EntityConfig }) => ({ config })),
    keepPage: assign(({ context }, { page }: { page: Page }) => ({
      page,
      problem: null,
      outdated: false,
      pageNum: page.total === 0 ? 1 : context.pageNum,
      selected: selectedOn(page, context),
      matching: page.total === 0 ? null : context.matching,
    })),
    outdate: assign({ outdated: true }),
    keepProblem: assign((_args, { error }: { error: unknown }) => ({ problem: problemOf(error) })),
    toastProblem: emit((_args, { error }: { error: unknown }) =>
      toast('danger', problemOf(error).message, true),
    ),
    changeDraft: assign(
      ({ context }, { attrName, value }: { attrName: string; value: unknown }) => ({
        draft: { ...context.draft, [attrName]: value },
      }),
    ),
    applyDraft: assign(({ context }) => ({
      applied: filledQueries(context.draft),
      pageNum: 1,
      matching: null,
      selected: context.matching === null ? context.selected : [],
    })),
    resetQuery: assign({
      draft: {},
      applied: {},
      sorts: [],
      selected: [],
      matching: null,
      pageNum: 1,
    }),
    applyView: assign(
      (
        _args,
        {
          queries,
          sorts,
          pageSize,
        }: { queries: Queries; sorts: readonly Sort[]; pageSize: number },
      ) => ({
        draft: queries,
        applied: queries,
        sorts,
        pageSize,
        pageNum: 1,
        selected: [],
        matching: null,
      }),
    ),
    cycle: assign(({ context }, { column, multi }: { column: string; multi: boolean }) => ({
      sorts: cycleSort(context.sorts, column, multi),
    })),
    goTo: assign((_args, { pageNum }: { pageNum: number }) => ({ pageNum })),
    resize: assign((_args, { pageSize }: { pageSize: number }) => ({ pageSize, pageNum: 1 })),
    toggle: assign(({ context }, { id }: { id: string }) =>
      context.config === null ? {} : toggleRow(context.config, context, id),
    ),
    toggleAll: assign(({ context }) =>
      toggleRows(
        (context.page?.records ?? []).map((row) => row.id),
        context,
      ),
    ),
    chooseAll: assign({ matching: [] }),
    clearSelection: assign({ selected: [], matching: null, doomed: [] }),
    doom: assign(({ context }, { id }: { id: string | null }) => ({
      doomed: id === null ? context.selected : [id],
    })),
    toPageThatIs: assign(({ context }, { total }: { total: number }) => ({
      pageNum: nearestPage(total, context.pageSize, context.pageNum),
    })),
    toastNothing: emit(toast('warning', { key: 'list.noSelection' })),
    toastDeleted: emit((_args, { deleted }: { deleted: number }) =>
      toast('success', { key: 'list.deleted', params: { count: deleted } }),
    ),
    beginExport: assign(
      (
        { context },
        {
          format,
          columns,
          chosen,
        }: { format: ExportFormat; columns: readonly string[] | null; chosen: boolean },
      ) => ({ exporting: { format, columns, only: chosen ? chosenOf(context) : null, bytes: 0 } }),
    ),
    countBytes: assign(({ context }, { bytes }: { bytes: number }) => ({
      exporting: context.exporting === null ? null : { ...context.exporting, bytes },
    })),
    endExport: assign({ exporting: null }),
    toastExported: emit(toast('success', { key: 'list.exported' })),
    press: assign((_args, pressed: { code: string; row: Row | null }) => ({ pressed })),
    release: assign({ pressed: null }),
    askRefresh: raise({ type: 'list.refresh' }),
  },
}).createMachine({
  id: 'entityList',
  context: ({ input: { tag, preset = noPreset, hidePagination = false } }) => ({
    tag,
    config: null,
    draft: preset.queries,
    applied: preset.queries,
    sorts: preset.sorts,
    pageNum: 1,
    pageSize: hidePagination ? limits.hiddenPaginationSize : limits.pageSize,
    page: null,
    selected: [],
    matching: null,
    doomed: [],
    outdated: false,
    problem: null,
    exporting: null,
    pressed: null,
  }),
  type: 'parallel',
  states: {
    list: {
      initial: 'opening',
      on: {
        'query.change': {
          guard: 'hasConfig',
          actions: { type: 'changeDraft', params: ({ event }) => event },
        },
        'view.apply': { actions: { type: 'applyView', params: ({ event }) => event } },
      },
      states: {
        opening: {
          tags: 'loading',
          invoke: {
            id: 'loadConfig',
            src: 'loadConfig',
            input: ({ context }) => ({ tag: context.tag }),
            onDone: {
              target: 'ready',
              actions: { type: 'keepConfig', params: ({ event }) => ({ config: event.output }) },
            },
            onError: {
              target: 'broken',
              actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
            },
          },
        },
        broken: { on: { 'list.refresh': { target: 'opening' } } },
        ready: {
          initial: 'loading',
          // A new question drops the answer to the old one: leaving `loading` ends its call.
          on: {
            'query.search': { target: '.loading', actions: 'applyDraft' },
            'query.reset': { target: '.loading', actions: 'resetQuery' },
            'view.apply': {
              target: '.loading',
              actions: { type: 'applyView', params: ({ event }) => event },
            },
            'sort.cycle': {
              target: '.loading',
              actions: {
                type: 'cycle',
                params: ({ event }) => ({ column: event.column, multi: event.multi ?? false }),
              },
            },
            'page.go': {
              guard: { type: 'isOtherPage', params: ({ event }) => ({ pageNum: event.pageNum }) },
              target: '.loading',
              actions: { type: 'goTo', params: ({ event }) => ({ pageNum: event.pageNum }) },
            },
            'page.resize': {
              target: '.loading',
              actions: { type: 'resize', params: ({ event }) => ({ pageSize: event.pageSize }) },
            },
            'list.refresh': { target: '.loading' },
            'row.saved': { target: '.loading' },
            'row.toggle': {
              guard: 'selects',
              actions: { type: 'toggle', params: ({ event }) => ({ id: event.id }) },
            },
            'rows.toggle': { guard: 'selectsMany', actions: 'toggleAll' },
            'selection.clear': { guard: 'hasChosen', actions: 'clearSelection' },
          },
          states: {
            loading: {
              tags: 'loading',
              invoke: {
                id: 'loadPage',
                src: 'loadPage',
                input: ({ context }) => ({ tag: context.tag, query: pageQueryOf(context) }),
                onDone: [
                  {
                    guard: { type: 'isPastEnd', params: ({ event }) => ({ page: event.output }) },
                    target: 'loading',
                    reenter: true,
                    actions: {
                      type: 'toPageThatIs',
                      params: ({ event }) => ({ total: event.output.total }),
                    },
                  },
                  {
                    target: 'shown',
                    actions: { type: 'keepPage', params: ({ event }) => ({ page: event.output }) },
                  },
                ],
                onError: {
                  target: 'failed',
                  actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
                },
              },
            },
            failed: {},
            shown: {
              tags: 'shown',
              on: {
                'delete.ask': [
                  {
                    guard: 'hasSelection',
                    target: 'confirmingDelete',
                    actions: { type: 'doom', params: ({ event }) => ({ id: event.id ?? null }) },
                  },
                  { guard: 'choosesRows', actions: 'toastNothing' },
                ],
                'selection.all': { guard: 'hasMore', actions: 'chooseAll' },
              },
            },
            confirmingDelete: {
              tags: 'shown',
              on: {
                'delete.confirm': { target: 'deleting' },
                'delete.cancel': [
                  { guard: 'isOutdated', target: 'loading', actions: 'clearSelection' },
                  { target: 'shown', actions: 'clearSelection' },
                ],
                // The question stays: rows that move under it would be asked about by mistake.
                'row.toggle': {},
                'rows.toggle': {},
                'selection.clear': {},
                'query.search': {},
                'query.reset': {},
                'view.apply': {},
                'sort.cycle': {},
                'page.go': {},
                'page.resize': {},
                'row.saved': { actions: 'outdate' },
                'list.refresh': { actions: 'outdate' },
              },
            },
            deleting: {
              tags: 'shown',
              on: {
                'row.toggle': {},
                'rows.toggle': {},
                'selection.clear': {},
                'query.search': {},
                'query.reset': {},
                'view.apply': {},
                'sort.cycle': {},
                'page.go': {},
                'page.resize': {},
                'list.refresh': { actions: 'outdate' },
                'row.saved': { actions: 'outdate' },
              },
              invoke: {
                id: 'removeRows',
                src: 'removeRows',
                input: ({ context }) => ({ tag: context.tag, ids: context.doomed }),
                onDone: {
                  target: 'loading',
                  actions: [
                    {
                      type: 'toastDeleted',
                      params: ({ event }) => ({ deleted: event.output.deleted }),
                    },
                    'clearSelection',
                  ],
                },
                onError: [
                  {
                    guard: 'isOutdated',
                    target: 'loading',
                    actions: {
                      type: 'toastProblem',
                      params: ({ event }) => ({ error: event.error }),
                    },
                  },
                  {
                    target: 'shown',
                    actions: {
                      type: 'toastProblem',
                      params: ({ event }) => ({ error: event.error }),
                    },
                  },
                ],
              },
            },
          },
        },
      },
    },
    export: {
      initial: 'idle',
      states: {
        idle: {
          on: {
            'export.start': {
              guard: {
                type: 'mayExport',
                params: ({ event }) => ({ chosen: event.chosen ?? false }),
              },
              target: 'running',
              actions: {
                type: 'beginExport',
                params: ({ event }) => ({
                  format: event.format,
                  columns: event.columns ?? null,
                  chosen: event.chosen ?? false,
                }),
              },
            },
          },
        },
        running: {
          exit: 'endExport',
          on: {
            'export.progress': {
              actions: { type: 'countBytes', params: ({ event }) => ({ bytes: event.bytes }) },
            },
            'export.cancel': { target: 'idle' },
          },
          invoke: {
            id: 'exportRows',
            src: 'exportRows',
            input: ({ context }) => ({
              tag: context.tag,
              query: { sorts: context.sorts, queries: filledQueries(context.applied) },
              format: context.exporting?.format ?? 'xlsx',
              columns: context.exporting?.columns ?? null,
              only: context.exporting?.only ?? null,
            }),
            onDone: { target: 'idle', actions: 'toastExported' },
            onError: {
              target: 'idle',
              actions: { type: 'toastProblem', params: ({ event }) => ({ error: event.error }) },
            },
          },
        },
      },
    },
    button: {
      initial: 'idle',
      states: {
        idle: {
          on: {
            'button.press': {
              guard: 'hasConfig',
              target: 'pressing',
              actions: {
                type: 'press',
                params: ({ event }) => ({ code: event.code, row: event.row }),
              },
            },
          },
        },
        pressing: {
          exit: 'release',
          invoke: {
            id: 'pressButton',
            src: 'pressButton',
            input: ({ context }) => ({
              tag: context.tag,
              code: context.pressed?.code ?? '',
              row: context.pressed?.row ?? null,
            }),
            onDone: [
              {
                guard: {
                  type: 'wantsRefresh',
                  params: ({ event }) => ({ refresh: event.output.refresh }),
                },
                target: 'refreshing',
              },
              { target: 'idle' },
            ],
            onError: {
              target: 'idle',
              actions: { type: 'toastProblem', params: ({ event }) => ({ error: event.error }) },
            },
          },
        },
        refreshing: { entry: 'askRefresh', always: { target: 'idle' } },
      },
    },
  },
  options: { maxIterations: 100 },
})

function toast(
  tone: EntityListEmitted['tone'],
  message: string | Message,
  lasting = false,
): EntityListEmitted {
  return { type: 'toast', tone, message, lasting }
}

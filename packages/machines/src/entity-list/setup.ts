import {
  type EntityConfig,
  type ExportFormat,
  type Message,
  type Page,
  problemOf,
  type Row,
  type Sort,
} from '@jiaowu/api'
import { assign, emit, raise, setup } from 'xstate'
import { unprovided } from '../port.ts'
import type {
  EntityListContext,
  EntityListEmitted,
  EntityListEvent,
  EntityListInput,
  Queries,
} from './context.ts'
import { entityListActors, type EntityListPorts } from './ports.ts'
import {
  chosenOf,
  cycleSort,
  filledQueries,
  lastPage,
  nearestPage,
  questionOf,
  selectedOn,
  selects,
  selectsMany,
  toggleRow,
  toggleRows,
} from './query.ts'

/** Types, guards and actions of the list machine; its states are in `states/`. */
export const listSetup = setup({
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
    // All rows of a filter are deleted by the bulkEdit machine, never by the ids of the page.
    choosesRows: ({ context }) => context.matching === null,
    selects: ({ context }) => context.config !== null && selects(context.config),
    selectsMany: ({ context }) => context.config !== null && selectsMany(context.config),
    hasMore: ({ context: { config, page, selected, matching } }) =>
      config !== null &&
      selectsMany(config) &&
      matching === null &&
      page !== null &&
      page.records.length > 0 &&
      (page.total ?? 0) > page.records.length &&
      page.records.every(({ id }) => selected.includes(id)),
    hasChosen: ({ context }) => context.matching !== null || context.selected.length > 0,
    isOtherPage: ({ context }, { pageNum }: { pageNum: number }) =>
      pageNum >= 1 &&
      pageNum !== context.pageNum &&
      pageNum <= lastPage(context.page?.total ?? 0, context.pageSize),
    isPastEnd: ({ context }, { page }: { page: Page }) =>
      page.records.length === 0 && (page.total ?? 0) > 0 && context.pageNum > 1,
    isOutdated: ({ context }) => context.outdated,
    wantsRefresh: (_args, { refresh }: { refresh: boolean }) => refresh,
    mayExport: ({ context }, { chosen }: { chosen: boolean }) =>
      context.config !== null &&
      (!chosen || context.matching !== null || context.selected.length > 0),
    isUnopened: ({ context }) => context.config === null,
    asksFirst: ({ context }, { code }: { code: string }) =>
      questionOf(context.config, code) !== null,
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
    clearSelection: assign({ selected: [], matching: null, pendingDeletion: [] }),
    markForDeletion: assign(({ context }, { id }: { id: string | null }) => ({
      pendingDeletion: id === null ? context.selected : [id],
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
    press: assign((_args, { code, row }: { code: string; row: Row | null }) => ({
      pressed: { code, row },
    })),
    release: assign({ pressed: null }),
    askRefresh: raise({ type: 'list.refresh' }),
  },
})

function toast(
  tone: EntityListEmitted['tone'],
  message: string | Message,
  lasting = false,
): EntityListEmitted {
  return { type: 'toast', tone, message, lasting }
}

import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import type { ExportFormat } from '@jiaowu/api/contract/entity/entity-data'
import type { FooterFunction, GroupQuery, Where } from '@jiaowu/api/entity/list/list-query'
import { joinedWhere } from '@jiaowu/api/entity/list/where-parts'
import { limits } from '@jiaowu/api/limits'
import type { Message } from '@jiaowu/api/texts/index'
import type { Row, Sort } from '@jiaowu/api/entity/values'
import type { Page } from '@jiaowu/api/entity/list/page'
import { toProblem } from '@jiaowu/api/problem'
import { assign, emit, enqueueActions, raise, setup } from 'xstate'
import { createMissingPorts } from '../port.ts'
import { isPresetAddress, pageOfAddress, readAddress } from './address.ts'
import type {
  EntityListContext,
  EntityListEmitted,
  EntityListEvent,
  EntityListInput,
  Queries,
  TablePlace,
} from './context.ts'
import { listNames } from '../buttons/names.ts'
import { canGroup, figureFitsField } from './figures.ts'
import { canFold, canToggle, openTotal, toggledGroup } from './groups.ts'
import { tableFits, whereOfCell } from './table.ts'
import { entityListActors, type EntityListPorts, type Pressing } from './ports.ts'
import {
  toChosenRows,
  cycleSort,
  exactly,
  filledQueries,
  hasConditions,
  lastPage,
  collectRowNames,
  nameExport,
  nameRows,
  nearestPage,
  findPressQuestion,
  selectedOn,
  selects,
  selectsMany,
  toggleRow,
  toggleRows,
  resolveTotal,
  wantsFigures,
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
      loadFigures: 'loadFigures'
      countRows: 'countRows'
      removeRows: 'removeRows'
      exportRows: 'exportRows'
      pressButton: 'pressButton'
      undoLast: 'undoLast'
    },
    tags: {} as 'loading' | 'shown',
  },
  actors: entityListActors(createMissingPorts<EntityListPorts>()),
  guards: {
    hasSelection: ({ context, event }) =>
      event.type === 'delete.ask' &&
      (event.id !== undefined || (context.matching === null && context.selected.length > 0)),
    // All rows of a filter are deleted by the bulkEdit machine, never by the ids of the page.
    choosesRows: ({ context }) => context.matching === null,
    selects: ({ context }) => context.config !== null && selects(context.config),
    selectsMany: ({ context }) => context.config !== null && selectsMany(context.config),
    hasMore: ({ context: { config, page, total, selected, matching } }) =>
      config !== null &&
      selectsMany(config) &&
      matching === null &&
      page !== null &&
      page.records.length > 0 &&
      total > page.records.length &&
      page.records.every(({ id }) => selected.includes(id)),
    hasChosen: ({ context }) => context.matching !== null || context.selected.length > 0,
    isOtherPage: ({ context }, { pageNum }: { pageNum: number }) =>
      pageNum >= 1 &&
      pageNum !== context.pageNum &&
      pageNum <= lastPage(openTotal(context), context.pageSize),
    isPastEnd: ({ context }, { page }: { page: Page }) =>
      (page.table?.rows ?? page.records).length === 0 && page.total !== 0 && context.pageNum > 1,
    isApplied: ({ context }, { attrName }: { attrName: string }) =>
      Object.hasOwn(context.applied, attrName),
    hasConditions: ({ context }) => hasConditions(context),
    isOutdated: ({ context }) => context.outdated,
    wantsRefresh: (_args, { refresh }: { refresh: boolean }) => refresh,
    mayExport: ({ context }, { chosen }: { chosen: boolean }) =>
      context.config !== null &&
      (!chosen || context.matching !== null || context.selected.length > 0),
    isUnopened: ({ context }) => context.config === null,
    asksFirst: ({ context }, { code, row }: { code: string; row: Row | null }) =>
      findPressQuestion(context.config, code, row) !== null,
    isLast: ({ context }, { no }: { no: number }) => context.undo !== null && context.undoNo === no,
    hasConfig: ({ context }) => context.config !== null,
    canGroup: ({ context }, { group }: { group: GroupQuery | null }) =>
      group === null
        ? context.group !== null
        : hasField(context, group.column, canGroup) &&
          (context.config === null || tableFits(context.config, group, () => true)),
    hasRowsBehind: ({ context: { config, tableOf } }, place: TablePlace) =>
      config !== null &&
      tableOf !== null &&
      (isWhole(place) || whereOfCell(config, tableOf, place) !== null),
    canFold: ({ context }) => context.group !== null && canFold(context),
    canToggle: ({ context }) => context.group !== null && canToggle(context),
    canSum: ({ context }, { column, fn }: { column: string; fn: FooterFunction | null }) =>
      fn === null
        ? context.footer.some((each) => each.column === column)
        : context.footer.length < limits.maxFooters &&
          hasField(context, column, (field) => figureFitsField(field, fn)),
    wantsExact: ({ context }) => context.inexact && !context.counting,
    countsAnew: ({ context }) => context.counting,
    wantsFigures: ({ context }) => wantsFigures(context),
  },
  actions: {
    keepConfig: enqueueActions(({ context, enqueue }, { config }: { config: EntityConfig }) => {
      enqueue.assign({ config })
      if (context.address === '') return
      const { queries, where, sorts, pageSize, group, footer, frozen, unknown } = readAddress(
        context.address,
        config,
      )
      enqueue.assign({
        address: '',
        draft: queries,
        applied: filledQueries(queries),
        where,
        sorts,
        group,
        footer,
        frozen,
        pageSize: pageSize ?? context.pageSize,
      })
      if (unknown.length > 0)
        enqueue.emit(
          buildListToast(
            'warning',
            { key: 'list.unknownKeys', params: { names: unknown.join() } },
            true,
          ),
        )
    }),
    keepPage: assign(({ context }, { page }: { page: Page }) => ({
      page,
      tableOf: page.table === undefined ? null : context.group,
      ...resolveTotal(page, context),
      counting: context.group !== null && page.table === undefined && context.counting,
      problem: null,
      outdated: false,
      isStep: false,
      pageNum: (page.total ?? context.total) === 0 ? 1 : context.pageNum,
      selected: selectedOn(page, context),
      names:
        context.config === null
          ? {}
          : collectRowNames(page, context.config, context.names, context.selected),
      matching: (page.total ?? context.total) === 0 ? null : context.matching,
    })),
    keepFigures: assign(({ context }, { page }: { page: Page }) => ({
      figures: {
        groups: page.groups ?? [],
        moreGroups: page.moreGroups ?? false,
        footer: page.footer ?? [],
      },
      figuresAsked: false,
      ...resolveTotal(page, context),
      counting: page.total === null && context.counting,
    })),
    keepTotal: assign(({ context }, { total }: { total: number }) => exactly(total, context)),
    leaveEstimate: assign({ inexact: false }),
    clearFigures: assign({ figures: null, figuresAsked: false }),
    // Also when no longer wanted, to give up a call under way.
    askFigures: enqueueActions(({ context, enqueue }, { always }: { always: boolean }) => {
      const { counting, figures, figuresAsked } = context
      const isWanted = wantsFigures(context)
      const isDue = isWanted ? counting || figures === null : figuresAsked || figures !== null
      if (!always && !isDue) return
      enqueue.assign({ figuresAsked: true })
      enqueue.raise({ type: 'figures.ask' })
    }),
    groupBy: assign(({ context }, { group }: { group: GroupQuery | null }) => ({
      isStep: true,
      group,
      figures: null,
      opened: null,
      pageNum: 1,
      ...((group?.table === undefined) !== (context.group?.table === undefined) && withoutPage()),
    })),
    showRows: assign(({ context }, place: TablePlace) => {
      const { config, tableOf, where } = context
      if (config === null || tableOf === null) return {}
      return {
        ...withoutFilter(context),
        ...withoutPage(),
        group: null,
        where: joinedWhere(where, whereOfCell(config, tableOf, place)),
      }
    }),
    toggleGroup: assign(({ context }, { key }: { key: string }) => ({
      opened: toggledGroup(context, key),
      pageNum: 1,
    })),
    toggleGroups: assign(({ context }) => ({
      opened: context.opened === null ? [] : null,
      pageNum: 1,
    })),
    sum: assign(({ context }, { column, fn }: { column: string; fn: FooterFunction | null }) => ({
      footer: [
        ...context.footer.filter((each) => each.column !== column),
        ...(fn === null ? [] : [{ column, fn }]),
      ],
    })),
    freeze: assign((_args, { column }: { column: string | null }) => ({ frozen: column })),
    outdate: assign({ outdated: true }),
    countAnew: assign({ counting: true }),
    keepProblem: assign((_args, { error }: { error: unknown }) => ({
      problem: toProblem(error),
      counting: true,
      isStep: false,
    })),
    toastProblem: emit((_args, { error }: { error: unknown }) =>
      buildListToast('danger', toProblem(error).message, true),
    ),
    changeDraft: assign(
      ({ context }, { attrName, value }: { attrName: string; value: unknown }) => ({
        draft: { ...context.draft, [attrName]: value },
      }),
    ),
    applyDraft: assign(({ context }) => ({
      ...withoutFilter(context),
      applied: filledQueries(context.draft),
    })),
    resetQuery: assign({
      isStep: true,
      opened: null,
      draft: {},
      applied: {},
      where: null,
      sorts: [],
      selected: [],
      matching: null,
      counting: true,
      pageNum: 1,
    }),
    removeCondition: assign(({ context }, { attrName }: { attrName: string }) => ({
      ...withoutFilter(context),
      draft: omit(context.draft, attrName),
      applied: omit(context.applied, attrName),
    })),
    clearConditions: assign(({ context }) => ({
      ...withoutFilter(context),
      draft: {},
      applied: {},
      where: null,
    })),
    applyWhere: assign(({ context }, { where }: { where: Where | null }) => ({
      ...withoutFilter(context),
      where,
    })),
    applyView: assign(
      (
        { context },
        {
          queries,
          where = null,
          sorts,
          pageSize,
          group = null,
          footer = [],
          frozen = null,
        }: Extract<EntityListEvent, { type: 'view.apply' }>,
      ) => ({
        address: '',
        group,
        footer,
        frozen,
        draft: queries,
        applied: queries,
        where,
        sorts,
        pageSize,
        isStep: context.config !== null,
        // The view of an address opens at the page of the address.
        pageNum: context.config === null ? context.pageNum : 1,
        counting: true,
        figures: null,
        opened: null,
        selected: [],
        matching: null,
      }),
    ),
    showAddress: assign(
      (
        { context },
        { address, view, usualSize }: Extract<EntityListEvent, { type: 'address.show' }>,
      ) => {
        if (context.config === null) return {}
        const read = readAddress(address, context.config)
        // Anything that the address says besides the view is shown over it.
        const { queries, where, sorts, pageSize, group, footer, frozen } =
          view === null || isPresetAddress(address) ? read : view
        return {
          ...withoutFilter(context),
          isStep: false,
          pageNum: pageOfAddress(address),
          draft: queries,
          applied: filledQueries(queries),
          where: where ?? null,
          sorts,
          group: group ?? null,
          footer,
          frozen: frozen ?? null,
          figures: null,
          pageSize: pageSize ?? usualSize,
        }
      },
    ),
    cycle: assign(({ context }, { column, multi }: { column: string; multi: boolean }) => ({
      isStep: true,
      sorts: cycleSort(context.sorts, column, multi),
    })),
    sortBy: assign((_args, { column, asc }: Sort) => ({ isStep: true, sorts: [{ column, asc }] })),
    goTo: assign((_args, { pageNum }: { pageNum: number }) => ({ isStep: true, pageNum })),
    resize: assign((_args, { pageSize }: { pageSize: number }) => ({
      isStep: true,
      pageSize,
      pageNum: 1,
    })),
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
    // A page that came without a total is read again with one.
    toPageThatIs: assign(({ context }, { total }: { total: number | null }) => ({
      counting: true,
      isStep: false,
      pageNum:
        total === null
          ? context.group === null
            ? context.pageNum
            : 1
          : nearestPage(total, context.pageSize, context.pageNum),
    })),
    toastNothing: emit(buildListToast('warning', { key: 'list.noSelection' })),
    // Rows that went to a recycle bin can be taken back.
    keepDeleted: enqueueActions(({ context, enqueue }, { deleted }: { deleted: number }) => {
      const names = nameRows(context, context.pendingDeletion)
      const message = { key: 'list.deleted', params: { names: listNames(names, deleted) } } as const
      if (context.config?.recycles !== true) {
        enqueue.emit(buildListToast('success', message))
        return
      }
      const no = context.undoNo + 1
      enqueue.assign({ undo: { do: 'restore', ids: context.pendingDeletion }, undoNo: no })
      enqueue.emit({ ...buildListToast('success', message), undo: no })
    }),
    keepPress: enqueueActions(({ context, enqueue }, { undo = [], said = null }: Pressing) => {
      if (undo.length === 0) return
      const no = context.undoNo + 1
      enqueue.assign({ undo: { do: 'update', changes: undo }, undoNo: no })
      enqueue.emit({ ...buildListToast('success', said ?? { key: 'press.done' }), undo: no })
    }),
    forgetUndo: assign({ undo: null }),
    toastUndone: emit(buildListToast('success', { key: 'list.undone' })),
    beginExport: assign(
      (
        { context },
        {
          format,
          columns,
          chosen,
        }: { format: ExportFormat; columns: readonly string[] | null; chosen: boolean },
      ) => ({
        exporting: { format, columns, only: chosen ? toChosenRows(context) : null, bytes: 0 },
      }),
    ),
    countBytes: assign(({ context }, { bytes }: { bytes: number }) => ({
      exporting: context.exporting === null ? null : { ...context.exporting, bytes },
    })),
    endExport: assign({ exporting: null }),
    toastExported: emit(({ context }) =>
      buildListToast('success', { key: 'list.exported', params: { names: nameExport(context) } }),
    ),
    press: assign((_args, { code, row }: { code: string; row: Row | null }) => ({
      pressed: { code, row },
    })),
    release: assign({ pressed: null }),
    askRefresh: raise({ type: 'list.refresh' }),
  },
})

/** The part of the context that every other filter sets back. */
function withoutFilter({ selected, matching }: EntityListContext) {
  return {
    isStep: true,
    pageNum: 1,
    counting: true,
    opened: null,
    matching: null,
    selected: matching === null ? selected : [],
  }
}

/** Rows and groups are counted anew, and no page of the one stands for the other. */
const withoutPage = () => ({
  page: null,
  tableOf: null,
  total: 0,
  counting: true,
  totalIsEstimate: false,
})

/** The cell of all rows. */
const isWhole = ({ row, head, figure }: TablePlace) =>
  row === undefined && head === undefined && figure === undefined

function hasField(
  { config }: EntityListContext,
  name: string,
  holds: (field: Field) => boolean,
): boolean {
  const field = config?.fields.find(({ attrName }) => attrName === name)
  return field !== undefined && holds(field)
}

function omit(queries: Queries, attrName: string): Queries {
  return Object.fromEntries(Object.entries(queries).filter(([name]) => name !== attrName))
}

function buildListToast(
  tone: EntityListEmitted['tone'],
  message: string | Message,
  lasting = false,
): EntityListEmitted {
  return { type: 'toast', tone, message, lasting }
}

import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { FooterValue, GroupQuery, GroupTable, Where } from '@jiaowu/api/entity/list/list-query'
import type { Message } from '@jiaowu/api/texts/index'
import type { Problem } from '@jiaowu/api/problem'
import type { Row, Sort } from '@jiaowu/api/entity/values'
import type { Look } from './context.ts'
import type { SnapshotFrom } from 'xstate'
import { openTotal, type Section, buildSections } from './groups.ts'
import type { entityListMachine } from './machine.ts'
import { hasConditions, lastPage, findPressQuestion, nameRows } from './query.ts'
import { type ListRights, type ListUser, nobody, computeListRights } from './rights.ts'

/** The list as a surface shows it: plain data. */
export interface EntityListView extends Look {
  /**
   * `opening`: the definition is loading. `broken`: it could not be loaded. `failed`: the rows
   * could not.
   */
  readonly step:
    | 'opening'
    | 'broken'
    | 'loading'
    | 'failed'
    | 'shown'
    | 'confirmingDelete'
    | 'deleting'
  readonly config: EntityConfig | null
  /** Values of the search form. */
  readonly draft: Readonly<Record<string, unknown>>
  /** Filters of the shown rows. */
  readonly applied: Readonly<Record<string, unknown>>
  readonly sorts: readonly Sort[]
  /** The last rows that were loaded; they stay while others are loading. */
  readonly rows: readonly Row[]
  readonly loaded: boolean
  /** The rows in their groups; null: the list is not grouped. */
  readonly sections: readonly Section[] | null
  /** The page of groups; null: the list shows rows, or the groups are not loaded. */
  readonly table: GroupTable | null
  /** The groups of that table, while others may be loading. */
  readonly tableOf: GroupQuery | null
  /** Figures over all rows that match, by column. */
  readonly figures: readonly FooterValue[]
  /** Whether all groups are open. */
  readonly allOpen: boolean
  /** More groups than are listed. */
  readonly moreGroups: boolean
  /** Null while it is not known: before it is counted, and after a load that failed. */
  readonly total: number | null
  /** Pages of the last known total. */
  readonly pages: number
  readonly totalIsEstimate: boolean
  readonly pageNum: number
  readonly pageSize: number
  /** The rows are loading because of a step to which Back in the browser returns. */
  readonly isStep: boolean
  /** Conditions in groups. */
  readonly where: Where | null
  /** Conditions are applied. */
  readonly hasConditions: boolean
  /** Why no rows are shown; null: rows are, or may be once they are loaded. */
  readonly blank: 'nothing' | 'noHit' | null
  /** Messages of search values that the server refused, by attrName. */
  readonly faults: Readonly<Record<string, string>>
  readonly selected: readonly string[]
  /** Selected rows that are not on the shown page. */
  readonly elsewhere: number
  /** All rows that match the filter are selected except these; null: `selected` alone are. */
  readonly matching: readonly string[] | null
  /** Number of selected rows. */
  readonly chosen: number
  /** Number of rows a confirmed delete removes, and the names of the first of them. */
  readonly pendingDeletion: number
  readonly pendingNames: readonly string[]
  readonly problem: Problem | null
  readonly exporting: { readonly bytes: number } | null
  /** Code of the button that is being carried out. */
  readonly pressing: string | null
  /** The question of a pressed button that waits for an answer. */
  readonly question: string | Message | null
  /** The name of that button, which answers the question. */
  readonly askedButton: string | null
  /** Number of the step that can be taken back now; null: none can. */
  readonly undo: number | null
  /** Actions that permissions and the definition allow. */
  readonly may: ListRights
  /**
   * Actions that are possible right now. `search` also stands for reset, sorts, pages and page
   * sizes.
   */
  readonly can: {
    readonly search: boolean
    /** Stop grouping. */
    readonly group: boolean
    readonly toggleGroup: boolean
    readonly toggleGroups: boolean
    readonly clearConditions: boolean
    readonly refresh: boolean
    /** Exactly one row is selected, so that the toolbar's edit has a subject. */
    readonly editSelected: boolean
    readonly askDelete: boolean
    readonly askDeleteRow: boolean
    readonly confirmDelete: boolean
    readonly cancelDelete: boolean
    readonly export: boolean
    readonly exportChosen: boolean
    readonly cancelExport: boolean
    readonly toggleRow: boolean
    readonly toggleAll: boolean
    readonly chooseAll: boolean
    readonly clearSelection: boolean
    readonly bulk: boolean
    readonly press: boolean
  }
}

type Snapshot = SnapshotFrom<typeof entityListMachine>

/** @param user whose rights `may` tells; nobody may do anything */
export function entityListView(s: Snapshot, user: ListUser = nobody): EntityListView {
  const { config, page, total, counting, selected, matching, exporting, pressed } = s.context
  const isAsking = s.matches({ button: 'asking' })
  const { group, footer, frozen } = s.context
  const { draft, applied, where, sorts, pageNum, pageSize, pendingDeletion, problem } = s.context
  return {
    step: resolveListStep(s),
    config,
    draft,
    applied,
    sorts,
    rows: page?.records ?? noRows,
    loaded: page !== null,
    total: counting ? null : total,
    sections: sectionsIn(s),
    table: page?.table ?? null,
    tableOf: s.context.tableOf,
    figures: figuresIn(s),
    allOpen: s.context.opened === null,
    moreGroups: hasMoreGroups(s),
    pages: lastPage(openTotal(s.context), pageSize),
    where,
    group,
    footer,
    frozen,
    hasConditions: hasConditions(s.context),
    blank: resolveBlankReason(s),
    faults: buildConditionFaults(s),
    totalIsEstimate: s.context.totalIsEstimate,
    pageNum,
    pageSize,
    isStep: s.context.isStep,
    selected,
    elsewhere: matching === null ? countSelectedElsewhere(selected, page?.records ?? noRows) : 0,
    matching,
    chosen: matching === null ? selected.length : total - matching.length,
    pendingDeletion: pendingDeletion.length,
    pendingNames: nameRows(s.context, pendingDeletion),
    problem,
    exporting: exporting === null ? null : { bytes: exporting.bytes },
    pressing: isAsking ? null : (pressed?.code ?? null),
    question: isAsking ? askedIn(s) : null,
    askedButton: isAsking
      ? (config?.buttons.find(({ code }) => code === pressed?.code)?.name ?? null)
      : null,
    undo: findUndo(s),
    may: computeListRights(config, user),
    can: listPossibleActions(s),
  }
}

const noRows: readonly Row[] = []
const noFigures: readonly FooterValue[] = []
const noFaults: Readonly<Record<string, string>> = {}

/** The groups of the page at hand with their rows; null without groups. */
export function sectionsIn({ context }: Snapshot): EntityListView['sections'] {
  const { group, page, pageNum, pageSize } = context
  return group === null || group.table !== undefined
    ? null
    : buildSections({ ...context, group }, page?.records ?? noRows, (pageNum - 1) * pageSize)
}

const hasMoreGroups = ({ context }: Snapshot) => context.figures?.moreGroups ?? false

const askedIn = ({ context: { config, pressed } }: Snapshot) =>
  findPressQuestion(config, pressed?.code ?? '', pressed?.row ?? null)

function findUndo(s: Snapshot): number | null {
  const { undoNo: no } = s.context
  return s.can({ type: 'undo.press', no }) ? no : null
}

const figuresIn = ({ context }: Snapshot) => context.figures?.footer ?? noFigures

function resolveBlankReason(s: Snapshot): EntityListView['blank'] {
  const { page } = s.context
  if (!s.hasTag('shown') || page === null || page.records.length > 0 || page.table !== undefined)
    return null
  return hasConditions(s.context) ? 'noHit' : 'nothing'
}

function buildConditionFaults(s: Snapshot): EntityListView['faults'] {
  const { problem } = s.context
  if (problem === null || !s.matches({ list: { ready: 'failed' } })) return noFaults
  return Object.fromEntries(
    problem.issues
      .filter(({ path }) => path.startsWith('queries.'))
      .map(({ path, msg }) => [path.slice('queries.'.length), msg]),
  )
}

function countSelectedElsewhere(selected: readonly string[], rows: readonly Row[]): number {
  return selected.filter((id) => !rows.some((row) => row.id === id)).length
}

function listPossibleActions(s: Snapshot): EntityListView['can'] {
  return {
    search: s.can({ type: 'query.search' }),
    group: s.can({ type: 'group.set', group: null }),
    toggleGroup: s.can({ type: 'group.toggle', key: '' }),
    toggleGroups: s.can({ type: 'groups.toggle' }),
    clearConditions: s.can({ type: 'conditions.clear' }),
    refresh: s.can({ type: 'list.refresh' }),
    editSelected: s.context.selected.length === 1,
    askDelete: s.can({ type: 'delete.ask' }),
    askDeleteRow: s.can({ type: 'delete.ask', id: '' }),
    confirmDelete: s.can({ type: 'delete.confirm' }),
    cancelDelete: s.can({ type: 'delete.cancel' }),
    export: s.can({ type: 'export.start', format: 'xlsx' }),
    exportChosen: s.can({ type: 'export.start', format: 'xlsx', chosen: true }),
    cancelExport: s.can({ type: 'export.cancel' }),
    toggleRow: s.can({ type: 'row.toggle', id: '' }),
    toggleAll: s.can({ type: 'rows.toggle' }),
    chooseAll: s.can({ type: 'selection.all' }),
    clearSelection: s.can({ type: 'selection.clear' }),
    bulk: resolveListStep(s) === 'shown',
    press: s.can({ type: 'button.press', code: '', row: null }),
  }
}

function resolveListStep(s: Snapshot): EntityListView['step'] {
  if (s.matches({ list: 'opening' })) return 'opening'
  if (s.matches({ list: 'broken' })) return 'broken'
  if (s.matches({ list: { ready: 'loading' } })) return 'loading'
  if (s.matches({ list: { ready: 'failed' } })) return 'failed'
  if (s.matches({ list: { deletion: 'confirming' } })) return 'confirmingDelete'
  return s.matches({ list: { deletion: 'deleting' } }) ? 'deleting' : 'shown'
}

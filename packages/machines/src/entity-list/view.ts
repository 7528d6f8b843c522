import type { EntityConfig, Problem, Row, Sort } from '@jiaowu/api'
import type { SnapshotFrom } from 'xstate'
import type { entityListMachine } from './machine.ts'

/** What a surface shows of a list: plain data. */
export interface EntityListView {
  /** `opening`: the configuration is on its way. `broken`: it did not come. `failed`: the rows did not. */
  readonly step:
    | 'opening'
    | 'broken'
    | 'loading'
    | 'failed'
    | 'shown'
    | 'confirmingDelete'
    | 'deleting'
  readonly config: EntityConfig | null
  readonly draft: Readonly<Record<string, unknown>>
  /** What the rows were asked with. */
  readonly applied: Readonly<Record<string, unknown>>
  readonly sorts: readonly Sort[]
  /** The last rows that came; they stay while others are loading. */
  readonly rows: readonly Row[]
  readonly loaded: boolean
  readonly total: number
  readonly totalIsEstimate: boolean
  readonly pageNum: number
  readonly pageSize: number
  readonly selected: readonly string[]
  /** All that the filter finds is chosen but these; null: `selected` alone is. */
  readonly matching: readonly string[] | null
  /** How many rows are chosen. */
  readonly chosen: number
  readonly doomed: number
  readonly problem: Problem | null
  readonly exporting: { readonly bytes: number } | null
  readonly pressing: string | null
  /** `search` stands for all that asks anew: reset, sorts, pages and sizes. */
  readonly can: {
    readonly search: boolean
    readonly refresh: boolean
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
    readonly press: boolean
  }
}

type Snapshot = SnapshotFrom<typeof entityListMachine>

export function entityListView(s: Snapshot): EntityListView {
  const {
    config,
    draft,
    applied,
    sorts,
    page,
    pageNum,
    pageSize,
    selected,
    doomed,
    problem,
    exporting,
    pressed,
    matching,
  } = s.context
  return {
    step: stepOf(s),
    config,
    draft,
    applied,
    sorts,
    rows: page?.records ?? [],
    loaded: page !== null,
    total: page?.total ?? 0,
    totalIsEstimate: page?.totalIsEstimate ?? false,
    pageNum,
    pageSize,
    selected,
    matching,
    chosen: matching === null ? selected.length : (page?.total ?? 0) - matching.length,
    doomed: doomed.length,
    problem,
    exporting: exporting === null ? null : { bytes: exporting.bytes },
    pressing: pressed?.code ?? null,
    can: {
      search: s.can({ type: 'query.search' }),
      refresh: s.can({ type: 'list.refresh' }),
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
      press: s.can({ type: 'button.press', code: '', row: null }),
    },
  }
}

function stepOf(s: Snapshot): EntityListView['step'] {
  if (s.matches({ list: 'opening' })) return 'opening'
  if (s.matches({ list: 'broken' })) return 'broken'
  if (s.matches({ list: { ready: 'loading' } })) return 'loading'
  if (s.matches({ list: { ready: 'failed' } })) return 'failed'
  if (s.matches({ list: { ready: 'confirmingDelete' } })) return 'confirmingDelete'
  return s.matches({ list: { ready: 'deleting' } }) ? 'deleting' : 'shown'
}

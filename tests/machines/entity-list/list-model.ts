import type { PageQuery } from '@jiaowu/api/entity/list/page'
import { entityListMachine } from '@jiaowu/machines/entity-list/machine'
import { sectionsIn } from '@jiaowu/machines/entity-list/view'
import type { SnapshotFrom } from 'xstate'
import { modelSpec } from '../spec.ts'
import { type Events, events, outcomes } from './samples.ts'

export type Snapshot = SnapshotFrom<typeof entityListMachine>

export interface ListSeen {
  readonly at: string
  readonly rows: string
  readonly selected: string
  readonly matching: string | null
  readonly pendingDeletion: string
  readonly pendingNames: string
  readonly undo: string | null
  readonly page: number
  readonly draft: string
  readonly applied: string
  readonly where: string | null
  readonly look: string | null
  readonly table: string
  readonly sections: string | null
  readonly total: number | null
  readonly isEstimate: boolean
  readonly sorts: string
  readonly problem: number | null
  readonly isStep: boolean
  readonly bytes: number | null
  readonly only: string | null
  readonly pressed: string | null
  readonly offers: string
}
const offered = [
  'query.search',
  'query.reset',
  'conditions.clear',
  'list.refresh',
  'row.saved',
  'delete.ask',
  'delete.confirm',
  'delete.cancel',
  'export.cancel',
  'rows.toggle',
  'selection.all',
  'selection.clear',
  'groups.toggle',
  'press.confirm',
  'press.cancel',
] as const

/**
 * One concern of the list at a time: all of them at once are thousands of states that differ only in data.
 * Together they take every transition; `entity-list.test.ts` holds them to it.
 */
export function listModel(
  only: readonly (keyof Events)[],
  selection: 'multi' | 'single' | 'none',
  unhandled: 'all' | readonly string[] = [],
  pages: readonly (keyof typeof outcomes.loadPage)[] = only.includes('page.go') &&
  !only.includes('delete.ask')
    ? ['two', 'pastEnd', 'down']
    : ['two'],
) {
  return modelSpec({
    machine: entityListMachine,
    input: () => ({ tag: 'A', preset: { queries: { name: 'preset' }, sorts: [] } }),
    events: Object.fromEntries(
      Object.entries(events).map(([type, cases]) => [
        type,
        only.includes(type as keyof Events) ? cases : {},
      ]),
    ) as unknown as Events,
    eventsIn: () => ({}),
    outcomes: {
      ...outcomes,
      loadConfig:
        selection === 'multi' && only.includes('list.refresh')
          ? { multi: outcomes.loadConfig.multi, gone: outcomes.loadConfig.gone }
          : ({ [selection]: outcomes.loadConfig[selection] } as never),
      loadPage: countedPages(pages) as unknown as typeof outcomes.loadPage,
    },
    unhandled,
    key: buildListKey,
    project: projectList,
  })
}

/** The server counts only when it is asked to. */
function countedPages(names: readonly (keyof typeof outcomes.loadPage)[]) {
  // The path report asks for the names alone.
  return ({ query }: { query?: PageQuery } = {}) =>
    Object.fromEntries(
      names.map((name) => {
        const outcome = outcomes.loadPage[name]
        return [
          name,
          outcome.ok && query?.withTotal === false
            ? { ok: true, output: { ...outcome.output, total: null, totalIsEstimate: false } }
            : outcome,
        ]
      }),
    )
}

function buildListKey(s: Snapshot): string {
  const c = s.context
  return JSON.stringify([
    s.value,
    c.config === null,
    c.draft.name ?? null,
    c.group,
    c.footer,
    c.frozen,
    c.figures,
    c.figuresAsked,
    c.opened,
    c.applied.name ?? null,
    c.where,
    c.address,
    c.total,
    c.totalIsEstimate,
    c.exactFor,
    c.inexact,
    c.counting,
    c.sorts,
    c.pageNum,
    c.pageSize,
    c.page?.records.map(({ id }) => id).join() ?? null,
    c.page?.total ?? null,
    c.page?.table ?? null,
    c.tableOf,
    c.selected,
    c.matching,
    c.pendingDeletion,
    c.outdated,
    c.isStep,
    c.problem?.code ?? null,
    c.exporting?.bytes ?? null,
    c.exporting?.only ?? null,
    c.pressed?.code ?? null,
    c.undo,
    c.undoNo,
    c.pendingDeletion.map((id) => c.names[id] ?? null),
  ])
}

const formatTable = ({ context: { page } }: Snapshot) => JSON.stringify(page?.table ?? null)

function projectList(s: Snapshot): ListSeen {
  const c = s.context
  return {
    at: JSON.stringify(s.value) + [...s.tags].sort().join(),
    rows: (c.page?.records ?? []).map(({ id }) => id).join(),
    selected: c.selected.join(),
    matching: c.matching?.join() ?? null,
    pendingDeletion: c.pendingDeletion.join(),
    pendingNames: c.pendingDeletion.map((id) => c.names[id] ?? '').join(),
    undo: c.undo === null ? null : JSON.stringify(c.undo),
    page: c.pageNum * 1000 + c.pageSize,
    draft: String(c.draft.name ?? ''),
    applied: String(c.applied.name ?? ''),
    where: c.where === null ? null : JSON.stringify(c.where),
    look: JSON.stringify([c.group, c.footer, c.frozen, c.opened, c.figures?.footer]),
    table: formatTable(s),
    sections: JSON.stringify(
      sectionsIn(s)?.map(({ rows, ...section }) => [section, rows.length]) ?? null,
    ),
    total: c.counting ? null : c.total,
    isEstimate: c.totalIsEstimate,
    sorts: JSON.stringify(c.sorts),
    problem: c.problem?.code ?? null,
    isStep: c.isStep,
    bytes: c.exporting?.bytes ?? null,
    only: c.exporting === null ? null : JSON.stringify(c.exporting.only),
    pressed: c.pressed?.code ?? null,
    offers: offered.filter((type) => s.can({ type })).join(),
  }
}

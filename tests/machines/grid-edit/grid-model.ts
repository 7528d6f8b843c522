import { gridEditMachine } from '@jiaowu/machines/grid-edit/machine'
import type { GridContext, GridEvent, KeptEdits } from '@jiaowu/machines/grid-edit/context'
import type { SnapshotFrom } from 'xstate'
import { modelSpec } from '../spec.ts'
import { blocks, events, findEnds, loadEnds, pasteEnds } from './events.ts'
import { gridConfig, saveEnds } from './samples.ts'
import { answerFailure } from '../problems.ts'

type Snapshot = SnapshotFrom<typeof gridEditMachine>
export interface GridSeen {
  readonly at: string
  readonly rows: string
  readonly cells: string
  readonly selection: string
  readonly typed: string | null
  readonly edits: string
  readonly history: string
  readonly paste: string | null
  readonly problem: string
  readonly offers: string
}
const offered = [
  'compose.start',
  'row.add',
  'row.revert',
  'unsaved.show',
  'grid.leave',
  'leave.stay',
  'leave.discard',
  'history.undo',
  'history.redo',
  'paste.confirm',
  'paste.cancel',
  'grid.retry',
] as const

type Events = typeof events
type Samples = { readonly [T in keyof Events]?: readonly (keyof Events[T])[] | 'all' }

type BlockName = keyof typeof blocks | 'paged' | 'about' | 'down'

interface Concern {
  readonly events: Samples
  readonly blocks?: readonly BlockName[]
  readonly saves?: readonly (keyof typeof saveEnds)[]
  /** Steps of undo, and new rows, that a path makes at most. */
  readonly steps?: number
  readonly added?: number
  readonly mayEdit?: boolean
  readonly mayAdd?: boolean
  /** Stored rows are not typed into. */
  readonly onlyNew?: boolean
  readonly unhandled?: 'all' | readonly string[]
  readonly config?: readonly ('ok' | 'gone')[]
  readonly history?: boolean
  readonly finds?: readonly (keyof typeof findEnds)[]
  /** Edits that an earlier visit left unsaved. */
  readonly kept?: KeptEdits
}

/** Events that add a step to the history. */
const changing: readonly string[] = [
  'edit.start',
  'compose.start',
  'cells.clear',
  'cells.fill',
  'cells.replace',
  'paste.start',
]

export function gridModel({
  events: chosen,
  blocks: loads = ['two'],
  saves = ['saved'],
  steps = 1,
  added = 1,
  mayEdit = true,
  mayAdd = true,
  onlyNew = false,
  unhandled = [],
  config = ['ok'],
  history = false,
  finds = ['whole', 'refused'],
  kept,
}: Concern) {
  return modelSpec({
    machine: gridEditMachine,
    input: () => ({
      tag: 'A',
      query: { queries: {}, sorts: [] },
      columns: null,
      mayEdit,
      mayAdd,
      history: history
        ? {
            version: 1 as const,
            undo: [step('gone', 'no such field'), step('z', 'name')],
            redo: [],
          }
        : null,
      ...(kept === undefined ? {} : { kept }),
    }),
    events: pickGridSamples(chosen),
    eventsIn: () => ({}),
    outcomes: {
      loadConfig: pickKeys(
        { ok: { ok: true, output: gridConfig }, gone: answerFailure(404) } as const,
        config,
      ) as never,
      loadBlock: (asked) => pickKeys(loadEnds(asked) as never, loads as never),
      saveRows: (input) =>
        Object.fromEntries(saves.map((name) => [name, saveEnds[name](input)])) as never,
      ...pasteEnds,
      findRows: pickKeys(findEnds, finds) as never,
    },
    hidden: ({ context }, event) =>
      (changing.includes(event.type) && context.history.undo.length >= steps) ||
      (event.type === 'row.add' && context.nextKey > added) ||
      (onlyNew &&
        event.type === 'edit.start' &&
        context.selection.anchor.row < (context.total ?? 0)),
    unhandled,
    key: buildGridKey,
    project,
  })
}

function step(key: string, attrName: string) {
  return {
    kind: 'cells' as const,
    cells: [{ key, attrName, before: 'old', after: 'nz' }],
  }
}

function pickGridSamples(chosen: Samples): Events {
  return Object.fromEntries(
    Object.entries(events).map(([type, cases]) => {
      const names = chosen[type as keyof Events]
      return [
        type,
        names === undefined
          ? {}
          : names === 'all'
            ? cases
            : pickKeys(cases as never, names as never),
      ]
    }),
  ) as never
}

function pickKeys<T extends object, K extends keyof T>(all: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, all[name]])) as Pick<T, K>
}

function buildGridKey(s: Snapshot): string {
  const {
    config,
    problem,
    saveProblem,
    blocks: loaded,
    query,
    reverting,
    match,
    ...rest
  } = s.context
  return JSON.stringify([
    s.value,
    { ...rest, columns: rest.columns.length },
    config === null,
    problem?.code ?? null,
    saveProblem?.code ?? null,
    Object.entries(loaded).map(([name, rows]) => [
      name,
      rows.length,
      rows.slice(0, 3).map((row) => JSON.stringify(row)),
    ]),
    query.sorts.length,
    match,
    reverting?.to ?? null,
  ])
}

function project(s: Snapshot): GridSeen {
  const c: GridContext = s.context
  return {
    at: JSON.stringify(s.value) + [...s.tags].sort().join(),
    rows: JSON.stringify([
      c.total,
      c.totalIsEstimate,
      Object.keys(c.blocks),
      c.fresh,
      c.added,
      c.pending?.type ?? null,
    ]),
    cells: JSON.stringify(Object.values(c.blocks).map((rows) => rows.slice(0, 3))),
    selection: JSON.stringify(c.selection),
    typed: c.edit === null ? null : JSON.stringify(c.edit.value),
    edits: JSON.stringify(c.edits),
    history: JSON.stringify(c.history),
    paste:
      c.paste === null
        ? (c.reverting?.to ?? null)
        : JSON.stringify([
            c.paste,
            c.check?.jobId ?? null,
            c.pasted,
            c.settled,
            c.match?.lines.map(({ line, verdict, row }) => [line, verdict, row?.id]) ?? null,
          ]),
    problem: JSON.stringify([c.problem?.code ?? null, c.saveProblem?.code ?? null]),
    offers: [
      ...offered.filter((type) => s.can({ type } as GridEvent)),
      ...(s.can({ type: 'stale.take', side: 'mine' }) ? ['stale.take'] : []),
    ].join(),
  }
}

import type { EntityConfig } from '@jiaowu/api/entity/config'
import { limits } from '@jiaowu/api/limits'
import type { Message } from '@jiaowu/api/texts/index'
import { toProblem } from '@jiaowu/api/problem'
import type { Row, WireValue } from '@jiaowu/api/entity/values'
import { assign, emit, enqueueActions, or, raise, setup, stateIn } from 'xstate'
import { createMissingPorts } from '../port.ts'
import type { Block } from './clipboard/clipboard.ts'
import type {
  Direction,
  GridContext,
  GridEmitted,
  GridEvent,
  GridInput,
  GridQuery,
  GridSelection,
  PasteCheck,
  Settlement,
} from './context.ts'
import {
  type CellChange,
  changeCells,
  hasWaiting,
  isWrapped,
  settleRound,
  takeBatch,
  resolveConflict,
} from './edits/edits.ts'
import {
  knownHistory,
  madeRows,
  moveStep,
  nextStep,
  pushStep,
  replayCellStep,
} from './edits/history.ts'
import {
  clearChanges,
  draftOfChanges,
  fillChanges,
  isLarge,
  pasteDraft,
  isTooMany,
  replaceChanges,
  selectedBlock,
} from './clipboard/paste.ts'
import { newFinding, withFound } from './matching/asks.ts'
import { toBox, isEditable, nextBlock } from './selection/places.ts'
import {
  replaceLineKey,
  draftOfMatch,
  isMatched,
  matchPaste,
  noDraft,
  openLines,
  settledLine,
  settledLines,
} from './matching/draft.ts'
import { withKept } from './unsaved/kept.ts'
import { withRefused } from './unsaved/refused.ts'
import {
  droppedAll,
  hasUnsaved,
  isStuck,
  releasedAll,
  shownNext,
  unsavedRows,
} from './unsaved/unsaved.ts'
import { gridActors, type GridPorts, type SaveAnswer } from './ports.ts'
import {
  beginEdit,
  type Block as LoadedBlock,
  canEdit,
  canRevert,
  commitEdit,
  applyConfig,
  findActiveCell,
  movedBy,
  discardLoaded,
  revertedRow,
  selectRange,
  steppedBy,
  withBlock,
  withTotal,
  withNewRow,
  withRows,
} from './selection/selecting.ts'

export interface Failed {
  readonly error: unknown
}
export interface Answers {
  readonly answers: readonly SaveAnswer[]
}
/** The rows that a part of a pasted block can belong to; `isWhole`: they are all of the list. */
export interface Found {
  readonly rows: readonly Row[]
  readonly isWhole: boolean
}
export interface Step {
  readonly to: 'undo' | 'redo'
}

/** Types, guards and actions of the grid machine; its states are in `states/`. */
export const gridSetup = setup({
  types: {
    context: {} as GridContext,
    events: {} as GridEvent,
    emitted: {} as GridEmitted,
    input: {} as GridInput,
    children: {} as {
      loadConfig: 'loadConfig'
      loadBlock: 'loadBlock'
      countRows: 'countRows'
      loadRows: 'loadRows'
      findRows: 'findRows'
      saveRows: 'saveRows'
      checkPaste: 'checkPaste'
      writePaste: 'writePaste'
      dropPaste: 'dropPaste'
      revertRows: 'revertRows'
    },
    tags: {} as 'opening' | 'editing' | 'asking' | 'busy' | 'leaving',
  },
  actors: gridActors(createMissingPorts<GridPorts>()),
  delays: { GRID_RETRY: limits.gridRetry },
  guards: {
    wantsBlock: ({ context }) => context.config !== null && nextBlock(context) !== null,
    wantsExact: ({ context }) => context.inexact && context.isCounted,
    countsAnew: ({ context }) => !context.isCounted,
    hasWaiting: ({ context }) => hasWaiting(context.edits),
    hasUnsaved: ({ context }) => hasUnsaved(context),
    isSaved: ({ context }) => !hasUnsaved(context),
    // Nothing of what is unsaved is on its way to the server.
    isHeld: or([({ context }) => isStuck(context), stateIn({ saving: 'offline' })]),
    hasLost: ({ context }, { answers }: Answers) => settleRound(context, answers).lost > 0,
    canEdit: ({ context }) => canEdit(context),
    mayAdd: ({ context }) => context.mayAdd && context.total !== null,
    canRevert: ({ context }) => canRevert(context),
    isStale: ({ context }) => (findActiveCell(context)?.found.edit?.theirs ?? null) !== null,
    isTooMany: ({ context, event }) =>
      isTooMany(context) && listCellChanges(context, event) === null,
    isFetchable: ({ context, event }) =>
      context.pending !== event && listCellChanges(context, event) === null,
    isUnloaded: ({ context, event }) => listCellChanges(context, event) === null,
    isLargeChange: ({ context, event }) => isLarge(listCellChanges(context, event) ?? []),
    hasChange: ({ context, event }) => (listCellChanges(context, event) ?? []).length > 0,
    isOneCell: ({ context }, { block }: { block: Block }) => isOneCell(context, block),
    // Before the number of rows is known, a paste would add rows instead of changing them.
    hasCells: ({ context }, { block }: { block: Block }) =>
      context.total !== null && pasteDraft(context, block).rows.length > 0,
    hasMoreParts: ({ context: { finding } }, { isWhole }: Found) =>
      !isWhole && finding !== null && finding.answered + 1 < finding.parts.length,
    isMatched: ({ context }, { block }: { block: Block }) => isMatched(context, block),
    hasOpenLines: ({ context }) => openLines(context).length > 0,
    hasLines: ({ context }) => draftOfMatch(context).rows.length > 0,
    isSettled: ({ context }) =>
      openLines(context).length === 0 && draftOfMatch(context).rows.length > 0,
    hasWork: ({ context }) => (context.check?.changed ?? 0) + (context.check?.fresh ?? 0) > 0,
    isStepOfCells: ({ context }, { to }: Step) => nextStep(context.history, to)?.kind === 'cells',
    isStepOfRows: ({ context }, { to }: Step) => nextStep(context.history, to)?.kind === 'rows',
  },
  actions: {
    keepConfig: assign(({ context }, { config }: { config: EntityConfig }) => {
      const opened = { ...context, ...applyConfig(context, config) }
      return {
        ...applyConfig(context, config),
        history: knownHistory(opened, context.history),
        ...withKept({ ...opened, config }),
      }
    }),
    sayKept: enqueueActions(({ context, enqueue }) => {
      const n = unsavedRows(context).length
      if (n > 0) enqueue.emit(buildNotice('warning', { key: 'grid.kept', params: { n } }))
    }),
    showNext: assign(({ context }) => shownNext(context)),
    releaseAll: assign(({ context }) => releasedAll(context)),
    dropUnsaved: assign(({ context }) => droppedAll(context)),
    tellLeft: emit({ type: 'left' as const }),
    keepProblem: assign((_args, { error }: Failed) => ({ problem: toProblem(error) })),
    see: assign((_args, { first, last }: { first: number; last: number }) => ({
      sight: [Math.floor(first / limits.gridBlock), Math.floor(last / limits.gridBlock)] as const,
    })),
    askBlock: assign(({ context }) => ({ asked: nextBlock(context) ?? 0 })),
    keepBlock: assign(({ context }, block: LoadedBlock) => withBlock(context, block)),
    keepTotal: assign(({ context }, { total }: { total: number }) => withTotal(context, total)),
    leaveEstimate: assign({ inexact: false }),
    keepQuery: assign(({ context }, { query }: { query: GridQuery }) => ({
      ...discardLoaded(context),
      query,
      blocks: {},
      sight: [0, 0] as const,
      selection: { anchor: { row: 0, col: 0 }, focus: { row: 0, col: 0 } },
    })),
    outdate: assign(({ context }) => discardLoaded(context)),
    askRefresh: raise({ type: 'grid.refresh' }),
    select: assign(({ context }, selection: GridSelection) => selectRange(context, selection)),
    move: assign(({ context }, by: { rows: number; cols: number; extend: boolean }) =>
      movedBy(context, by),
    ),
    begin: assign(({ context }, { text }: { text: string | null }) => beginEdit(context, text)),
    type: assign(({ context }, { value }: { value: WireValue }) => ({
      edit: { value, isTyped: context.edit?.isTyped ?? true },
    })),
    commit: assign(({ context }) => commitEdit(context)),
    step: assign(({ context }, { move }: { move: Direction }) => steppedBy(context, move)),
    dropEdit: assign({ edit: null }),
    applyChanges: assign(({ context, event }) =>
      applyCellChanges(context, listCellChanges(context, event) ?? []),
    ),
    applyOne: assign(({ context }, { block }: { block: Block }) => {
      const at = findActiveCell(context)
      return at === null
        ? {}
        : applyCellChanges(context, [
            { index: at.index, field: at.field, value: block[0]?.[0] ?? '' },
          ])
    }),
    draftChanges: assign(({ context, event }) => ({
      paste: draftOfChanges(context, listCellChanges(context, event) ?? []),
    })),
    draftBlock: assign(({ context }, { block }: { block: Block }) => ({
      paste: pasteDraft(context, block),
    })),
    keepCheck: assign((_args, check: PasteCheck) => ({ check })),
    keepPasted: assign(({ context }, { block }: { block: Block }) => ({
      pasted: block,
      finding: newFinding(context, block),
      match: null,
      settled: {},
      paste: noDraft,
    })),
    keepFound: assign(({ context: { finding } }, { rows }: Found) => ({
      finding: finding === null ? null : withFound(finding, rows),
    })),
    keepMatch: assign(({ context }, { isWhole }: Found) => ({
      match: matchPaste(context, { rows: context.finding?.rows ?? [], isWhole }),
    })),
    settleLine: assign(({ context }, { line, as }: { line: number; as: Settlement | null }) => ({
      settled: settledLine(context, line, as),
    })),
    settleLines: assign(({ context }, { as }: { as: Settlement }) => ({
      settled: settledLines(context, as),
    })),
    correct: assign(({ context }, { line, text }: { line: number; text: string }) => {
      const next = { ...context, ...replaceLineKey(context, line, text) }
      const { pasted, settled: decided } = next
      return { pasted, settled: decided, finding: newFinding(next, pasted ?? []) }
    }),
    draftMatch: assign(({ context }) => ({ paste: draftOfMatch(context) })),
    keepRows: assign(({ context }, { rows }: { rows: readonly Row[] }) => withRows(context, rows)),
    keepPending: assign(({ event }) => ({ pending: event })),
    dropPending: assign({ pending: null }),
    goOn: enqueueActions(({ context, enqueue }) => {
      if (context.pending !== null) enqueue.raise(context.pending)
    }),
    tellCopied: emit(({ context }) => ({
      type: 'copied' as const,
      block: selectedBlock(context) ?? [],
    })),
    dropPaste: assign({
      paste: null,
      check: null,
      pasted: null,
      finding: null,
      match: null,
      settled: {},
    }),
    recordPaste: assign(({ context }, { added }: { added: readonly string[] }) =>
      recordPaste(context, added),
    ),
    addRow: assign(({ context }) => withNewRow(context)),
    revertRow: assign(({ context }) => revertedRow(context)),
    take: assign(({ context }, { side }: { side: 'mine' | 'theirs' }) => {
      const at = findActiveCell(context)
      return at === null ? {} : resolveConflict(context, at.found.key, side)
    }),
    stepCells: assign(({ context }, { to }: Step) => replayCellStep(context, to)),
    beginRevert: assign(({ context }, { to }: Step) => {
      const action = nextStep(context.history, to)
      return { reverting: action === null ? null : { action, to } }
    }),
    recordRevert: assign(({ context }, { added }: { added: readonly string[] }) => {
      const { reverting, history } = context
      if (reverting?.action.kind !== 'rows') return { reverting: null }
      return {
        reverting: null,
        history: moveStep(history, reverting.to, { ...reverting.action, added }),
      }
    }),
    endRevert: assign({ reverting: null }),
    takeBatch: assign(({ context }) => ({ edits: takeBatch(context.edits) })),
    settle: enqueueActions(({ context, enqueue }, { answers }: Answers) => {
      const { edits, blocks, added, made, stored, refused, stale, problem } = settleRound(
        context,
        answers,
      )
      const history = madeRows(context.history, made)
      enqueue.assign({ edits, blocks, added, history, saveProblem: problem })
      if (stored > 0) enqueue.emit({ type: 'stored' as const })
      if (made.length > 0) enqueue.emit({ type: 'history' as const, history })
      if (refused > 0)
        enqueue.emit(buildNotice('warning', { key: 'grid.refused', params: { n: refused } }))
      if (stale > 0)
        enqueue.emit(buildNotice('warning', { key: 'grid.conflict', params: { n: stale } }))
    }),
    keepSaveProblem: assign((_args, { error }: Failed) => ({ saveProblem: toProblem(error) })),
    tellHistory: emit(({ context }) => ({ type: 'history' as const, history: context.history })),
    tellStored: emit({ type: 'stored' as const }),
    sayRefused: enqueueActions(({ context, enqueue }) => {
      const n = context.check?.left.length ?? 0
      if (n > 0) enqueue.emit(buildNotice('warning', { key: 'grid.pasteLeft', params: { n } }))
    }),
    sayUnloaded: emit(buildNotice('warning', { key: 'grid.notLoaded' })),
    sayTooMany: emit(
      buildNotice('warning', { key: 'grid.tooMany', params: { max: limits.gridWhole } }),
    ),
    sayNothing: emit(buildNotice('plain', { key: 'grid.nothing' })),
    sayMended: enqueueActions(({ context, enqueue }, { block }: { block: Block }) => {
      const at = findActiveCell(context)
      if (at !== null && isWrapped(at.field, block[0]?.[0] ?? ''))
        enqueue.emit(buildNotice('plain', { key: 'grid.pasteMended', params: { n: 1 } }))
    }),
    sayReadonly: emit(buildNotice('plain', { key: 'grid.readonly' })),
    sayPasted: emit((_args, { changed, added }: { changed: number; added: readonly string[] }) =>
      buildNotice('success', { key: 'grid.pasted', params: { changed, added: added.length } }),
    ),
    sayReverted: emit(buildNotice('success', { key: 'grid.reverted' })),
    sayFailed: emit((_args, { error }: Failed) => buildNotice('danger', toProblem(error).message)),
  },
})

function buildNotice(
  tone: Extract<GridEmitted, { type: 'said' }>['tone'],
  message: Message | string,
): GridEmitted {
  return { type: 'said', tone, message }
}

/** Lists the cells that an event would change; null: some of its rows are not loaded. */
function listCellChanges(context: GridContext, event: GridEvent): readonly CellChange[] | null {
  if (event.type === 'cells.clear') return clearChanges(context)
  if (event.type === 'cells.copy') return selectedBlock(context) === null ? null : []
  if (event.type === 'cells.fill') return fillChanges(context, event.row)
  return event.type === 'cells.replace' ? replaceChanges(context, event.find, event.by) : []
}

/** A single cell is changed at once, like a typed one, unless its choices are on the server. */
function isOneCell(context: GridContext, block: Block): boolean {
  const { top, bottom, left, right } = toBox(context.selection)
  const at = findActiveCell(context)
  return (
    block.length === 1 &&
    block[0]?.length === 1 &&
    top === bottom &&
    left === right &&
    at !== null &&
    isEditable(context, at.field, at.found.id === null, at.found.id) &&
    (block[0][0] === '' || !(at.field.dictType > 0 && at.field.dictData === undefined))
  )
}

function applyCellChanges(
  context: GridContext,
  changes: readonly CellChange[],
): Partial<GridContext> {
  const { edits, action } = changeCells(context, changes)
  return { edits, history: pushStep(context.history, action) }
}

/** A written paste as one step; new rows that it took over are stored by it. */
function recordPaste(context: GridContext, added: readonly string[]): Partial<GridContext> {
  const { check, paste, history, total } = context
  const none = {
    paste: null,
    check: null,
    pasted: null,
    finding: null,
    match: null,
    settled: {},
  }
  if (check === null || paste === null) return none
  const refused = new Set(check.left.map(({ index }) => index))
  const taken = new Set(
    paste.rows.flatMap(({ index }) =>
      index === null || refused.has(index) ? [] : (context.added[index - (total ?? 0)]?.key ?? []),
    ),
  )
  const marked = withRefused(context, check.left)
  return {
    ...none,
    nextKey: marked.nextKey,
    added: marked.added.filter(({ key }) => !taken.has(key)),
    edits: Object.fromEntries(Object.entries(marked.edits).filter(([key]) => !taken.has(key))),
    history: pushStep(history, { kind: 'rows', before: check.before, after: check.after, added }),
  }
}

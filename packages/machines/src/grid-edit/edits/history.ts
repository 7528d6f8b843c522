// Undo and redo: steps of cells go through the saves of cells, steps of rows through a job.
import { findKind } from '@jiaowu/api/fields/kinds'
import { limits } from '@jiaowu/api/limits'
import type { WireValue } from '@jiaowu/api/entity/values'
import { sameIds } from '../../entity-form/values.ts'
import type { GridAction, GridContext, GridHistory, RowEdit } from '../context.ts'
import { type Settled, newEdit, releaseNewRows, withEdit } from './edits.ts'
import { listGridColumns } from '../selection/places.ts'

export const noHistory: GridHistory = { version: 1, undo: [], redo: [] }
type To = 'undo' | 'redo'

/** A new step ends what could be redone. */
export function pushStep(history: GridHistory, action: GridAction | null): GridHistory {
  return action === null
    ? history
    : { version: 1, undo: [...history.undo, action].slice(-limits.gridHistory), redo: [] }
}

export function nextStep(history: GridHistory, to: To): GridAction | null {
  return history[to].at(-1) ?? null
}

/** The history with its next step moved to the other side, as `action`. */
export function moveStep(history: GridHistory, to: To, action: GridAction): GridHistory {
  const other = to === 'undo' ? 'redo' : 'undo'
  return {
    ...history,
    [to]: history[to].slice(0, -1),
    [other]: [...history[other], action].slice(-limits.gridHistory),
  }
}

/** Undoes or redoes a step of cells: their old values are typed again. New rows without the focus are sent. */
export function replayCellStep(
  context: GridContext,
  to: To,
): Pick<GridContext, 'edits' | 'history'> {
  const action = nextStep(context.history, to)
  if (action?.kind !== 'cells') return context
  let { edits } = context
  for (const { key, attrName, before, after } of action.cells) {
    const [value, held] = to === 'undo' ? [before, after] : [after, before]
    const row = storedRow(context, key)
    const added = context.added.find((each) => each.key === key || each.row?.id === key)
    const isNew = added !== undefined && added.row === null
    if (isNew || row !== null || added === undefined)
      edits = withEdit(
        edits,
        key,
        restoreCell(edits[key] ?? newEdit({ id: isNew ? null : key, row }), attrName, value, held),
      )
  }
  return {
    edits: releaseNewRows({ ...context, edits }),
    history: moveStep(context.history, to, action),
  }
}

/** A stored cell that holds something else by now is a conflict instead. */
function restoreCell(edit: RowEdit, attrName: string, value: WireValue, held: WireValue): RowEdit {
  const { [attrName]: _fault, '': _row, ...faults } = edit.faults
  const next = { ...edit, values: { ...edit.values, [attrName]: value }, faults }
  const isTyped = Object.hasOwn(edit.values, attrName)
  if (edit.base === null)
    return edit.id === null ? next : { ...next, expects: { ...edit.expects, [attrName]: held } }
  return isTyped || sameIds(edit.base[attrName] ?? held, held) || edit.isSaving
    ? next
    : { ...next, theirs: edit.base }
}

export function storedRow({ blocks, added }: GridContext, id: string) {
  for (const rows of Object.values(blocks)) {
    const row = rows.find((each) => each.id === id)
    if (row !== undefined) return row
  }
  return added.find((each) => each.row?.id === id)?.row ?? null
}

/** New rows that were stored: one step each, instead of the steps of their cells. */
export function madeRows(history: GridHistory, made: Settled['made']): GridHistory {
  return made.reduce((all, { key, row, values }) => {
    const without = (steps: readonly GridAction[]) =>
      steps.flatMap((step): GridAction[] => {
        if (step.kind !== 'cells') return [step]
        const cells = step.cells.filter((cell) => cell.key !== key)
        return cells.length === 0 ? [] : [{ kind: 'cells', cells }]
      })
    return {
      version: 1,
      undo: [
        ...without(all.undo),
        { kind: 'rows' as const, before: [], after: [{ id: null, values }], added: [row.id] },
      ].slice(-limits.gridHistory),
      redo: without(all.redo),
    }
  }, history)
}

/** Plans the rows that a job writes and deletes to undo or redo a step of rows. */
export function planRevert(action: GridAction, to: To) {
  if (action.kind !== 'rows') return { write: [], remove: [] }
  return to === 'undo'
    ? { write: action.before, remove: action.added }
    : { write: action.after, remove: [] }
}

/** Attributes that a grid has columns for: a stored history may name others. */
export function knownHistory(context: GridContext, history: GridHistory | null): GridHistory {
  const { config } = context
  if (history === null || config === null || history.version !== 1) return noHistory
  const names = new Set(
    listGridColumns(config, null)
      .filter(({ uiType }) => !findKind(uiType).secret)
      .map(({ attrName }) => attrName),
  )
  const known = (steps: readonly GridAction[]) =>
    steps.filter(
      (step) =>
        step.kind === 'rows' ||
        step.cells.every(({ key, attrName }) => names.has(attrName) && !key.startsWith(newKeyMark)),
    )
  return { version: 1, undo: known(history.undo), redo: known(history.redo) }
}

/** No id begins with a line break. */
export const newKeyMark = '\n'

// Rows that a paste did not write: their cells keep what was pasted, with the reasons.
import type { GridContext, RefusedRow, RowEdit } from '../context.ts'
import { newEdit, withEdit } from '../edits/edits.ts'
import { newKeyMark, storedRow } from '../edits/history.ts'

type Part = Pick<GridContext, 'edits' | 'added' | 'nextKey'>

export function withRefused(context: GridContext, refused: readonly RefusedRow[]): Part {
  let { edits, added, nextKey } = context
  for (const row of refused) {
    if (row.id !== null) {
      const edit = edits[row.id] ?? newEdit({ id: row.id, row: storedRow(context, row.id) })
      edits = withEdit(edits, row.id, refusedEdit(context, edit, row))
      continue
    }
    const known = row.index === null ? undefined : added[row.index - (context.total ?? 0)]
    const key = known?.row === null ? known.key : `${newKeyMark}${nextKey}`
    if (known?.row !== null) {
      added = [...added, { key, row: null }]
      nextKey += 1
    }
    const edit = edits[key] ?? newEdit({ id: null, row: null })
    edits = withEdit(edits, key, refusedEdit(context, edit, row))
  }
  return { edits, added, nextKey }
}

/** The row goes to the server as a whole, once none of its cells is refused. */
function refusedEdit({ columns }: GridContext, edit: RowEdit, row: RefusedRow): RowEdit {
  const isShown = (name: string) => columns.some(({ attrName }) => attrName === name)
  return {
    ...edit,
    values: { ...edit.values, ...row.values },
    faults: {
      ...edit.faults,
      ...Object.fromEntries(
        Object.entries(row.faults).map(([name, reason]) => [isShown(name) ? name : '', reason]),
      ),
    },
    expects: edit.base === null && edit.id !== null ? (row.held ?? edit.expects) : edit.expects,
    isWhole: true,
    isReleased: true,
  }
}

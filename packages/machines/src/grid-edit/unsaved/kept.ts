// Edits that are typed and not stored, as facts that a surface keeps over a reload.
import { findKind } from '@jiaowu/api/fields/kinds'
import type { Values } from '@jiaowu/api/entity/values'
import type { GridContext, KeptEdits, RowEdit } from '../context.ts'
import { newKeyMark } from '../edits/history.ts'
import { listGridColumns } from '../selection/places.ts'
import { commitEdit } from '../selection/selecting.ts'
import { isBlankEdit } from '../edits/edits.ts'

/** Everything that is not stored, with the cell that is being typed into; null: nothing. */
export function keptEdits(context: GridContext): KeptEdits | null {
  if (context.config === null) return context.kept
  const edits = commitEdit(context).edits ?? context.edits
  const rows = Object.entries(edits)
    .filter(([, edit]) => edit.id !== null || !isBlankEdit(edit))
    .map(([key, edit]) => ({ key, edit: asKept(edit) }))
  return rows.length === 0 ? null : { version: 1, rows }
}

/** A change is repeated with its version; only a create must be repeated as it was sent. */
function asKept(edit: RowEdit): RowEdit {
  return { ...edit, isSaving: false, sent: edit.id === null ? edit.sent : null }
}

/** Takes kept edits up again, as far as the definition still has their columns. */
export function withKept(
  context: GridContext,
): Pick<GridContext, 'kept' | 'edits' | 'added' | 'nextKey'> {
  const { config, kept } = context
  const names =
    config === null
      ? []
      : listGridColumns(config, null)
          .filter(({ uiType }) => !findKind(uiType).secret)
          .map(({ attrName }) => attrName)
  const rows = (kept?.rows ?? []).flatMap(({ key, edit }) => {
    const known = knownEdit(edit, new Set(names))
    return known === null ? [] : [{ key, edit: known }]
  })
  const fresh = rows.filter(({ key }) => key.startsWith(newKeyMark))
  return {
    kept: null,
    edits: Object.fromEntries(rows.map(({ key, edit }) => [key, edit] as const)),
    added: fresh.map(({ key }) => ({ key, row: null })),
    nextKey: Math.max(0, ...fresh.map(({ key }) => Number(key.slice(newKeyMark.length)))) + 1,
  }
}

/** Null: nothing is left of it. */
function knownEdit(edit: RowEdit, names: ReadonlySet<string>): RowEdit | null {
  const values = pickValues(edit.values, names)
  if (Object.keys(values).length === 0) return null
  const faults = Object.fromEntries(
    Object.entries(edit.faults).filter(([name]) => name === '' || names.has(name)),
  )
  const { base, id } = edit
  // Rows without a version are compared by what their cells held.
  const isBare = id !== null && base !== null && (base.version ?? null) === null
  return {
    ...edit,
    values,
    faults,
    sent: edit.sent === null ? null : pickValues(edit.sent, names),
    expects: isBare ? heldIn(base, values) : edit.expects,
  }
}

function heldIn(base: NonNullable<RowEdit['base']>, values: Values): Values {
  return Object.fromEntries(Object.keys(values).map((name) => [name, base[name] ?? null]))
}

function pickValues(values: Values, names: ReadonlySet<string>): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)))
}

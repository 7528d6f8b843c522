// Builds the rows that a matched block would write, and the decisions that it needs before.
import type { Field } from '@jiaowu/api/entity/config'
import { limits } from '@jiaowu/api/limits'
import type { Row, Values, WireValue } from '@jiaowu/api/entity/values'
import type { Block } from '../clipboard/clipboard.ts'
import { heldIn, buildNewRowValues, pasteDraft } from '../clipboard/paste.ts'
import type { GridContext, PasteDraft, PasteRow, Settlement } from '../context.ts'
import { isWrapped, pastedValue } from '../edits/edits.ts'
import { isEditable, rowAt } from '../selection/places.ts'
import { listKeyAsks } from './asks.ts'
import { isLabel } from './heading.ts'
import { matchBlock } from './match.ts'
import type { PasteLine, PasteMatch } from './types.ts'

/**
 * Whether the lines of a block look for their rows: it has columns beside each other, or a heading, and lies
 * on rows that are stored already.
 */
export function isMatched(context: GridContext, block: Block): boolean {
  const { config, total, selection, mayEdit } = context
  return (
    config !== null &&
    mayEdit &&
    total !== null &&
    Math.min(selection.anchor.row, selection.focus.row) < total &&
    (block.some((row) => row.length > 1) ||
      (block.length > 1 && isLabel(config, context.columns, block[0]?.[0] ?? '')))
  )
}

/** The block of a paste with the rows that were found for it; `isWhole`: they are all of the list. */
export function matchPaste(
  context: GridContext,
  { rows, isWhole }: { readonly rows: readonly Row[]; readonly isWhole: boolean },
): PasteMatch | null {
  const { config, columns, selection, total, pasted, mayAdd } = context
  if (config === null || pasted === null) return null
  const loaded = new Map<string, number>()
  for (const [name, block] of Object.entries(context.blocks))
    for (const [i, row] of block.entries()) loaded.set(row.id, Number(name) * limits.gridBlock + i)
  const places = isWhole ? new Map(rows.map(({ id }, i) => [id, i])) : loaded
  return matchBlock(
    {
      config,
      columns,
      // A row that is loaded says nothing of others with the same key that are not.
      keys: isWhole ? null : listKeyAsks(context, pasted).map(({ key }) => key),
      rows,
      indexOf: ({ id }) => loaded.get(id) ?? places.get(id) ?? null,
      rowAt: (index) => rowAt(context, index)?.row ?? (isWhole ? (rows[index] ?? null) : null),
      top: Math.min(selection.anchor.row, selection.focus.row),
      left: Math.min(selection.anchor.col, selection.focus.col),
      total: total ?? 0,
      mayAdd,
      isEditable: (field) => isEditable(context, field, false),
    },
    pasted,
  )
}

/** Whether a line still has to be decided on before anything is written. */
export function isOpenLine(
  { match, settled }: Pick<GridContext, 'match' | 'settled'>,
  { line, verdict, row }: PasteLine,
): boolean {
  const decided = settled[line]
  if (decided === 'left' || decided === 'new' || verdict === 'new') return false
  const isDouble = (match?.lines ?? []).some(
    (other) =>
      other.line !== line &&
      row !== null &&
      other.row?.id === row.id &&
      settled[other.line] !== 'left',
  )
  if (isDouble && match?.by !== null) return true
  return (
    verdict === 'unknown' ||
    verdict === 'ambiguous' ||
    (verdict === 'differs' && decided !== 'taken')
  )
}

export function openLines(context: Pick<GridContext, 'match' | 'settled'>): readonly PasteLine[] {
  return (context.match?.lines ?? []).filter((line) => isOpenLine(context, line))
}

/** Lists the decisions that a line leaves open. */
export function settlements(
  { match, mayAdd }: Pick<GridContext, 'match' | 'mayAdd'>,
  { verdict }: PasteLine,
): readonly Settlement[] {
  return [
    'left',
    ...(verdict === 'differs' ? (['taken'] as const) : []),
    ...(verdict === 'unknown' && mayAdd && match?.by !== null ? (['new'] as const) : []),
  ]
}

export function settledLine(
  context: GridContext,
  line: number,
  as: Settlement | null,
): GridContext['settled'] {
  const { [line]: _before, ...others } = context.settled
  const found = context.match?.lines.find((each) => each.line === line)
  return as === null || found === undefined || !settlements(context, found).includes(as)
    ? others
    : { ...others, [line]: as }
}

export function settledLines(context: GridContext, as: Settlement): GridContext['settled'] {
  return openLines(context).reduce(
    (settled, { line }) => settledLine({ ...context, settled }, line, as),
    context.settled,
  )
}

/** The key of a line replaced, to look for its row again. */
export function replaceLineKey(
  context: GridContext,
  line: number,
  text: string,
): Partial<GridContext> {
  const { match, pasted } = context
  const column = match?.columns.findIndex(({ use }) => use === 'key') ?? -1
  if (pasted === null || column === -1) return {}
  return {
    pasted: pasted.map((cells, at) => (at === line - 1 ? cells.with(column, text) : cells)),
    settled: settledLine(context, line, null),
  }
}

/** The lines that are decided on, without those left out. */
export function draftOfMatch(context: GridContext): PasteDraft {
  const { match, pasted, config, columns } = context
  if (match === null || pasted === null || config === null) return noDraft
  const fields = match.columns.map(
    ({ attrName }) => config.fields.find((field) => field.attrName === attrName) ?? null,
  )
  const [firstLine] = match.lines
  if (match.by === null) {
    const body = pasted.slice(match.heading)
    const left = new Set(
      match.lines.flatMap(({ line }) =>
        context.settled[line] === 'left' ? [line - match.heading - 1] : [],
      ),
    )
    return pasteDraft(context, body, { fields, left })
  }
  const use = (name: string) =>
    match.columns.flatMap((column, i) => (column.use === name ? [fields[i] ?? null] : []))
  const found =
    firstLine === undefined
      ? []
      : match.lines.flatMap((line) => buildPasteRow(context, line, fields))
  return {
    rows: found.map(({ row }) => row),
    mended: found.reduce((sum, { mended }) => sum + mended, 0),
    cut: 0,
    readonly: [...use('check'), ...use('none'), ...use('key')].flatMap((field) =>
      field === null || !columns.includes(field) ? [] : [field.attrName],
    ),
  }
}

export const noDraft: PasteDraft = { rows: [], cut: 0, readonly: [], mended: 0 }

function buildPasteRow(
  context: GridContext,
  line: PasteLine,
  fields: readonly (Field | null)[],
): { readonly row: PasteRow; readonly mended: number }[] {
  const decided = context.settled[line.line]
  if (decided === 'left') return []
  const isNew = decided === 'new' || line.verdict === 'new'
  if (!isNew && line.row === null) return []
  const cells = context.pasted?.[line.line - 1] ?? []
  const values: Record<string, WireValue> = {}
  let mended = 0
  for (const [column, field] of fields.entries()) {
    const text = cells[column]
    if (field === null || text === undefined) continue
    const use = context.match?.columns[column]?.use
    if (!(isNew ? isEditable(context, field, true) : use === 'write')) continue
    values[field.attrName] = pastedValue(field, text)
    if (isWrapped(field, text)) mended += 1
  }
  if (Object.keys(values).length === 0) return []
  const row =
    isNew || line.row === null
      ? { index: null, id: null, held: null, whole: buildNewRowValues(context), values }
      : {
          index: line.index,
          id: line.row.id,
          held: heldIn(line.row, values),
          whole: line.row as Values,
          values,
        }
  return [{ row, mended }]
}

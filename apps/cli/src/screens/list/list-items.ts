import type { Field } from '@jiaowu/api/entity/config'
import type { Row, Sort } from '@jiaowu/api/entity/values'
import type { Locale } from '@jiaowu/api/locale'
import type { EntityListView } from '@jiaowu/machines/entity-list/view'
import { cellText } from '../../fields/index.ts'
import { fittedTable, measureText } from '../../terminal/table.ts'

type Section = NonNullable<EntityListView['sections']>[number]

/** A line of the list at which the cursor stops: the head of a group, or a row. */
export type ListItem =
  | { readonly section: Section }
  | { readonly row: Row; readonly isChosen: boolean }

/** The lines of a page in order; rows of closed groups have none. */
export function listItems({
  rows,
  sections,
  selected,
}: Pick<EntityListView, 'rows' | 'sections' | 'selected'>): readonly ListItem[] {
  const toItem = (row: Row): ListItem => ({ row, isChosen: selected.includes(row.id) })
  return sections === null
    ? rows.map(toItem)
    : sections.flatMap((section) => [{ section }, ...section.rows.map(toItem)])
}

export interface DrawnTable {
  readonly head: string
  /** The line of each row, by its id. */
  readonly lines: ReadonlyMap<string, string>
  /** Labels of the columns for which the terminal has no room. */
  readonly hidden: readonly string[]
}

/** Draws the rows in columns that fit. @param room columns of the terminal for the table */
export function drawTable(
  { rows, sorts }: Pick<EntityListView, 'rows' | 'sorts'>,
  columns: readonly Field[],
  room: number,
  locale: Locale,
): DrawnTable {
  const heads = columns.map(({ attrName, uiLabel }) => {
    const mark = sortMark(sorts, attrName)
    return mark === '' ? uiLabel : `${uiLabel} ${mark}`
  })
  const cells = rows.map((row) =>
    columns.map((field) => cellText(field, row[field.attrName], locale)),
  )
  const count = countColumns([heads, ...cells], room)
  const { lines } = fittedTable(
    heads.slice(0, count),
    cells.map((row) => row.slice(0, count)),
    room,
  )
  return {
    head: lines[0] ?? '',
    lines: new Map(rows.map(({ id }, i) => [id, lines[i + 1] ?? ''])),
    hidden: heads.slice(count),
  }
}

/** The direction in which a column sorts, with its place where several do; empty: it does not. */
export function sortMark(sorts: readonly Sort[], attrName: string): string {
  const place = sorts.findIndex(({ column }) => column === attrName)
  const sort = sorts[place]
  if (sort === undefined) return ''
  return `${sort.asc ? '↑' : '↓'}${sorts.length > 1 ? String(place + 1) : ''}`
}

/** Terminal columns that a column takes at most before others are left out, and between two. */
const [widest, gap] = [24, 2]

/** Counts the first columns that have room without being cut; at least one. */
function countColumns(cells: readonly (readonly string[])[], room: number): number {
  const widths = (cells[0] ?? []).map((_head, column) =>
    Math.min(widest, Math.max(...cells.map((row) => measureText(row[column] ?? '')))),
  )
  let taken = -gap
  const full = widths.findIndex((width) => {
    taken += width + gap
    return taken > room
  })
  return full < 0 ? widths.length : Math.max(1, full)
}

import type { Block, Item } from './flow.ts'
import {
  measureHeight,
  ink,
  innerWidth,
  type Paper,
  rule,
  sheet,
  type Style,
  writeText,
} from './paper.ts'

export interface TableColumn<Row> {
  readonly title: string
  /** Share of the width. */
  readonly share: number
  readonly align?: 'left' | 'center' | 'right'
  readonly of: (row: Row) => string
}
export interface TableGroup<Row> {
  readonly title: string
  readonly aside: string
  readonly rows: readonly Row[]
}

export interface TableLook {
  readonly size: number
  readonly pad: number
  readonly gutter: number
}
export const roomy: TableLook = { size: 9, pad: 3, gutter: 5 }
/** Used when it saves a page. */
export const snug: TableLook = { size: 8.7, pad: 1.5, gutter: 5 }

interface Placed<Row> extends TableColumn<Row> {
  readonly x: number
  readonly width: number
}

/**
 * A table as items of the flow. Its head, and the name of a continued group marked with
 * `continued`, are repeated on each page.
 */
export function tableItems<Row>(
  paper: Paper,
  {
    columns,
    groups,
    continued,
    look,
  }: {
    readonly columns: readonly TableColumn<Row>[]
    readonly groups: readonly TableGroup<Row>[]
    readonly continued: string
    readonly look: TableLook
  },
): Item[] {
  const placed = placeColumns(columns)
  const head = drawTableHead(paper, placed, look)
  const items = groups.flatMap(({ title, aside, rows }): Item[] => {
    const again = groupHead(paper, `${title}${continued}`, '', look)
    const row = (data: Row, i: number): Item => {
      const { height, draw } = cells(paper, placed, ({ of }) => of(data), { size: look.size }, look)
      return {
        height,
        heads: title === '' ? [head] : [head, again],
        glued: i === 0 && rows.length > 1,
        draw: (y) => {
          draw(y)
          rule(paper, sheet.left, y + height, innerWidth, 0.4, ink.line)
        },
      }
    }
    return title === ''
      ? rows.map(row)
      : [{ ...groupHead(paper, title, aside, look), heads: [head], glued: true }, ...rows.map(row)]
  })
  return [{ ...head, glued: true }, ...items]
}

function placeColumns<Row>(columns: readonly TableColumn<Row>[]): Placed<Row>[] {
  const whole = columns.reduce((total, { share }) => total + share, 0)
  let x: number = sheet.left
  return columns.map((column) => {
    const placed = { ...column, x, width: (column.share / whole) * innerWidth }
    x += placed.width
    return placed
  })
}

function drawTableHead<Row>(paper: Paper, columns: readonly Placed<Row>[], look: TableLook): Block {
  const { height, draw } = cells(
    paper,
    columns,
    ({ title }) => title,
    { face: 'label', size: look.size - 0.8, colour: ink.soft },
    { ...look, pad: look.pad + 1 },
  )
  return {
    height,
    draw: (y) => {
      rule(paper, sheet.left, y, innerWidth, 1)
      draw(y)
      rule(paper, sheet.left, y + height, innerWidth, 0.6)
    },
  }
}

function cells<Row>(
  paper: Paper,
  columns: readonly Placed<Row>[],
  textOf: (column: Placed<Row>) => string,
  style: Style,
  { pad, gutter }: TableLook,
) {
  const heights = columns.map((column) =>
    measureHeight(paper, textOf(column), column.width - 2 * gutter, style),
  )
  const height = Math.max(...heights) + 2 * pad
  const draw = (y: number) =>
    columns.forEach((column, i) =>
      writeText(
        paper,
        textOf(column),
        column.x + gutter,
        y + (height - (heights[i] ?? 0)) / 2,
        column.width - 2 * gutter,
        { ...style, align: column.align ?? 'left' },
      ),
    )
  return { height, draw }
}

function groupHead(
  paper: Paper,
  title: string,
  aside: string,
  { size, pad, gutter }: TableLook,
): Block {
  const style: Style = { face: 'strong', size: size + 0.2 }
  const height = measureHeight(paper, title, innerWidth, style) + 2 * pad
  return {
    height,
    draw: (y) => {
      paper.rect(sheet.left, y, innerWidth, height).fill(ink.tint)
      writeText(paper, title, sheet.left + gutter, y + pad, innerWidth - 2 * gutter, style)
      writeText(paper, aside, sheet.left + gutter, y + pad + 0.6, innerWidth - 2 * gutter, {
        face: 'label',
        size: size - 0.9,
        colour: ink.soft,
        align: 'right',
      })
      rule(paper, sheet.left, y + height, innerWidth, 0.4, ink.line)
    },
  }
}

/** The bottom line of a table. */
export function endRule(paper: Paper): Item {
  return {
    height: 1,
    draw: (y) => rule(paper, sheet.left, y, innerWidth, 1),
  }
}

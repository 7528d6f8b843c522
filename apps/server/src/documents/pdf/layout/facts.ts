import type { Block } from './flow.ts'
import {
  measureHeight,
  ink,
  innerWidth,
  type Paper,
  sheet,
  type Style,
  measureWidth,
  writeText,
} from './paper.ts'

export interface Fact {
  readonly label: string
  readonly value: string
  /** Least number of columns; 1 by default. */
  readonly span?: number
}

const labelStyle: Style = { face: 'label', size: 8, colour: ink.soft }
const valueStyle: Style = { face: 'body', size: 9.6 }
const gap = 10
const rowGap = 3.4

/**
 * Labels and values in `columns` columns; a long value spans more columns, and wraps when it spans
 * all.
 */
export function factsBlock(
  paper: Paper,
  facts: readonly Fact[],
  columns: number,
  labelWidth: number,
): Block {
  const unit = innerWidth / columns
  const rows: { fact: Fact; x: number; width: number }[][] = [[]]
  let used = 0
  for (const fact of facts) {
    const needed = Math.ceil(
      (labelWidth + measureWidth(paper, fact.value, valueStyle) + gap + 2) / unit,
    )
    const span = Math.min(Math.max(fact.span ?? 1, needed), columns)
    if (used + span > columns) {
      rows.push([])
      used = 0
    }
    rows.at(-1)?.push({ fact, x: sheet.left + used * unit, width: span * unit - gap })
    used += span
  }
  const heights = rows.map(
    (row) =>
      Math.max(
        ...row.map(({ fact, width }) =>
          Math.max(
            measureHeight(paper, fact.value, width - labelWidth, valueStyle),
            measureHeight(paper, fact.label, labelWidth, labelStyle) + 1.4,
          ),
        ),
      ) + rowGap,
  )
  const draw = (top: number) => {
    let y = top
    for (const [i, row] of rows.entries()) {
      for (const { fact, x, width } of row) {
        writeText(paper, fact.label, x, y + 1.4, labelWidth - 4, labelStyle)
        writeText(paper, fact.value, x + labelWidth, y, width - labelWidth, valueStyle)
      }
      y += heights[i] ?? 0
    }
  }
  return { height: heights.reduce((a, b) => a + b, 0), draw }
}

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

/** A paragraph of full width. */
export function paragraph(
  paper: Paper,
  text: string,
  style: Style,
  { before = 0, after = 0 }: { before?: number; after?: number } = {},
): Item {
  return {
    height: measureHeight(paper, text, innerWidth, style) + before + after,
    draw: (y) => writeText(paper, text, sheet.left, y + before, innerWidth, style),
  }
}

export const space = (height: number): Item => ({ height, draw: () => {} })

/** A strip of figures: label above, number below. */
export function figureStrip(
  paper: Paper,
  figures: readonly (readonly [label: string, value: string])[],
): Item {
  const width = innerWidth / figures.length
  const label: Style = { face: 'label', size: 7.8, colour: ink.soft, align: 'center' }
  const height = 42
  return {
    height: height + 8,
    draw: (top) => {
      const y = top + 6
      paper.rect(sheet.left, y, innerWidth, height).fill(ink.tint)
      figures.forEach(([name, value], i) => {
        const x = sheet.left + i * width
        if (i > 0)
          paper
            .lineWidth(0.5)
            .strokeColor(ink.line)
            .moveTo(x, y + 9)
            .lineTo(x, y + height - 9)
            .stroke()
        writeText(paper, name, x + 4, y + 6, width - 8, label)
        writeText(paper, value, x + 4, y + 18, width - 8, {
          face: 'strong',
          size: 12.5,
          align: 'center',
        })
      })
      rule(paper, sheet.left, y + height, innerWidth, 0.6)
    },
  }
}

/** Stacks blocks to one block. */
export function stack(...blocks: readonly Block[]): Block {
  return {
    height: blocks.reduce((sum, { height }) => sum + height, 0),
    draw: (top) => {
      let y = top
      for (const block of blocks) {
        block.draw(y)
        y += block.height
      }
    },
  }
}

import type { Paper } from './paper.ts'

/** Something of known height that can be drawn at any position. */
export interface Block {
  readonly height: number
  readonly draw: (y: number) => void
}
/** A block of the running text. */
export interface Item extends Block {
  /** Drawn above it at the top of a page: the head of its table, the name of its group. */
  readonly heads?: readonly Block[]
  /** Must not be the last on a page. */
  readonly glued?: boolean
}
export interface Flow {
  /** Top of the text on the first and on later pages, and its bottom. */
  readonly firstTop: number
  readonly nextTop: number
  readonly bottom: number
  readonly items: readonly Item[]
  /** Totals, signature and seal: not split, and not alone on a page. */
  readonly closing: Block
}

const sum = (blocks: readonly Block[]) => blocks.reduce((total, { height }) => total + height, 0)
const measureWithHeads = (items: readonly Item[]) => sum(items) + sum(items[0]?.heads ?? [])

/** A page may break before an item unless it must follow the one before. */
const mayBreakBefore = (items: readonly Item[], at: number) => items[at - 1]?.glued !== true

const company = 3

const paginate = (flow: Flow): Item[][] => withClosing(flow, fillPages(flow))
export const pageCount = (flow: Flow): number => paginate(flow).length

/** Lays out the text, beginning on the current page; `onPage` draws the top of each page. */
export function setFlow(paper: Paper, flow: Flow, onPage: (index: number) => void): void {
  const pages = paginate(flow)
  for (const [index, items] of pages.entries()) {
    if (index > 0) paper.addPage()
    onPage(index)
    let y = index === 0 ? flow.firstTop : flow.nextTop
    for (const block of [
      ...(items[0]?.heads ?? []),
      ...items,
      ...(index === pages.length - 1 ? [flow.closing] : []),
    ]) {
      block.draw(y)
      y += block.height
    }
  }
}

function fillPages({ firstTop, nextTop, bottom, items }: Flow): Item[][] {
  const pages: Item[][] = []
  let from = 0
  while (from < items.length) {
    const room = bottom - (pages.length === 0 ? firstTop : nextTop)
    let to = from + 1
    while (to < items.length && measureWithHeads(items.slice(from, to + 1)) <= room) to += 1
    while (to < items.length && to > from + 1 && !mayBreakBefore(items, to)) to -= 1
    pages.push(items.slice(from, to))
    from = to
  }
  return pages.length === 0 ? [[]] : pages
}

/** Moves some rows to the last page, so that the seal is not alone on it. */
function withClosing(flow: Flow, pages: Item[][]): Item[][] {
  const { firstTop, nextTop, bottom, closing } = flow
  const last = pages.at(-1) ?? []
  const room = bottom - (pages.length === 1 ? firstTop : nextTop)
  if (measureWithHeads(last) + closing.height <= room) return pages
  let at = last.length - company
  while (at > 0 && !mayBreakBefore(last, at)) at -= 1
  if (at <= 0) return [...pages, []] // no rows can move
  return [...pages.slice(0, -1), last.slice(0, at), last.slice(at)]
}

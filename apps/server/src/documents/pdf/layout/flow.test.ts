import { describe, expect, it } from 'vitest'
import { type Block, type Flow, type Item, pageCount, setFlow } from './flow.ts'
import type { Paper } from './paper.ts'

/** The items of each page, by name. */
function lay(
  names: readonly Item[],
  room: { first: number; later: number; closing: number },
  drawn: string[][],
): Flow {
  return {
    firstTop: 100 - room.first,
    nextTop: 100 - room.later,
    bottom: 100,
    items: names,
    closing: {
      height: room.closing,
      draw: () => {
        drawn.at(-1)?.push('seal')
      },
    },
  }
}
function pages(
  make: (block: (name: string, height?: number) => Block) => readonly Item[],
  room: { first: number; later: number; closing: number },
): string[][] {
  const drawn: string[][] = []
  const block = (name: string, height = 10): Block => ({
    height,
    draw: () => {
      drawn.at(-1)?.push(name)
    },
  })
  const flow = lay(make(block), room, drawn)
  setFlow({ addPage: () => {} } as unknown as Paper, flow, () => {
    drawn.push([])
  })
  expect(drawn).toHaveLength(pageCount(flow))
  return drawn
}
function buildFlowRows(
  block: (name: string, height?: number) => Block,
  count: number,
  heads: readonly Block[] = [],
): Item[] {
  return Array.from({ length: count }, (_none, i) => ({ ...block(`r${i + 1}`), heads }))
}

describe('pages of a document', () => {
  it('hold what fits, and begin with the head of the table that goes on', () => {
    expect(
      pages(
        (block) => {
          const head = block('head')
          return [{ ...head, glued: true }, ...buildFlowRows(block, 12, [head])]
        },
        { first: 50, later: 60, closing: 10 },
      ),
    ).toEqual([
      ['head', 'r1', 'r2', 'r3', 'r4'],
      ['head', 'r5', 'r6', 'r7', 'r8', 'r9'],
      ['head', 'r10', 'r11', 'r12', 'seal'],
    ])
  })
  it('never end with the name of a group', () => {
    const [first, second] = pages(
      (block) => [
        ...buildFlowRows(block, 3),
        { ...block('group'), glued: true },
        { ...block('a') },
        { ...block('b') },
      ],
      { first: 40, later: 100, closing: 10 },
    )
    expect([first, second]).toEqual([
      ['r1', 'r2', 'r3'],
      ['group', 'a', 'b', 'seal'],
    ])
  })
  it('give the seal company: three rows go with it when it has no room', () => {
    expect(
      pages((block) => buildFlowRows(block, 5), { first: 50, later: 60, closing: 20 }),
    ).toEqual([
      ['r1', 'r2'],
      ['r3', 'r4', 'r5', 'seal'],
    ])
  })
  it('do not tear a group from its name to give the seal company', () => {
    expect(
      pages(
        (block) => [
          ...buildFlowRows(block, 2),
          { ...block('group'), glued: true },
          block('a'),
          block('b'),
        ],
        { first: 50, later: 60, closing: 20 },
      ),
    ).toEqual([
      ['r1', 'r2'],
      ['group', 'a', 'b', 'seal'],
    ])
  })
  it('place what is higher than a page on one of its own rather than nowhere', () => {
    expect(
      pages((block) => [block('tall', 500), block('r1')], { first: 50, later: 60, closing: 20 }),
    ).toEqual([['tall'], ['r1', 'seal']])
  })
  it('can be of the seal alone when there is nothing else', () => {
    expect(pages(() => [], { first: 50, later: 60, closing: 20 })).toEqual([['seal']])
    expect(pages((block) => [block('letter', 45)], { first: 50, later: 60, closing: 20 })).toEqual([
      ['letter'],
      ['seal'],
    ])
  })
})

import type { Flow } from '@jiaowu/api/entity/definition/flow'
import { describe, expect, it } from 'vitest'
import { everywhereId, layoutFlow, listLines } from './chart-layout.ts'

const name = (zh: string) => ({ zh, en: zh })
const who = [{ role: 'R' }]
const flow: Flow = {
  field: 'state',
  initial: 'a',
  states: {
    a: {
      name: name('a'),
      on: { GO: { name: name('go'), target: 'b', who }, STAY: { name: name('stay'), who } },
    },
    b: {
      name: name('b'),
      type: 'parallel',
      states: {
        x: {
          name: name('x'),
          initial: 'open',
          states: {
            open: {
              name: name('open'),
              on: {
                YES: { name: name('yes'), target: 'end', who },
                BACK: [
                  { name: name('back'), target: 'a', who },
                  { name: name('back'), target: 'a', who },
                ],
              },
            },
            end: { name: name('end'), final: true },
          },
        },
        y: { name: name('y') },
      },
      onDone: 'c',
    },
    c: { name: name('c'), final: true },
  },
  on: { VOID: { name: name('void'), target: 'c', who } },
}

describe('the chart of a flow', () => {
  const lines = listLines(flow)
  it('draws one line for all events that lead the same way, and none for those that stay', () =>
    expect(lines.map(({ from, to, events }) => `${from} ${to} ${String(events.length)}`)).toEqual([
      `${everywhereId} c 1`,
      'a b 1',
      'b.x.open b.x.end 1',
      'b.x.open a 2',
      'b c 0',
    ]))
  it('lays states out from top to bottom, inside the state around them', () => {
    const nodes = new Map(layoutFlow(flow, lines).map((node) => [node.id, node]))
    const find = (id: string) => {
      const node = nodes.get(id)
      if (node === undefined) throw new Error(id)
      return node
    }
    expect([...nodes.keys()]).toEqual([
      'a',
      'b',
      'c',
      everywhereId,
      'b.x',
      'b.y',
      'b.x.open',
      'b.x.end',
    ])
    expect(find('a').y + find('a').height).toBeLessThan(find('b').y)
    expect(find('b').y + find('b').height).toBeLessThan(find('c').y)
    for (const id of ['b.x', 'b.y', 'b.x.open', 'b.x.end']) {
      const node = find(id)
      const around = find(node.parent ?? '')
      expect(node.x + node.width).toBeLessThan(around.width)
      expect(node.y + node.height).toBeLessThan(around.height)
    }
  })
  it('leaves a state where a hand has put it', () => {
    const moved: Flow = {
      ...flow,
      states: { ...flow.states, c: { name: name('c'), at: { x: 700, y: 5 } } },
    }
    expect(layoutFlow(moved, lines).find(({ id }) => id === 'c')).toMatchObject({ x: 700, y: 5 })
  })
})

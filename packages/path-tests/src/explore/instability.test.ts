import { assign, setup } from 'xstate'
import { describe, expect, test } from 'vitest'
import { defineModel, explore } from '../index.ts'

let made = 0

describe('a finding names the part that differs', () => {
  const machine = setup({
    types: {
      context: {} as { list: readonly number[]; rows: { id: number }[]; stamp: number },
      events: {} as { type: 'stamp' },
    },
  }).createMachine({
    id: 'stamps',
    context: { list: [1, 2], rows: [{ id: 1 }, { id: 2 }], stamp: 0 },
    initial: 'on',
    states: {
      on: {
        on: {
          stamp: {
            target: 'stamped',
            actions: assign({
              stamp: () => {
                made += 1
                return made
              },
            }),
          },
        },
      },
      stamped: {},
    },
  })

  test('and not an array before it', () => {
    const [finding] = explore(defineModel(machine, { ignore: ['stamp'] })).findings
    expect(finding?.message).toContain('context.stamp differs')
  })

  test('also inside an array', () => {
    const inside = setup({
      types: {
        context: {} as { rows: readonly { id: number; at: number }[] },
        events: {} as { type: 'go' },
      },
    }).createMachine({
      id: 'inside',
      context: { rows: [{ id: 1, at: 0 }] },
      initial: 'on',
      states: {
        on: {
          on: {
            go: {
              target: 'off',
              actions: assign({
                rows: () => {
                  made += 1
                  return [{ id: 1, at: made }]
                },
              }),
            },
          },
        },
        off: {},
      },
    })
    const [finding] = explore(defineModel(inside, { ignore: ['rows'] })).findings
    expect(finding?.message).toContain('context.rows.0.at differs')
  })
})

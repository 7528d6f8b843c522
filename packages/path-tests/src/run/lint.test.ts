import { type AnyStateMachine, createMachine, fromPromise } from 'xstate'
import { describe, expect, test } from 'vitest'
import { lint } from '../index.ts'
import { countdown, shopMachine, shopModel } from '../toy.ts'

function make(states: object, more: object = {}): AnyStateMachine {
  return createMachine(
    { id: 'm', initial: 'a', ...more, states } as never,
    {
      actors: { loadRows: fromPromise(() => Promise.resolve(1)), countdown },
      delays: { TICK: 1000 },
      guards: { isReady: () => true },
      actions: { keepRows: () => {} },
    } as never,
  ) as unknown as AnyStateMachine
}

describe('lint', () => {
  test('has nothing to say of a sound machine', () => {
    expect(lint(shopMachine, Object.keys(shopModel.events))).toEqual([])
    expect(lint(countdown)).toEqual([])
  })
  test('names misspelt events by name, both ways', () => {
    expect(
      lint(make({ a: { on: { 'row.opne': 'a', 'page.*': 'a' } } }), ['row.open', 'page.next']),
    ).toEqual([
      'm.a: no sample sends row.opne; is row.open meant?',
      'm: no state handles row.open; is row.opne meant?',
    ])
  })
  test('names misspelt delays, guards, actions and actors by name', () => {
    expect(
      lint(
        make({
          a: {
            entry: 'keepRow',
            invoke: { id: 'loadRow', src: 'loadRow', onError: 'b' },
            after: { TIKC: 'b', 500: 'b' },
          },
          b: { always: { guard: 'isRaedy', target: 'a' } },
        }),
      ),
    ).toEqual([
      'm.a: no delay is called TIKC; is TICK meant?',
      'm.a: no action is called keepRow; is keepRows meant?',
      'm.a: nothing is called loadRow to invoke; is loadRows meant?',
      'm.b: no guard is called isRaedy; is isReady meant?',
    ])
  })
  test('wants every call invoked under its own name and with onError; a countdown needs neither', () => {
    expect(
      lint(
        make({
          a: {
            invoke: [
              { id: 'rows', src: 'loadRows' },
              { id: 'payTime', src: 'countdown', onDone: 'b' },
            ],
          },
          b: {},
        }),
        null,
        { namedInvokes: true },
      ),
    ).toEqual([
      'm.a: invoke loadRows has the id rows, not its own name',
      'm.a: invoke loadRows has no onError',
    ])
  })
  test('finds shadowed branches', () => {
    expect(
      lint(
        make({
          a: { on: { go: [{ guard: 'isReady', target: 'b' }, { target: 'a' }, { target: 'b' }] } },
          b: {},
        }),
      ),
    ).toEqual(['m.a: branch 3 of go is shadowed by branch 2, which has no guard'])
  })
  test('finds an always that never ends', () => {
    expect(
      lint(
        make({
          a: { always: { actions: 'keepRows' } },
          b: { always: { guard: 'isReady', target: 'a' } },
        }),
      ),
    ).toEqual(['m.a: always without a guard leads back to itself and never ends'])
  })
})

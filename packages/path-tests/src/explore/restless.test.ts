import { assign, createMachine, fromCallback, fromPromise, setup } from 'xstate'
import { describe, expect, test } from 'vitest'
import { call, coverEdges, defineModel, explore, fails, ok } from '../index.ts'

const codes = ({ findings }: ReturnType<typeof explore>) => findings.map(({ code }) => code)

describe('a machine that never comes to rest', () => {
  test('within a step is a crash that names the loop', () => {
    const machine = createMachine({
      id: 'loop',
      initial: 'a',
      states: { a: { on: { go: 'b' } }, b: { always: 'c' }, c: { always: 'b' } },
    })
    const [finding] = explore(defineModel(machine)).findings
    expect(finding?.code).toBe('crash')
    expect(finding?.state).toBe('a')
    expect(finding?.message).toMatch(
      /loop\.b --always\[0\]--> loop\.c, then loop\.c --always\[0\]--> loop\.b|loop\.c --always\[0\]--> loop\.b, then loop\.b --always\[0\]--> loop\.c/,
    )
  })

  const load = fromPromise(async () => 'rows')
  const makeReader = (failed: 'idle' | null) =>
    setup({ actors: { load } }).createMachine({
      id: 'reader',
      initial: 'idle',
      states: {
        idle: { on: { read: 'reading' } },
        reading: { invoke: { src: 'load', onDone: 'again', onError: failed ?? 'again' } },
        again: { invoke: { src: 'load', onDone: 'reading', onError: failed ?? 'reading' } },
      },
    })

  test('from call to call is a livelock', () => {
    const { findings } = explore(defineModel(makeReader(null), {}))
    expect(findings).toMatchObject([
      { code: 'livelock', state: 'reading', path: 'user:read', times: 2 },
    ])
    expect(findings[0]?.message).toContain('load')
  })

  test('is none where one ending leads out, or where the user does not come by', () => {
    expect(codes(explore(defineModel(makeReader('idle'), {})))).toEqual([])
    const polling = setup({ actors: { load } }).createMachine({
      id: 'polling',
      initial: 'asking',
      states: {
        asking: { invoke: { src: 'load', onDone: 'pause', onError: 'pause' } },
        pause: { after: { 1000: 'asking' } },
      },
    })
    expect(codes(explore(defineModel(polling, {})))).toEqual([])
  })
})

test('children that pile up are named', () => {
  const viewer = fromCallback(() => {})
  const makeViews = (isStopped: boolean) =>
    setup({
      types: { context: {} as { view: unknown }, events: {} as { type: 'view' } },
      actors: { viewer },
    }).createMachine({
      id: 'views',
      context: { view: null },
      initial: 'on',
      states: {
        on: isStopped
          ? { invoke: { src: 'viewer' }, on: { view: { target: 'on', reenter: true } } }
          : {
              on: {
                view: { actions: assign({ view: ({ spawn }) => spawn('viewer') }) },
              },
            },
      },
    })
  const piled = explore(defineModel(makeViews(false), { bounds: { maxStates: 20 } }))
  expect(codes(piled)).toContain('children-pile-up')
  expect(piled.findings.at(-1)?.message).toContain('children of viewer pile up')
  expect(codes(explore(defineModel(makeViews(true), {})))).toEqual([])
})

test('an entry for no child is a finding, with the name that is meant', () => {
  const deleteVariants = fromPromise(async () => 'ok')
  const machine = setup({ actors: { deleteVariants } }).createMachine({
    id: 'sanity',
    initial: 'idle',
    states: {
      idle: { on: { go: 'deleting' } },
      deleting: { invoke: { id: 'del', src: 'deleteVariants', onDone: 'idle', onError: 'idle' } },
    },
  })
  const one = call({ gone: ok('ok'), down: fails(new Error('down')) })
  expect(
    explore(defineModel(machine, { children: { deleteVariant: one } })).findings,
  ).toMatchObject([
    {
      code: 'unused-child',
      message: 'no child of the machine is called deleteVariant; is deleteVariants meant?',
    },
  ])
  for (const name of ['deleteVariants', 'del'])
    expect(codes(explore(defineModel(machine, { children: { [name]: one } })))).toEqual([])
})

test('private fields in the context are a finding, unless the class shows itself', () => {
  class Priv {
    #count = 0
    next(): Priv {
      const next = new Priv()
      next.#count = (this.#count + 1) % 3
      return next
    }
    get count() {
      return this.#count
    }
  }
  class Shown extends Priv {
    override next(): Shown {
      return Object.assign(new Shown(), { at: (this.at + 1) % 3 })
    }
    at = 0
    toJSON() {
      return this.at
    }
  }
  const makeCounter = (first: Priv) =>
    setup({
      types: { context: {} as { held: { box: Priv } }, events: {} as { type: 'next' } },
    }).createMachine({
      id: 'counter',
      context: { held: { box: first } },
      on: {
        next: { actions: assign({ held: ({ context }) => ({ box: context.held.box.next() }) }) },
      },
    })
  const hidden = explore(defineModel(makeCounter(new Priv()), {}))
  expect(hidden.findings).toMatchObject([
    {
      code: 'hidden-data',
      message:
        'the key cannot see inside context.held.box (Priv): give a key, or the class a toJSON',
    },
  ])
  const shown = explore(defineModel(makeCounter(new Shown()), {}))
  expect([shown.nodes.length, codes(shown)]).toEqual([3, []])
  expect(coverEdges(shown).impossible).toEqual([])
})

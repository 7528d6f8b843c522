import {
  assign,
  emit,
  fromCallback,
  fromObservable,
  fromPromise,
  fromTransition,
  log,
  raise,
  sendTo,
  setup,
  stopChild,
} from 'xstate'
import { describe, expect, test } from 'vitest'
import {
  actorDriver,
  call,
  coverEdges,
  defineModel,
  events,
  explore,
  fails,
  type Model,
  mutate,
  ok,
  withPreparation,
  runPaths,
} from '../index.ts'

const mustNotRun = () => {
  throw new Error('a child of a machine under test must not run')
}
const load = fromPromise<string, unknown>(mustNotRun)

async function agrees<Seen>(model: Model<Seen>) {
  const graph = explore(model)
  const { failures, walked } = await runPaths(model, graph, coverEdges(graph).paths, () =>
    actorDriver(model),
  )
  expect(failures.join('\n\n')).toBe('')
  expect(walked.size).toBe(graph.edges.length)
  return graph
}
const listStepLabels = ({ edges }: ReturnType<typeof explore>) => [
  ...new Set(edges.map(({ step }) => step.label)),
]

describe('calls', () => {
  const region = {
    initial: 'loading',
    states: {
      loading: { invoke: { src: 'load', onDone: 'shown', onError: 'failed' } },
      shown: { on: { again: 'loading' } },
      failed: { on: { again: 'loading' } },
    },
  } as const
  const board = setup({ actors: { load } }).createMachine({
    id: 'board',
    type: 'parallel',
    states: { left: region, middle: region, right: region },
  })

  test('of one source are answered in any order', async () => {
    const graph = await agrees(defineModel(board, {}))
    expect(graph.nodes.length).toBe(27)
    expect(listStepLabels(graph)).toEqual([
      'load → ok',
      'load → error',
      'load#2 → ok',
      'load#2 → error',
      'load#3 → ok',
      'load#3 → error',
      'again',
    ])
  })

  test('without onError are a finding, and the rest of the machine is explored', () => {
    const { findings, nodes } = explore(
      defineModel(
        setup({ actors: { load } }).createMachine({
          id: 'one',
          initial: 'a',
          states: {
            a: { invoke: { src: 'load', onDone: 'b' } },
            b: { invoke: { src: 'load', onDone: 'c' } },
            c: {},
          },
        }),
        {},
      ),
    )
    expect(findings.map(({ code, state, path }) => [code, state, path])).toEqual([
      ['unhandled-error', 'a', 'settle:load → error'],
    ])
    expect(findings[0]?.times).toBe(2)
    expect(nodes.map(({ state }) => state)).toEqual(['a', 'b', 'c'])
  })

  test('that make the machine throw are findings with state, event and path', () => {
    const machine = setup({
      types: { context: {} as { name: string } },
      actors: { load: fromPromise<{ name: string }>(mustNotRun) },
    }).createMachine({
      id: 'reader',
      context: { name: '' },
      initial: 'loading',
      states: {
        loading: {
          invoke: {
            src: 'load',
            onDone: {
              target: 'shown',
              actions: assign({ name: ({ event }) => event.output.name.trim() }),
            },
            onError: 'failed',
          },
        },
        shown: {},
        failed: { on: { retry: 'loading' } },
      },
    })
    const graph = explore(
      defineModel(machine, {
        children: {
          load: call({ row: ok({ name: 'a' }), empty: ok({} as never), down: fails('down') }),
        },
      }),
    )
    expect(graph.findings).toMatchObject([
      { code: 'crash', state: 'loading', event: 'load → empty', path: 'settle:load → empty' },
    ])
    expect(graph.nodes.map(({ state }) => state)).toEqual(['loading', 'shown', 'failed'])
  })
})

test('history is part of a state', async () => {
  const machine = setup({}).createMachine({
    id: 'player',
    initial: 'on',
    states: {
      on: {
        initial: 'radio',
        on: { power: 'off' },
        states: {
          radio: { on: { next: 'tape' } },
          tape: { on: { next: 'radio' } },
          last: { type: 'history' },
        },
      },
      off: { on: { power: 'on.last' } },
    },
  })
  const model = defineModel(machine, {})
  const graph = await agrees(model)
  expect(graph.nodes.filter(({ state }) => state === 'off').length).toBe(2)
  expect((await mutate(model)).survivors).toEqual([])
})

describe('children', () => {
  test('spawned in an assign are named by source and number, and never run', async () => {
    const row = setup({}).createMachine({ id: 'row', entry: mustNotRun })
    const machine = setup({
      types: {
        context: {} as { rows: { readonly id: string }[] },
        events: {} as { type: 'add' | 'drop' },
      },
      actors: { row },
    }).createMachine({
      id: 'rows',
      context: { rows: [] },
      on: {
        add: {
          guard: ({ context }) => context.rows.length < 2,
          actions: assign({ rows: ({ context, spawn }) => [...context.rows, spawn('row')] }),
        },
        drop: {
          guard: ({ context }) => context.rows.length > 0,
          actions: [
            stopChild(({ context }) => context.rows[0] as never),
            assign({ rows: ({ context }) => context.rows.slice(1) }),
          ],
        },
      },
    })
    const graph = await agrees(defineModel(machine, {}))
    expect(graph.findings).toEqual([])
    expect(graph.nodes.map(({ key }) => key)).toEqual([
      '[{},{"rows":[]}]',
      '[{},{"rows":["(actor row)"]}] ▸row',
      '[{},{"rows":["(actor row)","(actor row#2)"]}] ▸row ▸row#2',
      '[{},{"rows":["(actor row#2)"]}] ▸row#2',
      '[{},{"rows":["(actor row#2)","(actor row)"]}] ▸row ▸row#2',
    ])
    expect(new Set(graph.edges.flatMap(({ effects }) => effects))).toEqual(
      new Set(['start row', 'start row#2 (row)', 'stop row', 'stop row#2']),
    )
  })

  test('send events and snapshots, and end', async () => {
    const machine = setup({
      types: { context: {} as { last: number }, events: {} as { type: 'ping' } },
      actors: {
        socket: fromCallback(mustNotRun),
        clock: fromObservable<number, undefined>(mustNotRun),
      },
    }).createMachine({
      id: 'hub',
      context: { last: 0 },
      initial: 'open',
      states: {
        open: {
          invoke: [
            { src: 'socket', id: 'socket' },
            {
              src: 'clock',
              id: 'clock',
              onSnapshot: {
                actions: assign({ last: ({ event }) => event.snapshot.context ?? 0 }),
              },
              onDone: 'closed',
              onError: 'closed',
            },
          ],
          on: { ping: { actions: sendTo('socket', { type: 'pong' }) } },
        },
        closed: {},
      },
    })
    const graph = await agrees(
      defineModel(machine, {
        children: {
          socket: events([{ type: 'ping' }]),
          clock: events(
            {},
            {
              snapshots: { one: { status: 'active', context: 1 } },
              outcomes: { over: ok(undefined), broken: fails(new Error('broken')) },
            },
          ),
        },
      }),
    )
    expect(listStepLabels(graph)).toEqual([
      'socket: ping',
      'clock is one',
      'clock → over',
      'clock → broken',
      'ping',
    ])
    expect(graph.transitions.every(({ reached }) => reached)).toBe(true)
  })

  test('need no entry: those the machine listens to end, the others do nothing', async () => {
    const machine = setup({
      actors: {
        form: setup({}).createMachine({ id: 'form', entry: mustNotRun }),
        listen: fromCallback(mustNotRun),
        sum: fromTransition(mustNotRun, 0),
      },
    }).createMachine({
      id: 'page',
      initial: 'editing',
      invoke: [{ src: 'listen' }, { src: 'sum' }],
      states: { editing: { invoke: { src: 'form', id: 'form', onDone: 'saved' } }, saved: {} },
    })
    expect(listStepLabels(await agrees(defineModel(machine, {})))).toEqual(['form → ok'])
  })
})

test('actions, raised, sent and emitted events are observed, delayed events are timers', async () => {
  const machine = setup({
    types: {
      events: {} as
        | { type: 'go' }
        | { type: 'went'; to: string }
        | { type: 'late' }
        | { type: 'self' },
      emitted: {} as { type: 'toast'; text: string },
    },
    actions: { track: (_args, _params: { name: string }) => mustNotRun() },
  }).createMachine({
    id: 'reporter',
    initial: 'a',
    states: {
      a: {
        on: {
          go: {
            actions: [
              { type: 'track', params: { name: 'go' } },
              function vibrate() {
                mustNotRun()
              },
              log('went'),
              emit({ type: 'toast', text: 'on the way' }),
              raise({ type: 'went', to: 'b' }),
              sendTo(({ self }) => self, { type: 'self' }),
              raise({ type: 'late' }, { delay: 100, id: 'late' }),
            ],
          },
          went: 'b',
        },
      },
      b: { on: { self: 'c' } },
      c: { on: { late: 'a' } },
    },
  })
  const graph = await agrees(
    defineModel(machine, { events: { went: { b: { to: 'b' } } }, unhandled: 'none' }),
  )
  expect(graph.edges.find(({ step }) => step.label === 'go')?.effects).toEqual([
    'action track {"name":"go"}',
    'action vibrate',
    'log "went"',
    'emit {"type":"toast","text":"on the way"}',
    'raise {"type":"went","to":"b"}',
    'send self {"type":"self"}',
  ])
  expect(graph.edges.map(({ step }) => step.label)).toContain('late')
})

describe('what is not stable', () => {
  const counter = setup({
    types: { context: {} as { id: string; at: number }, events: {} as { type: 'make' } },
  })
  let made = 0
  test('is named when a step made twice gives two results', () => {
    const machine = counter.createMachine({
      id: 'maker',
      context: { id: '', at: 0 },
      on: { make: { actions: assign({ id: () => `n${(made += 1)}` }) } },
    })
    expect(explore(defineModel(machine, { bounds: { maxStates: 5 } })).findings).toMatchObject([
      {
        code: 'not-deterministic',
        message: 'not deterministic: context.id differs when the same step is made twice',
      },
      { code: 'state-limit' },
    ])
  })
  test('is not Date or Math.random, which are the same in each step', async () => {
    const machine = counter.createMachine({
      id: 'dated',
      context: { id: '', at: 0 },
      on: {
        make: {
          actions: assign({ id: () => Math.random().toString(36), at: () => new Date().getTime() }),
        },
      },
    })
    const graph = await agrees(defineModel(machine, {}))
    expect([graph.nodes.length, graph.findings]).toEqual([2, []])
  })
  test('is named when an action changes the context in place', () => {
    const machine = setup({
      types: { context: {} as { list: number[] }, events: {} as { type: 'push' } },
    }).createMachine({
      id: 'pusher',
      context: { list: [] },
      on: {
        push: {
          guard: ({ context }) => context.list.length < 3,
          actions: assign({
            list: ({ context }) => {
              context.list.push(1)
              return context.list
            },
          }),
        },
      },
    })
    expect(explore(defineModel(machine, {})).findings[0]).toMatchObject({
      code: 'changed-in-place',
      message: 'context.list is changed in place: earlier states change with it; make a copy',
    })
  })
})

test('a sample may set up what the machine reads outside itself', async () => {
  const store = { theme: '' }
  const machine = setup({ types: { events: {} as { type: 'open' } } }).createMachine({
    id: 'themed',
    initial: 'shut',
    states: {
      shut: {
        on: {
          open: [{ guard: () => store.theme === 'dark', target: 'dark' }, { target: 'light' }],
        },
      },
      dark: {},
      light: {},
    },
  })
  const setTheme = (theme: string) => () => {
    store.theme = theme
  }
  const graph = await agrees(
    defineModel(machine, {
      events: {
        open: {
          dark: withPreparation(setTheme('dark'), {}),
          light: withPreparation(setTheme(''), {}),
        },
      },
    }),
  )
  expect(graph.nodes.map(({ state }) => state)).toEqual(['shut', 'dark', 'light'])
})

describe('mutate', () => {
  const toggle = setup({ types: { events: {} as { type: 'flip' } } }).createMachine({
    id: 'toggle',
    initial: 'off',
    states: { off: { on: { flip: 'on' } }, on: { on: { flip: 'off' } } },
  })

  test('gives no score where the machine without a fault fails', async () => {
    const model = defineModel(toggle, {})
    const report = await mutate(model, {
      makeDriver: (machine) => {
        const driver = actorDriver(model, { machine })
        return { ...driver, observe: async () => ({ ...(await driver.observe()), value: '?' }) }
      },
    })
    expect([report.score, report.killed, report.fates]).toEqual([null, 0, []])
    expect(report.unbroken[0]).toContain('value: model "off", screen "?"')
    expect(report.survivors.length).toBeGreaterThan(3)
  })

  test('ends for a mutant that would go on for ever, and for a machine that needs many microsteps', async () => {
    const steps = setup({
      types: { context: {} as { left: number }, events: {} as { type: 'run' } },
    }).createMachine({
      id: 'steps',
      context: { left: 0 },
      initial: 'idle',
      states: {
        idle: { on: { run: { target: 'running', actions: assign({ left: 300 }) } } },
        running: {
          always: [
            { guard: ({ context }) => context.left === 0, target: 'idle' },
            { actions: assign({ left: ({ context }) => context.left - 1 }) },
          ],
        },
      },
    })
    const report = await mutate(defineModel(steps, {}))
    expect(report.unbroken).toEqual([])
    expect(report.score).toBeGreaterThan(0.7)
  })
})

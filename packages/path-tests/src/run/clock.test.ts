import { createActor, fromPromise, setup } from 'xstate'
import { describe, expect, test } from 'vitest'
import { heldCalls, waitForPromises, VirtualClock } from '../index.ts'
import { countdown } from '../toy.ts'

describe('VirtualClock', () => {
  test('a chain of timers is on time, unlike with a clock that jumps', async () => {
    const clock = new VirtualClock()
    const actor = createActor(countdown, {
      clock,
      input: { deadline: 180_000, now: clock.now },
    }).start()
    await clock.advance(179_999)
    expect(actor.getSnapshot().context.left).toBe(1)
    await clock.advance(1)
    expect(actor.getSnapshot().status).toBe('done')
    expect(clock.size).toBe(0)
  })
  test('runs timers in the order of their time, then of their making, and lets promises go on between', async () => {
    const clock = new VirtualClock()
    const fired: string[] = []
    clock.setTimeout(() => fired.push(`c ${clock.now()}`), 20)
    clock.setTimeout(() => {
      fired.push(`a ${clock.now()}`)
      void Promise.resolve().then(() =>
        clock.setTimeout(() => fired.push(`late ${clock.now()}`), 5),
      )
    }, 10)
    clock.setTimeout(() => fired.push(`b ${clock.now()}`), 10)
    clock.clearTimeout(clock.setTimeout(() => fired.push('never'), 1))
    await clock.advance(20)
    expect(fired).toEqual(['a 10', 'b 10', 'late 15', 'c 20'])
  })
  test('stops a timer without delay that starts itself', async () => {
    const clock = new VirtualClock()
    const again = () => {
      clock.setTimeout(again, 0)
    }
    again()
    await expect(clock.advance(1, async () => {})).rejects.toThrow(
      'more than 10,000 timers ran out within 1 ms',
    )
  })
})

describe('heldCalls', () => {
  interface Calls {
    loadRows(input: { page: number }, signal?: AbortSignal): Promise<string>
  }
  test('a call waits until it is settled, oldest first', async () => {
    const held = heldCalls<Calls>()
    const answers: string[] = []
    void held.functions.loadRows({ page: 1 }).then((rows) => answers.push(rows))
    void held.functions.loadRows({ page: 2 }).catch((error: unknown) => answers.push(String(error)))
    expect(held.started()).toEqual(['call loadRows {"page":1}', 'call loadRows {"page":2}'])
    expect(held.started()).toEqual([])
    expect(held.inputs('loadRows')).toEqual([{ page: 1 }, { page: 2 }])
    held.settle('loadRows', { ok: true, output: 'rows' })
    held.settle('loadRows', { ok: false, error: 'offline' })
    await waitForPromises()
    expect(answers).toEqual(['rows', 'offline'])
    expect(() => {
      held.settle('loadRows', { ok: true, output: '' })
    }).toThrow('no pending call of loadRows; pending: none [no-call]')
  })
  test('an aborted call drops itself', async () => {
    const held = heldCalls<Calls>()
    const machine = setup({
      types: { events: {} as { type: 'row.leave' } },
      actors: {
        loadRows: fromPromise<string>(({ signal }) => held.functions.loadRows({ page: 1 }, signal)),
      },
    }).createMachine({
      id: 'rows',
      initial: 'loading',
      states: {
        loading: {
          on: { 'row.leave': 'idle' },
          invoke: { id: 'loadRows', src: 'loadRows', onDone: 'idle', onError: 'idle' },
        },
        idle: {},
      },
    })
    const actor = createActor(machine).start()
    expect(held.pending()).toEqual(['loadRows'])
    actor.send({ type: 'row.leave' })
    await waitForPromises()
    expect(held.pending()).toEqual([])
    actor.stop()
  })
})

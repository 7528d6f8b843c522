import type { DownloadContext } from '@jiaowu/machines/download/context'
import type { DownloadFacts } from '@jiaowu/machines/download/ports'
import type { AnyStateMachine } from 'xstate'
import type { ModelState, Move, Step } from '@jiaowu/path-tests'
import { createStepper, type Spec } from '../machines/spec.ts'
import { downloadPayModel, type DownloadSeen } from '../machines/download/model.ts'

const account = '13800000001'

/**
 * The machine as a part of the protocol model. Clients with equal keys behave alike, so each is
 * kept once with the results of its steps: there are a hundred of them among half a million events.
 */
export function clientModel(machine: AnyStateMachine) {
  let kept: { facts: DownloadFacts | null; late: boolean } = { facts: null, late: false }
  const spec: Spec<DownloadSeen> = {
    ...downloadPayModel,
    machine,
    unhandled: [],
    input: ({ now }) => ({ account, facts: kept.facts, now: kept.late ? () => 1_000_000 : now }),
    key: (s) => {
      const c = s.context as DownloadContext
      return JSON.stringify([s.value, c.price, c.pdf !== null, c.order?.orderNo ?? null])
    },
  }
  const model = createStepper(spec)
  const clients = new Map<string, ModelState>()
  const moves = new Map<ModelState, Map<string, Move>>()
  const begins = new Map<string, Move>()
  const possible = new Map<ModelState, readonly Step[]>()
  const keys = new WeakMap<ModelState, string>()
  const keyOf = (state: ModelState): string => {
    const key = keys.get(state) ?? model.key(state)
    keys.set(state, key)
    return key
  }
  const one = (state: ModelState): ModelState => {
    const known = clients.get(keyOf(state))
    if (known === undefined) clients.set(keyOf(state), state)
    return known ?? state
  }
  const step = (client: ModelState, taken: Step): Move => {
    const known = moves.get(client) ?? new Map<string, Move>()
    moves.set(client, known)
    const name = JSON.stringify(taken.event)
    const move = known.get(name) ?? model.step(client, taken)
    known.set(name, move)
    return move
  }
  const stepsOf = (client: ModelState): readonly Step[] => {
    const known =
      possible.get(client) ?? model.steps(client).filter(({ kind }) => kind !== 'settle')
    possible.set(client, known)
    return known
  }
  const start = (facts: DownloadFacts | null, late: boolean): Move => {
    const name = JSON.stringify([
      facts?.order.orderNo ?? null,
      facts?.order.amount ?? null,
      facts?.paid ?? null,
      late,
    ])
    kept = { facts, late }
    const move = begins.get(name) ?? model.start('start')
    begins.set(name, move)
    return move
  }
  return { start, step, stepsOf, keyOf, one }
}

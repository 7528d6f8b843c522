import type { EventObject, ExecutableActionObject } from 'xstate'
import type { Spec } from './spec.ts'
import { type Call, emitEffect, sendEffect, type Timer, type World } from './world.ts'

/** What a macrostep's actions start, stop and emit. `waiting` and `timers` are the complete lists afterwards. */
interface ActionResult {
  waiting: Call[]
  timers: Timer[]
  calls: Call[]
  starts: Timer[]
  stops: string[]
  emits: string[]
}

/** Parameters of xstate's built-in actions, as far as they are read here. */
interface Params {
  readonly id?: string
  readonly src?: unknown
  readonly input?: unknown
  readonly actorRef?: { readonly id: string }
  readonly to?: { readonly id: string }
  readonly sendId?: string
  readonly delay?: number
  readonly event?: EventObject
}
type Reader = (result: ActionResult, params: Params, now: number, spec: Spec<unknown>) => void

const readers: Readonly<Record<string, Reader>> = {
  'xstate.spawnChild': startChild,
  'xstate.stopChild': (result, { id }) => {
    if (id !== undefined) drop(result, id, true)
  },
  'xstate.cancel': (result, { sendId }) => {
    if (sendId !== undefined) drop(result, sendId, false)
  },
  'xstate.raise': (result, { id, delay, event }, now) => {
    if (typeof delay === 'number' && event !== undefined)
      startTimer(result, { id: id ?? event.type, ms: delay, since: now, event, child: false })
  },
  'xstate.emit': (result, { event }) => {
    if (event !== undefined) result.emits.push(emitEffect(event))
  },
  'xstate.sendTo': (result, { event, to }) => {
    if (event !== undefined && to !== undefined) result.emits.push(sendEffect(to.id, event))
  },
}

/**
 * Reads the actions of one macrostep. A child that is started and stopped within the macrostep is
 * never started, as in xstate.
 * @throws Error for a child that the spec lists neither in outcomes nor in timers nor in quiet
 */
export function readActions<Seen>(
  spec: Spec<Seen>,
  before: World,
  now: number,
  actions: readonly ExecutableActionObject[],
): ActionResult {
  const result: ActionResult = {
    waiting: [...before.waiting],
    timers: [...before.timers],
    calls: [],
    starts: [],
    stops: [],
    emits: [],
  }
  for (const { type, params } of actions)
    readers[type]?.(result, (params ?? {}) as Params, now, spec)
  return result
}

function startChild(result: ActionResult, params: Params, now: number, spec: Spec<unknown>): void {
  const id = params.actorRef?.id ?? String(params.id)
  const src = String(params.src)
  const timer = spec.timers?.[id] ?? spec.timers?.[src]
  if (timer !== undefined) {
    const { ms, output } =
      typeof timer === 'number'
        ? { ms: timer, output: undefined }
        : { ms: timer.ms, output: timer.output }
    startTimer(result, {
      id,
      ms: typeof ms === 'number' ? ms : ms(params.input, now),
      since: now,
      child: true,
      event: { type: `xstate.done.actor.${id}`, output, actorId: id } as EventObject,
    })
  } else if (spec.outcomes[src] !== undefined) {
    const call = { id, port: src, input: params.input }
    result.waiting.push(call)
    result.calls.push(call)
  } else if (spec.quiet?.includes(src) !== true)
    throw new Error(
      `${spec.machine.id} starts the child ${id} (${src}), which is in none of outcomes, timers and quiet`,
    )
}

function startTimer(result: ActionResult, timer: Timer): void {
  drop(result, timer.id, timer.child)
  result.timers.push(timer)
  result.starts.push(timer)
}

function drop(result: ActionResult, id: string, child: boolean): void {
  if (child) {
    result.waiting = result.waiting.filter((call) => call.id !== id)
    result.calls = result.calls.filter((call) => call.id !== id)
  }
  if (!result.timers.some((timer) => timer.id === id && timer.child === child)) return
  if (result.starts.some((timer) => timer.id === id))
    result.starts = result.starts.filter((timer) => timer.id !== id)
  else result.stops.push(id)
  result.timers = result.timers.filter((timer) => timer.id !== id)
}

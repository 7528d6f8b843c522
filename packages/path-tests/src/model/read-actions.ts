import type { AnyActorRef, EventObject, ExecutableActionObject } from 'xstate'
import { type Child, defaultChild } from './children.ts'
import type { Model } from './define-model.ts'
import { actionEffect, callEffect, emitEffect, sendEffect, startEffect } from './effects.ts'
import type { ModelState, RunningChild, Timer } from './model-state.ts'
import type { Created } from './stand-ins.ts'
import { childName, sourceName, stableText } from './text.ts'

/**
 * Everything that a step's actions start, stop and tell. `children` and `timers` are the complete
 * lists afterwards.
 */
export interface ActionResult {
  children: RunningChild[]
  timers: Timer[]
  effects: string[]
  starts: Timer[]
  stops: string[]
  /** Events that the machine sends to itself: they follow as steps of their own. */ toSelf: EventObject[]
}

/** Parameters of xstate's built-in actions, as far as they are read here. */
interface Params {
  readonly id?: string
  readonly src?: unknown
  readonly input?: unknown
  readonly actorRef?: AnyActorRef
  readonly to?: AnyActorRef | string
  readonly targetId?: string
  readonly sendId?: string
  readonly delay?: number
  readonly event?: EventObject
  readonly label?: unknown
  readonly value?: unknown
}
interface Reading {
  readonly result: ActionResult
  readonly model: Pick<Model, 'machine' | 'children'>
  readonly self: AnyActorRef
  readonly now: number
  readonly created: ReadonlyMap<AnyActorRef, Created>
}
type Reader = (reading: Reading, params: Params) => void

const readers: Readonly<Record<string, Reader>> = {
  'xstate.spawnChild': (reading, { actorRef }) => {
    const created = actorRef === undefined ? undefined : reading.created.get(actorRef)
    if (created !== undefined) startChild(reading, created)
  },
  // The parameters of this action are the actor itself.
  'xstate.stopChild': ({ result }, params) => {
    stopChild(result, params as unknown as AnyActorRef)
  },
  'xstate.cancel': ({ result }, { sendId }) => {
    if (sendId !== undefined) dropTimer(result, sendId, null)
  },
  'xstate.raise': ({ result, now }, { id, delay, event }) => {
    if (event === undefined) return
    if (typeof delay === 'number') startTimer(result, { id, ms: delay, event, now })
    else result.effects.push(`raise ${stableText(event)}`)
  },
  'xstate.emit': ({ result }, { event }) => {
    if (event !== undefined) result.effects.push(emitEffect(event))
  },
  'xstate.sendTo': recordSend,
  'xstate.log': ({ result }, { label, value }) => {
    result.effects.push(
      `log ${label === undefined ? '' : `${String(label)}: `}${stableText(value)}`,
    )
  },
}

/**
 * Reads the actions of one macrostep, with the children created in it. A child that is started and
 * stopped within the macrostep is never started, as in xstate. Children that a spawner starts in an
 * `assign` leave no action: they are found among those created.
 */
export function readActions(
  model: Pick<Model, 'machine' | 'children'>,
  before: Pick<ModelState, 'children' | 'timers'>,
  {
    self,
    now,
    actions,
    created,
  }: {
    readonly self: AnyActorRef
    readonly now: number
    readonly actions: readonly ExecutableActionObject[]
    readonly created: readonly Created[]
  },
): ActionResult {
  const result: ActionResult = {
    children: [...before.children],
    timers: [...before.timers],
    effects: [],
    starts: [],
    stops: [],
    toSelf: [],
  }
  const reading: Reading = {
    result,
    model,
    self,
    now,
    created: new Map(created.map((each) => [each.ref, each])),
  }
  const byAction = new Set(actions.map(({ params }) => (params as Params | undefined)?.actorRef))
  for (const each of created) if (!byAction.has(each.ref)) startChild(reading, each)
  for (const { type, params } of actions) {
    const reader = Object.hasOwn(readers, type) ? readers[type] : undefined
    if (reader !== undefined) reader(reading, (params ?? {}) as Params)
    else if (!type.startsWith('xstate.')) result.effects.push(actionEffect(type, params))
  }
  return result
}

const known = new WeakMap<AnyActorRef, Child>()
const usedIn = new WeakMap<object, Set<string>>()

/** The entries of a model's `children` that some child was found to have. */
export function listUsedChildren(children: Model['children']): Set<string> {
  const used = usedIn.get(children) ?? new Set()
  usedIn.set(children, used)
  return used
}

/**
 * Resolves the behaviour of a child: its entry by name, by id or by source, else the default for
 * its logic.
 */
export function resolveChild(
  { machine, children }: Pick<Model, 'machine' | 'children'>,
  { ref, name, source, logic }: Created,
): Child {
  const own = (id: unknown) =>
    typeof id === 'string' && Object.hasOwn(children, id) && children[id] !== undefined
  const chosen = [name, ref.id, source].find(own) as string | undefined
  if (chosen !== undefined) listUsedChildren(children).add(chosen)
  const entry =
    known.get(ref) ??
    (chosen === undefined ? undefined : children[chosen]) ??
    defaultChild(machine, logic, ref.id)
  known.set(ref, entry)
  return entry
}

function startChild({ result, model, now }: Reading, created: Created): void {
  const { ref, name, input } = created
  const as = resolveChild(model, created)
  // xstate sends the first snapshot of a child with `onSnapshot` as soon as it starts.
  if ((ref as { _syncSnapshot?: boolean })._syncSnapshot === true)
    result.toSelf.push({
      type: `xstate.snapshot.${ref.id}`,
      snapshot: ref.getSnapshot(),
    } as EventObject)
  const source = sourceName(created.source)
  if (as.kind === 'timer') {
    const ms = typeof as.ms === 'number' ? as.ms : as.ms(input, now)
    const event = {
      type: `xstate.done.actor.${ref.id}`,
      output: as.output,
      actorId: ref.id,
    } as EventObject
    const timer = { id: name, ms, since: now, event, ref }
    if (result.timers.some(({ id }) => id === name)) dropTimer(result, name, null)
    result.timers.push(timer)
    result.starts.push(timer)
    result.effects.push(startEffect(name, input, source))
    return
  }
  result.children.push({ name, source, input, ref, as })
  result.effects.push(
    as.kind === 'call' ? callEffect(name, input, source) : startEffect(name, input, source),
  )
}

/** A child that never started leaves no effect. */
function stopChild(result: ActionResult, ref: AnyActorRef): void {
  const name = childName(ref)
  if (result.timers.some((timer) => timer.ref === ref)) dropTimer(result, name, ref)
  else if (!result.children.some((child) => child.ref === ref)) return
  result.children = result.children.filter((child) => child.ref !== ref)
  const started = result.effects.findIndex(
    (effect) => /^(?:call|start) /.test(effect) && effect.split(' ')[1] === name,
  )
  if (started === -1) result.effects.push(`stop ${name}`)
  else result.effects.splice(started, 1)
}

function recordSend(reading: Reading, { id, to, targetId, delay, event }: Params): void {
  const { result, self, now } = reading
  if (event === undefined || to === undefined) return
  const name = typeof to === 'string' ? to : to === self ? null : nameOfReceiver(self, to, targetId)
  if (name === null && typeof delay === 'number') {
    startTimer(result, { id, ms: delay, event, now })
    return
  }
  if (name === null) result.toSelf.push(event)
  const after = typeof delay === 'number' ? ` in ${delay} ms` : ''
  result.effects.push(`${sendEffect(name ?? 'self', event)}${after}`)
}

function nameOfReceiver(self: AnyActorRef, to: AnyActorRef, targetId: string | undefined): string {
  return to === (self as { _parent?: unknown })._parent ? 'parent' : (targetId ?? childName(to))
}

function startTimer(
  result: ActionResult,
  {
    id,
    ms,
    event,
    now,
  }: {
    readonly id: string | undefined
    readonly ms: number
    readonly event: EventObject
    readonly now: number
  },
): void {
  let name = id ?? event.type
  if (id === undefined)
    for (let number = 2; result.timers.some((timer) => timer.id === name); number += 1)
      name = `${event.type}#${number}`
  else dropTimer(result, id, null)
  const timer = { id: name, ms, since: now, event, ref: null }
  result.timers.push(timer)
  result.starts.push(timer)
}

function dropTimer(result: ActionResult, id: string, ref: AnyActorRef | null): void {
  const found = result.timers.find(
    (timer) => timer.id === id && (ref === null || timer.ref === ref),
  )
  if (found === undefined) return
  if (result.starts.includes(found)) result.starts = result.starts.filter((each) => each !== found)
  else result.stops.push(id)
  result.timers = result.timers.filter((each) => each !== found)
}

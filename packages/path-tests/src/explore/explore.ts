import { type AnyTransitionDefinition, type EventObject, getNextTransitions } from 'xstate'
import { getAdjacencyMap } from 'xstate/graph'
import { type Finding, groupFindings, formatErrorMessage } from './findings.ts'
import { type Edge, type Graph, type Node, traceLine, traceTo } from './graph.ts'
import { growing } from './growing.ts'
import { mergedStates } from './merged-states.ts'
import { findRestless } from './restless.ts'
import { findUnseen } from './unseen.ts'
import { type Instability, stepTwice } from './instability.ts'
import { declaredTransitions, type TransitionId } from './transitions.ts'
import { type Model, listStarts } from '../model/define-model.ts'
import { type ModelState, type Move, stateText, whenDue } from '../model/model-state.ts'
import { isUnhandled, type Step, stepId } from '../model/step.ts'
import { createStepper, type Stepper } from '../model/stepper.ts'

export interface ExploreOptions {
  /** States to explore; the graph says when there are more. Default: the model's bounds, or 1,000. */
  readonly maxStates?: number
  /**
   * Whether to look for steps that differ when made twice, context changed in place, and keys that
   * merge different states: about two thirds of the time. No, for a model that another test checks.
   * Default: yes.
   */
  readonly checked?: boolean
}

/** A state of the adjacency map: the start of everything, a possible move, or a crash. */
type Place = Move | null
type StepEvent = EventObject & { readonly step: Step | null; readonly start: string }
/** More steps than these are checked for determinism one per state value and label only. */
const mostChecked = 20_000

/**
 * Every model state and every step between them, breadth first from the starts, on the adjacency
 * map of `xstate/graph`. What goes wrong is in `findings`: exploration goes on beyond a crash, and
 * a graph that reaches the limit says so.
 */
export function explore<Seen>(model: Model<Seen>, options: ExploreOptions = {}): Graph {
  const stepper = createStepper(model)
  const limit = options.maxStates ?? model.bounds?.maxStates ?? 1000
  const unstable = new Map<string, Instability & { readonly where: string }>()
  const { checked = true } = options
  const adjacency = buildAdjacency(model, stepper, limit, checked ? unstable : null)
  const ids = declaredTransitions(model.machine)
  const { nodes, edges, starts, crashes, taken } = graphOfPlaces(adjacency)
  const considered = new Set<AnyTransitionDefinition>(
    nodes.flatMap(({ snapshot }) => getNextTransitions(snapshot)),
  )
  const transitions = [...ids].map(([transition, id]) => ({
    id,
    reached: taken.has(id),
    why: taken.has(id) ? null : whyUnreached(transition, considered),
  }))
  const unexplored = nodes.filter(
    ({ explored, snapshot }) => !explored && model.bounds?.when?.(snapshot) !== false,
  ).length
  return {
    machine: model.machine.id,
    nodes,
    edges,
    starts,
    transitions,
    unexplored,
    findings: [
      ...groupFindings([...crashes, ...adjacency.faults]),
      ...unstableFindings(unstable),
      ...(unexplored === 0 ? [] : [limitFinding(limit, unexplored, nodes)]),
      ...(checked && unstable.size === 0 ? mergedStates(stepper, { nodes, edges }) : []),
      ...(checked ? [...findUnseen(model, nodes), ...findRestless({ nodes, edges })] : []),
    ],
  }
}

interface Entry {
  readonly place: Move
  readonly explored: boolean
  readonly transitions: readonly { readonly step: Step; readonly move: Move }[]
}
interface Adjacency {
  readonly starts: readonly { readonly name: string; readonly move: Move }[]
  readonly entries: ReadonlyMap<string, Entry>
  /** Builds the key of the entry that a step leads to. */
  keyOf(move: Move): string
  /** Errors that the functions of the model throw. */
  readonly faults: readonly Finding[]
}

function buildAdjacency<Seen>(
  model: Model<Seen>,
  stepper: Stepper<Seen>,
  limit: number,
  unstable: Map<string, Instability & { readonly where: string }> | null,
): Adjacency {
  const faults: Finding[] = []
  const keys = new WeakMap<Move, string>()
  const keyOf = (move: Move): string => {
    const key = keys.get(move) ?? `·${move.crash === null ? stepper.key(move.at) : 'crash'}`
    keys.set(move, key)
    return key
  }
  const madeTwice = new Set<string>()
  const explored = new Set<Move>()
  let steps = 0
  const twice = (label: string, before: ModelState | null, run: () => Move): Move => {
    steps += 1
    if (unstable === null || (steps > mostChecked && madeTwice.has(label))) return run()
    madeTwice.add(label)
    const { move, unstable: found } = stepTwice(before, run)
    if (found !== null && !unstable.has(`${found.code} ${found.part}`))
      unstable.set(`${found.code} ${found.part}`, { ...found, where: label })
    return move
  }
  const logic = {
    getInitialSnapshot: (): Place => null,
    getPersistedSnapshot: (place: Place) => place,
    transition: (place: Place, { step, start }: StepEvent): Place =>
      place === null || step === null
        ? twice('start', null, () => stepper.start(start))
        : twice(`${stateText(place.at)} ${step.label}`, place.at, () =>
            stepper.step(whenDue(place.at, step), step),
          ),
  }
  const map = getAdjacencyMap(logic as never, {
    serializeState: ((place: Place) => (place === null ? '' : keyOf(place))) as never,
    serializeEvent: ((event: StepEvent) =>
      event.step === null ? event.start : stepId(event.step)) as never,
    events: ((place: Place): StepEvent[] => {
      if (place === null)
        return listStarts(model).map((start) => ({ type: 'start', step: null, start }))
      if (place.crash !== null || model.bounds?.when?.(place.at.snapshot) === false) return []
      if (explored.size >= limit) return []
      explored.add(place)
      try {
        return stepper.steps(place.at).map((step) => ({ type: stepId(step), step, start: '' }))
      } catch (error) {
        const message = `the model throws "${formatErrorMessage(error)}" (outcomes, eventsIn or hidden)`
        faults.push({ ...crashAt, message, state: stateText(place.at) })
        return []
      }
    }) as never,
  }) as unknown as Record<
    string,
    { state: Place; transitions: Record<string, { event: StepEvent; state: Move }> }
  >
  const entries = new Map<string, Entry>()
  for (const [key, { state, transitions }] of Object.entries(map))
    if (state !== null && state.crash === null)
      entries.set(key, {
        place: state,
        explored: explored.has(state),
        transitions: Object.values(transitions).map(({ event, state: move }) => ({
          step: event.step as Step,
          move,
        })),
      })
  return {
    starts: Object.values(map['']?.transitions ?? {}).map(({ event, state }) => ({
      name: event.start,
      move: state,
    })),
    entries,
    keyOf,
    faults,
  }
}

const crashAt = { code: 'crash', event: null, path: '', times: 1 } as const

interface Places {
  readonly nodes: readonly Node[]
  readonly edges: readonly Edge[]
  readonly starts: Graph['starts']
  readonly crashes: readonly Finding[]
  readonly taken: ReadonlySet<TransitionId>
}

/** Numbers the states in the order in which they were found, which is breadth first. */
function graphOfPlaces({ starts: begun, entries, keyOf }: Adjacency): Places {
  const indexes = new Map([...entries.keys()].map((key, index) => [key, index]))
  const indexOf = (move: Move) => indexes.get(keyOf(move)) ?? -1
  const begunWell = begun.filter(({ move }) => move.crash === null)
  const starts = begunWell.map(({ name, move }) => ({ name, node: indexOf(move), move }))
  const origin: { by: number | null; start: string }[] = []
  for (const { name, node } of starts) origin[node] ??= { by: null, start: name }
  const edges: Edge[] = []
  const crashed: { from: number; step: Step; move: Move }[] = []
  const taken = new Set<TransitionId>(begun.flatMap(({ move }) => move.taken))
  for (const [from, { transitions }] of [...entries.values()].entries())
    for (const { step, move } of transitions) {
      for (const id of move.taken) taken.add(id)
      if (move.crash !== null) {
        crashed.push({ from, step, move })
        continue
      }
      const index = edges.length
      const to = indexOf(move)
      origin[to] ??= { by: index, start: origin[from]?.start ?? '' }
      edges.push({ ...move, index, from, to, step, unhandled: isUnhandled(step) })
    }
  const nodes = [...entries].map(([key, { place, explored }], index): Node => ({
    index,
    key: key.slice(1),
    state: stateText(place.at),
    at: place.at,
    snapshot: place.at.snapshot,
    by: origin[index]?.by ?? null,
    start: origin[index]?.start ?? '',
    explored,
  }))
  const many = starts.length > 1
  return {
    nodes,
    edges,
    starts,
    taken,
    crashes: [
      ...begun.flatMap(({ name, move }) =>
        move.crash === null ? [] : [crashFinding(move, null, '', many ? `start:${name}` : '')],
      ),
      ...crashed.map(({ from, step, move }) =>
        crashFinding(
          move,
          step,
          nodes[from]?.state ?? '',
          traceLine(many ? (nodes[from]?.start ?? null) : null, [
            ...traceTo({ nodes, edges }, from),
            { step },
          ]),
        ),
      ),
    ],
  }
}

function crashFinding({ crash }: Move, step: Step | null, state: string, path: string): Finding {
  const error = formatErrorMessage(crash?.error)
  const missing = crash?.kind === 'unhandled' && step?.kind === 'settle'
  return {
    code: missing ? 'unhandled-error' : 'crash',
    message: missing
      ? `no transition handles the error of ${step.call} (onError is missing): the machine ends in "${error}"`
      : `the machine throws "${error}"`,
    state,
    event: step?.label ?? 'the start',
    path,
    times: 1,
  }
}

function unstableFindings(
  unstable: ReadonlyMap<string, Instability & { readonly where: string }>,
): Finding[] {
  return [...unstable.values()].map(({ code, part, where }) => ({
    code,
    message:
      code === 'not-deterministic'
        ? `not deterministic: ${part} differs when the same step is made twice`
        : `${part} is changed in place: earlier states change with it; make a copy`,
    state: where,
    event: null,
    path: '',
    times: 1,
  }))
}

function limitFinding(limit: number, unexplored: number, nodes: readonly Node[]): Finding {
  return {
    code: 'state-limit',
    message: `more than ${limit} model states: ${unexplored} are not explored. Most states come from:\n${growing(nodes)}`,
    state: '',
    event: null,
    path: '',
    times: 1,
  }
}

function whyUnreached(
  transition: AnyTransitionDefinition,
  considered: ReadonlySet<AnyTransitionDefinition>,
): string {
  if (considered.has(transition))
    return transition.guard === undefined
      ? 'its state is reached, but no sample, outcome or timer brings the event'
      : 'its state is reached, but its guard never lets a sample through'
  return 'its state is never reached'
}

/** The lines of a report about a graph and its findings. */
export function summary({ machine, nodes, edges, transitions, findings }: Graph): string {
  const missing = transitions.filter(({ reached }) => !reached)
  const head = `${machine}: ${nodes.length} states, ${edges.length} edges (${edges.filter(({ unhandled }) => unhandled).length} unhandled), transitions ${transitions.length - missing.length} of ${transitions.length}`
  return [
    head,
    ...missing.map(({ id, why }) => `  unreached-transition: ${id}: ${why}`),
    ...findings.map(({ code, message }) => `  ${code}: ${message}`),
  ].join('\n')
}

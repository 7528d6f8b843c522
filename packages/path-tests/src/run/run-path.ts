import type { Driver } from './driver.ts'
import type { Edge, Graph } from '../explore/graph.ts'
import { type Model, onlyStart, listStarts } from '../model/define-model.ts'
import { ModelError } from '../model/model-error.ts'
import {
  kindOfEffect,
  advanceClock,
  type ModelState,
  type Move,
  pendingCalls,
  stateText,
} from '../model/model-state.ts'
import { type Step, stepId } from '../model/step.ts'
import { createStepper, type Stepper } from '../model/stepper.ts'
import { type Failure, listDifferences, recipe } from './recipe.ts'
import { formatErrorMessage } from '../explore/findings.ts'
import { schedule, type Timed } from '../explore/schedule.ts'
import type { TransitionId } from '../explore/transitions.ts'
import type { Path, PathStep } from './path.ts'

export interface RunResult {
  readonly path: Path
  readonly steps: number
  readonly taken: readonly TransitionId[]
  readonly failure: Failure | null
}

/** A path over edges of a graph. */
export function buildPath(graph: Graph, id: string, start: string, edges: readonly Edge[]): Path {
  return {
    id,
    start,
    steps: edges.map(({ step, to }) => ({ step, to: graph.nodes[to]?.key ?? null })),
    edges: edges.map(({ index }) => index),
  }
}

/** The path of a reproduce line. @throws when a step is impossible at its position. */
export function parsePath<Seen>(model: Model<Seen>, text: string): Path {
  const stepper = createStepper(model)
  const [head, ...rest] = text
    .split('|')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const named = head?.startsWith('start:') === true
  const start = named ? head.slice('start:'.length) : (listStarts(model)[0] ?? onlyStart)
  let { at } = stepper.start(start)
  const steps = [...(named || head === undefined ? [] : [head]), ...rest].map((id): PathStep => {
    const possible = stepper.steps(at)
    const step = possible.find((each) => stepId(each) === id)
    if (step === undefined)
      throw new ModelError(
        'no-step',
        `${model.machine.id}: no step ${JSON.stringify(id)} in ${stateText(at)}; possible: ${possible.map(stepId).join(', ')}`,
      )
    ;({ at } = stepper.step(at, step))
    return { step, to: stepper.key(at) }
  })
  return { id: 'MBT_PATH', start, steps, edges: [] }
}

const sortTexts = (texts: readonly string[]): string[] => [...texts].sort()

/**
 * Drives a surface through a path with the model alongside, and compares what is observed, the
 * effects and the pending calls after every step. Failures of the surface are in the result, with a
 * recipe; they are not thrown. Disposes of the driver. `atFailure` may read the failed surface.
 */
export async function runPath<Seen>(
  model: Model<Seen>,
  path: Path,
  driver: Driver<Seen>,
  atFailure: () => Promise<void> = () => Promise.resolve(),
  rehearsals?: Rehearsals,
): Promise<RunResult> {
  const stepper = rehearsals?.stepperOf(model) ?? createStepper(model)
  const states: string[] = []
  const taken: TransitionId[] = []
  const fail = async (reasons: readonly string[]): Promise<RunResult> => {
    await atFailure()
    return failed(reasons)
  }
  const failed = (reasons: readonly string[]): RunResult => ({
    path,
    steps: states.length,
    taken,
    failure: recipe(model.machine.id, path, states, reasons),
  })
  // A real answer leads the model elsewhere from there on.
  const next = ({ times, moves }: Rehearsal, move: Move, index: number, real: Step): Move =>
    driver.real === undefined
      ? (moves[index + 1] ?? move)
      : stepper.step({ ...move.at, now: times[index + 1] ?? 0 }, real)
  try {
    const rehearsed = rehearsals?.of(stepper, path) ?? rehearse(stepper, path)
    if (rehearsed === null) return await fail(['no times fit this order of timers'])
    const { times } = rehearsed
    let [move] = rehearsed.moves as [Move, ...Move[]]
    taken.push(...move.taken)
    await driver.start(path.start)
    const atStart = await compareWithSurface(stepper, move, driver)
    if (atStart.length > 0) return await fail(['at the start', ...atStart])
    const held: string[] = []
    let owed = 0
    for (const [index, { step, to }] of path.steps.entries()) {
      const passing = (times[index + 1] ?? 0) - move.at.now
      // A timer that ends at once leaves nothing to wait for.
      const last = step.kind === 'time' ? Math.min(1, passing) : 0
      const gap = passing - last
      await driver.before?.(step, index)
      const early = await wait(stepper, move.at, driver, gap)
      if (early.length > 0) return await fail(early)
      const real = (await driver.real?.(step)) ?? step
      move = next(rehearsed, move, index, real)
      taken.push(...move.taken)
      const lost = offPath(stepper, move, to)
      if (lost !== null) return await fail([lost])
      owed += last
      if (meetsNext(path, times, index)) {
        held.push(...move.effects)
        states.push(stateText(move.at))
        continue
      }
      await perform(driver, real, owed)
      owed = 0
      const effects = [...held.splice(0), ...move.effects]
      const found = await compareWithSurface(stepper, { ...move, effects }, driver)
      if (found.length > 0) return await fail(found)
      states.push(stateText(move.at))
    }
    return { path, steps: states.length, taken, failure: null }
  } catch (error) {
    return await fail([error instanceof Error ? error.message : String(error)])
  } finally {
    await driver.dispose()
  }
}

/** Two timers that end at one instant cannot be seen apart: they are compared after the second. */
function meetsNext(path: Path, times: readonly number[], index: number): boolean {
  return (
    path.steps[index]?.step.kind === 'time' &&
    path.steps[index + 1]?.step.kind === 'time' &&
    times[index + 1] === times[index + 2]
  )
}

/** Why the model is not where the path expects it; null when it is. */
function offPath<Seen>(
  stepper: Stepper<Seen>,
  { at, crash }: Move,
  to: string | null,
): string | null {
  if (crash !== null) return `the model crashes here: ${formatErrorMessage(crash.error)}`
  if (to === null) return null
  const key = stepper.key(at)
  return key === to
    ? null
    : `the model's key merges different states: the path expects ${JSON.stringify(to)}, the machine is in ${JSON.stringify(key)}`
}

/** The model's part of a path: the time of each step, and what it does. Index 0 is the start. */
interface Rehearsal {
  readonly times: readonly number[]
  readonly moves: readonly Move[]
}

/**
 * Walks the model through a path. A timer's length may depend on its start, so the model is walked
 * until its times are stable. Null when no times fit the order of the timers.
 */
function rehearse<Seen>(stepper: Stepper<Seen>, path: Path): Rehearsal | null {
  let times = [0, ...path.steps.map(() => 0)]
  for (let round = 0; ; round += 1) {
    const moves = [stepper.start(path.start)]
    for (const [index, { step }] of path.steps.entries()) {
      const { at, crash } = moves[index] as Move
      if (crash !== null) break
      moves.push(stepper.step({ ...at, now: times[index + 1] ?? 0 }, step))
    }
    const next = schedule(
      moves.map((move, index) => {
        const step = path.steps[index - 1]?.step
        return toTimedMove(step?.kind === 'time' ? step.timer : null, move)
      }),
    )
    if (next === null) return null
    if (round === 3 || next.every((time, index) => time === times[index])) return { times, moves }
    times = [...next, ...times.slice(next.length)]
  }
}

/** Steps whose results are kept; each holds a snapshot. */
const mostKept = 20_000

/** The model's part of paths that are run many times, for each mutant. */
export class Rehearsals {
  readonly #kept = new Map<Path, Rehearsal | null>()
  #stepper: { readonly model: object; readonly stepper: Stepper<never> } | null = null
  #steps = 0

  /** One stepper serves all runs of a model. */
  stepperOf<Seen>(model: Model<Seen>): Stepper<Seen> {
    if (this.#stepper?.model !== model) {
      this.#kept.clear()
      this.#steps = 0
      this.#stepper = { model, stepper: remembering(createStepper(model)) as Stepper<never> }
    }
    return this.#stepper.stepper as Stepper<Seen>
  }

  of<Seen>(stepper: Stepper<Seen>, path: Path): Rehearsal | null {
    const known = this.#kept.get(path)
    if (known !== undefined) return known
    const made = rehearse(stepper, path)
    this.#steps += path.steps.length
    if (this.#steps <= mostKept) this.#kept.set(path, made)
    return made
  }

  /** The transitions of the start and of each step; none when no times fit the path. */
  takenAlong<Seen>(model: Model<Seen>, path: Path): readonly (readonly TransitionId[])[] {
    return this.of(this.stepperOf(model), path)?.moves.map(({ taken }) => taken) ?? []
  }
}

/** A stepper that looks at a state once: the rehearsed states are compared with every mutant. */
function remembering<Seen>(stepper: Stepper<Seen>): Stepper<Seen> {
  const looks = new WeakMap<ModelState, Seen>()
  const keys = new WeakMap<ModelState, string>()
  return {
    ...stepper,
    seen: (state) => computeOncePerState(looks, state, stepper.seen),
    key: (state) => computeOncePerState(keys, state, stepper.key),
  }
}

function computeOncePerState<T>(
  known: WeakMap<ModelState, T>,
  state: ModelState,
  make: (of: ModelState) => T,
): T {
  if (known.has(state)) return known.get(state) as T
  const made = make(state)
  known.set(state, made)
  return made
}

function toTimedMove(
  fires: string | null,
  { starts, stops }: Pick<Move, 'starts' | 'stops'>,
): Timed {
  return {
    fires,
    starts,
    stops,
  }
}

/** Differences between model and surface. */
async function compareWithSurface<Seen>(
  stepper: Stepper<Seen>,
  move: Move,
  driver: Driver<Seen>,
): Promise<string[]> {
  const found = listDifferences('', stepper.seen(move.at), await driver.observe())
  const effects = driver.effects?.()
  const reports = driver.reports ?? ['call', 'emit', 'send']
  const expected = move.effects.filter((effect) => reports.includes(kindOfEffect(effect)))
  if (effects !== undefined && sortTexts(effects).join('\n') !== sortTexts(expected).join('\n'))
    found.push(`effects: model ${JSON.stringify(expected)}, screen ${JSON.stringify(effects)}`)
  const pending = driver.pending?.(),
    waiting = pendingCalls(move.at).map(({ name }) => name)
  if (pending !== undefined && sortTexts(pending).join(' ') !== sortTexts(waiting).join(' '))
    found.push(
      `pending calls: model ${waiting.join(', ') || 'none'}, screen ${pending.join(', ') || 'none'}`,
    )
  return found
}

/** Waits `ms`. A timer must not end early: nothing may happen until the last millisecond. */
async function wait<Seen>(
  stepper: Stepper<Seen>,
  state: ModelState,
  driver: Driver<Seen>,
  ms: number,
): Promise<string[]> {
  if (ms <= 0) return []
  await driver.advance(ms)
  return (
    await compareWithSurface(
      stepper,
      {
        at: advanceClock(state, ms),
        effects: [],
        actions: [],
        taken: [],
        starts: [],
        stops: [],
        crash: null,
      },
      driver,
    )
  ).map((line) => `while waiting ${ms} ms: ${line}`)
}

async function perform<Seen>(driver: Driver<Seen>, step: Step, last: number): Promise<void> {
  if (step.kind === 'user') await driver.user(step)
  else if (step.kind === 'settle') await driver.settle(step.call, step.outcome)
  else if (step.kind === 'child') await speak(driver, step)
  else await driver.advance(last)
}

async function speak<Seen>(
  driver: Driver<Seen>,
  step: Extract<Step, { kind: 'child' }>,
): Promise<void> {
  if (driver.child === undefined)
    throw new Error(`the driver has no method child, for ${step.label}`)
  await driver.child(step)
}

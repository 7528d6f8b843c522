import type { Driver } from './driver.ts'
import type { Edge, Graph } from '../explore/graph.ts'
import { type Model, onlyStart, startsOf } from '../model/define-model.ts'
import { ModelError } from '../model/model-error.ts'
import {
  kindOfEffect,
  later,
  type ModelState,
  type Move,
  pendingCalls,
  stateText,
} from '../model/model-state.ts'
import { type Step, stepId } from '../model/step.ts'
import { createStepper, type Stepper } from '../model/stepper.ts'
import { type Failure, differences, recipe } from './recipe.ts'
import { messageOf } from '../explore/findings.ts'
import { schedule, type Timed } from '../explore/schedule.ts'
import type { TransitionId } from '../explore/transitions.ts'

/** A step of a path, and the key of the model state it must lead to when the path comes from a graph. */
export interface PathStep {
  readonly step: Step
  readonly to: string | null
}
export interface Path {
  readonly id: string
  /** Name of the machine's start. */ readonly start: string
  readonly steps: readonly PathStep[]
  /** Edges of the graph, when the path comes from one. */ readonly edges: readonly number[]
}
export interface RunResult {
  readonly path: Path
  readonly steps: number
  readonly taken: readonly TransitionId[]
  readonly failure: Failure | null
}

/** A path over edges of a graph. */
export function pathOf(graph: Graph, id: string, start: string, edges: readonly Edge[]): Path {
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
  const start = named ? head.slice('start:'.length) : (startsOf(model)[0] ?? onlyStart)
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

const sorted = (texts: readonly string[]): string[] => [...texts].sort()

/** A picture of a surface: a page as PNG (base64) or HTML, a terminal as text. */
export interface Picture {
  readonly kind: 'png' | 'html' | 'text'
  readonly data: string
}

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
): Promise<RunResult> {
  const stepper = createStepper(model)
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
  try {
    const times = timesOf(stepper, path)
    if (times === null) return await fail(['no times fit this order of timers'])
    let move = stepper.start(path.start)
    taken.push(...move.taken)
    await driver.start(path.start)
    const atStart = await compare(stepper, move, driver)
    if (atStart.length > 0) return await fail(['at the start', ...atStart])
    for (const [index, { step, to }] of path.steps.entries()) {
      const gap = (times[index + 1] ?? 0) - move.at.now - (step.kind === 'time' ? 1 : 0)
      const early = await wait(stepper, move.at, driver, gap)
      if (early.length > 0) return await fail(early)
      const real = (await driver.real?.(step)) ?? step
      move = stepper.step({ ...move.at, now: times[index + 1] ?? 0 }, real)
      taken.push(...move.taken)
      if (move.crash !== null)
        return await fail([`the model crashes here: ${messageOf(move.crash.error)}`])
      if (to !== null && stepper.key(move.at) !== to)
        return await fail([
          `the model's key merges different states: the path expects ${JSON.stringify(to)}, the machine is in ${JSON.stringify(stepper.key(move.at))}`,
        ])
      await perform(driver, real)
      const found = await compare(stepper, move, driver)
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

/**
 * The time of each step. A timer's length may depend on its start, so the model is walked until its
 * times are stable.
 */
function timesOf<Seen>(stepper: Stepper<Seen>, path: Path): number[] | null {
  let times = [0, ...path.steps.map(() => 0)]
  for (let round = 0; round < 4; round += 1) {
    let move = stepper.start(path.start)
    const steps = [timed(null, move)]
    path.steps.forEach(({ step }, index) => {
      move = stepper.step({ ...move.at, now: times[index + 1] ?? 0 }, step)
      steps.push(timed(step.kind === 'time' ? step.timer : null, move))
    })
    const next = schedule(steps)
    if (next === null || next.every((time, index) => time === times[index])) return next
    times = next
  }
  return times
}

function timed(fires: string | null, { starts, stops }: Pick<Move, 'starts' | 'stops'>): Timed {
  return {
    fires,
    starts,
    stops,
  }
}

/** Differences between model and surface. */
async function compare<Seen>(
  stepper: Stepper<Seen>,
  move: Move,
  driver: Driver<Seen>,
): Promise<string[]> {
  const found = differences('', stepper.seen(move.at), await driver.observe())
  const effects = driver.effects?.()
  const reports = driver.reports ?? ['call', 'emit', 'send']
  const expected = move.effects.filter((effect) => reports.includes(kindOfEffect(effect)))
  if (effects !== undefined && sorted(effects).join('\n') !== sorted(expected).join('\n'))
    found.push(`effects: model ${JSON.stringify(expected)}, screen ${JSON.stringify(effects)}`)
  const pending = driver.pending?.(),
    waiting = pendingCalls(move.at).map(({ name }) => name)
  if (pending !== undefined && sorted(pending).join(' ') !== sorted(waiting).join(' '))
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
    await compare(
      stepper,
      {
        at: later(state, ms),
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

async function perform<Seen>(driver: Driver<Seen>, step: Step): Promise<void> {
  if (step.kind === 'user') await driver.user(step)
  else if (step.kind === 'settle') await driver.settle(step.call, step.outcome)
  else if (step.kind === 'child') await speak(driver, step)
  else await driver.advance(1)
}

async function speak<Seen>(
  driver: Driver<Seen>,
  step: Extract<Step, { kind: 'child' }>,
): Promise<void> {
  if (driver.child === undefined)
    throw new Error(`the driver has no method child, for ${step.label}`)
  await driver.child(step)
}

import type { Driver } from './driver.ts'
import type { Edge, Graph } from '../explore/explored-graph.ts'
import { createModel } from '../explore/model.ts'
import { later, type Model, type Move, stateOf, type World } from '../explore/world.ts'
import { type Failure, differences, recipe } from './recipe.ts'
import { schedule, type Timed } from '../explore/schedule.ts'
import { onlyStart, type Spec, startsOf, type Step, stepId } from '../explore/spec.ts'
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
export function parsePath<Seen>(spec: Spec<Seen>, text: string): Path {
  const model = createModel(spec)
  const [head, ...rest] = text
    .split('|')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const named = head?.startsWith('start:') === true
  const start = named ? head.slice('start:'.length) : (startsOf(spec)[0] ?? onlyStart)
  let { world } = model.start(start)
  const steps = [...(named || head === undefined ? [] : [head]), ...rest].map((id): PathStep => {
    const possible = model.steps(world)
    const step = possible.find((each) => stepId(each) === id)
    if (step === undefined)
      throw new Error(
        `${spec.machine.id}: no step ${JSON.stringify(id)} in ${stateOf(world)}; possible: ${possible.map(stepId).join(', ')}`,
      )
    ;({ world } = model.step(world, step))
    return { step, to: model.key(world) }
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
  spec: Spec<Seen>,
  path: Path,
  driver: Driver<Seen>,
  atFailure: () => Promise<void> = () => Promise.resolve(),
): Promise<RunResult> {
  const model = createModel(spec)
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
    failure: recipe(spec.machine.id, path, states, reasons),
  })
  try {
    const times = timesOf(model, path)
    if (times === null) return await fail(['no times fit this order of timers'])
    let move = model.start(path.start)
    taken.push(...move.taken)
    await driver.start(path.start)
    const atStart = await compare(model, move, driver)
    if (atStart.length > 0) return await fail(['at the start', ...atStart])
    for (const [index, { step, to }] of path.steps.entries()) {
      const gap = (times[index + 1] ?? 0) - move.world.now - (step.kind === 'time' ? 1 : 0)
      const early = await wait(model, move.world, driver, gap)
      if (early.length > 0) return await fail(early)
      const real = (await driver.real?.(step)) ?? step
      move = model.step({ ...move.world, now: times[index + 1] ?? 0 }, real)
      taken.push(...move.taken)
      if (to !== null && model.key(move.world) !== to)
        return await fail([
          `the model's key is too coarse: the path expects ${JSON.stringify(to)}, the machine is in ${JSON.stringify(model.key(move.world))}`,
        ])
      await perform(driver, real)
      const found = await compare(model, move, driver)
      if (found.length > 0) return await fail(found)
      states.push(stateOf(move.world))
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
function timesOf<Seen>(model: Model<Seen>, path: Path): number[] | null {
  let times = [0, ...path.steps.map(() => 0)]
  for (let round = 0; round < 4; round += 1) {
    let move = model.start(path.start)
    const steps = [timed(null, move)]
    path.steps.forEach(({ step }, index) => {
      move = model.step({ ...move.world, now: times[index + 1] ?? 0 }, step)
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
  model: Model<Seen>,
  move: Move,
  driver: Driver<Seen>,
): Promise<string[]> {
  const found = differences('', model.seen(move.world), await driver.observe())
  const effects = driver.effects?.()
  if (effects !== undefined && sorted(effects).join('\n') !== sorted(move.effects).join('\n'))
    found.push(`effects: model ${JSON.stringify(move.effects)}, screen ${JSON.stringify(effects)}`)
  const pending = driver.pending?.(),
    waiting = move.world.waiting.map(({ port }) => port)
  if (pending !== undefined && sorted(pending).join(' ') !== sorted(waiting).join(' '))
    found.push(
      `pending calls: model ${waiting.join(', ') || 'none'}, screen ${pending.join(', ') || 'none'}`,
    )
  return found
}

/** Waits `ms`. A timer must not end early: nothing may happen until the last millisecond. */
async function wait<Seen>(
  model: Model<Seen>,
  world: World,
  driver: Driver<Seen>,
  ms: number,
): Promise<string[]> {
  if (ms <= 0) return []
  await driver.advance(ms)
  return (
    await compare(
      model,
      { world: later(world, ms), effects: [], actions: [], taken: [], starts: [], stops: [] },
      driver,
    )
  ).map((line) => `while waiting ${ms} ms: ${line}`)
}

async function perform<Seen>(driver: Driver<Seen>, step: Step): Promise<void> {
  if (step.kind === 'user') await driver.user(step)
  else if (step.kind === 'settle') await driver.settle(step.port, step.outcome)
  else await driver.advance(1)
}

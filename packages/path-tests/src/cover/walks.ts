import fc from 'fast-check'
import type { MakeDriver } from '../run/driver.ts'
import { type Model, onlyStart, listStarts } from '../model/define-model.ts'
import { type ModelState, whenDue } from '../model/model-state.ts'
import { isUnhandled, type Step } from '../model/step.ts'
import { createStepper, type Stepper } from '../model/stepper.ts'
import { runPath, type RunResult } from '../run/run-path.ts'
import type { Path, PathStep } from '../run/path.ts'

export interface WalkOptions {
  readonly seed: number
  readonly walks: number
  /** Maximum number of steps. */ readonly longest?: number
}
/** Steps after which a walk stops although a timer is due: one without delay may start itself. */
const mostSteps = 10_000
export interface WalkReport {
  readonly walks: number
  readonly steps: number
  /** The recipe of the shortest failing walk found; null when none failed. */ readonly failure:
    | string
    | null
}

/**
 * Turns numbers into steps that the model allows at that point, so that a walk stays valid when
 * shrinking removes numbers.
 */
export function buildWalk<Seen>(model: Model<Seen>, choices: readonly number[]): Path {
  const stepper = createStepper(model)
  const starts = listStarts(model)
  const start = starts[(choices[0] ?? 0) % starts.length] ?? onlyStart
  let { at: state } = stepper.start(start)
  const steps: PathStep[] = []
  for (const choice of choices) {
    const possible = nextInTime(state, stepper.steps(state))
    // Handled events are three times as likely as unhandled ones.
    const weighted = possible.flatMap((step) => (isUnhandled(step) ? [step] : [step, step, step]))
    const at = choice % Math.max(1, weighted.length)
    const chosen = [...weighted.slice(at), ...weighted.slice(0, at)]
    const wanted = chosen[0]
    if (wanted === undefined) break
    const moveBy = (step: Step) => stepper.step(whenDue(state, step), step)
    // With probability 3/4 a walk avoids steps that end it, so that it stays inside longer.
    const first = moveBy(wanted)
    const ends = first.crash !== null || first.at.snapshot.status !== 'active'
    const step =
      ends && choice % 4 !== 0 ? (chosen.find((each) => each !== wanted) ?? wanted) : wanted
    const move = step === wanted ? first : moveBy(step)
    if (move.crash !== null) break
    state = move.at
    steps.push({ step, to: null })
  }
  for (let due = findDue(stepper, state); due !== null; due = findDue(stepper, state)) {
    const move = stepper.step(whenDue(state, due), due)
    if (move.crash !== null || steps.length > mostSteps) break
    state = move.at
    steps.push({ step: due, to: null })
  }
  return { id: 'walk', start, steps, edges: [] }
}

/**
 * Timers end in order; of those due at the same time the one that was started first. Nothing comes
 * before a timer that is due.
 */
function nextInTime({ timers, now }: ModelState, steps: readonly Step[]): Step[] {
  const [first] = timers
    .map(({ id, since, ms }) => ({ id, at: since + ms }))
    .sort((a, b) => a.at - b.at)
  const isDue = first !== undefined && first.at <= now
  return steps.filter((step) => (step.kind === 'time' ? step.timer === first?.id : !isDue))
}

/** The end of a timer that is due now. A walk does not stop before it. */
function findDue<Seen>(stepper: Stepper<Seen>, state: ModelState): Step | null {
  const [first] = nextInTime(state, stepper.steps(state))
  const timer = state.timers.find(({ id }) => first?.kind === 'time' && id === first.timer)
  return first !== undefined && timer !== undefined && timer.since + timer.ms <= state.now
    ? first
    : null
}

/** Random walks steered by the model, on any driver, with a fixed seed; a failing walk is shrunk to a short recipe. */
export async function runWalks<Seen>(
  model: Model<Seen>,
  makeDriver: MakeDriver<Seen>,
  { seed, walks, longest = 40 }: WalkOptions,
): Promise<WalkReport> {
  let steps = 0,
    count = 0
  let failing: RunResult | null = null
  const details = await fc.check(
    fc.asyncProperty(
      fc.array(fc.nat({ max: 9999 }), { maxLength: longest, size: 'max' }),
      async (choices) => {
        const path = buildWalk(model, choices)
        const result = await runPath(model, path, await makeDriver(path))
        steps += result.steps
        count += 1
        // fast-check shrinks: the last failure it sees is the smallest.
        if (result.failure !== null)
          failing = { ...result, path: { ...result.path, id: `walk (seed ${seed})` } }
        return result.failure === null
      },
    ),
    { seed, numRuns: walks },
  )
  const last = failing as RunResult | null
  return {
    walks: count,
    steps,
    failure: details.failed ? (last?.failure?.text ?? String(details.errorInstance)) : null,
  }
}

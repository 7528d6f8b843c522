import { ApiProblem } from '@jiaowu/api/problem'
import type { EventObject } from 'xstate'
import { type Driver, type HeldCalls, heldCalls, type Outcome, type Step } from '@jiaowu/path-tests'
import { actorDriver, type Spec } from '../../machines/spec.ts'
import { type Ending, problemIn, formatProblem } from './endings.ts'
import type { Subject } from './subject.ts'
import type { Wire } from './wire/wire.ts'

export type RealPorts = Readonly<
  Record<string, (input: never, signal: AbortSignal) => Promise<unknown>>
>
/** Per port and outcome; outcomes without an entry cannot be arranged from outside. */
export type AnyCalls = Readonly<Record<string, Readonly<Record<string, Ending<never, unknown>>>>>

/** The environment of one path: the machine's own ports to the server, and the other users. */
export interface Stage {
  readonly ports: RealPorts
  readonly calls: AnyCalls
  readonly subject: Subject | null
  /** Replaces the names of rows and accounts in samples by existing ones. */
  translate(event: EventObject): EventObject
  /** Runs after the path. */
  end(): Promise<unknown>
}

/**
 * Runs a machine on its real ports: each call waits until a step of the path ends it, then goes to
 * the server under test, and its answer is checked.
 */
export function serverDriver<Seen>(
  spec: Spec<Seen>,
  { ports, calls, subject, translate, end }: Stage,
  wire: Wire,
): Driver<Seen> {
  const held: HeldCalls<Record<string, (input: unknown, signal: AbortSignal) => Promise<unknown>>> =
    heldCalls()
  const bare = actorDriver(spec, { calls: held })
  const settleReally = async (step: Step & { kind: 'settle' }): Promise<Step> => {
    const [input] = held.inputs(step.source)
    const port = ports[step.source],
      ending = calls[step.source]?.[step.outcome.name]
    if (port === undefined || ending === undefined)
      throw new Error(`nobody can arrange ${step.label} here`)
    await subject?.become(ending.by)
    const scene = await ending.arrange(input as never)
    const answer = await askPort(port, scene.input)
    const wrong =
      answer.ok === step.outcome.ok
        ? await scene.check(answer)
        : [`expected ${describeOutcome(step.outcome)}, the server gave ${describeOutcome(answer)}`]
    const lines = [...wire.takeFaults(), ...wrong]
    if (lines.length > 0) throw new Error(lines.join('\n    '))
    const kept = withoutTimes(answer, scene.timeless)
    const event = kept.ok
      ? { ...step.event, output: kept.output }
      : { ...step.event, error: kept.error }
    return { ...step, event, outcome: { ...kept, name: step.outcome.name } }
  }
  return {
    ...bare,
    real: async (step) =>
      step.kind === 'settle'
        ? settleReally(step)
        : step.kind === 'user'
          ? { ...step, event: translate(step.event) }
          : step,
    dispose: async () => {
      await bare.dispose()
      await end()
    },
  }
}

async function askPort(port: RealPorts[string], input: unknown): Promise<Outcome> {
  try {
    return { ok: true, output: await port(input as never, new AbortController().signal) }
  } catch (error) {
    return { ok: false, error }
  }
}

function describeOutcome(answer: Outcome): string {
  if (answer.ok) return 'an answer'
  const problem = problemIn(answer)
  return problem === null ? String(answer.error) : formatProblem(problem)
}

function withoutTimes(answer: Outcome, timeless: (output: unknown) => unknown): Outcome {
  if (answer.ok) return { ok: true, output: timeless(answer.output) }
  const problem = problemIn(answer)
  return problem === null || problem.data === null
    ? answer
    : { ok: false, error: new ApiProblem({ ...problem, data: timeless(problem.data) }) }
}

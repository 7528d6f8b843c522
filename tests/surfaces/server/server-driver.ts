import { ApiProblem, type Issue, type Problem } from '@jiaowu/api'
import type { EventObject } from 'xstate'
import { type Driver, type HeldCalls, heldCalls, type Outcome, type Step } from '@jiaowu/path-tests'
import { actorDriver, type Spec } from '../../machines/spec.ts'
import type { Wire } from './wire/wire.ts'

/**
 * How a call is to end: its input (known only now, after what the user typed) and the check of its
 * answer, which returns a line per fault.
 */
export interface Scene {
  readonly input?: unknown
  check(answer: Outcome): readonly string[] | Promise<readonly string[]>
  /**
   * Sets values that depend on time or on this run (seconds left, progress of a job, ids) to what
   * the path says, after checking them; for a refusal, its data.
   */
  timeless?(output: unknown): unknown
}
/**
 * Per port and outcome: prepares the server so that the call ends that way. Outcomes without an
 * entry cannot be arranged from outside.
 */
export type Scenes = Readonly<
  Record<string, Readonly<Record<string, (input: never) => Promise<Scene>>>>
>
type RealPorts = Readonly<Record<string, (input: never, signal: AbortSignal) => Promise<unknown>>>

/** The environment of one path: the machine's own ports to the server, and the other users. */
export interface Stage {
  readonly ports: RealPorts
  readonly scenes: Scenes
  /** Replaces the names of rows and accounts in samples by existing ones. */
  translate?(event: EventObject): EventObject
  /** Runs after the path. */
  end?(): Promise<void>
}

export const ok = (output: unknown): Outcome => ({ ok: true, output })

export function problemIn(answer: Outcome): Problem | null {
  return !answer.ok && answer.error instanceof ApiProblem ? answer.error.problem : null
}

/**
 * Runs a machine on its real ports: each call waits until a step of the path ends it, then goes to
 * the server under test, and its answer is checked.
 */
export function serverDriver<Seen>(
  spec: Spec<Seen>,
  { ports, scenes, translate = (event) => event, end }: Stage,
  wire: Wire,
): Driver<Seen> {
  const held: HeldCalls<Record<string, (input: unknown, signal: AbortSignal) => Promise<unknown>>> =
    heldCalls()
  const bare = actorDriver(spec, { calls: held })
  const settleReally = async (step: Step & { kind: 'settle' }): Promise<Step> => {
    const [input] = held.inputs(step.source)
    const port = ports[step.source],
      arrange = scenes[step.source]?.[step.outcome.name]
    if (port === undefined || arrange === undefined)
      throw new Error(`nobody can arrange ${step.label} here`)
    const scene = await arrange(input as never)
    const answer = await ask(port, scene.input ?? input)
    const wrong =
      answer.ok === step.outcome.ok
        ? await scene.check(answer)
        : [
            `expected ${step.outcome.ok ? 'an answer' : described(step.outcome)}, the server gave ${described(answer)}`,
          ]
    const lines = [...wire.takeFaults(), ...wrong]
    if (lines.length > 0) throw new Error(lines.join('\n    '))
    const kept = scene.timeless === undefined ? answer : timed(answer, scene.timeless)
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
      await end?.()
    },
  }
}

async function ask(port: RealPorts[string], input: unknown): Promise<Outcome> {
  try {
    return { ok: true, output: await port(input as never, new AbortController().signal) }
  } catch (error) {
    return { ok: false, error }
  }
}

function described(answer: Outcome): string {
  const problem = problemIn(answer)
  return answer.ok
    ? 'an answer'
    : problem === null
      ? String(answer.error)
      : `${problem.kind} ${problem.code}`
}

function timed(answer: Outcome, timeless: (output: unknown) => unknown): Outcome {
  if (answer.ok) return ok(timeless(answer.output))
  const { error } = answer
  return error instanceof ApiProblem && error.problem.data !== null
    ? { ok: false, error: new ApiProblem({ ...error.problem, data: timeless(error.problem.data) }) }
    : answer
}

/** A sample of a refusal for the graph; the server's message replaces its text. */
export function no(
  kind: Problem['kind'],
  code: number,
  data: unknown = null,
  issues: readonly Issue[] = [],
): Outcome {
  return {
    ok: false,
    error: new ApiProblem({ kind, code, message: `${code}`, issues, data, traceId: null }),
  }
}

/** A line when two values differ. */
export function same(what: string, expected: unknown, got: unknown): string[] {
  return JSON.stringify(expected) === JSON.stringify(got)
    ? []
    : [`${what}: expected ${JSON.stringify(expected)}, the server gave ${JSON.stringify(got)}`]
}

/** Checks the code of a refusal and that it has a message. */
export function refusedAs(
  answer: Outcome,
  kind: Problem['kind'],
  ...codes: readonly number[]
): string[] {
  const problem = problemIn(answer)
  if (problem === null) return ['no refusal of the contract']
  return [
    ...(problem.kind === kind && (codes.length === 0 || codes.includes(problem.code))
      ? []
      : [`expected ${kind} ${codes.join(' or ')}, the server gave ${described(answer)}`]),
    ...(typeof problem.message === 'string' && problem.message !== ''
      ? []
      : ['the refusal says nothing']),
  ]
}

/** The code a call is refused with, as a line; nothing when it is the expected one. */
export async function refuses(
  what: string,
  call: Promise<unknown>,
  ...codes: readonly number[]
): Promise<string[]> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ApiProblem))
    return [`${what}: expected ${codes.join(' or ')}, the server gave an answer`]
  return codes.includes(error.problem.code)
    ? []
    : [`${what}: expected ${codes.join(' or ')}, the server gave ${error.problem.code}`]
}

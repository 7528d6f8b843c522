import { ApiProblem, type Issue, type Problem, staleCode } from '@jiaowu/api'
import type { Outcome } from '@jiaowu/path-tests'
import { type Faults, flatFaults, must, same } from './checks.ts'

/** Who makes the call: the user under test, after their session ended, or a user who may only view. */
export type Asker = 'self' | 'ended' | 'viewer'

/** One call that is to end in a certain way. `Got`: its answer, or the problem of a refusal. */
export interface Scene<Asked, Got> {
  /** Sent in place of what the machine asks. */
  readonly input?: Asked
  check?(got: Got): Faults | Promise<Faults>
  /**
   * Sets values that depend on time or on this run (seconds left, progress of a job, ids) to what
   * the path says, after checking them; for a refusal, its data.
   */
  timeless?(output: unknown): unknown
  /** Takes the preparation back, after the check. */
  undo?(): Promise<unknown>
}
type Scened<Asked, Got> = Scene<Asked, Got> | void
/** The scene, or what prepares the server for it; what is asked is known only after the user typed. */
type Arrange<Asked, Got> =
  | Scene<Asked, Got>
  | ((asked: Asked) => Scened<Asked, Got> | Promise<Scened<Asked, Got>>)
/** What the model answers until the server does; null where the question cannot end so. */
type Sample<Asked> = string | object | undefined | ((asked: Asked) => object | null)

/** A scene for either kind of outcome; `check` includes the code of a refusal. */
interface ArrangedScene {
  readonly input: unknown
  check(answer: Outcome): Promise<readonly string[]>
  timeless(output: unknown): unknown
}
/** One way a call can end: what the model expects, and how the server is brought to answer so. */
export interface Ending<Asked, Answer> {
  readonly by: Asker
  sample(asked: Asked): Outcome<Answer> | null
  arrange(asked: Asked): Promise<ArrangedScene>
}
export type Endings<Asked, Answer> = Readonly<Record<string, Ending<Asked, Answer>>>
type Port<Asked, Answer> = (asked: Asked, signal: AbortSignal) => Promise<Answer>
type EndingsOf<P> = P extends Port<infer Asked, infer Answer> ? Endings<Asked, Answer> : never
/** The endings of each call that can be arranged. */
export type Calls<Ports> = { readonly [Name in keyof Ports]?: EndingsOf<Ports[Name]> }
/** The endings of one call. */
export type CallOf<Ports, Name extends keyof Ports> = EndingsOf<Ports[Name]>

/** The call is answered. */
export function answers<Asked, Answer>(
  sample: Sample<Asked>,
  arrange: Arrange<Asked, Answer> = {},
): Ending<Asked, Answer> {
  return {
    by: 'self',
    sample: (asked) => {
      const output = typeof sample === 'function' ? (sample as SampleOf<Asked>)(asked) : sample
      return output === null ? null : { ok: true, output: output as Answer }
    },
    arrange: (asked) =>
      arranged(asked, arrange, (answer, check) =>
        answer.ok ? check(answer.output as Answer) : ['no answer of the contract'],
      ),
  }
}
type SampleOf<Asked> = (asked: Asked) => object | null

interface RefusalSample<Asked> {
  readonly by?: Asker
  /** `data` of the problem in the model. */
  data?(asked: Asked): unknown
  readonly issues?: readonly Issue[]
}

/** The call is refused with one of the codes, the first of which is the model's. */
export function refuses<Asked, Answer>(
  codes: number | readonly number[],
  arrange: Arrange<Asked, Problem> = {},
  { by = 'self', data, issues = [] }: RefusalSample<Asked> = {},
): Ending<Asked, Answer> {
  const wanted = [codes].flat(),
    [code = 0] = wanted,
    kind = kindOf(code)
  const message = `${code}`
  return {
    by,
    sample: (asked) => ({
      ok: false,
      error: new ApiProblem({
        kind,
        code,
        message,
        issues,
        data: data?.(asked) ?? null,
        traceId: null,
      }),
    }),
    arrange: (asked) =>
      arranged(asked, arrange, (answer, check) => {
        const problem = problemIn(answer)
        if (problem === null) return ['no refusal of the contract']
        const fits = problem.kind === kind && (kind === 'session' || wanted.includes(problem.code))
        return [
          must(fits, `expected ${kind} ${wanted.join(' or ')}, the server gave ${said(problem)}`),
          must(
            typeof problem.message === 'string' && problem.message !== '',
            'the refusal says nothing',
          ),
          check(problem),
        ]
      }),
  }
}

/** A sign-out elsewhere has ended the session (docs/rules/contract.md#envelope). */
export function ended<Asked, Answer>(arrange?: Arrange<Asked, Problem>): Ending<Asked, Answer> {
  return refuses(40000, arrange, { by: 'ended' })
}

/** A user without the right. */
export function forbidden<Asked, Answer>(arrange?: Arrange<Asked, Problem>): Ending<Asked, Answer> {
  return refuses(403, arrange, { by: 'viewer' })
}

/** A user who cannot tell that the record exists. */
export function hidden<Asked, Answer>(arrange?: Arrange<Asked, Problem>): Ending<Asked, Answer> {
  return refuses([404, 403], arrange, { by: 'viewer' })
}

/** Values are refused, and the answer names the field at fault. */
export function invalid<Asked, Answer>(
  field: string,
  arrange: (asked: Asked) => Promise<Scene<Asked, Problem>>,
): Ending<Asked, Answer> {
  const checked = async (asked: Asked): Promise<Scene<Asked, Problem>> => {
    const scene = await arrange(asked)
    return {
      ...scene,
      check: (problem) => [
        same('the field at fault', [field], [...new Set(problem.issues.map(({ path }) => path))]),
        must(
          problem.issues.every(({ rule, msg }) => rule !== '' && msg !== ''),
          'issues: a rule or a sentence is missing',
        ),
        scene.check?.(problem) ?? [],
      ],
    }
  }
  return refuses(42200, checked, { issues: [{ path: field, rule: 'maxLength', msg: '' }] })
}

/** Another session has saved the record; the answer has it as it stands, as the sample does. */
export function stale<Asked, Answer>(
  data: (asked: Asked) => unknown,
  arrange: Arrange<Asked, Problem>,
): Ending<Asked, Answer> {
  return refuses(staleCode, arrange, { data })
}

/** The endings of the questions that fit; other questions cannot end so. */
export function when<Asked, Answer>(
  fits: (asked: Asked) => boolean,
  endings: Endings<Asked, Answer>,
): Endings<Asked, Answer> {
  return Object.fromEntries(
    Object.entries(endings).map(([name, ending]) => [
      name,
      { ...ending, sample: (asked: Asked) => (fits(asked) ? ending.sample(asked) : null) },
    ]),
  )
}

/**
 * Prepares the server before each ending of a call; the prepared question (with the ids and versions
 * that the server has now) is what the ending starts from.
 */
export function prepared<Asked, Answer>(
  prepare: (asked: Asked) => Promise<Asked>,
  endings: Endings<Asked, Answer>,
): Endings<Asked, Answer> {
  return Object.fromEntries(
    Object.entries(endings).map(([name, ending]) => [
      name,
      { ...ending, arrange: async (asked: Asked) => ending.arrange(await prepare(asked)) },
    ]),
  )
}

export function problemIn(answer: Outcome): Problem | null {
  return !answer.ok && answer.error instanceof ApiProblem ? answer.error.problem : null
}

export function said({ kind, code }: Problem): string {
  return `${kind} ${code}`
}

async function arranged<Asked, Got>(
  asked: Asked,
  arrange: Arrange<Asked, Got>,
  checked: (
    answer: Outcome,
    check: (got: Got) => Faults | Promise<Faults>,
  ) => Faults | Promise<Faults>,
): Promise<ArrangedScene> {
  const scene = (typeof arrange === 'function' ? await arrange(asked) : arrange) ?? {}
  return {
    input: scene.input ?? asked,
    check: async (answer) => {
      const faults = await checked(answer, (got) => scene.check?.(got) ?? [])
      const lines = await flatFaults(faults)
      await scene.undo?.()
      return lines
    },
    timeless: (output) => scene.timeless?.(output) ?? output,
  }
}

function kindOf(code: number): Problem['kind'] {
  if (code === 42200) return 'invalid'
  return code >= 40000 && code < 40100 ? 'session' : 'refused'
}

import { ApiProblem, type Issue, type Problem, staleCode } from '@jiaowu/api/problem'
import type { Outcome } from '@jiaowu/path-tests'
import { mapParts } from '../parts.ts'
import { type Faults, flatFaults, must, expectSame } from './checks.ts'

/** The caller: the user under test, after their session ended, or a user who may only view. */
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
/** The model's answer until the server gives its own; null where the question cannot end so. */
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
      arrangeEnding(asked, arrange, (answer, check) =>
        answer.ok ? check(answer.output as Answer) : ['no answer of the contract'],
      ),
  }
}
type SampleOf<Asked> = (asked: Asked) => object | null

interface Refusal<Asked> {
  readonly codes: number | readonly number[]
  readonly by?: Asker
  /** `data` of the problem in the model. */
  data?(asked: Asked): unknown
  readonly issues?: readonly Issue[]
}

/** The call is refused with one of the codes, the first of which is the model's. */
export function refuses<Asked, Answer>(
  refusal: number | Refusal<Asked>,
  arrange: Arrange<Asked, Problem> = {},
): Ending<Asked, Answer> {
  const {
    codes,
    by = 'self',
    data,
    issues = [],
  }: Refusal<Asked> = typeof refusal === 'number' ? { codes: refusal } : refusal
  const wanted = [codes].flat(),
    [code = 0] = wanted,
    kind = toProblemKind(code)
  const problem = { kind, code, message: `${code}`, issues, traceId: null }
  return {
    by,
    sample: (asked) => ({
      ok: false,
      error: new ApiProblem({ ...problem, data: data?.(asked) ?? null }),
    }),
    arrange: (asked) =>
      arrangeEnding(asked, arrange, (answer, check) => {
        const got = problemIn(answer)
        if (got === null) return ['no refusal of the contract']
        const fits = got.kind === kind && (kind === 'session' || wanted.includes(got.code)),
          isSaid = typeof got.message === 'string' && got.message !== ''
        return [
          must(
            fits,
            `expected ${kind} ${wanted.join(' or ')}, the server gave ${formatProblem(got)}`,
          ),
          must(isSaid, 'the refusal says nothing'),
          check(got),
        ]
      }),
  }
}

/** A sign-out elsewhere has ended the session (docs/rules/contract.md#envelope). */
export function refuseEndedSession<Asked, Answer>(
  arrange?: Arrange<Asked, Problem>,
): Ending<Asked, Answer> {
  return refuses({ codes: 40000, by: 'ended' }, arrange)
}

/** A user without the right. */
export function forbidden<Asked, Answer>(arrange?: Arrange<Asked, Problem>): Ending<Asked, Answer> {
  return refuses({ codes: 403, by: 'viewer' }, arrange)
}

/** A user who cannot tell that the record exists. */
export function refuseHiddenRecord<Asked, Answer>(
  arrange?: Arrange<Asked, Problem>,
): Ending<Asked, Answer> {
  return refuses({ codes: [404, 403], by: 'viewer' }, arrange)
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
        expectSame(
          'the field at fault',
          [field],
          [...new Set(problem.issues.map(({ path }) => path))],
        ),
        must(
          problem.issues.every(({ rule, msg }) => rule !== '' && msg !== ''),
          'issues: a rule or a sentence is missing',
        ),
        scene.check?.(problem) ?? [],
      ],
    }
  }
  const issues = [{ path: field, rule: 'maxLength', msg: '' }]
  return refuses({ codes: 42200, issues }, checked)
}

/** A record that another session saves first. */
interface Overtaken<Asked extends { readonly version: unknown }> {
  /** Its name in reports: `the row that stands`. */
  readonly what: string
  /** `data` of the refusal in the model. */
  sample(asked: Asked): unknown
  /** The version of the call, which the other session makes stale. */
  version(asked: Asked): Promise<Asked['version']>
  /** Saves as the other session. */
  overtake(): Promise<unknown>
  read(): Promise<unknown>
  /** Reads the part of the record that is compared. */
  compared?(record: unknown): unknown
  timeless?(data: unknown): unknown
}

/** A stale save is refused: the answer has the record as the other session saved it, and it stays. */
export function stale<Asked extends { readonly version: unknown }, Answer>(
  record: Overtaken<Asked>,
): Ending<Asked, Answer> {
  const { what, sample, timeless, compared = (data) => data } = record
  const arrange = async (asked: Asked): Promise<Scene<Asked, Problem>> => {
    const version = await record.version(asked)
    const stands = compared(await record.overtake())
    return {
      input: { ...asked, version },
      timeless: (data) => timeless?.(data) ?? data,
      check: async ({ data }) => [
        expectSame(`data: ${what}`, stands, compared(data)),
        expectSame(what, stands, compared(await record.read())),
      ],
    }
  }
  return refuses({ codes: staleCode, data: sample }, arrange)
}

/** The endings of the questions that fit; other questions cannot end so. */
export function when<Asked, Answer>(
  fits: (asked: Asked) => boolean,
  endings: Endings<Asked, Answer>,
): Endings<Asked, Answer> {
  return mapParts(endings, (ending) => ({
    ...ending,
    sample: (asked: Asked) => (fits(asked) ? ending.sample(asked) : null),
  }))
}

/**
 * Prepares the server before each ending of a call; the prepared question (with the ids and versions
 * that the server has now) is what the ending starts from.
 */
export function prepareEndings<Asked, Answer>(
  prepare: (asked: Asked) => Promise<Asked>,
  endings: Endings<Asked, Answer>,
): Endings<Asked, Answer> {
  return mapParts(endings, (ending) => ({
    ...ending,
    arrange: async (asked: Asked) => ending.arrange(await prepare(asked)),
  }))
}

export function problemIn(answer: Outcome): Problem | null {
  return !answer.ok && answer.error instanceof ApiProblem ? answer.error.problem : null
}

export function formatProblem({ kind, code }: Problem): string {
  return `${kind} ${code}`
}

async function arrangeEnding<Asked, Got>(
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

function toProblemKind(code: number): Problem['kind'] {
  if (code === 42200) return 'invalid'
  return code >= 40000 && code < 40100 ? 'session' : 'refused'
}

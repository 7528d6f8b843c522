import { parseJson } from '@jiaowu/api/exact-json'
import { readFileSync } from 'node:fs'
import * as v from 'valibot'

const picture = v.nullable(
  v.object({ kind: v.picklist(['png', 'html', 'text']), data: v.string() }),
)
const walk = v.object({
  machine: v.string(),
  surface: v.string(),
  part: v.string(),
  paths: v.number(),
  steps: v.number(),
  failures: v.array(v.string()),
  pictures: v.optional(v.array(picture), []),
})
const run = v.object({ walks: v.array(walk) })

/** The result of `npm run paths`, as far as the report shows it. */
export type RunResult = v.InferOutput<typeof run>

/** A failed path: what was done, where it failed, and how the screen differed. */
export interface FailedPath {
  readonly machine: string
  readonly surface: string
  /** Labels of the steps with their kinds, as `user:reveal.ask`; the last one failed. */
  readonly steps: readonly string[]
  readonly differences: readonly Difference[]
  readonly text: string
  readonly picture: v.InferOutput<typeof picture>
}
export interface Difference {
  readonly part: string
  readonly model: string
  readonly screen: string
}
/** Failures that differ in the same way at the same step. */
export interface FailureGroup {
  readonly cause: string
  readonly failures: readonly [FailedPath, ...FailedPath[]]
}

/** @throws ValiError, SyntaxError for a file that is no result of a walk */
export function readRunResult(file: string): RunResult {
  return v.parse(run, parseJson(readFileSync(file, 'utf8')))
}

export function listFailedPaths({ walks }: RunResult): readonly FailedPath[] {
  return walks.flatMap(({ machine, surface, failures, pictures }) =>
    failures.map((text, index) => parseFailure(machine, surface, text, pictures[index] ?? null)),
  )
}

const reproduce = /^reproduce: (?:\w+=)?'(.*)'$/m
const difference = /^ {4}(.+?): model (.*), screen (.*)$/s

export function parseFailure(
  machine: string,
  surface: string,
  text: string,
  picture: FailedPath['picture'],
): FailedPath {
  const [, line = ''] = reproduce.exec(text) ?? []
  return {
    machine,
    surface,
    steps: line.split(' | ').filter((step) => step !== '' && !step.startsWith('start:')),
    differences: text.split('\n').flatMap((each) => {
      const [, part, model = '', screen = ''] = difference.exec(each) ?? []
      return part === undefined
        ? each.startsWith('    ')
          ? [{ part: each.trim(), model: '', screen: '' }]
          : []
        : [{ part, model, screen }]
    }),
    text,
    picture,
  }
}

/** Most failures first. The surfaces and the values do not part failures, only the step and the parts that differ. */
export function groupFailures(failed: readonly FailedPath[]): readonly FailureGroup[] {
  const groups = Map.groupBy(failed, ({ machine, steps, differences }) =>
    [
      machine,
      steps.at(-1) ?? '',
      ...differences.map(({ part }) => part.replaceAll(/\d+/g, '#')).sort(),
    ].join(' | '),
  )
  return [...groups]
    .flatMap(([cause, [first, ...rest]]) =>
      first === undefined ? [] : [{ cause, failures: [first, ...rest] as const }],
    )
    .sort((a, b) => b.failures.length - a.failures.length)
}

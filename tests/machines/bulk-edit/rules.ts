import type { BulkEditContext } from '@jiaowu/machines/bulk-edit/machine'
import type { Rule } from '@jiaowu/path-tests'

type World = Parameters<Extract<Rule, { kind: 'state' }>['holds']>[0]
const contextOf = ({ snapshot }: World) => snapshot.context as BulkEditContext

/** What a change of many rows promises (docs/rules/requests.md#r24). */
export const bulkEditRules: readonly Rule[] = [
  {
    name: 'rows are changed only because a person said so, seeing what would become of them',
    kind: 'edge',
    holds: ({ step, effects }, from) =>
      applied(effects).length === 0 ||
      (step.label === 'apply.start' && isIn(from, 'reviewing')) ||
      (step.label === 'apply.confirm' && isIn(from, 'confirming')),
  },
  {
    name: 'more than a thousand only after their number was typed',
    kind: 'edge',
    holds: ({ effects }, from) =>
      applied(effects).length === 0 ||
      (contextOf(from).job?.changed ?? 0) <= 1_000 ||
      contextOf(from).typed === '2,000',
  },
  {
    name: 'the number that was shown is the number that is said',
    kind: 'edge',
    holds: ({ effects }, from) =>
      applied(effects).every(
        ({ count, onError }) =>
          count === contextOf(from).job?.changed && onError === contextOf(from).onError,
      ),
  },
  {
    name: 'all or nothing is never asked for where a row is refused, or too many',
    kind: 'state',
    holds: (node) => {
      const { onError, job } = contextOf(node)
      return (
        !isIn(node, 'applying') ||
        onError === 'skip' ||
        (job?.failed === 0 && job.changed <= 10_000)
      )
    },
  },
  {
    name: 'nothing is applied where nothing would change',
    kind: 'edge',
    holds: ({ effects }, from) =>
      applied(effects).length === 0 || (contextOf(from).job?.changed ?? 0) > 0,
  },
  {
    name: 'what is asked for is what was chosen',
    kind: 'edge',
    holds: ({ effects }, from) =>
      inputsOf<{ readonly set: unknown; readonly selection: unknown }>(effects, 'startBulk').every(
        ({ set, selection }) =>
          JSON.stringify([set, selection]) ===
          JSON.stringify([contextOf(from).set, contextOf(from).input.selection]),
      ),
  },
  {
    name: 'without a field nothing is asked',
    kind: 'edge',
    holds: ({ step, effects }, from) =>
      !(step.label === 'preview.start' && Object.keys(contextOf(from).set).length === 0) ||
      inputsOf(effects, 'startBulk').length === 0,
  },
  {
    name: 'a refusal keeps what was chosen',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !/ → (invalid|refused|offline|gone)$/.test(step.label) ||
      JSON.stringify(contextOf(from).set) === JSON.stringify(contextOf(to).set),
  },
  {
    name: 'how far it is comes from the server alone',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      step.kind === 'settle' ||
      step.label === 'preview.back' ||
      contextOf(from).job === contextOf(to).job,
  },
  {
    name: 'a broken network does not end a job',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      step.label !== 'readBulk → offline' ||
      (isIn(to, { following: 'lost' }) && contextOf(to).job === contextOf(from).job),
  },
  {
    name: 'a job that is not there (any more) is not asked for for ever',
    kind: 'edge',
    holds: ({ step }, _from, to) => step.label !== 'readBulk → gone' || isIn(to, 'failed'),
  },
  {
    name: 'the end is emitted once',
    kind: 'edge',
    holds: ({ step, effects }, from, to) =>
      effects.some((effect) => effect.includes('"type":"finished"')) ===
      (step.kind === 'settle' &&
        step.outcome.ok &&
        step.source !== 'saveBulk' &&
        isIn(to, 'done', 'failed') &&
        !isIn(from, 'done', 'failed')),
  },
  {
    name: 'the followed job is emitted, and null when there is none',
    kind: 'edge',
    holds: ({ step, effects }) =>
      (!(step.kind === 'settle' && step.source === 'startBulk' && step.outcome.ok) ||
        effects.some((effect) => effect.includes('"type":"job","id":"j"'))) &&
      (step.label !== 'readBulk → gone' ||
        effects.some((effect) => effect.includes('"type":"job","id":null'))),
  },
  {
    name: 'looking again forgets the old job and the word for it',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !(step.label === 'preview.back' && isIn(from, 'reviewing', 'done', 'failed')) ||
      (contextOf(to).job === null && contextOf(to).onError === 'skip'),
  },
  {
    name: 'a number that was typed is not kept for the next time',
    kind: 'state',
    holds: (node) => isIn(node, 'confirming') || contextOf(node).typed === '',
  },
  {
    name: 'from everywhere one can choose or look again',
    kind: 'reach',
    to: (node) => isIn(node, 'choosing', 'reviewing', 'done', 'failed'),
  },
]

function applied(effects: readonly string[]) {
  return inputsOf<{ readonly count: number; readonly onError: string }>(effects, 'applyBulk')
}

function inputsOf<T>(effects: readonly string[], port: string): T[] {
  return effects
    .filter((effect) => effect.startsWith(`call ${port} `))
    .map((effect) => JSON.parse(effect.slice(`call ${port} `.length)) as T)
}

function isIn({ snapshot }: World, ...states: readonly (string | object)[]) {
  return states.some((state) => snapshot.matches({ change: state } as never))
}

import type { BulkEditContext } from '@jiaowu/machines/bulk-edit/machine'
import type { Rule } from '@jiaowu/path-tests'

type World = Parameters<Extract<Rule, { kind: 'state' }>['holds']>[0]
const readBulkContext = ({ snapshot }: World) => snapshot.context as BulkEditContext

/** Promises of a change of many rows (docs/rules/requests.md#r24). */
export const bulkEditRules: readonly Rule[] = [
  {
    name: 'rows are changed only because a person said so, seeing what would become of them',
    kind: 'edge',
    holds: ({ step, effects }, from) =>
      listApplyInputs(effects).length === 0 ||
      (step.label === 'apply.start' && isIn(from, 'reviewing')) ||
      (step.label === 'apply.confirm' && isIn(from, 'confirming')),
  },
  {
    name: 'more than a thousand only after their number was typed',
    kind: 'edge',
    holds: ({ effects }, from) =>
      listApplyInputs(effects).length === 0 ||
      (readBulkContext(from).job?.changed ?? 0) <= 1_000 ||
      readBulkContext(from).typed === '2,000',
  },
  {
    name: 'the number that was shown is the number that is said',
    kind: 'edge',
    holds: ({ effects }, from) =>
      listApplyInputs(effects).every(
        ({ count, onError }) =>
          count === readBulkContext(from).job?.changed && onError === readBulkContext(from).onError,
      ),
  },
  {
    name: 'all or nothing is never asked for where a row is refused, or too many',
    kind: 'state',
    holds: (node) => {
      const { onError, job } = readBulkContext(node)
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
      listApplyInputs(effects).length === 0 || (readBulkContext(from).job?.changed ?? 0) > 0,
  },
  {
    name: 'what is asked for is what was chosen',
    kind: 'edge',
    holds: ({ effects }, from) =>
      parseBulkInputs<{ readonly set: unknown; readonly selection: unknown }>(
        effects,
        'startBulk',
      ).every(
        ({ set, selection }) =>
          JSON.stringify([set, selection]) ===
          JSON.stringify([readBulkContext(from).set, readBulkContext(from).input.selection]),
      ),
  },
  {
    name: 'without a field nothing is asked',
    kind: 'edge',
    holds: ({ step, effects }, from) =>
      !(step.label === 'preview.start' && Object.keys(readBulkContext(from).set).length === 0) ||
      parseBulkInputs(effects, 'startBulk').length === 0,
  },
  {
    name: 'a refusal keeps what was chosen',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !/ → (invalid|refused|offline|gone)$/.test(step.label) ||
      JSON.stringify(readBulkContext(from).set) === JSON.stringify(readBulkContext(to).set),
  },
  {
    name: 'how far it is comes from the server alone',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      step.kind === 'settle' ||
      step.label === 'preview.back' ||
      readBulkContext(from).job === readBulkContext(to).job,
  },
  {
    name: 'a broken network does not end a job',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      step.label !== 'readBulk → offline' ||
      (isIn(to, { following: 'lost' }) && readBulkContext(to).job === readBulkContext(from).job),
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
      (readBulkContext(to).job === null && readBulkContext(to).onError === 'skip'),
  },
  {
    name: 'a number that was typed is not kept for the next time',
    kind: 'state',
    holds: (node) => isIn(node, 'confirming') || readBulkContext(node).typed === '',
  },
  {
    name: 'from everywhere one can choose or look again',
    kind: 'reach',
    to: (node) => isIn(node, 'choosing', 'reviewing', 'done', 'failed'),
  },
]

function listApplyInputs(effects: readonly string[]) {
  return parseBulkInputs<{ readonly count: number; readonly onError: string }>(effects, 'applyBulk')
}

function parseBulkInputs<T>(effects: readonly string[], port: string): T[] {
  return effects
    .filter((effect) => effect.startsWith(`call ${port} `))
    .map((effect) => JSON.parse(effect.slice(`call ${port} `.length)) as T)
}

function isIn({ snapshot }: World, ...states: readonly (string | object)[]) {
  return states.some((state) => snapshot.matches({ change: state } as never))
}

import type { RevealContext } from '@jiaowu/machines/reveal/machine'
import type { Rule } from '@jiaowu/path-tests'

type Worlds = Parameters<Extract<Rule, { kind: 'state' }>['holds']>[0]
const readRevealContext = ({ snapshot }: Worlds) => snapshot.context as RevealContext

/** Promises of showing personal data (docs/rules/security.md#d5). */
export const revealRules: readonly Rule[] = [
  {
    name: 'a value is asked for with a reason of four characters, once a confirmation',
    kind: 'edge',
    holds: ({ step, effects }) =>
      !effects.some((effect) => effect.startsWith('call reveal')) ||
      (step.label === 'reveal.confirm' &&
        effects.some((effect) =>
          effect.includes('{"tag":"A","rowId":"7","field":"idCard","reason":"核对学籍"}'),
        )),
  },
  {
    name: 'a reason that is too short is named',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      step.label !== 'reveal.confirm' ||
      !isIn(from, 'asking') ||
      readRevealContext(from).reason === '核对学籍 ' ||
      readRevealContext(to).fault?.key === 'pii.reasonShort',
  },
  {
    name: 'a value is kept only while it is shown',
    kind: 'state',
    holds: (node) => (readRevealContext(node).value !== '') === isIn(node, 'showing'),
  },
  {
    name: 'a value is shown for 60 s at most',
    kind: 'edge',
    holds: ({ step, at }, _from, to) =>
      (step.label !== 'reveal → value' ||
        (isIn(to, 'showing') && readRevealContext(to).shownUntil === at.now + 60_000)) &&
      (step.label !== 'revealTime runs out' || isIn(to, 'hidden')),
  },
  {
    name: 'nothing is left of a question that was closed',
    kind: 'state',
    holds: (node) =>
      !isIn(node, 'hidden') ||
      JSON.stringify([
        readRevealContext(node).reason,
        readRevealContext(node).fault,
        readRevealContext(node).problem,
      ]) === '["",null,null]',
  },
  {
    name: 'a refusal says why and keeps the reason; at the limit no further try is offered',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      (step.label !== 'reveal → forbidden' ||
        (isIn(to, 'asking') &&
          readRevealContext(to).problem?.code === 403 &&
          readRevealContext(to).reason === readRevealContext(from).reason)) &&
      (step.label !== 'reveal → limit' ||
        (isIn(to, 'limited') &&
          readRevealContext(to).problem?.code === 429 &&
          !to.snapshot.can({ type: 'reveal.confirm' } as never))),
  },
  {
    name: 'from everywhere the value can be hidden',
    kind: 'reach',
    to: (node) => isIn(node, 'hidden'),
  },
]

function isIn({ snapshot }: Worlds, ...states: readonly (string | object)[]) {
  return states.some((state) => snapshot.matches(state as never))
}

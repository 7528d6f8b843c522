import type { ButtonsContext } from '@jiaowu/machines/buttons/machine'
import type { Rule } from '@jiaowu/path-tests'

type Place = Parameters<Extract<Rule, { kind: 'state' }>['holds']>[0]
const readButtonsContext = ({ snapshot }: Place) => snapshot.context as ButtonsContext
const isBusy = ({ snapshot }: Place) => snapshot.hasTag('busy')
const isClosed = ({ snapshot }: Place) => snapshot.matches('closed')
const listCallEffects = (effects: readonly string[]) =>
  effects.filter((effect) => effect.startsWith('call '))
/** Effects that leave the machine: calls that stop and raised events do not. */
const outward = (effects: readonly string[]) =>
  effects.filter((effect) => /^(?:call|emit|send) /.test(effect))

/** Promises of the buttons of a form or a record's details. */
export const buttonsRules: readonly Rule[] = [
  {
    name: 'a second press while a call is under way does nothing',
    kind: 'edge',
    holds: ({ step, effects }, from) =>
      !(step.label.startsWith('button.press') && isBusy(from)) || outward(effects).length === 0,
  },
  {
    name: 'at most one call starts at a time',
    kind: 'edge',
    holds: ({ effects }) => listCallEffects(effects).length <= 1,
  },
  {
    name: 'a button that asks first acts only after a yes',
    kind: 'edge',
    holds: ({ step, effects }) =>
      step.label !== 'button.press(ask)' || outward(effects).length === 0,
  },
  {
    name: 'a retry repeats the failed call and nothing else',
    kind: 'edge',
    holds: ({ step, effects }, from) =>
      !(step.label === 'press.retry' && readButtonsContext(from).problem !== null) ||
      (outward(effects).length === 1 && listCallEffects(effects).length === 1),
  },
  {
    name: 'an action runs only after those declared before it',
    kind: 'edge',
    holds: ({ step, effects }) =>
      !effects.some((effect) => effect.includes('"text":"two"')) ||
      step.label === 'sendRequest → done',
  },
  {
    name: 'a failure stops the press and shows its reason',
    kind: 'edge',
    holds: ({ step, effects }, _from, to) =>
      !(step.kind === 'settle' && !step.outcome.ok) ||
      (readButtonsContext(to).problem !== null && outward(effects).length === 0),
  },
  {
    name: 'a reason is shown only while the press can be retried',
    kind: 'state',
    holds: (node) =>
      isClosed(node) ||
      (readButtonsContext(node).problem !== null) === node.snapshot.can({ type: 'press.retry' }),
  },
  {
    name: 'a press is done only when no action is left',
    kind: 'state',
    holds: (node) =>
      readButtonsContext(node).outcome !== 'done' ||
      readButtonsContext(node).remaining.length === 0,
  },
  {
    name: 'closing starts nothing and emits nothing',
    kind: 'edge',
    holds: ({ effects }, _from, to) => !isClosed(to) || outward(effects).length === 0,
  },
  {
    name: 'from everywhere the form can be closed',
    kind: 'reach',
    to: isClosed,
  },
]

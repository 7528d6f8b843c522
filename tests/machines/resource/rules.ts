import type { ResourceContext } from '@jiaowu/machines/resource/machine'
import { pendingCalls, type Rule } from '@jiaowu/path-tests'

type Place = Parameters<Extract<Rule, { kind: 'state' }>['holds']>[0]

/** Promises of an administration page. */
export const resourceRules: readonly Rule[] = [
  {
    name: 'without a query nothing is loaded and nothing is shown',
    kind: 'state',
    holds: (place) =>
      readResourceContext(place).query !== null ||
      (readResourceContext(place).data === null && waitingFor(place, 'load').length === 0),
  },
  {
    name: 'one answer of the load is awaited, and it is for the present query',
    kind: 'state',
    holds: (place) =>
      waitingFor(place, 'load').every(({ input }) => input === readResourceContext(place).query) &&
      waitingFor(place, 'load').length <= 1,
  },
  {
    name: 'one action runs at a time',
    kind: 'state',
    holds: (place) => waitingFor(place, 'act').length <= 1,
  },
  {
    name: 'no action waits in the queue while none runs or is asked about',
    kind: 'state',
    holds: (place) =>
      !isIn(place, { action: 'idle' }) || readResourceContext(place).queue.length === 0,
  },
  {
    name: 'an action that must be confirmed runs after the confirmation and at no other time',
    kind: 'edge',
    holds: ({ step, effects }) =>
      !effects.some((effect) => effect.startsWith('call act ') && effect.includes('10001')) ||
      step.label === 'action.confirm',
  },
  {
    name: 'a successful action loads the data again when there is a query',
    kind: 'edge',
    holds: ({ step, effects }, _from, to) =>
      step.label !== 'act → done' ||
      readResourceContext(to).query === null ||
      effects.some((effect) => effect.startsWith('call load ')),
  },
  {
    name: 'a refused action keeps the data and the reason',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      step.label !== 'act → refused' ||
      (readResourceContext(from).data === readResourceContext(to).data &&
        (isIn(to, { action: 'acting' }) ||
          readResourceContext(to).results['enable']?.ok === false)),
  },
  {
    name: 'the data that is shown stays while it is loaded again or cannot be',
    kind: 'edge',
    holds: (_edge, from, to) =>
      readResourceContext(from).data === null ||
      readResourceContext(to).query === null ||
      readResourceContext(to).data !== null,
  },
  {
    name: 'every action is announced when it ended, and at no other time',
    kind: 'edge',
    holds: ({ step, effects }) =>
      effects.some((effect) => effect.startsWith('emit ')) === step.label.startsWith('act → '),
  },
  {
    name: 'from everywhere the page comes to rest with its data',
    kind: 'reach',
    to: (place) => isIn(place, { data: { read: 'shown' }, action: 'idle' }),
  },
]

function readResourceContext({ snapshot }: Place) {
  return snapshot.context as ResourceContext
}

function isIn({ snapshot }: Place, state: object) {
  return snapshot.matches(state as never)
}

function waitingFor({ at }: Place, source: string) {
  return pendingCalls(at).filter((call) => call.source === source)
}

import type { lookupMachine } from '@jiaowu/machines/lookup/machine'
import type { SnapshotFrom } from 'xstate'
import { pendingCalls, type Rule } from '@jiaowu/path-tests'

type Place = Parameters<Extract<Rule, { kind: 'state' }>['holds']>[0]
const isIn = ({ snapshot }: Place, state: string | object) => snapshot.matches(state as never)

/** Promises of a list of choices (docs/spec/1-entity-console.md §9). */
export const lookupRules: readonly Rule[] = [
  {
    name: 'nothing is asked while it is closed',
    kind: 'state',
    holds: (node) => !isIn(node, 'closed') || pendingCalls(node.at).length === 0,
  },
  {
    name: 'opened it begins anew: first page, nothing sought',
    kind: 'edge',
    holds: ({ step, effects }, from) =>
      !(step.label === 'lookup.open' && isIn(from, 'closed')) ||
      asks(effects).some(
        (effect) => effect.includes('"searchKey":""') && effect.includes('"pageNum":1,'),
      ),
  },
  {
    name: 'ten a page',
    kind: 'edge',
    holds: ({ effects }) => asks(effects).every((effect) => effect.includes('"pageSize":10')),
  },
  {
    name: 'what is typed is asked only after the pause, and on the first page',
    kind: 'edge',
    holds: ({ step, effects }) =>
      !step.label.startsWith('lookup.search') || asks(effects).length === 0,
  },
  {
    name: 'one question at a time',
    kind: 'state',
    holds: (node) => pendingCalls(node.at).length <= 1,
  },
  {
    name: 'a new parent closes the list and forgets what was found under the old one',
    kind: 'edge',
    holds: ({ step }, _from, to) =>
      !step.label.startsWith('cascades.change') ||
      (isIn(to, 'closed') &&
        readLookupContext(to).items.length === 0 &&
        readLookupContext(to).cascades.faculty === '1'),
  },
  {
    name: 'every question after that names the new parent',
    kind: 'edge',
    holds: ({ effects }, _from, to) =>
      readLookupContext(to).cascades.faculty === undefined ||
      asks(effects).every((effect) => effect.includes('"cascades":{"faculty":"1"}')),
  },
  {
    name: 'what failed can be asked again',
    kind: 'edge',
    holds: ({ step, effects }, from) =>
      !(step.label === 'lookup.retry' && isIn(from, { open: 'failed' })) ||
      asks(effects).length === 1,
  },
  {
    name: 'only what is on screen is chosen, and nothing while a search is under way',
    kind: 'edge',
    holds: ({ step, effects }, from) => {
      const chosen = choices(effects)
      if (chosen.length === 0 || isAnswer(step.label)) return true
      return (
        isIn(from, { open: 'shown' }) &&
        readLookupContext(from).items.some(({ id }) =>
          chosen.every((each) => each.includes(`"id":"${id}"`)),
        )
      )
    },
  },
  {
    name: 'Enter during a search waits, and its answer gives its first line or nothing',
    kind: 'edge',
    holds: ({ step, effects }, from, to) => {
      if (!isAnswer(step.label)) return true
      const first = readLookupContext(to).items[0]
      const isDue =
        readLookupContext(from).entered && isIn(to, { open: 'shown' }) && first !== undefined
      const chosen = choices(effects)
      return isDue
        ? chosen.length === 1 && chosen.every((each) => each.includes(`"id":"${first.id}"`))
        : chosen.length === 0
    },
  },
  {
    name: 'without words Enter awaits nothing',
    kind: 'state',
    holds: (at) => !readLookupContext(at).entered || readLookupContext(at).searchKey !== '',
  },
  {
    name: 'more typing and a new parent withdraw the Enter',
    kind: 'edge',
    holds: ({ step }, _from, to) =>
      !/^(lookup\.search|cascades)/.test(step.label) || !readLookupContext(to).entered,
  },
  { name: 'from everywhere it can be closed', kind: 'reach', to: (node) => isIn(node, 'closed') },
]

function asks(effects: readonly string[]) {
  return effects.filter((effect) => effect.startsWith('call find '))
}

function choices(effects: readonly string[]) {
  return effects.filter((effect) => effect.startsWith('emit') && effect.includes('chosen'))
}

function isAnswer(label: string) {
  return label.startsWith('find')
}

function readLookupContext({ snapshot }: Place) {
  return snapshot.context as SnapshotFrom<typeof lookupMachine>['context']
}

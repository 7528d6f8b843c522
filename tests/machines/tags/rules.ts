import type { tagsMachine } from '@jiaowu/machines/tags/machine'
import type { SnapshotFrom } from 'xstate'
import type { Rule } from '@jiaowu/path-tests'

type Place = Parameters<Extract<Rule, { kind: 'state' }>['holds']>[0]
const pathsOf = (node: Place) => contextOf(node).tags.map(({ path }) => path)
const keysOf = (node: Place) => contextOf(node).tags.map(({ key }) => key)
const isAsking = ({ snapshot }: Place) => snapshot.matches('asking' as never)

/** What the bar of visited views promises (docs/spec/1-entity-console.md §2). */
export const tagsRules: readonly Rule[] = [
  {
    name: 'home is always there, and first',
    kind: 'state',
    holds: (node) => pathsOf(node)[0] === '/',
  },
  {
    name: 'a view has one tag',
    kind: 'state',
    holds: (node) => new Set(pathsOf(node)).size === pathsOf(node).length,
  },
  {
    name: 'the view in front has a tag',
    kind: 'state',
    holds: (node) => pathsOf(node).includes(contextOf(node).active),
  },
  {
    name: 'what is not saved goes only after a yes, by force, or with the session',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      unsaved(from).every((key) => keysOf(to).includes(key)) ||
      ['ask.confirm', 'tag.close(force)', 'tags.reset'].includes(step.label),
  },
  {
    name: 'a no closes nothing',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      step.label !== 'ask.cancel' ||
      JSON.stringify(contextOf(from).tags) === JSON.stringify(contextOf(to).tags),
  },
  {
    name: 'a question names what it is about, and only while it is open',
    kind: 'state',
    holds: (node) => isAsking(node) === contextOf(node).asking.length > 0,
  },
  {
    name: 'another view in front is gone to',
    kind: 'edge',
    holds: ({ step, effects }, from, to) =>
      !/^(tag\.close|tags\.close|ask\.confirm)/.test(step.label) ||
      contextOf(from).active === contextOf(to).active ||
      effects.some(
        (effect) => effect === `emit {"type":"navigate","path":"${contextOf(to).active}"}`,
      ),
  },
  {
    name: 'a page that shows something else keeps its place, and its key',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !step.label.startsWith('tag.move') || keysOf(from).join() === keysOf(to).join(),
  },
  {
    name: 'an earlier address is shown by the page that had it',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !/^tag\.open\((earlier|later)\)/.test(step.label) ||
      (keysOf(to).includes('/a') &&
        (!keysOf(from).includes('/a') || keysOf(from).join() === keysOf(to).join()) &&
        contextOf(to).active === (step.label.includes('earlier') ? '/a' : '/a?q=2')),
  },
  {
    name: 'only a step that is to be kept is added to the history',
    kind: 'edge',
    holds: ({ step, effects }) =>
      !step.label.startsWith('tag.move') ||
      effects.every(
        (effect) =>
          !effect.startsWith('emit {"type":"navigate"') ||
          effect.includes('"replace":true') !== step.label.includes('kept'),
      ),
  },
  {
    name: 'what stands in the bar is remembered',
    kind: 'edge',
    holds: ({ step, effects }, from, to) =>
      step.label === 'tags.reset' ||
      (JSON.stringify(pathsOf(from)) === JSON.stringify(pathsOf(to)) &&
        contextOf(from).active === contextOf(to).active) ||
      effects.some(
        (effect) =>
          effect.startsWith('emit {"type":"facts"') &&
          effect.includes(`"active":"${contextOf(to).active}"`),
      ),
  },
  {
    name: 'from everywhere only home can be left',
    kind: 'reach',
    to: (node) => pathsOf(node).length === 1,
  },
]

function contextOf({ snapshot }: Place) {
  return snapshot.context as SnapshotFrom<typeof tagsMachine>['context']
}

function unsaved(node: Place) {
  return contextOf(node)
    .tags.filter(({ dirty }) => dirty)
    .map(({ key }) => key)
}

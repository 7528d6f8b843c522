import type { tagsMachine } from '@jiaowu/machines/tags/machine'
import type { SnapshotFrom } from 'xstate'
import type { Rule } from '@jiaowu/path-tests'

type Place = Parameters<Extract<Rule, { kind: 'state' }>['holds']>[0]
const listTagPaths = (node: Place) => readTagsContext(node).tags.map(({ path }) => path)
const listTagKeys = (node: Place) => readTagsContext(node).tags.map(({ key }) => key)
const isAskingTags = ({ snapshot }: Place) => snapshot.matches('asking' as never)

/** Promises of the bar of visited views (docs/spec/1-entity-console.md §2). */
export const tagsRules: readonly Rule[] = [
  {
    name: 'home is always there, and first',
    kind: 'state',
    holds: (node) => listTagPaths(node)[0] === '/',
  },
  {
    name: 'a view has one tag',
    kind: 'state',
    holds: (node) => new Set(listTagPaths(node)).size === listTagPaths(node).length,
  },
  {
    name: 'the view in front has a tag',
    kind: 'state',
    holds: (node) => listTagPaths(node).includes(readTagsContext(node).active),
  },
  {
    name: 'what is not saved goes only after a yes, by force, or with the session',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      listUnsavedKeys(from).every((key) => listTagKeys(to).includes(key)) ||
      ['ask.confirm', 'tag.close(force)', 'tags.reset'].includes(step.label),
  },
  {
    name: 'a no closes nothing',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      step.label !== 'ask.cancel' ||
      JSON.stringify(readTagsContext(from).tags) === JSON.stringify(readTagsContext(to).tags),
  },
  {
    name: 'a question names what it is about, and only while it is open',
    kind: 'state',
    holds: (node) => isAskingTags(node) === readTagsContext(node).asking.length > 0,
  },
  {
    name: 'another view in front is gone to',
    kind: 'edge',
    holds: ({ step, effects }, from, to) =>
      !/^(tag\.close|tags\.close|ask\.confirm)/.test(step.label) ||
      readTagsContext(from).active === readTagsContext(to).active ||
      effects.some(
        (effect) => effect === `emit {"type":"navigate","path":"${readTagsContext(to).active}"}`,
      ),
  },
  {
    name: 'a page that shows something else keeps its place, and its key',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !step.label.startsWith('tag.move') || listTagKeys(from).join() === listTagKeys(to).join(),
  },
  {
    name: 'an earlier address is shown by the page that had it',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !/^tag\.open\((earlier|later)\)/.test(step.label) ||
      (listTagKeys(to).includes('/a') &&
        (!listTagKeys(from).includes('/a') ||
          listTagKeys(from).join() === listTagKeys(to).join()) &&
        readTagsContext(to).active === (step.label.includes('earlier') ? '/a' : '/a?q=2')),
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
      (JSON.stringify(listTagPaths(from)) === JSON.stringify(listTagPaths(to)) &&
        readTagsContext(from).active === readTagsContext(to).active) ||
      effects.some(
        (effect) =>
          effect.startsWith('emit {"type":"facts"') &&
          effect.includes(`"active":"${readTagsContext(to).active}"`),
      ),
  },
  {
    name: 'from everywhere only home can be left',
    kind: 'reach',
    to: (node) => listTagPaths(node).length === 1,
  },
]

function readTagsContext({ snapshot }: Place) {
  return snapshot.context as SnapshotFrom<typeof tagsMachine>['context']
}

function listUnsavedKeys(node: Place) {
  return readTagsContext(node)
    .tags.filter(({ dirty }) => dirty)
    .map(({ key }) => key)
}

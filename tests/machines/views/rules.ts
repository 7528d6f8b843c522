import type { ViewsContext } from '@jiaowu/machines/views/context'
import type { Rule } from '@jiaowu/path-tests'

type Place = Parameters<Extract<Rule, { kind: 'state' }>['holds']>[0]
const readViewsContext = ({ snapshot }: Place) => snapshot.context as ViewsContext
const isIn = ({ snapshot }: Place, state: string | object) => snapshot.matches(state as never)

/** Promises of saved views (docs/rules/requests.md#r23). */
export const viewsRules: readonly Rule[] = [
  {
    name: 'a default view opens only over a list that nobody asked anything of',
    kind: 'edge',
    holds: ({ step, effects }, from) =>
      !(step.label.startsWith('loadViews') && sends(effects, '"apply"')) ||
      (!readViewsContext(from).isTaken &&
        (step.label === 'loadViews → opensA' || readViewsContext(from).wanted !== null)),
  },
  {
    name: 'the list receives a view only when one is opened, restored or named by the address',
    kind: 'edge',
    holds: ({ step, effects }, from) =>
      !sends(effects, '"apply"') ||
      /^(view\.open|view\.revert|loadViews → opensA)/.test(step.label) ||
      (step.label.startsWith('loadViews') && readViewsContext(from).wanted !== null),
  },
  {
    name: 'the columns of a view are kept with the view, those of the plain list by themselves',
    kind: 'edge',
    holds: ({ effects }, from) =>
      calls(effects, 'keepLayout').length === 0 ||
      readViewsContext(from).current === null ||
      isIn(from, { ready: { layout: 'keeping' } }),
  },
  {
    name: 'what is kept in the end is what the person left',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !(step.label === 'keepLayout → kept' && isIn(to, { ready: { layout: 'kept' } })) ||
      readViewsContext(from).layout === readViewsContext(to).layout,
  },
  {
    name: 'columns change without the list being asked again',
    kind: 'edge',
    holds: ({ step, effects }) =>
      !step.label.startsWith('columns.change') || !sends(effects, '"apply"'),
  },
  {
    name: 'nobody changes or deletes a view that is not theirs',
    kind: 'edge',
    holds: ({ effects }) =>
      ![...calls(effects, 'saveView'), ...calls(effects, 'removeView')].some((effect) =>
        effect.includes('"id":"b"'),
      ),
  },
  {
    name: 'nothing is deleted unasked',
    kind: 'edge',
    holds: ({ step, effects }) =>
      calls(effects, 'removeView').length === 0 || step.label === 'delete.confirm',
  },
  {
    name: 'a view has a name, and one for a role a role',
    kind: 'edge',
    holds: ({ effects }) =>
      calls(effects, 'saveView').every(
        (effect) =>
          !effect.includes('"name":""') && !effect.includes('"scope":"role","roleId":null'),
      ),
  },
  {
    name: 'what was made is open then',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !(step.label === 'saveView → made' && readViewsContext(from).save?.id === null) ||
      readViewsContext(to).current === 'n',
  },
  {
    name: 'a view whose content is shown already is opened with its columns',
    kind: 'edge',
    holds: ({ step, effects }, from, to) =>
      !step.label.startsWith('view.follow') ||
      !isIn(from, 'ready') ||
      (!sends(effects, '"apply"') &&
        readViewsContext(to).current === (step.label === 'view.follow(a)' ? 'a' : null) &&
        readViewsContext(to).now.columns?.join() ===
          (step.label === 'view.follow(a)' ? 'no,name' : readViewsContext(from).layout?.join())),
  },
  {
    name: 'a lost filter is reported when its view opens',
    kind: 'edge',
    holds: ({ step, effects }) =>
      !(step.label === 'view.open(b)' && sends(effects, '"apply"')) || sends(effects, 'view.lacks'),
  },
  {
    name: 'what a refused draft held is still there',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !(step.label === 'saveView → taken' && readViewsContext(from).draft !== null) ||
      (isIn(to, { ready: { view: 'naming' } }) &&
        readViewsContext(to).draft === readViewsContext(from).draft),
  },
  {
    name: 'from everywhere a view can be opened',
    kind: 'reach',
    to: (node) => isIn(node, { ready: { view: 'idle' } }),
  },
]

function sends(effects: readonly string[], what: string) {
  return effects.some((effect) => effect.includes(what))
}

function calls(effects: readonly string[], port: string) {
  return effects.filter((effect) => effect.startsWith(`call ${port} `))
}

import { buildPageQuery } from '../query.ts'
import { listSetup } from '../setup.ts'

const loading = listSetup.createStateConfig({
  tags: 'loading',
  entry: { type: 'askFigures', params: { always: false } },
  invoke: {
    id: 'loadPage',
    src: 'loadPage',
    input: ({ context }) => ({ tag: context.tag, query: buildPageQuery(context) }),
    onDone: [
      {
        guard: { type: 'isPastEnd', params: ({ event }) => ({ page: event.output }) },
        target: 'loading',
        reenter: true,
        actions: {
          type: 'toPageThatIs',
          params: ({ event }) => ({ total: event.output.total }),
        },
      },
      {
        target: 'shown',
        actions: { type: 'keepPage', params: ({ event }) => ({ page: event.output }) },
      },
    ],
    onError: {
      target: 'failed',
      actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
    },
  },
})

const shown = listSetup.createStateConfig({
  tags: 'shown',
  on: {
    'delete.ask': [
      {
        guard: 'hasSelection',
        target: '#entityList.list.deletion',
        actions: { type: 'markForDeletion', params: ({ event }) => ({ id: event.id ?? null }) },
      },
      { guard: 'choosesRows', actions: 'toastNothing' },
    ],
    'selection.all': { guard: 'hasMore', actions: 'chooseAll' },
  },
})

/** The definition is known: rows are loaded, failed to load, or shown. */
export const readyState = listSetup.createStateConfig({
  initial: 'loading',
  // A new query re-enters `loading`, which aborts the call of the old one.
  on: {
    'query.search': { target: '.loading', actions: 'applyDraft' },
    'query.reset': { target: '.loading', actions: 'resetQuery' },
    'condition.remove': {
      guard: { type: 'isApplied', params: ({ event }) => event },
      target: '.loading',
      actions: { type: 'removeCondition', params: ({ event }) => event },
    },
    'conditions.clear': {
      guard: 'hasConditions',
      target: '.loading',
      actions: 'clearConditions',
    },
    'where.apply': {
      target: '.loading',
      actions: { type: 'applyWhere', params: ({ event }) => event },
    },
    'view.apply': {
      target: '.loading',
      actions: { type: 'applyView', params: ({ event }) => event },
    },
    'address.show': {
      target: '.loading',
      actions: { type: 'showAddress', params: ({ event }) => event },
    },
    'sort.cycle': {
      target: '.loading',
      actions: {
        type: 'cycle',
        params: ({ event }) => ({ column: event.column, multi: event.multi ?? false }),
      },
    },
    'sort.set': {
      target: '.loading',
      actions: { type: 'sortBy', params: ({ event }) => event },
    },
    'group.set': {
      guard: { type: 'canGroup', params: ({ event }) => event },
      target: '.loading',
      actions: { type: 'groupBy', params: ({ event }) => event },
    },
    'group.rows': {
      guard: { type: 'hasRowsBehind', params: ({ event }) => event },
      target: '.loading',
      actions: { type: 'showRows', params: ({ event }) => event },
    },
    'group.toggle': {
      guard: 'canToggle',
      target: '.loading',
      actions: { type: 'toggleGroup', params: ({ event }) => event },
    },
    'groups.toggle': { guard: 'canFold', target: '.loading', actions: 'toggleGroups' },
    'footer.set': {
      guard: { type: 'canSum', params: ({ event }) => event },
      actions: [
        { type: 'sum', params: ({ event }) => event },
        { type: 'askFigures', params: { always: true } },
      ],
    },
    'freeze.set': { actions: { type: 'freeze', params: ({ event }) => event } },
    'page.go': {
      guard: { type: 'isOtherPage', params: ({ event }) => ({ pageNum: event.pageNum }) },
      target: '.loading',
      actions: { type: 'goTo', params: ({ event }) => ({ pageNum: event.pageNum }) },
    },
    'page.resize': {
      target: '.loading',
      actions: { type: 'resize', params: ({ event }) => ({ pageSize: event.pageSize }) },
    },
    'list.refresh': { target: '.loading', actions: 'countAnew' },
    'row.saved': { target: '.loading', actions: 'countAnew' },
    'row.toggle': {
      guard: 'selects',
      actions: { type: 'toggle', params: ({ event }) => ({ id: event.id }) },
    },
    'rows.toggle': { guard: 'selectsMany', actions: 'toggleAll' },
    'selection.clear': { guard: 'hasChosen', actions: 'clearSelection' },
  },
  states: { loading, failed: {}, shown },
})

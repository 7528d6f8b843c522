import { tagsMachine, type TagsInput } from '@jiaowu/machines/tags/machine'
import { bare, modelSpec } from '../spec.ts'
import type { MachineModel } from '../machine-model.ts'
import { tagsRules } from './rules.ts'

const home = { path: '/', title: '首页' }
const starts = {
  fresh: () => ({ home, stored: null }),
  stored: () => ({ home, stored: buildStoredTags('/a', '/b') }),
  moved: () => ({
    home,
    stored: {
      version: 1 as const,
      active: '/a?q=1',
      tags: [home, { key: '/a', path: '/a?q=1', title: 't/a' }],
    },
  }),
} satisfies Record<string, () => TagsInput>

const events = {
  'tag.open': {
    a: { path: '/a', title: 't/a' },
    b: { path: '/b', title: 't/b' },
    home: { path: '/', title: '首页' },
    earlier: { path: '/a', title: 't/a', key: '/a' },
    later: { path: '/a?q=2', title: 't/a', key: '/a' },
  },
  'tag.move': {
    a: { path: '/a', to: '/a?q=1' },
    back: { path: '/a?q=1', to: '/a' },
    taken: { path: '/b', to: '/a' },
    kept: { path: '/a', to: '/a?q=1', keep: true },
  },
  'tag.rename': { a: { path: '/a', title: 'new' } },
  'tag.mark': { dirty: { path: '/a', dirty: true }, clean: { path: '/a', dirty: false } },
  'tag.close': {
    a: { path: '/a' },
    b: { path: '/b' },
    home: { path: '/' },
    force: { path: '/a', force: true },
  },
  'tags.closeOthers': { a: { path: '/a' }, b: { path: '/b' } },
  'tags.closeAll': bare,
  'tags.reset': bare,
  'ask.confirm': bare,
  'ask.cancel': bare,
} as const
type Events = typeof events

export interface TagsSeen {
  readonly at: string
  readonly tags: string
  readonly active: string
  readonly asking: string
}

const answers = { 'ask.confirm': ['default'], 'ask.cancel': ['default'] } as const
const tagsMovingModel = tagsModel(
  {
    'tag.open': ['a', 'b', 'home'],
    'tag.close': ['a', 'b', 'home'],
    'tags.closeOthers': ['a', 'b'],
    'tags.closeAll': ['default'],
    'tags.reset': ['default'],
  },
  ['fresh', 'stored'],
)

/** One concern of the bar at a time, as with the list. */
function tagsModel(
  only: { readonly [T in keyof Events]?: readonly (keyof Events[T])[] },
  names: readonly (keyof typeof starts)[],
) {
  return modelSpec({
    machine: tagsMachine,
    input: Object.fromEntries(
      Object.entries(starts).filter(([name]) => names.includes(name as 'fresh')),
    ) as Record<string, () => TagsInput>,
    events: Object.fromEntries(
      Object.entries(events).map(([type, cases]) => [
        type,
        Object.fromEntries(
          Object.entries(cases).filter(
            ([name]) =>
              (only[type as keyof Events] as readonly string[] | undefined)?.includes(name) ===
              true,
          ),
        ),
      ]),
    ) as unknown as Events,
    eventsIn: () => ({}),
    outcomes: {},
    unhandled: 'all',
    key: (s) => JSON.stringify([s.value, s.context.tags, s.context.active, s.context.asking]),
    project: (s): TagsSeen => ({
      at: JSON.stringify(s.value),
      tags: s.context.tags
        .map(
          ({ key, path, title, dirty }) =>
            `${path} ${title}${key === path ? '' : ` from ${key}`}${dirty ? '*' : ''}`,
        )
        .join(),
      active: s.context.active,
      asking: s.context.asking.join(),
    }),
  })
}

const tagsUnsavedModel = tagsModel(
  {
    'tag.open': ['a', 'b'],
    'tag.mark': ['dirty', 'clean'],
    'tag.close': ['a', 'b', 'force'],
    'tags.closeOthers': ['a', 'b'],
    'tags.closeAll': ['default'],
    'tags.reset': ['default'],
    ...answers,
  },
  ['stored'],
)
const tagsNamesModel = tagsModel(
  { 'tag.open': ['a'], 'tag.rename': ['a'], 'tag.mark': ['dirty'], 'tag.close': ['a'], ...answers },
  ['fresh'],
)

const tagsMovedModel = tagsModel(
  {
    'tag.open': ['a', 'b'],
    'tag.move': ['a', 'back', 'taken'],
    'tag.mark': ['dirty'],
    'tag.close': ['a', 'b'],
    'tags.closeAll': ['default'],
    ...answers,
  },
  ['fresh', 'moved'],
)

/** Back in the browser, also to a page that was closed, and while a question is open. */
const tagsReturnModel = tagsModel(
  {
    'tag.open': ['a', 'b', 'earlier', 'later'],
    'tag.move': ['kept'],
    'tag.mark': ['dirty'],
    'tag.close': ['a'],
    'tags.closeAll': ['default'],
    ...answers,
  },
  ['fresh', 'moved'],
)

export const tagsModels: MachineModel<TagsSeen> = {
  parts: {
    return: tagsReturnModel,
    names: tagsNamesModel,
    moved: tagsMovedModel,
    moving: tagsMovingModel,
    unsaved: tagsUnsavedModel,
  },
  rules: tagsRules,
}

function buildStoredTags(...paths: readonly string[]) {
  return {
    version: 1 as const,
    active: paths.at(-1) ?? home.path,
    tags: [home, ...paths.map((path) => ({ path, title: `t${path}` }))],
  }
}

import { assign, emit, enqueueActions, setup } from 'xstate'

/** A visited page. `path` includes the query: two queries are two tags. */
export interface Tag {
  /** The path under which the page was opened; `path` follows what it shows. */
  readonly key: string
  readonly path: string
  readonly title: string
  readonly dirty: boolean
}
export interface TagsFacts {
  readonly version: 1
  readonly tags: readonly (Omit<Tag, 'dirty' | 'key'> & { readonly key?: string | undefined })[]
  readonly active: string
}
export interface TagsInput {
  readonly home: Omit<Tag, 'dirty' | 'key'>
  readonly stored: TagsFacts | null
}

export interface TagsContext {
  /** Path of the first tag, which cannot be closed. */
  readonly home: string
  readonly tags: readonly Tag[]
  readonly active: string
  /** Paths of tags with unsaved input that the user asked to close. */
  readonly asking: readonly string[]
}
export type TagsEvent =
  /**
   * `key`: the tag whose page had this address, which Back in the browser returns to; absent where
   * the address is new.
   */
  | {
      readonly type: 'tag.open'
      readonly path: string
      readonly title: string
      readonly key?: string
    }
  /**
   * The page shows something else now: its address changes, the page stays. `keep`: Back in the
   * browser returns to the address of before.
   */
  | {
      readonly type: 'tag.move'
      readonly path: string
      readonly to: string
      readonly keep?: boolean
    }
  | { readonly type: 'tag.rename'; readonly path: string; readonly title: string }
  | { readonly type: 'tag.mark'; readonly path: string; readonly dirty: boolean }
  | { readonly type: 'tag.close'; readonly path: string; readonly force?: boolean }
  | { readonly type: 'tags.closeOthers'; readonly path: string }
  | { readonly type: 'tags.closeAll' }
  | { readonly type: 'tags.reset' }
  | { readonly type: 'ask.confirm' }
  | { readonly type: 'ask.cancel' }
export type TagsEmitted =
  /** `replace`: the address of the page that is shown already. */
  | { readonly type: 'navigate'; readonly path: string; readonly replace?: true }
  | { readonly type: 'facts'; readonly facts: TagsFacts }

type Move = Omit<Extract<TagsEvent, { type: 'tag.move' }>, 'type'>

const fresh = ({ home }: TagsInput): readonly Tag[] => [{ ...home, key: home.path, dirty: false }]

/** The remaining tags, and the active one: the neighbour to the right, else to the left. */
function closeTags(
  context: TagsContext,
  paths: readonly string[],
): Pick<TagsContext, 'tags' | 'active'> {
  const gone = new Set(paths.filter((path) => path !== context.home))
  const tags = context.tags.filter(({ path }) => !gone.has(path))
  if (!gone.has(context.active)) return { tags, active: context.active }
  const at = context.tags.findIndex(({ path }) => path === context.active)
  const next =
    context.tags.slice(at + 1).find(({ path }) => !gone.has(path)) ??
    context.tags.slice(0, at).findLast(({ path }) => !gone.has(path))
  return { tags, active: next?.path ?? context.home }
}

/**
 * The bar of visited pages (docs/spec/1-entity-console.md §2). Tags with unsaved input are closed
 * only after confirmation.
 */
export const tagsMachine = setup({
  types: {
    context: {} as TagsContext & { readonly input: TagsInput },
    events: {} as TagsEvent,
    emitted: {} as TagsEmitted,
    input: {} as TagsInput,
  },
  guards: {
    /** The page of that key is open, under another address. */
    isEarlier: ({ context: { tags } }, { path, key }: { path: string; key?: string | undefined }) =>
      tags.some((tag) => tag.key === key) && !tags.some((tag) => tag.path === path),
    /** The page was opened under this path and shows something else by now. */
    isElsewhere: ({ context: { tags } }, { path }: { path: string }) =>
      tags.some((tag) => tag.key === path) && !tags.some((tag) => tag.path === path),
    canMove: ({ context: { tags } }, { path, to }: { path: string; to: string }) =>
      tags.some((tag) => tag.path === path) && !tags.some((tag) => tag.path === to),
    isDirty: ({ context }, { paths }: { paths: readonly string[] }) => hasDirty(context, paths),
  },
  actions: {
    open: assign(
      (
        { context },
        { path, title, key = path }: { path: string; title: string; key?: string | undefined },
      ) => ({
        active: path,
        tags: context.tags.some((tag) => tag.path === path)
          ? context.tags
          : [...context.tags, { key, path, title, dirty: false }],
      }),
    ),
    returnTo: assign(({ context }, { path, key }: { path: string; key?: string | undefined }) => {
      const before = context.tags.find((tag) => tag.key === key)?.path
      return {
        active: path,
        tags: context.tags.map((tag) => (tag.key === key ? { ...tag, path } : tag)),
        asking: context.asking.map((asked) => (asked === before ? path : asked)),
      }
    }),
    openMoved: assign(({ context }, { path }: { path: string }) => ({
      active: context.tags.find(({ key }) => key === path)?.path ?? context.active,
    })),
    move: enqueueActions(({ context, enqueue }, { path, to, keep = false }: Move) => {
      enqueue.assign({
        tags: context.tags.map((tag) => (tag.path === path ? { ...tag, path: to } : tag)),
        active: context.active === path ? to : context.active,
      })
      if (context.active === path)
        enqueue.emit({
          type: 'navigate' as const,
          path: to,
          ...(keep ? {} : { replace: true as const }),
        })
    }),
    rename: assign(({ context }, { path, title }: { path: string; title: string }) => ({
      tags: context.tags.map((tag) => (tag.path === path ? { ...tag, title } : tag)),
    })),
    mark: assign(({ context }, { path, dirty }: { path: string; dirty: boolean }) => ({
      tags: context.tags.map((tag) => (tag.path === path ? { ...tag, dirty } : tag)),
    })),
    close: assign(({ context }, { paths }: { paths: readonly string[] }) => ({
      ...closeTags(context, paths),
      asking: [],
    })),
    ask: assign((_args, { paths }: { paths: readonly string[] }) => ({ asking: paths })),
    closeAsked: assign(({ context }) => ({ ...closeTags(context, context.asking), asking: [] })),
    forgetAsked: assign({ asking: [] }),
    reset: assign(({ context }) => ({
      tags: fresh(context.input),
      active: context.home,
      asking: [],
    })),
    goActive: emit(({ context }) => ({ type: 'navigate' as const, path: context.active })),
    showActive: emit(({ context }) => ({
      type: 'navigate' as const,
      path: context.active,
      replace: true as const,
    })),
    tell: emit(({ context }) => ({
      type: 'facts' as const,
      facts: {
        version: 1 as const,
        active: context.active,
        tags: context.tags.map(({ key, path, title }) => ({
          ...(key === path ? {} : { key }),
          path,
          title,
        })),
      },
    })),
  },
}).createMachine({
  id: 'tags',
  context: ({ input }) => {
    const tags = restoreTags(input)
    // Stored data can be damaged: the active tag must exist.
    const active = tags.find(({ path }) => path === input.stored?.active)?.path ?? input.home.path
    return { input, home: input.home.path, tags, active, asking: [] }
  },
  initial: 'open',
  on: {
    'tag.open': [
      {
        guard: { type: 'isEarlier', params: ({ event }) => event },
        actions: [{ type: 'returnTo', params: ({ event }) => event }, 'tell'],
      },
      {
        guard: { type: 'isElsewhere', params: ({ event }) => event },
        actions: [{ type: 'openMoved', params: ({ event }) => event }, 'showActive', 'tell'],
      },
      { actions: [{ type: 'open', params: ({ event }) => event }, 'tell'] },
    ],
    'tag.rename': { actions: [{ type: 'rename', params: ({ event }) => event }, 'tell'] },
    'tag.mark': { actions: { type: 'mark', params: ({ event }) => event } },
    'tags.reset': { target: '.open', actions: 'reset' },
  },
  states: {
    open: {
      on: {
        // Not under a question: going elsewhere would answer it.
        'tag.move': {
          guard: { type: 'canMove', params: ({ event }) => event },
          actions: [{ type: 'move', params: ({ event }) => event }, 'tell'],
        },
        'tag.close': [
          {
            guard: {
              type: 'isDirty',
              params: ({ event }) => ({ paths: event.force === true ? [] : [event.path] }),
            },
            target: 'asking',
            actions: { type: 'ask', params: ({ event }) => ({ paths: [event.path] }) },
          },
          {
            actions: [
              { type: 'close', params: ({ event }) => ({ paths: [event.path] }) },
              'goActive',
              'tell',
            ],
          },
        ],
        'tags.closeOthers': [
          {
            guard: {
              type: 'isDirty',
              params: ({ context, event }) => ({ paths: allBut(context, event.path) }),
            },
            target: 'asking',
            actions: {
              type: 'ask',
              params: ({ context, event }) => ({ paths: allBut(context, event.path) }),
            },
          },
          {
            actions: [
              {
                type: 'close',
                params: ({ context, event }) => ({ paths: allBut(context, event.path) }),
              },
              'goActive',
              'tell',
            ],
          },
        ],
        'tags.closeAll': [
          {
            guard: { type: 'isDirty', params: ({ context }) => ({ paths: allBut(context, null) }) },
            target: 'asking',
            actions: { type: 'ask', params: ({ context }) => ({ paths: allBut(context, null) }) },
          },
          {
            actions: [
              { type: 'close', params: ({ context }) => ({ paths: allBut(context, null) }) },
              'goActive',
              'tell',
            ],
          },
        ],
      },
    },
    asking: {
      on: {
        'ask.confirm': { target: 'open', actions: ['closeAsked', 'goActive', 'tell'] },
        'ask.cancel': { target: 'open', actions: 'forgetAsked' },
      },
    },
  },
})

function hasDirty({ tags }: TagsContext, paths: readonly string[]) {
  return tags.some(({ path, dirty }) => dirty && paths.includes(path))
}

function restoreTags({ home, stored }: TagsInput): readonly Tag[] {
  return [
    { ...home, key: home.path, dirty: false },
    ...(stored?.tags ?? [])
      .filter(({ path }) => path !== home.path)
      .map(({ key, path, title }) => ({ key: key ?? path, path, title, dirty: false })),
  ]
}

function allBut({ tags, home }: TagsContext, keep: string | null) {
  return tags.map(({ path }) => path).filter((path) => path !== home && path !== keep)
}

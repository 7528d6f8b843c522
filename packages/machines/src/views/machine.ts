import {
  lacksAny,
  type Message,
  type Problem,
  problemOf,
  type SavedView,
  type SavedViews,
  type Sort,
  staleCode,
  type ViewContent,
} from '@jiaowu/api'
import { assign, emit, enqueueActions, setup } from 'xstate'
import { unprovided } from '../port.ts'
import {
  contentOf,
  draftOf,
  findView,
  isChanged,
  isComplete,
  opensAfter,
  plainContent,
  saveOfDraft,
  saveOfNow,
  type ViewDraft,
} from './choices.ts'
import { viewsActors, type ViewSave, type ViewsPorts } from './ports.ts'

export interface ViewsInput {
  readonly tag: string
  /**
   * The list was opened with filters or sorts of its own (docs/spec/1-entity-console.md §2): they
   * win over a default view.
   */
  readonly isPreset: boolean
}
export interface ViewsContext {
  readonly tag: string
  /** The list shows something that was asked for: no default view may take its place. */
  readonly isTaken: boolean
  readonly data: SavedViews | null
  /** The view that is open; null: the plain list. */
  readonly current: string | null
  /** What the list shows. */
  readonly now: ViewContent
  /** Columns of the plain list, and those last sent to be kept. */
  readonly layout: readonly string[] | null
  readonly sent: readonly string[] | null
  readonly draft: ViewDraft | null
  readonly save: ViewSave | null
  readonly doomed: string | null
  readonly opens: string
  readonly problem: Problem | null
}
type Shown = Pick<ViewContent, 'queries' | 'sorts' | 'pageSize'>
export type ViewsEvent =
  /** The list's filters, sorts or page size are others now. */
  | {
      readonly type: 'list.changed'
      readonly queries: Readonly<Record<string, unknown>>
      readonly sorts: readonly Sort[]
      readonly pageSize: number
    }
  | { readonly type: 'columns.change'; readonly columns: readonly string[] | null }
  | { readonly type: 'views.retry' }
  /** Null: the plain list. */
  | { readonly type: 'view.open'; readonly id: string | null }
  | { readonly type: 'view.revert' }
  | { readonly type: 'view.save' }
  /** Null: what is shown becomes a view. */
  | { readonly type: 'view.edit'; readonly id: string | null }
  | { readonly type: 'draft.change'; readonly draft: Partial<Omit<ViewDraft, 'id'>> }
  | { readonly type: 'draft.submit' }
  | { readonly type: 'draft.cancel' }
  | { readonly type: 'view.delete'; readonly id: string }
  | { readonly type: 'delete.confirm' }
  | { readonly type: 'delete.cancel' }
  /** The list opens with it for this person; a second time: no longer. */
  | { readonly type: 'view.star'; readonly id: string | null }
export type ViewsEmitted =
  /** The list is to show this. */
  | ({ readonly type: 'apply' } & Shown)
  | {
      readonly type: 'toast'
      readonly tone: 'success' | 'warning' | 'danger'
      readonly message: string | Message
      readonly lasting: boolean
    }
const currentOf = ({ data, current }: ViewsContext): SavedView | null => findView(data, current)

/**
 * Saved views of a list, and its columns (docs/rules/requests.md#r23). The rows are the list's own
 * matter.
 */
export const viewsMachine = setup({
  types: {
    context: {} as ViewsContext,
    events: {} as ViewsEvent,
    emitted: {} as ViewsEmitted,
    input: {} as ViewsInput,
    tags: {} as 'loading' | 'busy',
    children: {} as {
      loadViews: 'loadViews'
      saveView: 'saveView'
      removeView: 'removeView'
      chooseOpening: 'chooseOpening'
      keepLayout: 'keepLayout'
    },
  },
  actors: viewsActors(unprovided<ViewsPorts>()),
  guards: {
    opensView: ({ context }, { data }: { data: SavedViews }) =>
      !context.isTaken && findView(data, data.opening) !== null,
    isThere: ({ context }, { id }: { id: string | null }) =>
      id === null || findView(context.data, id) !== null,
    isChanged: ({ context }) => isChanged(currentOf(context), context.now),
    canSave: ({ context }) =>
      isChanged(currentOf(context), context.now) && isEditable(context, context.current),
    mayEdit: ({ context }, { id }: { id: string | null }) => id === null || isEditable(context, id),
    mayDelete: ({ context }, { id }: { id: string }) => isEditable(context, id),
    isComplete: ({ context }) => context.draft !== null && isComplete(context.draft),
    isNaming: ({ context }) => context.draft !== null,
    isStale: (_args, { error }: { error: unknown }) => standing(error) !== null,
    isPlain: ({ context }) => context.current === null,
    hasMoved: ({ context }) => JSON.stringify(context.sent) !== JSON.stringify(context.layout),
  },
  actions: {
    keepViews: assign(({ context }, { data }: { data: SavedViews }) => ({
      data,
      problem: null,
      current: findView(data, context.current) === null ? null : context.current,
    })),
    keepLayout: assign(({ context }) => ({
      layout: context.data?.layout ?? null,
      now: { ...context.now, columns: context.data?.layout ?? null },
    })),
    keepProblem: assign((_args, { error }: { error: unknown }) => ({ problem: problemOf(error) })),
    take: assign({ isTaken: true }),
    follow: assign(({ context }, { queries, sorts, pageSize }: Shown) => ({
      now: { ...context.now, queries, sorts, pageSize },
    })),
    arrange: assign(({ context }, { columns }: { columns: readonly string[] | null }) => ({
      now: { ...context.now, columns },
      ...(context.current === null && { layout: columns }),
    })),
    show: enqueueActions(({ context, enqueue }, { id }: { id: string | null }) => {
      const view = findView(context.data, id)
      const now = view === null ? plainContent(context.layout) : contentOf(view)
      enqueue.assign({ current: id, now, isTaken: true })
      enqueue.emit(setContent(now))
      if (view !== null && lacksAny(view.lacks)) enqueue.emit(toast('warning', lackOf(view), true))
    }),
    send: assign(({ context }) => ({ sent: context.layout })),
    beginDraft: assign(({ context }, { id }: { id: string | null }) => ({
      draft: draftOf(findView(context.data, id)),
      problem: null,
    })),
    changeDraft: assign(({ context }, { draft }: { draft: Partial<ViewDraft> }) => ({
      draft: context.draft === null ? null : { ...context.draft, ...draft },
      problem: null,
    })),
    endDraft: assign({ draft: null, problem: null }),
    submitDraft: assign(({ context: { tag, data, draft, now } }) => ({
      save: draft === null ? null : saveOfDraft(tag, data, draft, now),
    })),
    saveNow: assign(({ context }) => {
      const view = currentOf(context)
      return { save: view === null ? null : saveOfNow(context.tag, view, context.now) }
    }),
    openSaved: assign(({ context }, { id }: { id: string }) => ({
      current: context.save?.id === null ? id : context.current,
      draft: null,
    })),
    keepStanding: assign(({ context }, { error }: { error: unknown }) => {
      const data = standing(error) ?? context.data
      return { data, current: findView(data, context.current) === null ? null : context.current }
    }),
    doom: assign((_args, { id }: { id: string }) => ({ doomed: id })),
    spare: assign({ doomed: null }),
    star: assign(({ context }, { id }: { id: string | null }) => ({
      opens: context.data === null ? '' : opensAfter(context.data, id),
    })),
    toastProblem: emit((_args, { error }: { error: unknown }) =>
      toast('danger', problemOf(error).message, true),
    ),
    toastNotKept: emit(toast('warning', { key: 'view.columnsNotKept' })),
    toastSaved: emit(toast('success', { key: 'view.saved' })),
    toastDeleted: emit(toast('success', { key: 'view.deleted' })),
  },
}).createMachine({
  id: 'views',
  context: ({ input: { tag, isPreset } }) => ({
    tag,
    isTaken: isPreset,
    data: null,
    current: null,
    now: plainContent(null),
    layout: null,
    sent: null,
    draft: null,
    save: null,
    doomed: null,
    opens: '',
    problem: null,
  }),
  on: { 'list.changed': { actions: { type: 'follow', params: ({ event }) => event } } },
  initial: 'loading',
  states: {
    loading: {
      tags: 'loading',
      invoke: {
        id: 'loadViews',
        src: 'loadViews',
        input: ({ context }) => ({ tag: context.tag }),
        onDone: [
          {
            guard: { type: 'opensView', params: ({ event }) => ({ data: event.output }) },
            target: 'ready',
            actions: [
              { type: 'keepViews', params: ({ event }) => ({ data: event.output }) },
              'keepLayout',
              { type: 'show', params: ({ event }) => ({ id: event.output.opening }) },
            ],
          },
          {
            target: 'ready',
            actions: [
              { type: 'keepViews', params: ({ event }) => ({ data: event.output }) },
              'keepLayout',
            ],
          },
        ],
        onError: {
          target: 'unavailable',
          actions: [
            { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
            'take',
          ],
        },
      },
    },
    // The list works without: columns hold for as long as the page is open.
    unavailable: {
      on: {
        'views.retry': { target: 'loading' },
        'columns.change': { actions: { type: 'arrange', params: ({ event }) => event } },
      },
    },
    ready: {
      type: 'parallel',
      states: {
        view: {
          initial: 'idle',
          states: {
            idle: {
              on: {
                'view.open': {
                  guard: { type: 'isThere', params: ({ event }) => event },
                  actions: { type: 'show', params: ({ event }) => event },
                },
                'view.revert': {
                  guard: 'isChanged',
                  actions: { type: 'show', params: ({ context }) => ({ id: context.current }) },
                },
                'view.save': { guard: 'canSave', target: 'saving', actions: 'saveNow' },
                'view.edit': {
                  guard: { type: 'mayEdit', params: ({ event }) => event },
                  target: 'naming',
                  actions: { type: 'beginDraft', params: ({ event }) => event },
                },
                'view.delete': {
                  guard: { type: 'mayDelete', params: ({ event }) => event },
                  target: 'confirmingDelete',
                  actions: { type: 'doom', params: ({ event }) => event },
                },
                'view.star': {
                  guard: { type: 'isThere', params: ({ event }) => event },
                  target: 'starring',
                  actions: { type: 'star', params: ({ event }) => event },
                },
              },
            },
            naming: {
              on: {
                'draft.change': { actions: { type: 'changeDraft', params: ({ event }) => event } },
                'draft.submit': { guard: 'isComplete', target: 'saving', actions: 'submitDraft' },
                'draft.cancel': { target: 'idle', actions: 'endDraft' },
              },
            },
            saving: {
              tags: 'busy',
              invoke: {
                id: 'saveView',
                src: 'saveView',
                input: ({ context }) => context.save as ViewSave,
                onDone: {
                  target: 'idle',
                  actions: [
                    { type: 'keepViews', params: ({ event }) => ({ data: event.output }) },
                    { type: 'openSaved', params: ({ event }) => event.output },
                    'toastSaved',
                  ],
                },
                onError: [
                  {
                    guard: { type: 'isStale', params: ({ event }) => ({ error: event.error }) },
                    target: 'idle',
                    actions: [
                      { type: 'keepStanding', params: ({ event }) => ({ error: event.error }) },
                      'endDraft',
                      { type: 'toastProblem', params: ({ event }) => ({ error: event.error }) },
                    ],
                  },
                  {
                    guard: 'isNaming',
                    target: 'naming',
                    actions: [
                      { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
                    ],
                  },
                  {
                    target: 'idle',
                    actions: {
                      type: 'toastProblem',
                      params: ({ event }) => ({ error: event.error }),
                    },
                  },
                ],
              },
            },
            confirmingDelete: {
              on: {
                'delete.confirm': { target: 'deleting' },
                'delete.cancel': { target: 'idle', actions: 'spare' },
              },
            },
            deleting: {
              tags: 'busy',
              invoke: {
                id: 'removeView',
                src: 'removeView',
                input: ({ context }) => ({ tag: context.tag, id: context.doomed ?? '' }),
                // What is shown stays: only its name is gone.
                onDone: {
                  target: 'idle',
                  actions: [
                    { type: 'keepViews', params: ({ event }) => ({ data: event.output }) },
                    'spare',
                    'toastDeleted',
                  ],
                },
                onError: {
                  target: 'idle',
                  actions: [
                    'spare',
                    { type: 'toastProblem', params: ({ event }) => ({ error: event.error }) },
                  ],
                },
              },
            },
            starring: {
              tags: 'busy',
              invoke: {
                id: 'chooseOpening',
                src: 'chooseOpening',
                input: ({ context }) => ({ tag: context.tag, opens: context.opens }),
                onDone: {
                  target: 'idle',
                  actions: { type: 'keepViews', params: ({ event }) => ({ data: event.output }) },
                },
                onError: {
                  target: 'idle',
                  actions: {
                    type: 'toastProblem',
                    params: ({ event }) => ({ error: event.error }),
                  },
                },
              },
            },
          },
        },
        layout: {
          initial: 'kept',
          states: {
            // Only the plain list's columns are kept by themselves: those of a view when it is
            // saved.
            kept: {
              on: {
                'columns.change': [
                  {
                    guard: 'isPlain',
                    target: 'keeping',
                    actions: { type: 'arrange', params: ({ event }) => event },
                  },
                  { actions: { type: 'arrange', params: ({ event }) => event } },
                ],
              },
            },
            keeping: {
              entry: 'send',
              on: {
                'columns.change': { actions: { type: 'arrange', params: ({ event }) => event } },
              },
              invoke: {
                id: 'keepLayout',
                src: 'keepLayout',
                input: ({ context }) => ({ tag: context.tag, columns: context.layout }),
                onDone: [
                  { guard: 'hasMoved', target: 'keeping', reenter: true },
                  { target: 'kept' },
                ],
                onError: { target: 'kept', actions: 'toastNotKept' },
              },
            },
          },
        },
      },
    },
  },
})

function isEditable({ data }: ViewsContext, id: string | null): boolean {
  return findView(data, id)?.editable === true
}

/** On a conflict the server answers what stands: it comes in place of what was known. */
function standing(error: unknown): SavedViews | null {
  const { code, data } = problemOf(error)
  return code === staleCode ? (data as SavedViews) : null
}

function setContent(content: ViewContent): ViewsEmitted {
  return {
    type: 'apply',
    queries: content.queries,
    sorts: content.sorts,
    pageSize: content.pageSize,
  }
}

function toast(
  tone: (ViewsEmitted & { type: 'toast' })['tone'],
  message: string | Message,
  lasting = false,
): ViewsEmitted {
  return { type: 'toast', tone, message, lasting }
}

function lackOf({ name, lacks }: SavedView): Message {
  return {
    key: 'view.lacks',
    params: { name, n: lacks.queries + lacks.sorts + lacks.columns },
  }
}

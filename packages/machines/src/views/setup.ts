import {
  pickViewContent,
  type SavedView,
  type SavedViews,
  type ViewContent,
  lacksAny,
} from '@jiaowu/api/entity/list/view'
import type { Message } from '@jiaowu/api/texts/index'
import { toProblem, staleCode } from '@jiaowu/api/problem'
import { assign, emit, enqueueActions, setup } from 'xstate'
import { createMissingPorts } from '../port.ts'
import {
  type ViewDraft,
  toViewDraft,
  findView,
  isChanged,
  isCompleteDraft,
  opensAfter,
  plainContent,
  saveOfDraft,
  saveOfNow,
} from './choices.ts'
import type { ShownView, ViewsContext, ViewsEmitted, ViewsEvent, ViewsInput } from './context.ts'
import { type ViewsPorts, viewsActors } from './ports.ts'

/** Guards, actions and ports of the views machine. */
export const viewsSetup = setup({
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
  actors: viewsActors(createMissingPorts<ViewsPorts>()),
  guards: {
    opensWanted: ({ context }, { data }: { data: SavedViews }) =>
      findView(data, context.wanted) !== null,
    opensView: ({ context }, { data }: { data: SavedViews }) =>
      !context.isTaken && findView(data, data.opening) !== null,
    isThere: ({ context }, { id }: { id: string | null }) =>
      id === null || findView(context.data, id) !== null,
    isChanged: ({ context }) => isChanged(findCurrentView(context), context.now),
    canSave: ({ context }) =>
      isChanged(findCurrentView(context), context.now) && isEditable(context, context.current),
    mayEdit: ({ context }, { id }: { id: string | null }) => id === null || isEditable(context, id),
    mayDelete: ({ context }, { id }: { id: string }) => isEditable(context, id),
    isComplete: ({ context }) => context.draft !== null && isCompleteDraft(context.draft),
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
    keepProblem: assign((_args, { error }: { error: unknown }) => ({ problem: toProblem(error) })),
    take: assign({ isTaken: true }),
    follow: assign(({ context }, shown: ShownView) => ({
      now: pickViewContent({ ...shown, columns: context.now.columns }),
    })),
    arrange: assign(({ context }, { columns }: { columns: readonly string[] | null }) => ({
      now: { ...context.now, columns },
      ...(context.current === null && { layout: columns }),
    })),
    show: enqueueActions(({ context, enqueue }, { id }: { id: string | null }) => {
      const view = findView(context.data, id)
      const now =
        view === null ? plainContent(context.layout, context.usualSize) : pickViewContent(view)
      enqueue.assign({ current: id, now, isTaken: true })
      enqueue.emit(setContent(now))
      if (view !== null && lacksAny(view.lacks))
        enqueue.emit(buildViewsToast('warning', formatLackMessage(view), true))
    }),
    showShown: assign(({ context }, { id }: { id: string | null }) => {
      const view = findView(context.data, id)
      const { columns } = view ?? { columns: context.layout }
      return { current: view?.id ?? null, now: { ...context.now, columns }, isTaken: true }
    }),
    // Anything that the address says besides the view is shown over it.
    openWanted: enqueueActions(({ context, enqueue }) => {
      const view = findView(context.data, context.wanted)
      if (view === null) return
      const now = context.isTaken
        ? { ...context.now, columns: view.columns }
        : pickViewContent(view)
      enqueue.assign({ current: view.id, now, isTaken: true, wanted: null })
      if (!context.isTaken) enqueue.emit(setContent(now))
    }),
    tellUnknown: enqueueActions(({ context, enqueue }) => {
      if (context.wanted === null) return
      enqueue.assign({ wanted: null })
      enqueue.emit(buildViewsToast('warning', { key: 'view.unknown' }, true))
    }),
    send: assign(({ context }) => ({ sent: context.layout })),
    beginDraft: assign(({ context }, { id }: { id: string | null }) => ({
      draft: toViewDraft(findView(context.data, id)),
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
      const view = findCurrentView(context)
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
    markForDeletion: assign((_args, { id }: { id: string }) => ({ pendingDeletion: id })),
    unmarkForDeletion: assign({ pendingDeletion: null }),
    star: assign(({ context }, { id }: { id: string | null }) => ({
      opens: context.data === null ? '' : opensAfter(context.data, id),
    })),
    toastProblem: emit((_args, { error }: { error: unknown }) =>
      buildViewsToast('danger', toProblem(error).message, true),
    ),
    toastNotKept: emit(buildViewsToast('warning', { key: 'view.columnsNotKept' })),
    toastSaved: emit(buildViewsToast('success', { key: 'view.saved' })),
    toastDeleted: emit(buildViewsToast('success', { key: 'view.deleted' })),
  },
})

const findCurrentView = ({ data, current }: ViewsContext): SavedView | null =>
  findView(data, current)

function isEditable({ data }: ViewsContext, id: string | null): boolean {
  return findView(data, id)?.editable === true
}

/**
 * The stored views from the answer to a conflict, which replace the known ones; null for other
 * errors.
 */
function standing(error: unknown): SavedViews | null {
  const { code, data } = toProblem(error)
  return code === staleCode ? (data as SavedViews) : null
}

function setContent(content: ViewContent): ViewsEmitted {
  const { columns: _columns, ...shown } = pickViewContent(content)
  return { type: 'apply', ...shown }
}

function buildViewsToast(
  tone: (ViewsEmitted & { type: 'toast' })['tone'],
  message: string | Message,
  lasting = false,
): ViewsEmitted {
  return { type: 'toast', tone, message, lasting }
}

function formatLackMessage({ name, lacks }: SavedView): Message {
  return {
    key: 'view.lacks',
    params: { name, n: lacks.queries + lacks.sorts + lacks.columns },
  }
}

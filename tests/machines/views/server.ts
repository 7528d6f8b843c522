import {
  blankContent,
  contentOf,
  opensPlain,
  opensShared,
  type SavedViews,
  staleCode,
  type ViewContent,
  type ViewInput,
} from '@jiaowu/api'
import type { ViewSave } from '@jiaowu/machines'
import { viewsPorts } from '../../../apps/web/src/ports/views-ports.ts'
import type { Outcome } from '@jiaowu/path-tests'
import type { Spec } from '../spec.ts'
import { viewsModels } from './model.ts'
import { no, ok, type Stage } from '../../surfaces/server/server-driver.ts'
import type { ServerPart, ServerParts } from '../../surfaces/server/server-part.ts'
import type { RowSet } from '../../surfaces/server/rows/rows.ts'
import type { OwnViews } from '../../surfaces/server/rows/own-views.ts'
import { type Opening, type Layout, type SavedView, scenesOf } from './server-scenes.ts'

/**
 * Views of a list are opened, saved, renamed or deleted in another session; the list opens with
 * one; its columns are stored.
 */
export const serverViews: ServerParts = async ({ registrar, listed, views: ownViews }) => {
  const subject = await registrar(),
    rows = await listed(),
    own = await ownViews(),
    scenes = scenesOf(subject, own)
  const two = own.asKnown(await own.fresh()) as SavedViews
  const [viewA, viewB] = ['a', 'b'].map((alias) => two.views.find(({ id }) => id === alias))
  if (viewA === undefined || viewB === undefined)
    throw new Error('the views are not as they were made')
  const { tag } = rows
  const outcomes = outcomesOf(own, two, viewA, viewB)
  const events = eventsOf(rows, own, viewA)
  const part = (
    chosen: Chosen,
    fewer: Readonly<Record<string, readonly string[]>> = {},
    starts: readonly boolean[] = [false],
  ): ServerPart => {
    const spec = specOf(
      own,
      tag,
      pickedEvents(events, chosen),
      pickedOutcomes(outcomes, fewer),
      starts,
    )
    return {
      spec,
      scenes,
      stage: async (): Promise<Stage> => {
        await own.fresh()
        return { ports: viewsPorts(subject.api) as never, scenes }
      },
    }
  }
  return {
    opening: part(
      {
        'views.retry': ['bare'],
        'view.open': ['a', 'b', 'plain', 'gone'],
        'columns.change': ['name'],
      },
      { loadViews: ['two', 'opensA', 'ended'], keepLayout: ['kept'] },
      [false, true],
    ),
    changing: part(
      {
        'view.open': ['a', 'b', 'plain'],
        'list.changed': ['other', 'asA'],
        'view.revert': ['bare'],
        'view.save': ['bare'],
      },
      { saveView: ['saved', 'stale', 'gone'] },
    ),
    naming: part({
      'view.edit': ['shown'],
      'draft.change': ['name', 'starred'],
      'draft.submit': ['bare'],
      'draft.cancel': ['bare'],
    }),
    editing: part({
      'view.edit': ['a'],
      'draft.change': ['name', 'starred'],
      'draft.submit': ['bare'],
      'draft.cancel': ['bare'],
      'view.open': ['a'],
    }),
    deleting: part({
      'view.open': ['a'],
      'view.delete': ['a'],
      'delete.confirm': ['bare'],
      'delete.cancel': ['bare'],
    }),
    star: part({ 'view.star': ['a', 'plain'], 'view.open': ['a'] }),
    columns: part({ 'columns.change': ['name', 'all'], 'view.open': ['a', 'plain'] }),
  }
}

type Outcomes = Readonly<Record<string, (asked: never) => Readonly<Record<string, Outcome>>>>
type Events = ReturnType<typeof eventsOf>
type Chosen = { readonly [T in keyof Events]?: readonly (keyof Events[T])[] }

function outcomesOf(own: OwnViews, two: SavedViews, viewA: SavedView, viewB: SavedView): Outcomes {
  /** The views when the personal one is like this and the list opens so. */
  const views = (
    opens: string,
    mine: Partial<ViewInput> | null,
    more: SavedViews['views'] = [],
  ): SavedViews => ({
    ...two,
    opens,
    views: [
      ...more,
      ...(mine === null ? [] : [{ ...viewA, ...mine, isDefault: opens === 'a' }]),
      viewB,
    ],
  })
  return {
    loadViews: () => ({
      two: ok(two),
      opensA: ok({ ...views('a', {}), opening: 'a' }),
      ended: no('session', 401),
    }),
    saveView: ({ id, view }: ViewSave): Readonly<Record<string, Outcome>> =>
      id === null
        ? {
            made: ok({
              ...views(view.isDefault ? 'n' : opensPlain, {}, [{ ...viewA, ...view, id: 'n' }]),
              id: 'n',
            }),
            taken: no('invalid', 42200),
            forbidden: no('refused', 403),
          }
        : {
            saved: ok({ ...views(view.isDefault ? 'a' : opensPlain, view), id: 'a' }),
            taken: no('invalid', 42200),
            stale: no('refused', staleCode, views(opensPlain, { name: own.names.theirs })),
            gone: no('refused', 404),
          },
    removeView: () => ({
      done: ok(views(opensShared, null)),
      gone: no('refused', 404),
      refused: no('refused', 404),
    }),
    chooseOpening: ({ opens }: Opening): Readonly<Record<string, Outcome>> => ({
      [opens]: ok(views(opens, {})),
      ...(opens === 'a' ? { refused: no('invalid', 42200) } : {}),
    }),
    keepLayout: ({ columns }: Layout) => ({ kept: ok({ columns }), refused: no('invalid', 42200) }),
  }
}

/** `viewA`: the personal view as the server stores it. */
function eventsOf({ name, stem }: RowSet, own: OwnViews, viewA: SavedView) {
  const shownOf = ({ columns: _columns, ...shown }: ViewContent) => shown
  const bare = { bare: {} }
  return {
    'list.changed': {
      other: { ...shownOf(blankContent), queries: { [name]: `${stem}2` }, pageSize: 10 },
      asA: shownOf(contentOf(viewA)),
    },
    'columns.change': { name: { columns: [name] }, all: { columns: null } },
    'views.retry': bare,
    'view.open': { a: { id: 'a' }, b: { id: 'b' }, plain: { id: null }, gone: { id: 'gone' } },
    'view.revert': bare,
    'view.save': bare,
    'view.edit': { shown: { id: null }, a: { id: 'a' } },
    'draft.change': {
      name: { draft: { name: ` ${own.names.mine} ` } },
      starred: { draft: { isDefault: true } },
    },
    'draft.submit': bare,
    'draft.cancel': bare,
    'view.delete': { a: { id: 'a' } },
    'delete.confirm': bare,
    'delete.cancel': bare,
    'view.star': { a: { id: 'a' }, plain: { id: null } },
  } as const
}

function only<T extends object>(all: T, names: readonly PropertyKey[]) {
  return Object.fromEntries(Object.entries(all).filter(([each]) => names.includes(each)))
}

function pickedEvents(events: Events, chosen: Chosen): Spec<unknown>['events'] {
  return Object.fromEntries(
    Object.entries(chosen).map(([type, cases]) => [
      type,
      only(events[type as keyof typeof events], cases),
    ]),
  ) as Spec<unknown>['events']
}

/** Ports that `fewer` does not name keep all their outcomes. */
function pickedOutcomes(
  outcomes: Outcomes,
  fewer: Readonly<Record<string, readonly string[]>>,
): Spec<unknown>['outcomes'] {
  const ends: typeof fewer = { loadViews: ['two'], ...fewer }
  return Object.fromEntries(
    Object.entries(outcomes).map(([port, of]) => [
      port,
      (asked: never) => {
        const all = of(asked),
          wanted = ends[port]
        return wanted === undefined ? all : only(all, wanted)
      },
    ]),
  ) as Spec<unknown>['outcomes']
}

function specOf(
  own: OwnViews,
  tag: string,
  events: Spec<unknown>['events'],
  outcomes: Spec<unknown>['outcomes'],
  starts: readonly boolean[],
): Spec<unknown> {
  return {
    ...(Object.values(viewsModels.parts)[0] as Spec<unknown>),
    unhandled: [],
    eventsIn: () => ({}),
    input: Object.fromEntries(
      starts.map((isPreset) => [isPreset ? 'preset' : 'plain', () => ({ tag, isPreset })]),
    ),
    events,
    outcomes,
    key: (s) => {
      const c = s.context
      return JSON.stringify([
        s.value,
        c.isTaken,
        c.data?.views.map((view: SavedViews['views'][number]) => [
          view.id,
          view.name,
          view.isDefault,
          own.kindOf(view),
        ]) ?? null,
        c.data?.opens,
        c.current,
        own.kindOf(c.now),
        c.now.columns,
        c.layout,
        s.matches({ ready: { layout: 'keeping' } }) ? c.sent : null,
        c.draft,
        s.hasTag('busy') ? c.save?.view.name : null,
        c.pendingDeletion,
        c.opens,
        c.problem?.kind ?? null,
      ])
    },
  }
}

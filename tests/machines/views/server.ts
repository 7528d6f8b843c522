import {
  isSameContent,
  opensPlain,
  opensShared,
  type SavedViews,
  staleCode,
  type ViewContent,
  type ViewInput,
} from '@jiaowu/api'
import type { ViewSave } from '@jiaowu/machines'
import { viewsPorts } from '../../../apps/web/src/ports/views-ports.ts'
import type { Outcome, Spec } from '@jiaowu/path-tests'
import { viewsModels } from './model.ts'
import {
  no,
  ok,
  problemIn,
  refusedAs,
  same,
  type Scene,
  type Scenes,
  type Stage,
} from '../../surfaces/server/server-driver.ts'
import type { ServerPart, ServerParts } from '../../surfaces/server/server-part.ts'
import type { Subject } from '../../surfaces/server/subject.ts'
import type { RowSet } from '../../surfaces/server/rows.ts'
import type { OwnViews } from '../../surfaces/server/own-views.ts'

const outputOf = <T>(answer: Outcome): T => (answer as { output: T }).output
type SavedView = SavedViews['views'][number]
interface Opening {
  readonly tag: string
  readonly opens: string
}
interface Layout {
  readonly tag: string
  readonly columns: readonly string[] | null
}

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
  const shownOf = ({ queries, sorts, pageSize }: ViewContent) => ({ queries, sorts, pageSize })
  const bare = { bare: {} }
  return {
    'list.changed': {
      other: { queries: { [name]: `${stem}2` }, sorts: [], pageSize: 10 },
      asA: shownOf(viewA),
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
    sneak: [],
    pick: () => ({}),
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
        c.doomed,
        c.opens,
        c.problem?.kind ?? null,
      ])
    },
  }
}

function scenesOf(...args: Parameters<typeof sceneTools>): Scenes {
  const tools = sceneTools(...args)
  return {
    loadViews: loadViewsScenes(tools),
    saveView: savingScenes(savingTools(tools.subject, tools.own)),
    removeView: removeViewScenes(tools),
    chooseOpening: chooseOpeningScenes(tools),
    keepLayout: keepLayoutScenes(tools),
  }
}

type SceneTools = ReturnType<typeof sceneTools>

/** What the scenes of several ports share. */
function sceneTools(subject: Subject, own: OwnViews) {
  const { read, idOf, asKnown, agree } = own
  const loading = (opens: () => string, opening: () => string | null) =>
    subject.usual(async (): Promise<Scene> => {
      await own.ensure(opens())
      return {
        timeless: asKnown,
        check: async (answer) => [
          ...same('what the list opens with', opening(), outputOf<SavedViews>(answer).opening),
          ...(await agree(answer)),
        ],
      }
    })
  const choosing = subject.usual(async ({ tag, opens }: Opening): Promise<Scene> => {
    await own.ensure()
    return {
      input: { tag, opens: idOf(opens) },
      timeless: asKnown,
      check: async (answer) => [
        ...same('what the list opens with', idOf(opens), outputOf<SavedViews>(answer).opens),
        ...(await agree(answer)),
      ],
    }
  })
  const removing = (make: (id: string) => Promise<Scene>) =>
    subject.usual(async ({ tag, id }: { tag: string; id: string }): Promise<Scene> => {
      await own.ensure(id)
      return { input: { tag, id: idOf(id) }, ...(await make(idOf(id))) }
    })
  const isThere = (id: string, wanted: boolean, { views }: SavedViews) =>
    same(
      'whether the view is there',
      wanted,
      views.some((view) => view.id === id),
    )
  return { subject, own, read, idOf, asKnown, agree, loading, choosing, removing, isThere }
}

function loadViewsScenes({ subject, idOf, loading }: SceneTools): Scenes[string] {
  return {
    two: loading(
      () => opensPlain,
      () => null,
    ),
    opensA: loading(
      () => 'a',
      () => idOf('a'),
    ),
    ended: subject.ended(),
  }
}

function removeViewScenes({
  subject,
  own,
  read,
  idOf,
  asKnown,
  agree,
  removing,
  isThere,
}: SceneTools): Scenes[string] {
  return {
    // The list opened with the deleted view; now it opens with everyone's default.
    done: removing((id) =>
      Promise.resolve({
        timeless: asKnown,
        check: async (answer) => [
          ...isThere(id, false, outputOf(answer)),
          ...same('what the list opens with', opensShared, outputOf<SavedViews>(answer).opens),
          ...(await agree(answer)),
        ],
      }),
    ),
    gone: removing(async () => {
      await own.remove('a')
      return { check: (answer) => refusedAs(answer, 'refused', 404) }
    }),
    // A personal view does not exist for other users.
    refused: async ({ tag, id }: { tag: string; id: string }) => {
      await own.ensure()
      return {
        ...(await subject.forbidden(
          async () => isThere(idOf(id), true, await read()),
          [403, 404],
        )({})),
        input: { tag, id: idOf(id) },
      }
    },
  }
}

function chooseOpeningScenes({ subject, own, read, idOf, choosing }: SceneTools): Scenes[string] {
  return {
    a: choosing,
    plain: choosing,
    shared: choosing,
    refused: subject.usual(async ({ tag, opens }: Opening): Promise<Scene> => {
      const before = await own.ensure(opensPlain)
      await own.remove('a')
      return {
        input: { tag, opens: idOf(opens) },
        check: async (answer) => [
          ...refusedAs(answer, 'invalid', 42200),
          ...same('what the list opens with', before.opens, (await read()).opens),
        ],
      }
    }),
  }
}

function keepLayoutScenes({ subject, read }: SceneTools): Scenes[string] {
  return {
    kept: subject.usual(({ columns }: Layout) => ({
      check: async (answer) => [
        ...same('columns', columns, outputOf<Layout>(answer).columns),
        ...same('columns as they are read elsewhere', columns, (await read()).layout),
      ],
    })),
    refused: subject.usual(async (asked: Layout) => {
      const { layout } = await read()
      return {
        input: { ...asked, columns: ['noSuchColumn'] },
        check: async (answer) => [
          ...refusedAs(answer, 'invalid', 42200),
          ...same('columns after a refusal', layout, (await read()).layout),
        ],
      }
    }),
  }
}

type SavingTools = ReturnType<typeof savingTools>

/** What the scenes of saving a view share. */
function savingTools(subject: Subject, own: OwnViews) {
  const { read, asServed, asKnown, agree } = own
  /**
   * The list opens with a personal default; it opens plain before, so that the answer shows which
   * one it is.
   */
  const saving = (make: (input: ViewSave, before: SavedViews) => Promise<Scene> | Scene) =>
    subject.usual(async (asked: ViewSave): Promise<Scene> => {
      const before = await own.ensure(opensPlain),
        input = asServed(asked, before)
      return { input, ...(await make(input, before)) }
    })
  const untouched = (before: SavedViews) => async () =>
    same('the views after a refusal', own.told(before), own.told(await read()))
  const kept = (answer: Outcome, { view }: ViewSave): string[] => {
    const data = outputOf<SavedViews & { id: string }>(answer),
      made = data.views.find(({ id }) => id === data.id)
    if (made === undefined) return ['the saved view is not among the views']
    return [
      ...same('name', view.name, made.name),
      ...(isSameContent(view, made) ? [] : ['the view holds something else than was sent']),
      ...same('what the list opens with', view.isDefault ? data.id : opensPlain, data.opens),
    ]
  }
  return { subject, own, asKnown, agree, read, saving, untouched, kept }
}

function savingScenes({
  subject,
  own,
  asKnown,
  agree,
  read,
  saving,
  untouched,
  kept,
}: SavingTools): Scenes[string] {
  return {
    made: saving((input) => ({
      timeless: asKnown,
      check: async (answer) => {
        const { id } = outputOf<{ id: string }>(answer),
          lines = [...kept(answer, input), ...(await agree(answer))]
        await own.forget('n', id)
        return lines
      },
    })),
    saved: saving((input, before) => ({
      timeless: asKnown,
      check: async (answer) => {
        const versionIn = ({ views }: SavedViews) =>
          views.find(({ id }) => id === input.id)?.version ?? 0
        return [
          ...kept(answer, input),
          ...(versionIn(outputOf(answer)) > versionIn(before)
            ? []
            : ['version: the same after a change']),
          ...(await agree(answer)),
        ]
      },
    })),
    taken: saving(async ({ view, ...input }) => {
      const name = await own.take(),
        still = untouched(await read())
      return {
        input: { ...input, view: { ...view, name } },
        check: async (answer) => {
          const lines = [
            ...refusedAs(answer, 'invalid', 42200),
            ...same(
              'the field at fault',
              ['name'],
              problemIn(answer)?.issues.map(({ path }) => path),
            ),
            ...(await still()),
          ]
          await own.free()
          return lines
        },
      }
    }),
    stale: saving(async ({ version: _known, ...input }, before) => {
      const version = before.views.find(({ id }) => id === input.id)?.version
      await own.rename()
      return {
        input: { ...input, version },
        timeless: asKnown,
        check: async (answer) => [
          ...refusedAs(answer, 'refused', staleCode),
          ...same(
            'data: the views that stand',
            own.told(await read()),
            own.told(problemIn(answer)?.data as SavedViews | null),
          ),
        ],
      }
    }),
    gone: saving(async (input) => {
      await own.remove('a')
      return { input, check: (answer) => refusedAs(answer, 'refused', 404) }
    }),
    // Users who may read may save personal views, but no view for everyone.
    forbidden: async ({ view, ...asked }: ViewSave) => {
      const still = untouched(await own.ensure(opensPlain))
      return {
        ...(await subject.forbidden(still)(asked)),
        input: { ...asked, view: { ...view, scope: 'everyone' } },
      }
    },
  }
}

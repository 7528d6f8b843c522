import {
  isSameContent,
  opensPlain,
  opensShared,
  type SavedViews,
} from '@jiaowu/api/entity/list/view'
import type { ViewSave, ViewsPorts } from '@jiaowu/machines/views/ports'
import {
  answers,
  type CallOf,
  type Calls,
  refuseEndedSession,
  forbidden,
  refuseHiddenRecord,
  invalid,
  prepareEndings,
  refuses,
  type Scene,
  stale,
  when,
} from '../../surfaces/server/endings.ts'
import { type Faults, must, expectSame, expectUnchanged } from '../../surfaces/server/checks.ts'
import { commonPart, type OwnViews } from '../../surfaces/server/rows/own-views.ts'

type SavedView = SavedViews['views'][number]
type Saved = SavedViews & { readonly id: string }
type Call<Name extends keyof ViewsPorts> = CallOf<ViewsPorts, Name>

/** The personal view `a` and the shared view `b` as the server stores them. */
export interface Stored {
  readonly own: OwnViews
  readonly two: SavedViews
  readonly viewA: SavedView
  readonly viewB: SavedView
}

export function buildViewsCalls(stored: Stored): Calls<ViewsPorts> {
  return {
    loadViews: loadViews(stored),
    saveView: saveView(stored),
    removeView: removeView(stored),
    chooseOpening: chooseOpening(stored),
    keepLayout: keepLayout(stored),
  }
}

function loadViews(stored: Stored): Call<'loadViews'> {
  const { own, two } = stored
  const opens = (view: string, opening: string | null) => async () => {
    await own.ensure(view)
    return answerViews(own, (views) =>
      expectSame(openingIs, opening && own.idOf(opening), views.opening),
    )
  }
  return {
    two: answers(two, opens(opensPlain, null)),
    opensA: answers({ ...viewsAs(stored, 'a'), opening: 'a' }, opens('a', 'a')),
    ended: refuseEndedSession(),
  }
}

/**
 * The list opens with a personal default; it opens plain before, so that the answer shows which one
 * it is.
 */
function saveView(stored: Stored): Call<'saveView'> {
  const { own } = stored
  const asServed = async (asked: ViewSave) => own.asServed(asked, await own.ensure(opensPlain))
  return prepareEndings(asServed, {
    ...when(({ id }) => id === null, savingNew(stored)),
    ...when(({ id }) => id !== null, savingKnown(stored)),
    taken: invalid('name', async (asked) => {
      const name = await own.take()
      const input = { ...asked, view: { ...asked.view, name } }
      return { input, check: await expectViewsUnchanged(own), undo: () => own.remove('taken') }
    }),
  })
}

function savingNew(stored: Stored): Call<'saveView'> {
  const { own, viewA } = stored
  return {
    made: answers(
      ({ view }) => {
        const opens = view.isDefault ? 'n' : opensPlain
        return { ...viewsAs(stored, opens, {}, [{ ...viewA, ...view, id: 'n' }]), id: 'n' }
      },
      (asked) => {
        let made = ''
        return {
          ...answerViews(own, (views: Saved) => {
            made = views.id
            return checkKeptView(views, asked)
          }),
          undo: () => own.forget('n', made),
        }
      },
    ),
    // Users who may read may save personal views, but no view for everyone.
    forbidden: forbidden(async (asked) => ({
      input: { ...asked, view: { ...asked.view, scope: 'everyone' } },
      check: await expectViewsUnchanged(own),
    })),
  }
}

function savingKnown(stored: Stored): Call<'saveView'> {
  const { own } = stored
  const versionIn = ({ views }: SavedViews, { id }: ViewSave) =>
    views.find((view) => view.id === id)?.version ?? 0
  return {
    saved: answers(
      ({ view }) => ({ ...viewsAs(stored, view.isDefault ? 'a' : opensPlain, view), id: 'a' }),
      async (asked) => {
        const before = versionIn(await own.read(), asked)
        return answerViews(own, (views) => [
          checkKeptView(views, asked),
          must(versionIn(views, asked) > before, 'version: the same after a change'),
        ])
      },
    ),
    stale: stale({
      what: 'the views that stand',
      sample: () => viewsAs(stored, opensPlain, { name: own.names.theirs }),
      version: async (asked) => versionIn(await own.read(), asked),
      overtake: () => own.rename(),
      read: () => own.read(),
      compared: (views) => commonPart(views as SavedViews | null),
      timeless: (views) => own.asKnown(views),
    }),
    gone: refuses(404, () => own.remove('a')),
  }
}

function removeView(stored: Stored): Call<'removeView'> {
  const { own } = stored
  const isThere = (id: string, wanted: boolean, { views }: SavedViews) => {
    const found = views.some((view) => view.id === id)
    return expectSame('whether the view is there', wanted, found)
  }
  const asServed = async ({ tag, id }: { readonly tag: string; readonly id: string }) => {
    await own.ensure(id)
    return { tag, id: own.idOf(id) }
  }
  return prepareEndings(asServed, {
    // The list opened with the deleted view; now it opens with everyone's default.
    done: answers(viewsAs(stored, opensShared, null), ({ id }) =>
      answerViews(own, (views) => [
        isThere(id, false, views),
        expectSame(openingIs, opensShared, views.opens),
      ]),
    ),
    gone: refuses(404, () => own.remove('a')),
    // A personal view does not exist for other users.
    refused: refuseHiddenRecord(({ id }) => ({
      check: async () => isThere(id, true, await own.read()),
    })),
  })
}

function chooseOpening(stored: Stored): Call<'chooseOpening'> {
  const { own } = stored
  const asServed = async ({ tag, opens }: { readonly tag: string; readonly opens: string }) => {
    await own.ensure()
    return { tag, opens: own.idOf(opens) }
  }
  const chosen = (view: string): Call<'chooseOpening'>[string] =>
    answers(
      ({ opens }) => (opens === view ? viewsAs(stored, view) : null),
      ({ opens }) => answerViews(own, (views) => expectSame(openingIs, opens, views.opens)),
    )
  return prepareEndings(asServed, {
    a: chosen('a'),
    plain: chosen(opensPlain),
    shared: chosen(opensShared),
    ...when(({ opens }) => opens === 'a', {
      refused: refuses(42200, async () => {
        await own.ensure(opensPlain)
        await own.remove('a')
        return { check: async () => expectSame(openingIs, opensPlain, (await own.read()).opens) }
      }),
    }),
  })
}

function keepLayout({ own }: Stored): Call<'keepLayout'> {
  return {
    kept: answers(
      ({ columns }) => ({ columns }),
      ({ columns }) => ({
        check: async (kept) => [
          expectSame('columns', columns, kept.columns),
          expectSame('columns as they are read elsewhere', columns, (await own.read()).layout),
        ],
      }),
    ),
    refused: refuses(42200, async (asked) => ({
      input: { ...asked, columns: ['noSuchColumn'] },
      check: await expectUnchanged(
        'columns after a refusal',
        async () => (await own.read()).layout,
      ),
    })),
  }
}

const openingIs = 'what the list opens with'

/** The views when the list opens so and the personal one is like this; null: it is deleted. */
function viewsAs(
  { two, viewA, viewB }: Stored,
  opens: string,
  mine: Partial<SavedView> | ViewSave['view'] | null = {},
  more: readonly SavedView[] = [],
): SavedViews {
  const personal = mine === null ? [] : [{ ...viewA, ...mine, isDefault: opens === 'a' }]
  return { ...two, opens, views: [...more, ...personal, viewB] as SavedViews['views'] }
}

/** The answer is what the same user reads in another session. */
function answerViews<Asked, Got extends SavedViews>(
  own: OwnViews,
  check: (views: Got) => Faults,
): Scene<Asked, Got> {
  return {
    timeless: (views) => own.asKnown(views),
    check: (views) => [check(views), own.agree(views)],
  }
}

function expectViewsUnchanged(own: OwnViews): Promise<() => Promise<Faults>> {
  return expectUnchanged('the views after a refusal', async () => commonPart(await own.read()))
}

function checkKeptView(data: Saved, { view }: ViewSave): Faults {
  const made = data.views.find(({ id }) => id === data.id)
  if (made === undefined) return ['the saved view is not among the views']
  return [
    expectSame('name', view.name, made.name),
    must(isSameContent(view, made), 'the view holds something else than was sent'),
    expectSame(openingIs, view.isDefault ? data.id : opensPlain, data.opens),
  ]
}

import { isSameContent, opensPlain, opensShared, type SavedViews, staleCode } from '@jiaowu/api'
import type { ViewSave } from '@jiaowu/machines'
import type { Outcome } from '@jiaowu/path-tests'
import {
  problemIn,
  refusedAs,
  same,
  type Scene,
  type Scenes,
} from '../../surfaces/server/server-driver.ts'
import type { Subject } from '../../surfaces/server/subject.ts'
import { commonPart, type OwnViews } from '../../surfaces/server/rows/own-views.ts'

const outputOf = <T>(answer: Outcome): T => (answer as { output: T }).output
export type SavedView = SavedViews['views'][number]
export interface Opening {
  readonly tag: string
  readonly opens: string
}
export interface Layout {
  readonly tag: string
  readonly columns: readonly string[] | null
}

export function scenesOf(...args: Parameters<typeof sceneTools>): Scenes {
  const tools = sceneTools(...args)
  const saving = savingTools(...args)
  return {
    loadViews: loadViewsScenes(tools),
    saveView: { ...savingScenes(saving), ...refusedSavingScenes(saving) },
    removeView: removeViewScenes(tools),
    chooseOpening: chooseOpeningScenes(tools),
    keepLayout: keepLayoutScenes(tools),
  }
}

type SceneTools = ReturnType<typeof sceneTools>

/** What the scenes of several ports share. */
function sceneTools(subject: Subject, own: OwnViews) {
  const read = () => own.read()
  const idOf = (alias: string) => own.idOf(alias)
  const asKnown = (answer: unknown) => own.asKnown(answer)
  const agree = (answer: Outcome) => own.agree(answer)
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
  const read = () => own.read()
  const asServed: OwnViews['asServed'] = (asked, before) => own.asServed(asked, before)
  const asKnown = (answer: unknown) => own.asKnown(answer)
  const agree = (answer: Outcome) => own.agree(answer)
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
    same('the views after a refusal', commonPart(before), commonPart(await read()))
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

function savingScenes({ own, asKnown, agree, saving, kept }: SavingTools): Scenes[string] {
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
  }
}

function refusedSavingScenes({
  subject,
  own,
  asKnown,
  read,
  saving,
  untouched,
}: SavingTools): Scenes[string] {
  return {
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
            commonPart(await read()),
            commonPart(problemIn(answer)?.data as SavedViews | null),
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

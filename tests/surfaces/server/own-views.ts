import {
  isSameContent,
  opensPlain,
  type SavedViews,
  type ViewContent,
  type ViewInput,
} from '@jiaowu/api'
import type { ViewSave } from '@jiaowu/machines'
import type { RowSet } from './rows.ts'
import { same } from './server-driver.ts'
import type { Outcome } from '@jiaowu/path-tests'
import type { RunContext } from './run-context.ts'

/**
 * Views of this run for one list: `a` of the user under test, `b` for everyone. The machine knows
 * them by these names, whatever their ids are.
 */
export interface OwnViews {
  readonly names: Readonly<Record<'mine' | 'theirs', string>>
  /** The views as the same user has them in another session. */
  read(): Promise<SavedViews>
  /** Restores both views; the list opens plain with all its columns. */
  fresh(): Promise<SavedViews>
  /** Both views exist, in any state; the list opens with this one. */
  ensure(opens?: string): Promise<SavedViews>
  idOf(alias: string): string
  /**
   * In another session: deletes a view, renames `a`, gives its name to another, deletes that again.
   */
  remove(alias: string): Promise<void>
  rename(): Promise<void>
  take(): Promise<string>
  free(): Promise<void>
  /** A view created under test was deleted, and had this name. */
  forget(alias: string, id: string): Promise<void>
  /**
   * The view with its id on the server. A view that another session deleted was created anew: its
   * present version is meant.
   */
  asServed(asked: ViewSave, before: SavedViews): ViewSave
  /** The views with the machine's names; only those of this run. */
  asKnown(answer: unknown): unknown
  /** The part of the views that is the same for every reader. */
  told(data: SavedViews | null | undefined): unknown
  agree(answer: Outcome): Promise<string[]>
  /** A one-word summary of a view's content. */
  kindOf(content: ViewContent): string
}

export async function createOwnViews(run: RunContext, rows: RowSet): Promise<OwnViews> {
  const { api } = await run.helper('registrar'),
    admin = (await run.helper('admin')).api,
    params = { tag: rows.tag }
  const named = (name: string, scope: ViewInput['scope'], content: ViewContent) => ({
    queries: { ...content.queries },
    sorts: [...content.sorts],
    columns: content.columns === null ? null : [...content.columns],
    pageSize: content.pageSize,
    name: `${run.prefix}${name}`,
    scope,
    roleId: null,
    isDefault: false,
  })
  const firsts = {
    a: named('own', 'mine', {
      queries: { [rows.name]: `${rows.stem}1` },
      sorts: [{ column: rows.name, asc: true }],
      columns: [rows.name],
      pageSize: 20,
    }),
    b: named('everyone', 'everyone', {
      queries: {},
      sorts: [{ column: rows.name, asc: false }],
      columns: null,
      pageSize: 10,
    }),
  }
  const names = { mine: `${run.prefix}mine`, theirs: `${run.prefix}theirs` }
  const ids = new Map<string, string>(),
    aliases = new Map<string, string>(),
    lastTold = new Map<string, string>()
  const keep = (alias: string, id: string) => {
    ids.set(alias, id)
    aliases.set(id, alias)
  }
  const read = () => api.view.list({ params })
  const idOf = (alias: string) => ids.get(alias) ?? alias
  const remove = async (alias: string) => {
    await (alias === 'b' ? admin : api).view.remove({ params: { ...params, id: idOf(alias) } })
  }
  const ensure = async (opens?: string): Promise<SavedViews> => {
    const { views, opens: now } = await read()
    for (const alias of ['a', 'b'] as const)
      if (!views.some(({ id }) => id === ids.get(alias)))
        keep(
          alias,
          (await (alias === 'b' ? admin : api).view.create({ params, body: firsts[alias] })).id,
        )
    if (opens !== undefined && idOf(opens) !== now)
      await api.view.open({ params, body: { opens: idOf(opens) } })
    return read()
  }
  const told: OwnViews['told'] = (data) =>
    data === null || data === undefined
      ? null
      : {
          views: data.views.map(
            ({ id, name, scope, isDefault, version, queries, sorts, columns, pageSize }) => ({
              id,
              name,
              scope,
              isDefault,
              version,
              queries,
              sorts,
              columns,
              pageSize,
            }),
          ),
          opens: data.opens,
          opening: data.opening,
          layout: data.layout,
          widths: data.widths,
        }
  const before = await read()
  run.onClose('what the list of the registrar opens with', async () => {
    await api.view.open({ params, body: { opens: before.opens } })
    await api.view.keepLayout({
      params,
      body: { columns: before.layout === null ? null : [...before.layout] },
    })
  })
  run.onClose('views', async () => {
    for (const { id, name, scope } of (await read()).views)
      if (name.startsWith(run.prefix))
        await (scope === 'mine' ? api : admin).view.remove({ params: { ...params, id } })
  })
  return {
    names,
    read,
    ensure,
    idOf,
    remove,
    told,
    fresh: async () => {
      const now = await ensure(opensPlain),
        a = now.views.find(({ id }) => id === idOf('a'))
      if (a === undefined) throw new Error('the view that was made is not listed')
      if (a.name !== firsts.a.name || !isSameContent(a, firsts.a))
        await api.view.update({
          params: { ...params, id: a.id },
          body: { ...firsts.a, version: a.version },
        })
      await api.view.keepLayout({ params, body: { columns: null } })
      return read()
    },
    rename: async () => {
      const { version = 0 } = (await read()).views.find(({ id }) => id === idOf('a')) ?? {}
      await api.view.update({
        params: { ...params, id: idOf('a') },
        body: { ...firsts.a, name: names.theirs, version },
      })
    },
    take: async () => {
      const body = { ...firsts.a, name: `${run.prefix}taken` }
      keep('taken', (await api.view.create({ params, body })).id)
      return body.name
    },
    free: () => remove('taken'),
    forget: async (alias, id) => {
      keep(alias, id)
      await remove(alias)
    },
    asServed: ({ id, version, ...asked }, { views }) =>
      id === null
        ? { ...asked, id, version }
        : {
            ...asked,
            id: idOf(id),
            version:
              lastTold.get(id) === idOf(id)
                ? version
                : (views.find((view) => view.id === idOf(id))?.version ?? version),
          },
    asKnown: (answer) => {
      const data = answer as SavedViews & { readonly id?: string },
        aliasOf = (id: string) => aliases.get(id) ?? id
      const views = data.views
        .filter(({ id }) => aliases.has(id))
        .map((view) => ({ ...view, id: aliasOf(view.id) }))
      for (const { id } of views) lastTold.set(id, idOf(id))
      return {
        ...data,
        views,
        opens: aliasOf(data.opens),
        opening: data.opening === null ? null : aliasOf(data.opening),
        ...(data.id === undefined ? {} : { id: aliasOf(data.id) }),
      }
    },
    agree: async (answer) =>
      same(
        'the views as they are read elsewhere',
        told(await read()),
        told((answer as { output: SavedViews }).output),
      ),
    kindOf: (content) =>
      Object.entries(firsts).find(([, first]) =>
        isSameContent({ ...content, columns: first.columns }, first),
      )?.[0] ?? (Object.keys(content.queries).length === 0 ? 'everything' : 'other'),
  }
}

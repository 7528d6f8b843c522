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
import type { World } from './world.ts'

/** Views of this run for one list: `a` of the person under test, `b` for everyone. The machine knows them by these names, whatever ids they have by now. */
export interface OwnViews {
  readonly names: Readonly<Record<'mine' | 'theirs', string>>
  /** As the same person has them elsewhere. */
  read(): Promise<SavedViews>
  /** Both are there, as they were first; the list opens plain with all its columns. */
  fresh(): Promise<SavedViews>
  /** Both are there, however they are by now; and the list opens with this. */
  ensure(opens?: string): Promise<SavedViews>
  idOf(alias: string): string
  /** Elsewhere: deletes one, renames `a`, gives its name to another, deletes that again. */
  remove(alias: string): Promise<void>
  rename(): Promise<void>
  take(): Promise<string>
  free(): Promise<void>
  /** One that was made under test is deleted, and was called so. */
  forget(alias: string, id: string): Promise<void>
  /** As the server knows it. A view that was deleted elsewhere stands there again: its version of now is meant. */
  asServed(asked: ViewSave, before: SavedViews): ViewSave
  /** As the machine knows them: those of this run alone. */
  asKnown(answer: unknown): unknown
  /** What of the views must be the same whoever reads them. */
  told(data: SavedViews | null | undefined): unknown
  agree(answer: Outcome): Promise<string[]>
  /** What a view holds, in a word. */
  kindOf(content: ViewContent): string
}

export async function createOwnViews(world: World, rows: RowSet): Promise<OwnViews> {
  const { api } = await world.helper('registrar'),
    admin = (await world.helper('admin')).api,
    params = { tag: rows.tag }
  const named = (name: string, scope: ViewInput['scope'], content: ViewContent) => ({
    queries: { ...content.queries },
    sorts: [...content.sorts],
    columns: content.columns === null ? null : [...content.columns],
    pageSize: content.pageSize,
    name: `${world.run}${name}`,
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
  const names = { mine: `${world.run}mine`, theirs: `${world.run}theirs` }
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
  world.later('what the list of the registrar opens with', async () => {
    await api.view.open({ params, body: { opens: before.opens } })
    await api.view.keepLayout({
      params,
      body: { columns: before.layout === null ? null : [...before.layout] },
    })
  })
  world.later('views', async () => {
    for (const { id, name, scope } of (await read()).views)
      if (name.startsWith(world.run))
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
      const body = { ...firsts.a, name: `${world.run}taken` }
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

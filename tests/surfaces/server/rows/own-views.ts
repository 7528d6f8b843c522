import {
  blankContent,
  pickViewContent,
  isSameContent,
  opensPlain,
  type SavedViews,
  type ViewContent,
  type ViewInput,
} from '@jiaowu/api/entity/list/view'
import type { ViewSave } from '@jiaowu/machines/views/ports'
import type { RowSet } from './rows.ts'
import type { Api, RunContext } from '../run-context.ts'
import { type Faults, expectSame } from '../checks.ts'

type Alias = 'a' | 'b'

export async function createOwnViews(run: RunContext, rows: RowSet): Promise<OwnViews> {
  const { api } = await run.helper('registrar')
  const { api: admin } = await run.helper('admin')
  const views = new OwnViews({ api, admin }, run.prefix, rows)
  const before = await views.read()
  const params = { tag: rows.tag }
  run.onClose('what the list of the registrar opens with', async () => {
    await api.view.open({ params, body: { opens: before.opens } })
    await api.view.keepLayout({
      params,
      body: { columns: before.layout === null ? null : [...before.layout] },
    })
  })
  run.onClose('views', async () => {
    for (const { id, name, scope } of (await views.read()).views)
      if (name.startsWith(run.prefix))
        await (scope === 'mine' ? api : admin).view.remove({ params: { ...params, id } })
  })
  return views
}

/**
 * Views of this run for one list: `a` of the user under test, `b` for everyone. The machine knows
 * them by these names, whatever their ids are.
 */
export class OwnViews {
  readonly names: Readonly<Record<'mine' | 'theirs', string>>
  private readonly params: { readonly tag: string }
  private readonly firsts: Readonly<Record<Alias, ReturnType<typeof viewBody>>>
  private readonly ids = new Map<string, string>()
  private readonly aliases = new Map<string, string>()
  /** The id under which a view was last answered. */
  private readonly lastAnswered = new Map<string, string>()

  private readonly users: { readonly api: Api; readonly admin: Api }
  private readonly prefix: string

  constructor(users: { readonly api: Api; readonly admin: Api }, prefix: string, rows: RowSet) {
    this.users = users
    this.prefix = prefix
    this.names = { mine: `${prefix}mine`, theirs: `${prefix}theirs` }
    this.params = { tag: rows.tag }
    this.firsts = {
      a: viewBody(`${prefix}own`, 'mine', {
        queries: { [rows.name]: `${rows.stem}1` },
        sorts: [{ column: rows.name, asc: true }],
        columns: [rows.name],
        pageSize: 20,
      }),
      b: viewBody(`${prefix}everyone`, 'everyone', {
        sorts: [{ column: rows.name, asc: false }],
        pageSize: 10,
      }),
    }
  }

  /** The views as the same user has them in another session. */
  read(): Promise<SavedViews> {
    return this.users.api.view.list({ params: this.params })
  }

  idOf(alias: string): string {
    return this.ids.get(alias) ?? alias
  }

  /** Both views exist, in any state; the list opens with this one. */
  async ensure(opens?: string): Promise<SavedViews> {
    const { views, opens: now } = await this.read()
    for (const alias of ['a', 'b'] as const)
      if (!views.some(({ id }) => id === this.ids.get(alias)))
        await this.create(alias, this.firsts[alias])
    if (opens !== undefined && this.idOf(opens) !== now)
      await this.users.api.view.open({ params: this.params, body: { opens: this.idOf(opens) } })
    return this.read()
  }

  /** Restores both views; the list opens plain with all its columns. */
  async fresh(): Promise<SavedViews> {
    const { view } = this.users.api
    const now = await this.ensure(opensPlain)
    const a = now.views.find(({ id }) => id === this.idOf('a'))
    if (a === undefined) throw new Error('the view that was made is not listed')
    if (a.name !== this.firsts.a.name || !isSameContent(a, this.firsts.a))
      await view.update({
        params: { ...this.params, id: a.id },
        body: { ...this.firsts.a, version: a.version },
      })
    await view.keepLayout({ params: this.params, body: { columns: null } })
    return this.read()
  }

  /** In another session: deletes a view. */
  async remove(alias: string): Promise<void> {
    await this.userOf(alias).view.remove({ params: { ...this.params, id: this.idOf(alias) } })
  }

  /** In another session: renames `a`. */
  async rename(): Promise<SavedViews> {
    const id = this.idOf('a')
    const { version = 0 } = (await this.read()).views.find((view) => view.id === id) ?? {}
    const body = { ...this.firsts.a, name: this.names.theirs, version }
    return this.users.api.view.update({ params: { ...this.params, id }, body })
  }

  /** In another session: creates the view `taken`, whose name is then taken. */
  async take(): Promise<string> {
    const name = `${this.prefix}taken`
    await this.create('taken', { ...this.firsts.a, name })
    return name
  }

  /** Deletes a view created under test, which had this name. */
  async forget(alias: string, id: string): Promise<void> {
    this.keep(alias, id)
    await this.remove(alias)
  }

  /**
   * The view with its id on the server. A view that another session deleted was created anew: its
   * present version is meant.
   */
  asServed({ id, version, ...asked }: ViewSave, { views }: SavedViews): ViewSave {
    if (id === null) return { ...asked, id, version }
    const served = this.idOf(id)
    if (this.lastAnswered.get(id) === served) return { ...asked, id: served, version }
    const present = views.find((view) => view.id === served)
    return { ...asked, id: served, version: present?.version ?? version }
  }

  /** The views with the machine's names; only those of this run. */
  asKnown(answer: unknown): unknown {
    const data = answer as SavedViews & { readonly id?: string }
    const aliasOf = (id: string) => this.aliases.get(id) ?? id
    const views = data.views
      .filter(({ id }) => this.aliases.has(id))
      .map((view) => ({ ...view, id: aliasOf(view.id) }))
    for (const { id } of views) this.lastAnswered.set(id, this.idOf(id))
    return {
      ...data,
      views,
      opens: aliasOf(data.opens),
      opening: data.opening === null ? null : aliasOf(data.opening),
      ...(data.id === undefined ? {} : { id: aliasOf(data.id) }),
    }
  }

  /** Whether the same user reads the answered views in another session. */
  async agree(answered: SavedViews): Promise<Faults> {
    const [here, there] = [commonPart(answered), commonPart(await this.read())]
    return expectSame('the views as they are read elsewhere', there, here)
  }

  /** A one-word summary of a view's content. */
  kindOf(content: ViewContent): string {
    const known = Object.entries(this.firsts).find(([, first]) =>
      isSameContent({ ...content, columns: first.columns }, first),
    )
    return known?.[0] ?? (Object.keys(content.queries).length === 0 ? 'everything' : 'other')
  }

  private userOf(alias: string): Api {
    return alias === 'b' ? this.users.admin : this.users.api
  }

  private async create(alias: string, body: ReturnType<typeof viewBody>): Promise<void> {
    const { id } = await this.userOf(alias).view.create({ params: this.params, body })
    this.keep(alias, id)
  }

  private keep(alias: string, id: string): void {
    this.ids.set(alias, id)
    this.aliases.set(id, alias)
  }
}

/** The part of the views that is the same for every reader. */
export function commonPart(data: SavedViews | null): unknown {
  if (data === null) return null
  const { opens, opening, layout, widths } = data
  const views = data.views.map((view) => {
    const { id, name, scope, isDefault, version } = view
    return { id, name, scope, isDefault, version, ...pickViewContent(view) }
  })
  return { views, opens, opening, layout, widths }
}

function viewBody(name: string, scope: ViewInput['scope'], change: Partial<ViewContent>) {
  const { queries, sorts, columns, footer, ...content } = pickViewContent({
    ...blankContent,
    ...change,
  })
  return {
    ...content,
    queries: { ...queries },
    sorts: [...sorts],
    columns: columns === null ? null : [...columns],
    footer: [...footer],
    name,
    scope,
    roleId: null,
    isDefault: false,
  }
}

// Saved views of lists, which `entity list` and `entity export` take with `--view`.
import { blankContent, type SavedView } from '@jiaowu/api/entity/list/view'
import { limits } from '@jiaowu/api/limits'
import { t } from '@jiaowu/api/texts/index'
import type { CommandLine } from '../command-line.ts'
import { buildTypedQuery, listColumns, parseFigures } from '../entities/entity-query.ts'
import { viewNamed } from '../entities/entity-view.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { connect } from '../session/connect.ts'
import { confirmAct } from '../terminal/confirm.ts'
import { readPageNumber } from '../terminal/numbers.ts'
import type { QueryFlags } from './entity/read.ts'

interface SaveFlags extends QueryFlags {
  readonly size?: string
  readonly group?: string
  readonly having?: readonly string[]
  readonly orderGroups?: string
  readonly cross?: string
  readonly footer: readonly string[]
  readonly role?: string
  readonly everyone?: boolean
  readonly default?: boolean
}

/** `view save TAG NAME`: what the options say becomes a view; one of that name that the user may change is replaced. */
export async function saveView(
  line: CommandLine,
  tag: string,
  name: string,
  flags: SaveFlags,
): Promise<void> {
  const { locale, output, signal } = line
  if (flags.since !== undefined || flags.changedAfter !== undefined)
    throw new CommandError(exitCodes.usage, t(locale, 'cli.view.noMoment'))
  const { api } = connect(line)
  const config = await api.entityData.config({ params: { tag }, signal })
  const known = await api.view.list({ params: { tag }, signal })
  const based = await viewNamed(line, api, tag, flags.view)
  const query = await buildTypedQuery(api, config, flags, based, locale)
  const figures = parseFigures(config, flags, based, locale)
  const body = {
    name,
    ...toAudience(line, known.roles, flags),
    isDefault: flags.default === true,
    queries: { ...query.queries },
    sorts: [...query.sorts],
    where: query.where ?? null,
    columns:
      flags.columns === undefined
        ? (based?.columns?.slice() ?? null)
        : listColumns(config, flags.columns, locale).map(({ attrName }) => attrName),
    group: figures.group ?? based?.group ?? null,
    footer: figures.footer ?? [],
    frozen: based?.frozen ?? blankContent.frozen,
    pageSize:
      flags.size === undefined
        ? (based?.pageSize ?? limits.pageSize)
        : readPageNumber(flags.size, locale, limits.maxPageSize),
  }
  const old = known.views.find((view) => isReplaced(view, body))
  const { id } =
    old === undefined
      ? await api.view.create({ params: { tag }, body, signal })
      : await api.view.update({
          params: { tag, id: old.id },
          body: { ...body, version: old.version },
          signal,
        })
  output.done({ id, name }, t(locale, 'cli.view.saved', { name }), id)
}

function isReplaced(
  view: SavedView,
  { name, scope, roleId }: Pick<SavedView, 'name' | 'scope' | 'roleId'>,
): boolean {
  return view.editable && view.name === name && view.scope === scope && view.roleId === roleId
}

/** @throws CommandError (usage) for a role for which the user makes no views */
function toAudience(
  { locale }: CommandLine,
  roles: readonly { readonly id: string; readonly name: string }[],
  { role, everyone }: SaveFlags,
) {
  if (role === undefined)
    return { scope: everyone === true ? ('everyone' as const) : ('mine' as const), roleId: null }
  const found = roles.find((each) => each.id === role || each.name === role)
  if (found === undefined)
    throw new CommandError(
      exitCodes.usage,
      t(locale, 'cli.view.noRole', {
        role,
        known: roles.map((each) => each.name).join(' ') || '-',
      }),
    )
  return { scope: 'role' as const, roleId: found.id }
}

/** `view rm TAG NAME`. */
export async function removeView(
  line: CommandLine,
  tag: string,
  name: string,
  { yes }: { readonly yes?: boolean },
): Promise<void> {
  const { locale, output, signal } = line
  const { api } = connect(line)
  const view = await viewNamed(line, api, tag, name)
  if (view === null) return
  await confirmAct(line, t(locale, 'cli.view.ask', { name: view.name }), yes)
  await api.view.remove({ params: { tag, id: view.id }, signal })
  output.done({ id: view.id, removed: true }, t(locale, 'cli.view.removed', { name: view.name }))
}

import { lacksAny, type SavedView } from '@jiaowu/api/entity/list/view'
import { t } from '@jiaowu/api/texts/index'
import type { CommandLine } from '../command-line.ts'
import type { Api } from '../session/api.ts'
import { CommandError, exitCodes } from '../exit.ts'

/**
 * The saved view of `--view`, by id or name; null without the option. Warns about parts of it that
 * no longer exist.
 * @throws CommandError when there is none of that name (refused), or several (usage)
 */
export async function viewNamed(
  { locale, output, signal }: CommandLine,
  api: Api,
  tag: string,
  wanted: string | undefined,
): Promise<SavedView | null> {
  if (wanted === undefined) return null
  const { views } = await api.view.list({ params: { tag }, signal })
  const byId = views.find(({ id }) => id === wanted)
  const named = byId === undefined ? views.filter(({ name }) => name === wanted) : [byId]
  const [view] = named
  if (view === undefined) throw new CommandError(exitCodes.refused, t(locale, 'view.unknown'))
  if (named.length > 1)
    throw new CommandError(
      exitCodes.usage,
      t(locale, 'cli.view.ambiguous', { name: wanted, ids: named.map(({ id }) => id).join(' ') }),
    )
  if (lacksAny(view.lacks))
    output.talk(
      t(locale, 'view.lacks', {
        name: view.name,
        n: view.lacks.queries + view.lacks.sorts + view.lacks.columns,
      }),
    )
  return view
}

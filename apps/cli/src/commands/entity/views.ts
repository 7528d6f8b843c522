import type { SavedView } from '@jiaowu/api/entity/list/view'
import { t } from '@jiaowu/api/texts/index'
import type { CommandLine } from '../../command-line.ts'
import { connect } from '../../session/connect.ts'

/** `entity views TAG`: the saved views that the user may use, and the one that lists open with. */
export async function listViews(line: CommandLine, tag: string): Promise<void> {
  const { locale, output, signal } = line
  const { views, opening } = await connect(line).api.view.list({ params: { tag }, signal })
  const audienceOf = ({ scope, roleName }: SavedView): string =>
    scope === 'role'
      ? (roleName ?? t(locale, 'view.role'))
      : t(locale, scope === 'mine' ? 'view.mine' : 'view.everyone')
  output.rows(views, () => ({
    heads: [
      t(locale, 'cli.view.id'),
      t(locale, 'cli.col.name'),
      t(locale, 'view.scope'),
      t(locale, 'cli.view.opening'),
    ],
    cells: views.map((view) => [
      view.id,
      view.name,
      audienceOf(view),
      view.id === opening ? '*' : '',
    ]),
  }))
}

import { type SavedView, t } from '@jiaowu/api'
import type { CommandLine } from '../command-line.ts'
import { connect } from '../session/connect.ts'

/** `entity views TAG`: the saved views within the person's reach, and which of them lists open with. */
export async function listViews(line: CommandLine, tag: string): Promise<void> {
  const { locale, output, signal } = line
  const { views, opening } = await connect(line).api.view.list({ params: { tag }, signal })
  const forWhom = ({ scope, roleName }: SavedView): string =>
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
    cells: views.map((view) => [view.id, view.name, forWhom(view), view.id === opening ? '*' : '']),
  }))
}

import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useApi } from '../../app/api-context.ts'
import { useText } from '../../app/text-context.ts'
import { paths } from '../../paths.ts'
import { useTodoCount } from '../../shell/use-todo-count.ts'
import { useResource } from '../../ui/resource/use-resource.ts'

/** Work that waits for the user, each with its number and the way to it. */
export function HomeTodos() {
  const { t } = useText()
  const { can } = useApi()
  return (
    <section className="jw-card">
      <h3>{t('home.todo')}</h3>
      <ul className="jw-todos">
        <TodoLine to={paths.todo} count={useTodoCount()}>
          {t('todo.mine.open')}
        </TodoLine>
        {can('pay:refund') ? <MoneyLines /> : null}
      </ul>
    </section>
  )
}

/** Refunds that wait for a second person, and differences from the provider's bill. */
function MoneyLines() {
  const { api } = useApi()
  const { t } = useText()
  const refunds = useResource({
    query: 'REQUESTED' as const,
    load: (state, signal) => api.print.refunds({ query: { state }, signal }),
  }).data
  const differences = useResource({
    query: '1' as const,
    load: (open, signal) => api.print.discrepancies({ query: { open }, signal }),
  }).data
  return (
    <>
      <TodoLine to="/print/refunds" count={refunds?.total ?? null}>
        {t('home.refunds')}
      </TodoLine>
      <TodoLine to="/print/reconciliation" count={differences?.length ?? null}>
        {t('home.differences')}
      </TodoLine>
    </>
  )
}

function TodoLine({
  to,
  count,
  children,
}: {
  readonly to: string
  readonly count: number | null
  readonly children: ReactNode
}) {
  const { locale } = useText()
  return (
    <li>
      <Link to={to} className={count === null || count === 0 ? 'is-done' : ''}>
        <span>{children}</span>
        <b>{count === null ? '—' : count.toLocaleString(locale)}</b>
      </Link>
    </li>
  )
}

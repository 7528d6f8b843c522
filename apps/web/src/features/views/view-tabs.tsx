import { Button } from '@blueprintjs/core'
import type { ViewsEvent } from '@jiaowu/machines/views/context'
import type { ViewsView } from '@jiaowu/machines/views/view'
import { useText } from '../../app/text-context.ts'

/** Views beside each other; further ones are in the list of views. */
const tabsShown = 5

interface Props {
  readonly views: ViewsView
  readonly canAsk: boolean
  readonly send: (event: ViewsEvent) => void
}

/** The first saved views as tabs, after the list without one. Nothing where there are none. */
export function ViewTabs({ views, canAsk, send }: Props) {
  const { t } = useText()
  const all = views.groups.flatMap(({ views: of }) => of)
  if (all.length === 0) return null
  const open = views.current
  const first = all.slice(0, tabsShown)
  // The open view is always among the tabs.
  const shown =
    open === null || first.some(({ id }) => id === open.id)
      ? first
      : [...first.slice(0, tabsShown - 1), open]
  return (
    <div className="jw-view-tabs" role="group" aria-label={t('view.tabs')}>
      {[{ id: null, name: t('view.plain') }, ...shown].map(({ id, name }) => {
        const isOpen = (open?.id ?? null) === id
        return (
          <Button
            key={id ?? ''}
            variant="minimal"
            className={isOpen ? 'is-open' : ''}
            aria-pressed={isOpen}
            disabled={!views.can.open || !canAsk}
            text={name}
            onClick={() => send({ type: 'view.open', id })}
          />
        )
      })}
    </div>
  )
}

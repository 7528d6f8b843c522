import { Button } from '@blueprintjs/core'
import {
  Bookmark,
  CaretDown,
  Edit,
  FloppyDisk,
  Plus,
  Star,
  StarEmpty,
  Tick,
  Trash,
  Undo,
} from '@blueprintjs/icons'
import { lacksAny, opensPlain, type SavedView, type ViewScope } from '@jiaowu/api/entity/list/view'
import type { ViewsEvent } from '@jiaowu/machines/views/context'
import type { ViewsView } from '@jiaowu/machines/views/view'
import { useState } from 'react'
import { useText } from '../../app/text-context.ts'
import { Popover } from '../../ui/overlays/popover.tsx'

type Send = (event: ViewsEvent) => void
interface PanelProps {
  readonly views: ViewsView
  /** The list can load another query now. */
  readonly canAsk: boolean
  readonly send: Send
}
interface RowProps extends PanelProps {
  readonly id: string | null
  readonly name: string
  readonly view: SavedView | null
}

const headings = {
  mine: 'view.mine',
  role: 'view.role',
  everyone: 'view.everyone',
} as const satisfies Record<ViewScope, string>

/** The saved views, and the actions on the list as it is shown. */
export function ViewsPanel({ views, canAsk, send }: PanelProps) {
  const { t } = useText()
  const { can, changed } = views
  if (views.step === 'unavailable')
    return (
      <div className="jw-views" role="alert">
        <p>{t('view.unavailable')}</p>
        <Button
          size="small"
          text={t('common.retry')}
          onClick={() => send({ type: 'views.retry' })}
        />
      </div>
    )
  return (
    <div className="jw-views">
      <ul>
        <ViewRow
          id={null}
          name={t('view.plain')}
          view={null}
          views={views}
          canAsk={canAsk}
          send={send}
        />
      </ul>
      {views.groups.map(({ scope, views: of }) => (
        <section key={scope} aria-label={t(headings[scope])}>
          <h4>{t(headings[scope])}</h4>
          <ul>
            {of.map((view) => (
              <ViewRow
                key={view.id}
                id={view.id}
                name={view.name}
                view={view}
                views={views}
                canAsk={canAsk}
                send={send}
              />
            ))}
          </ul>
        </section>
      ))}
      {views.groups.length === 0 && views.step !== 'loading' ? (
        <p className="jw-muted">{t('view.none')}</p>
      ) : null}
      <footer>
        {changed && views.current?.editable === true ? (
          <Button
            size="small"
            intent="primary"
            icon={<FloppyDisk size={14} />}
            text={t('view.save')}
            disabled={!can.save}
            loading={views.step === 'saving' && views.draft === null}
            onClick={() => send({ type: 'view.save' })}
          />
        ) : null}
        <Button
          size="small"
          icon={<Plus size={14} />}
          text={t('view.saveAs')}
          disabled={!can.saveAs}
          onClick={() => send({ type: 'view.edit', id: null })}
        />
        {changed ? (
          <Button
            size="small"
            variant="minimal"
            icon={<Undo size={14} />}
            text={t('view.revert')}
            disabled={!can.revert || !canAsk}
            onClick={() => send({ type: 'view.revert' })}
          />
        ) : null}
      </footer>
    </div>
  )
}

/** The name opens the view; the star makes it the view that the list opens with. */
function ViewRow({ id, name, view, views, canAsk, send }: RowProps) {
  const { t } = useText()
  const isOpen = (views.current?.id ?? null) === id
  const isStarred = views.opens === (id ?? opensPlain)
  const opens = views.opening === id
  return (
    <li className={`jw-saved${isOpen ? ' is-open' : ''}`}>
      <button
        type="button"
        className="jw-saved__name"
        aria-current={isOpen}
        disabled={!views.can.open || !canAsk}
        onClick={() => send({ type: 'view.open', id })}
      >
        <span className="jw-saved__tick" aria-hidden>
          {isOpen ? <Tick size={14} /> : null}
        </span>
        <span className="jw-saved__text">{name}</span>
        {view?.roleName === null || view === null ? null : (
          <small className="jw-muted">{view.roleName}</small>
        )}
        {view !== null && lacksAny(view.lacks) ? (
          <small
            className="jw-saved__lacks"
            aria-label={t('view.lacks', {
              name,
              n: view.lacks.queries + view.lacks.sorts + view.lacks.columns,
            })}
          >
            !
          </small>
        ) : null}
      </button>
      {view?.editable === true ? (
        <span className="jw-saved__edit">
          <Button
            variant="minimal"
            size="small"
            icon={<Edit size={14} />}
            aria-label={t('view.editNamed', { name })}
            title={t('view.edit')}
            disabled={!views.can.saveAs}
            onClick={() => send({ type: 'view.edit', id })}
          />
          <Button
            variant="minimal"
            size="small"
            icon={<Trash size={14} />}
            aria-label={t('view.deleteNamed', { name })}
            title={t('common.delete')}
            disabled={!views.can.saveAs}
            onClick={() => send({ type: 'view.delete', id: view.id })}
          />
        </span>
      ) : null}
      <Button
        variant="minimal"
        size="small"
        className={`jw-saved__star${isStarred ? ' is-on' : opens ? ' is-given' : ''}`}
        icon={isStarred || opens ? <Star size={14} /> : <StarEmpty size={14} />}
        aria-pressed={isStarred}
        aria-label={t(isStarred ? 'view.unstar' : 'view.star', { name })}
        title={t(isStarred ? 'view.unstar' : 'view.star', { name })}
        disabled={!views.can.star}
        onClick={() => send({ type: 'view.star', id })}
      />
    </li>
  )
}

/** Shows the open view, marks unsaved changes to it, and opens the list of views. */
export function ViewsButton({ views, canAsk, send }: PanelProps) {
  const { t } = useText()
  const [isOpen, setIsOpen] = useState(false)
  const name = views.current?.name ?? t('view.plain')
  // Opening a view or a dialog closes the list; the star keeps it open.
  const act: Send = (event) => {
    if (event.type !== 'view.star' && event.type !== 'views.retry') setIsOpen(false)
    send(event)
  }
  return (
    <Popover
      isOpen={isOpen}
      onInteraction={setIsOpen}
      content={<ViewsPanel views={views} canAsk={canAsk} send={act} />}
    >
      <Button
        variant="minimal"
        className={`jw-views-button${views.changed ? ' is-changed' : ''}`}
        icon={<Bookmark />}
        endIcon={<CaretDown />}
        loading={views.step === 'loading'}
        aria-label={`${t('view.switch', { name })}${views.changed ? ` (${t('view.changed')})` : ''}`}
        aria-expanded={isOpen}
        text={
          <>
            <span className="jw-views-button__name">{name}</span>
            {views.changed ? (
              <span className="jw-views-button__mark" title={t('view.changed')} />
            ) : null}
          </>
        }
      />
    </Popover>
  )
}

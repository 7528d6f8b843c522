import { Button, Tag } from '@blueprintjs/core'
import { Notifications } from '@blueprintjs/icons'
import { type PersonalMessage, relativeTime, schoolTime } from '@jiaowu/api'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { useApp } from './context/app-context.tsx'
import { onSavedElsewhere } from '../features/entity-list/saved-signal.ts'
import { Popover } from '../ui/popover.tsx'

const quiet = 30_000

/** The bell of the top bar: what was written to the person (SYS_MESSAGE). */
export function Inbox() {
  const { t } = useApp()
  const { unread, records, ask, read } = useMessages()
  const label = unread === 0 ? t('inbox.title') : t('inbox.unread', { n: unread })
  return (
    <Popover
      onOpening={() => {
        void ask()
      }}
      content={
        <section className="jw-inbox" aria-label={t('inbox.title')}>
          <div className="jw-inbox__head">
            <h4>{t('inbox.title')}</h4>
            <Button
              variant="minimal"
              size="small"
              disabled={unread === 0}
              text={t('inbox.readAll')}
              onClick={() => read('all')}
            />
          </div>
          {records.length === 0 ? (
            <p className="jw-inbox__none">{t('inbox.none')}</p>
          ) : (
            <ul>
              {records.map((message) => (
                <li key={message.id}>
                  <Item message={message} onRead={() => read(message.id)} />
                </li>
              ))}
            </ul>
          )}
        </section>
      }
    >
      <Button
        variant="minimal"
        className="jw-bell"
        icon={<Notifications />}
        aria-label={label}
        title={label}
      >
        {unread === 0 ? null : (
          <span className="jw-bell__count" aria-hidden>
            {unread > 99 ? '99+' : unread}
          </span>
        )}
      </Button>
    </Popover>
  )
}

/**
 * One's own messages, asked for again as the person goes about: a clock that asks would keep a session alive that nobody uses.
 * Nobody is told when they cannot be had: the next step may have them.
 */
function useMessages() {
  const { api } = useApp()
  const { pathname } = useLocation()
  const askedAt = useRef(Number.NEGATIVE_INFINITY)
  const [found, setFound] = useState<{
    readonly unread: number
    readonly records: readonly PersonalMessage[]
  }>({ unread: 0, records: [] })
  const ask = useCallback(() => {
    askedAt.current = Date.now()
    return api.messages.mine({}).then(setFound, () => {})
  }, [api])
  useEffect(() => {
    if (Date.now() - askedAt.current > quiet) void ask()
  }, [ask, pathname])
  useEffect(
    () =>
      onSavedElsewhere((tag) => {
        if (tag === 'SYS_MESSAGE') void ask()
      }),
    [ask],
  )
  const read = (id: string) => {
    void api.messages.read({ params: { id } }).then(
      () => ask(),
      () => {},
    )
  }
  return { ...found, ask, read }
}

function Item({
  message,
  onRead,
}: {
  readonly message: PersonalMessage
  readonly onRead: () => void
}) {
  const { t, locale } = useApp()
  const [open, setOpen] = useState(false)
  const isNew = message.readAt === null
  return (
    <button
      type="button"
      className={`jw-inbox__item${isNew ? ' is-new' : ''}`}
      aria-expanded={open}
      onClick={() => {
        setOpen(!open)
        if (isNew) onRead()
      }}
    >
      <strong>
        {message.title}
        {isNew ? (
          <Tag minimal intent="primary">
            {t('inbox.new')}
          </Tag>
        ) : null}
      </strong>
      <small>
        {message.sender ?? t('inbox.system')} ·{' '}
        <time dateTime={message.createTime} title={schoolTime(message.createTime)}>
          {relativeTime(locale, Date.parse(message.createTime), Date.now())}
        </time>
      </small>
      {open ? <p>{message.content}</p> : null}
    </button>
  )
}

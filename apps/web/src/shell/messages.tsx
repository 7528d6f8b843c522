import { Button, Tag } from '@blueprintjs/core'
import { Notifications } from '@blueprintjs/icons'
import type { PersonalMessage } from '@jiaowu/api/contract/message'
import { relativeTime, schoolTime } from '@jiaowu/api/formats'
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { useApi } from '../app/api-context.ts'
import { useText } from '../app/text-context.ts'
import { onSavedElsewhere } from '../app/saved-signal.ts'
import { useResource } from '../ui/resource/use-resource.ts'
import { useTimeOfMount } from '../app/use-time-of-mount.ts'

/** Milliseconds between two reads on the way through the pages. */
const minInterval = 30_000

/** The record that a notice tells of. */
type NoticeRow = NonNullable<PersonalMessage['row']>
interface InboxLink {
  readonly to: string
  readonly text: string
}

type Messages = ReturnType<typeof useMessages>

/** The button of the messages, with the number of unread ones. */
export function Bell({
  unread,
  ...props
}: Pick<Messages, 'unread'> & Pick<ComponentProps<typeof Button>, 'onClick'>) {
  const { t } = useText()
  const label = unread === 0 ? t('inbox.title') : t('inbox.unread', { n: unread })
  return (
    <Button
      {...props}
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
  )
}

/** The messages, newest first. */
export function MessageList({
  messages: { unread, records, read },
  isTitled = true,
  findLinks,
  children,
}: {
  readonly messages: Messages
  /** A dialog has the title itself. */
  readonly isTitled?: boolean
  /** Pages that go on from a notice. */
  readonly findLinks: (row: NoticeRow) => readonly InboxLink[]
  /** Below the messages. */
  readonly children?: ReactNode
}) {
  const { t } = useText()
  return (
    <section className="jw-inbox" aria-label={t('inbox.title')}>
      <div className="jw-inbox__head">
        {isTitled ? <h4>{t('inbox.title')}</h4> : null}
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
              <Item message={message} findLinks={findLinks} onRead={() => read(message.id)} />
            </li>
          ))}
        </ul>
      )}
      {children}
    </section>
  )
}

/**
 * The user's messages. They are read again when the user goes to another page, not by a timer,
 * which would keep an unused session alive. Failures stay silent: the next page tries again.
 */
export function useMessages() {
  const { api } = useApi()
  const { pathname } = useLocation()
  const readAt = useRef(Number.NEGATIVE_INFINITY)
  const { data, reload, start } = useResource({
    query: 'mine',
    load: (_query, signal) => {
      readAt.current = Date.now()
      return api.messages.mine({ signal })
    },
    actions: { read: (id: string) => api.messages.read({ params: { id } }) },
  })
  useEffect(() => {
    if (Date.now() - readAt.current > minInterval) reload()
  }, [reload, pathname])
  useEffect(
    () =>
      onSavedElsewhere((tag) => {
        if (tag === 'SYS_MESSAGE') reload()
      }),
    [reload],
  )
  return {
    unread: data?.unread ?? 0,
    records: data?.records ?? [],
    reload,
    read: (id: string) => start('read', id),
  }
}

function Item({
  message,
  findLinks,
  onRead,
}: {
  readonly message: PersonalMessage
  readonly findLinks: (row: NoticeRow) => readonly InboxLink[]
  readonly onRead: () => void
}) {
  const { t, locale } = useText()
  const now = useTimeOfMount()
  const [open, setOpen] = useState(false)
  const isNew = message.readAt === null
  const { row } = message
  return (
    <>
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
            {relativeTime(locale, Date.parse(message.createTime), now)}
          </time>
        </small>
        {open ? <p>{message.content}</p> : null}
      </button>
      {open && row !== null ? (
        <p className="jw-inbox__links">
          {findLinks(row).map(({ to, text }) => (
            <Link key={to} to={to}>
              {text}
            </Link>
          ))}
        </p>
      ) : null}
    </>
  )
}

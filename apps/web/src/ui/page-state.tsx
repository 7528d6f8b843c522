import { Button, NonIdealState, Spinner } from '@blueprintjs/core'
import { Error as ErrorIcon, Inbox } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import { useApp } from '../shell/context/app-context.tsx'

/** While something is on its way. */
export function Loading({ label }: { readonly label?: string }) {
  const { t } = useApp()
  return (
    <div className="jw-state" role="status" aria-live="polite">
      <Spinner size={28} />
      <span className="jw-state__label">{label ?? t('common.loading')}</span>
    </div>
  )
}
/** Nothing to show, and what to do about it. */
export function Empty({ title, action }: { readonly title?: string; readonly action?: ReactNode }) {
  const { t } = useApp()
  return (
    <NonIdealState
      className="jw-state"
      iconMuted
      icon={<Inbox size={36} />}
      title={<span className="jw-state__title">{title ?? t('common.empty')}</span>}
      {...(action === undefined ? {} : { action: <>{action}</> })}
    />
  )
}
/** It did not work, and how to try again; `more` is what else can be done. */
export function Failed({
  text,
  onRetry,
  more,
}: {
  readonly text: string
  readonly onRetry?: () => void
  readonly more?: ReactNode
}) {
  const { t } = useApp()
  return (
    <NonIdealState
      className="jw-state"
      icon={<ErrorIcon size={36} />}
      title={<span className="jw-state__title">{text}</span>}
      {...(onRetry === undefined
        ? {}
        : {
            action: (
              <>
                <Button onClick={onRetry} text={t('common.retry')} />
                {more}
              </>
            ),
          })}
    />
  )
}

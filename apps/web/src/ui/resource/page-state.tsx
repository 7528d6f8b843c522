import { Button, NonIdealState, Spinner } from '@blueprintjs/core'
import { Error as ErrorIcon, Inbox } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import { useText } from '../../app/text-context.ts'

/** Spinner with a label. */
export function Loading({ label }: { readonly label?: string }) {
  const { t } = useText()
  return (
    <div className="jw-state" role="status" aria-live="polite">
      <Spinner size={28} />
      <span className="jw-state__label">{label ?? t('common.loading')}</span>
    </div>
  )
}

/** Empty state, optionally with an action. */
export function Empty({ title, action }: { readonly title?: string; readonly action?: ReactNode }) {
  const { t } = useText()
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

/**
 * Error state with a retry button; `more` is shown beside that button. `lead` says what failed: to get
 * data, unless another text or nothing is said.
 */
export function Failed({
  text,
  lead,
  onRetry,
  more,
}: {
  readonly text: string
  readonly lead?: string | null
  readonly onRetry?: () => void
  readonly more?: ReactNode
}) {
  const { t } = useText()
  return (
    <NonIdealState
      className="jw-state"
      icon={<ErrorIcon size={36} />}
      title={
        <span
          className="jw-state__title"
          role="alert"
          data-lead={lead === null ? undefined : (lead ?? t('problem.dataFailed'))}
        >
          {text}
        </span>
      }
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

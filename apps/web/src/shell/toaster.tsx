import {
  AnchorButton,
  Button,
  ButtonGroup,
  Classes,
  type Intent,
  Overlay2,
} from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { t } from '@jiaowu/api/texts/index'
import { createRef, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useSettings } from '../app/settings.ts'

interface Toast {
  readonly message: string
  readonly intent: Intent
  /** Milliseconds until it disappears, while neither pointer nor focus is on it. */
  readonly timeout: number
  readonly action?: { readonly text: string; readonly onClick: () => void }
}
interface Shown extends Toast {
  readonly key: string
  readonly ref: RefObject<HTMLDivElement>
}

/**
 * Toasts at the top of the window, the newest first. The close button of Blueprint's own is named
 * in English only.
 */
export function useToaster() {
  const [toasts, setToasts] = useState<readonly Shown[]>([])
  const count = useRef(0)
  const show = useCallback((toast: Toast) => {
    const key = `toast-${count.current++}`
    // Blueprint's type of its refs leaves out that they are empty at first.
    const ref = createRef() as RefObject<HTMLDivElement>
    setToasts((shown) => [{ ...toast, key, ref }, ...shown])
  }, [])
  const dismiss = useCallback(
    (key: string) => setToasts((shown) => shown.filter((toast) => toast.key !== key)),
    [],
  )
  const clear = useCallback(() => setToasts([]), [])
  return { toasts, show, dismiss, clear }
}

export function Toaster({
  toasts,
  dismiss,
  clear,
}: Pick<ReturnType<typeof useToaster>, 'toasts' | 'dismiss' | 'clear'>) {
  const refs = useMemo(() => Object.fromEntries(toasts.map(({ key, ref }) => [key, ref])), [toasts])
  const { TOAST_CONTAINER } = Classes
  return (
    <Overlay2
      autoFocus={false}
      enforceFocus={false}
      canOutsideClickClose={false}
      hasBackdrop={false}
      shouldReturnFocusOnClose={false}
      isOpen={toasts.length > 0}
      onClose={(event) => 'key' in event && clear()}
      className={`${TOAST_CONTAINER} ${TOAST_CONTAINER}-top ${TOAST_CONTAINER}-in-portal`}
      transitionName={Classes.TOAST}
      transitionDuration={350}
      childRefs={refs}
    >
      {toasts.map((toast) => (
        <OneToast key={toast.key} toast={toast} dismiss={dismiss} />
      ))}
    </Overlay2>
  )
}

function OneToast({
  toast: { key, ref, message, intent, timeout, action },
  dismiss,
  className = '',
}: {
  readonly toast: Shown
  readonly dismiss: (key: string) => void
  /** Added by the overlay and its transition. */
  readonly className?: string
}) {
  const { locale } = useSettings()
  const [isHeld, setHeld] = useState(false)
  const close = useCallback(() => dismiss(key), [dismiss, key])
  useEffect(() => {
    if (isHeld) return undefined
    const timer = setTimeout(close, timeout)
    return () => clearTimeout(timer)
  }, [isHeld, timeout, close])
  const hold = () => setHeld(true)
  const release = () => setHeld(false)
  return (
    <div
      ref={ref}
      className={`${Classes.TOAST} ${Classes.intentClass(intent) ?? ''} ${className}`}
      tabIndex={0}
      onFocus={hold}
      onBlur={release}
      onMouseEnter={hold}
      onMouseLeave={release}
    >
      <span className={Classes.TOAST_MESSAGE} role="alert">
        {message}
      </span>
      <ButtonGroup variant="minimal">
        {action === undefined ? null : (
          <AnchorButton
            text={action.text}
            onClick={() => {
              action.onClick()
              close()
            }}
          />
        )}
        <Button aria-label={t(locale, 'common.close')} icon={<Cross />} onClick={close} />
      </ButtonGroup>
    </div>
  )
}

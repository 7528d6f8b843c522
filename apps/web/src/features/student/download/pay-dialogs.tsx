import { Button, DialogBody, DialogFooter, Spinner } from '@blueprintjs/core'
import { Error as ErrorIcon, Share, Time } from '@blueprintjs/icons'
import { lazy, Suspense } from 'react'
import { useText } from '../../../app/text-context.ts'
import { useNarrow } from '../../../app/use-narrow.ts'
import { isWebAddress } from '../web-address.ts'
import { Dialog } from '../../../ui/overlays/dialog.tsx'

const QrCode = lazy(async () => ({ default: (await import('../../../ui/qr-code.tsx')).QrCode }))
const qrSize = 190 // pixels (docs/spec/2-student-service-and-designer.md §9)
const urgentSeconds = 30 // from here on the countdown is highlighted

interface ScanProps {
  readonly isOpen: boolean
  readonly codeUrl: string | null
  readonly price: number
  readonly secondsLeft: number
  /** The server is closing the order; its final state decides the next screen. */
  readonly closing: boolean
  /** Any browser can open the code (sandbox cashier). A WeChat code needs a second device. */
  readonly isBrowserCode: boolean
  /** Why the last query of the order failed; it is repeated every second. */
  readonly fault: string | null
  readonly onClose: () => void
}

/**
 * QR code to pay (docs/spec/2-student-service-and-designer.md §2); a link as well on phones, which
 * cannot scan their own screen.
 */
export function ScanDialog({
  isOpen,
  codeUrl,
  price,
  secondsLeft,
  closing,
  isBrowserCode,
  fault,
  onClose,
}: ScanProps) {
  const { t } = useText()
  const narrow = useNarrow()
  return (
    <Dialog
      isOpen={isOpen}
      title={t('studentPage.scanTitle')}
      canOutsideClickClose={false}
      canEscapeKeyClose={!closing}
      isCloseButtonShown={!closing}
      onClose={onClose}
      className="jw-calm jw-scan"
    >
      <DialogBody>
        <p className="jw-scan__price">{t('studentPage.yuan', { price: price.toFixed(2) })}</p>
        <div className="jw-scan__code">
          {codeUrl === null ? (
            <Spinner size={28} />
          ) : (
            <Suspense fallback={<Spinner size={qrSize} />}>
              <QrCode text={codeUrl} size={qrSize} label={t('studentPage.qrLabel')} />
            </Suspense>
          )}
          {closing ? (
            <div className="jw-scan__veil" role="status">
              <Spinner size={24} />
              <span>{t('studentPage.closing')}</span>
            </div>
          ) : null}
        </div>
        <p className="jw-scan__hint">
          {t(isBrowserCode ? 'studentPage.scanHintAny' : 'studentPage.scanHint')}
        </p>
        <p
          className={`jw-scan__left${secondsLeft <= urgentSeconds ? ' is-short' : ''}`}
          role="timer"
          aria-live="off"
        >
          <Time size={14} />
          {t('studentPage.payWithin', { n: secondsLeft })}
        </p>
        {fault === null ? null : (
          <p className="jw-fault" role="status">
            {fault}
          </p>
        )}
        {narrow && codeUrl !== null ? (
          isBrowserCode && isWebAddress(codeUrl) ? (
            <p className="jw-scan__link">
              <a href={codeUrl} target="_blank" rel="noreferrer">
                <Share size={14} />
                {t('studentPage.openCashier')}
              </a>
            </p>
          ) : (
            <p className="jw-muted">{t('studentPage.secondDevice')}</p>
          )
        ) : null}
      </DialogBody>
    </Dialog>
  )
}

interface FailureProps {
  readonly isOpen: boolean
  readonly title: string
  readonly text: string
  /** Repay, query again or download again; null: the user can only leave. */
  readonly next: { readonly text: string; readonly run: () => void } | null
  readonly onCancel: () => void
  readonly onClose: () => void
}

/**
 * Failure dialog: cancel returns to the list, repay or close tries again
 * (docs/spec/2-student-service-and-designer.md §4).
 */
export function FailureDialog({ isOpen, title, text, next, onCancel, onClose }: FailureProps) {
  const { t } = useText()
  return (
    <Dialog
      isOpen={isOpen}
      title={title}
      canOutsideClickClose={false}
      onClose={onClose}
      className="jw-calm jw-failure"
    >
      <DialogBody>
        <p role="alert" className="jw-failure__text">
          <ErrorIcon size={28} />
          <span>{text}</span>
        </p>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={t('studentPage.cancel')} onClick={onCancel} />
            {next === null ? null : (
              <Button intent="primary" autoFocus text={next.text} onClick={next.run} />
            )}
          </>
        }
      />
    </Dialog>
  )
}

import { Button } from '@blueprintjs/core'
import type { DownloadView } from '@jiaowu/machines/download/view'
import { lazy, Suspense, useEffect, useMemo, useRef } from 'react'
import { useText } from '../../../app/text-context.ts'
import { Failed, Loading } from '../../../ui/resource/page-state.tsx'
import { decodeBase64 } from '../../../ui/pdf/bytes-of.ts'

const PdfView = lazy(async () => ({
  default: (await import('../../../ui/pdf/pdf-view.tsx')).PdfView,
}))

interface Props {
  readonly name: string
  /** Yuan; null while loading. */
  readonly price: number | null
  /** Base64; null while loading. */
  readonly pdf: string | null
  readonly fault: string | null
  readonly can: Pick<DownloadView['can'], 'confirm' | 'retryPreview'>
  readonly onConfirm: () => void
  readonly onCancel: () => void
  readonly onRetry: () => void
}

/**
 * Step 2: preview of the document with name and price
 * (docs/spec/2-student-service-and-designer.md §2).
 */
export function PreviewScreen({
  name,
  price,
  pdf,
  fault,
  can,
  onConfirm,
  onCancel,
  onRetry,
}: Props) {
  const { t } = useText()
  const heading = useRef<HTMLHeadingElement>(null)
  const data = useMemo(() => (pdf === null ? null : decodeBase64(pdf)), [pdf])
  useEffect(() => {
    heading.current?.focus()
  }, [])
  const waiting = <Loading label={t('studentPage.previewLoading')} />
  return (
    <section className="jw-sheet jw-look" aria-labelledby="look-title">
      <header>
        <h2 id="look-title" ref={heading} tabIndex={-1}>
          {name}
        </h2>
        {price === null ? null : (
          <p className="jw-look__price">
            {t('studentPage.price')}
            <b>
              {price === 0
                ? t('studentPage.free')
                : t('studentPage.yuan', { price: price.toFixed(2) })}
            </b>
          </p>
        )}
      </header>
      {fault !== null && !can.retryPreview ? (
        <p className="jw-fault" role="alert">
          {fault}
        </p>
      ) : null}
      <div className="jw-look__page">
        {fault !== null && can.retryPreview ? (
          <Failed text={fault} onRetry={onRetry} />
        ) : data === null ? (
          waiting
        ) : (
          <Suspense fallback={waiting}>
            <PdfView data={data} name={name} />
          </Suspense>
        )}
      </div>
      <footer>
        <p>{t('studentPage.abnormal')}</p>
        <Button size="large" text={t('studentPage.cancel')} onClick={onCancel} />
        <Button
          size="large"
          intent="primary"
          text={t('studentPage.confirmDownload')}
          disabled={!can.confirm}
          onClick={onConfirm}
        />
      </footer>
    </section>
  )
}

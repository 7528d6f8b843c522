import { Button, Spinner } from '@blueprintjs/core'
import { ChevronLeft, ChevronRight, Download } from '@blueprintjs/icons'
import type { AttachmentInfo } from '@jiaowu/api/contract/attachment'
import { type Problem, toProblem, problemText } from '@jiaowu/api/problem'
import { type KeyboardEvent, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useApi } from '../../../app/api-context.ts'
import { useText } from '../../../app/text-context.ts'
import { Failed, Loading } from '../../../ui/resource/page-state.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'

const PdfView = lazy(async () => ({
  default: (await import('../../../ui/pdf/pdf-view.tsx')).PdfView,
}))

export function isPreviewable({ type }: AttachmentInfo): boolean {
  return type.startsWith('image/') || type === 'application/pdf'
}

interface Props {
  readonly files: readonly AttachmentInfo[]
  readonly shown: AttachmentInfo
  readonly onShow: (file: AttachmentInfo | null) => void
  readonly onDownload: (file: AttachmentInfo) => void
}

/** Shows the images and PDFs of a record, one at a time. */
export function AttachmentPreview({ files, shown, onShow, onDownload }: Props) {
  const { t } = useText()
  const body = useRef<HTMLDivElement>(null)
  // The pressed button may be disabled now and has lost the focus: keep it for the arrow keys.
  useEffect(() => body.current?.focus(), [shown.id])
  const at = files.findIndex(({ id }) => id === shown.id)
  const step = (by: number) => {
    const next = files[at + by]
    if (next !== undefined) onShow(next)
  }
  const isPdf = shown.type === 'application/pdf'
  const onKey = (event: KeyboardEvent) => {
    if (isPdf || event.ctrlKey || event.metaKey) return
    if (event.key === 'ArrowRight') step(1)
    if (event.key === 'ArrowLeft') step(-1)
  }
  return (
    <Dialog isOpen onClose={() => onShow(null)} title={shown.name} className="jw-viewer">
      <div className="jw-viewer__body" ref={body} tabIndex={-1} onKeyDown={onKey}>
        <Shown key={shown.id} file={shown} />
      </div>
      <div className="jw-viewer__foot">
        {files.length > 1 ? (
          <>
            <Button
              icon={<ChevronLeft />}
              aria-label={t('attachment.previous')}
              disabled={at <= 0}
              onClick={() => step(-1)}
            />
            <span className="jw-muted">
              {at + 1} / {files.length}
            </span>
            <Button
              icon={<ChevronRight />}
              aria-label={t('attachment.next')}
              disabled={at >= files.length - 1}
              onClick={() => step(1)}
            />
          </>
        ) : null}
        <span className="jw-toolbar__gap" />
        <Button icon={<Download />} text={t('common.download')} onClick={() => onDownload(shown)} />
      </div>
    </Dialog>
  )
}

/** One file; remounted for each, so that the bytes of another are never shown. */
function Shown({ file }: { readonly file: AttachmentInfo }) {
  const { locale } = useText()
  const { bytes, problem, retry } = useBytes(file)
  if (problem !== null) return <Failed text={problemText(locale, problem)} onRetry={retry} />
  return file.type === 'application/pdf' ? (
    <Suspense fallback={<Loading />}>
      <PdfView data={bytes} name={file.name} />
    </Suspense>
  ) : (
    <Picture bytes={bytes} file={file} />
  )
}

/** The bytes of a file. */
function useBytes(file: AttachmentInfo) {
  const { api } = useApi()
  const [bytes, setBytes] = useState<Uint8Array<ArrayBuffer> | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    const stop = new AbortController()
    setProblem(null)
    const read = async () => {
      const { stream } = await api.attachment.download({
        query: { ids: file.id },
        signal: stop.signal,
      })
      return new Uint8Array(await new Response(stream).arrayBuffer())
    }
    read().then(setBytes, (error: unknown) => {
      if (!stop.signal.aborted) setProblem(toProblem(error))
    })
    return () => stop.abort()
  }, [api, file.id, tries])
  return { bytes, problem, retry: () => setTries((n) => n + 1) }
}

function Picture({
  bytes,
  file,
}: {
  readonly bytes: Uint8Array<ArrayBuffer> | null
  readonly file: AttachmentInfo
}) {
  const [src, setSrc] = useState<string | null>(null)
  useEffect(() => {
    if (bytes === null) {
      setSrc(null)
      return undefined
    }
    const url = URL.createObjectURL(new Blob([bytes], { type: file.type }))
    setSrc(url)
    return () => URL.revokeObjectURL(url)
  }, [bytes, file.type])
  return (
    <div className="jw-viewer__picture">
      {src === null ? <Spinner size={28} /> : <img src={src} alt={file.name} />}
    </div>
  )
}

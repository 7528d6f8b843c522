import { Button, Spinner } from '@blueprintjs/core'
import { ChevronLeft, ChevronRight, Minus, Plus, ZoomToFit } from '@blueprintjs/icons'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useText } from '../../app/text-context.ts'
import { openPdf, type PdfFault, type PdfFile, type PdfPage } from './pdf-file.ts'
import { Failed, Loading } from '../resource/page-state.tsx'

export { openPdf }

interface Props {
  /** Bytes of the file; null while it loads. */
  readonly data: Uint8Array | null
  /** Name of the document for screen readers. */
  readonly name: string
  /** Content at the end of the bar, such as a download button. */
  readonly children?: ReactNode
}

const zooms = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4] as const
const margin = 32 // pixels beside a page that fits the width

/**
 * PDF viewer, one page at a time. Arrow keys and Page Up / Down turn pages, + and - zoom, 0 fits
 * the width.
 */
export function PdfView({ data, name, children }: Props) {
  const { t } = useText()
  const { file, fault } = useDocument(data)
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const [isBroken, setBroken] = useState(false)
  const [onFault] = useState(() => () => setBroken(true))
  const pages = file?.pages ?? 0
  const paging = usePaging(pages, box)
  const { page, setPage, zoom, setZoom, setShown } = paging
  useEffect(() => {
    setPage(1)
    setZoom(null)
    setBroken(false)
  }, [data, setPage, setZoom])
  const failed = isBroken ? 'broken' : fault
  return (
    <section className="jw-pdf" aria-label={name} onKeyDown={createKeyHandler(paging)}>
      <div className="jw-pdf__bar">
        {file === null || failed !== null ? null : (
          <>
            <PageBar pages={pages} page={page} onPage={paging.go} />
            <span className="jw-pdf__gap" />
            <ZoomBar paging={paging} />
          </>
        )}
        {children}
      </div>
      <div className="jw-pdf__box" ref={box} tabIndex={0}>
        {failed !== null ? (
          <Failed lead={null} text={t(failed === 'password' ? 'pdf.password' : 'pdf.broken')} />
        ) : file === null ? (
          <Loading label={t('pdf.loading')} />
        ) : (
          <PageCanvas
            file={file}
            number={page}
            zoom={zoom}
            width={width}
            label={t('pdf.pageLabel', { name, page, pages })}
            onFault={onFault}
            onScale={setShown}
          />
        )}
      </div>
    </section>
  )
}

type Paging = ReturnType<typeof usePaging>

/** Current page and zoom. A zoom of null fits the width; `shown` is the scale that results. */
function usePaging(pages: number, box: RefObject<HTMLElement | null>) {
  const [page, setPage] = useState(1)
  const [zoom, setZoom] = useState<number | null>(null)
  const [shown, setShown] = useState(1)
  const go = (wanted: number) => {
    if (wanted >= 1 && wanted <= pages) {
      setPage(wanted)
      box.current?.scrollTo({ top: 0 })
    }
  }
  return { pages, page, setPage, zoom, setZoom, shown, setShown, go }
}

function createKeyHandler({ pages, page, setZoom, shown, go }: Paging) {
  return (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey)
      return
    const keys: Readonly<Record<string, () => void>> = {
      ArrowRight: () => go(page + 1),
      PageDown: () => go(page + 1),
      ArrowLeft: () => go(page - 1),
      PageUp: () => go(page - 1),
      Home: () => go(1),
      End: () => go(pages),
      '+': () => setZoom(nextZoom(shown, 1)),
      '=': () => setZoom(nextZoom(shown, 1)),
      '-': () => setZoom(nextZoom(shown, -1)),
      0: () => setZoom(null),
    }
    const act = keys[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }
}

function useDocument(data: Uint8Array | null) {
  const [file, setFile] = useState<PdfFile | null>(null)
  const [fault, setFault] = useState<PdfFault | null>(null)
  useEffect(() => {
    setFile(null)
    setFault(null)
    if (data === null) return undefined
    const opened = { file: null as PdfFile | null, over: false }
    openPdf(data).then(
      (pdf) => {
        if (opened.over) pdf.close()
        else {
          opened.file = pdf
          setFile(pdf)
        }
      },
      (error: unknown) => {
        if (!opened.over) setFault(error === 'password' ? 'password' : 'broken')
      },
    )
    return () => {
      opened.over = true
      opened.file?.close()
    }
  }, [data])
  return { file, fault }
}

function useWidth(box: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.floor(entry.contentRect.width))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  return width
}

/** The next zoom level above or below `now`. */
function nextZoom(now: number, step: 1 | -1): number {
  return (
    (step === 1
      ? zooms.find((each) => each > now + 0.01)
      : zooms.findLast((each) => each < now - 0.01)) ?? now
  )
}

function ZoomBar({ paging: { zoom, setZoom, shown } }: { readonly paging: Paging }) {
  const { t } = useText()
  return (
    <>
      <Button
        variant="minimal"
        icon={<Minus />}
        aria-label={t('pdf.zoomOut')}
        title={t('pdf.zoomOut')}
        onClick={() => setZoom(nextZoom(shown, -1))}
      />
      <span className="jw-pdf__zoom">{Math.round(shown * 100)}%</span>
      <Button
        variant="minimal"
        icon={<Plus />}
        aria-label={t('pdf.zoomIn')}
        title={t('pdf.zoomIn')}
        onClick={() => setZoom(nextZoom(shown, 1))}
      />
      <Button
        variant="minimal"
        icon={<ZoomToFit />}
        aria-label={t('pdf.fit')}
        title={t('pdf.fit')}
        active={zoom === null}
        onClick={() => setZoom(null)}
      />
    </>
  )
}

function PageBar({
  pages,
  page,
  onPage,
}: {
  readonly pages: number
  readonly page: number
  readonly onPage: (page: number) => void
}) {
  const { t } = useText()
  const [typed, setTyped] = useState<string | null>(null)
  const go = () => {
    const wanted = Number(typed)
    if (typed !== null && Number.isInteger(wanted) && wanted >= 1 && wanted <= pages) onPage(wanted)
    setTyped(null)
  }
  return (
    <>
      <Button
        variant="minimal"
        icon={<ChevronLeft />}
        aria-label={t('pdf.previous')}
        title={t('pdf.previous')}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      />
      <input
        className="bp6-input jw-pdf__page"
        inputMode="numeric"
        aria-label={t('pdf.page')}
        value={typed ?? String(page)}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={go}
        onKeyDown={(event) => {
          if (event.key === 'Enter') go()
        }}
      />
      <span className="jw-muted">{t('pdf.of', { pages })}</span>
      <Button
        variant="minimal"
        icon={<ChevronRight />}
        aria-label={t('pdf.next')}
        title={t('pdf.next')}
        disabled={page >= pages}
        onClick={() => onPage(page + 1)}
      />
    </>
  )
}

/** The current page on a canvas; redraws when page, zoom or width change. */
function PageCanvas({
  file,
  number,
  zoom,
  width,
  label,
  onFault,
  onScale,
}: {
  readonly file: PdfFile
  readonly number: number
  /** Null fits the width. */
  readonly zoom: number | null
  readonly width: number
  readonly label: string
  readonly onFault: () => void
  readonly onScale: (scale: number) => void
}) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [page, setPage] = useState<PdfPage | null>(null)
  const [drawn, setDrawn] = useState(false)
  useEffect(() => {
    let over = false
    setPage(null)
    setDrawn(false)
    file.page(number).then(
      (found) => {
        if (!over) setPage(found)
      },
      () => {
        if (!over) onFault()
      },
    )
    return () => {
      over = true
    }
  }, [file, number, onFault])
  useEffect(() => {
    if (page === null || canvas.current === null || width === 0) return undefined
    let over = false
    const scale = zoom ?? Math.max(0.2, Math.min(2, (width - margin) / page.width))
    onScale(scale)
    file.draw(number, canvas.current, scale).then(
      () => {
        if (!over) setDrawn(true)
      },
      () => {
        if (!over) onFault()
      },
    )
    return () => {
      over = true
    }
  }, [file, number, page, zoom, width, onFault, onScale])
  return (
    <div
      className={`jw-pdf__sheet${drawn ? ' is-drawn' : ''}`}
      data-page={drawn ? number : undefined}
    >
      {drawn ? null : <Spinner size={28} className="jw-pdf__wait" />}
      <canvas ref={canvas} role="img" aria-label={label} aria-busy={!drawn} />
      <div className="jw-pdf__text">{page?.text}</div>
    </div>
  )
}

import type { PDFDocumentProxy, RenderTask } from 'pdfjs-dist'
import { installTrustedTypes } from '../../app/trusted-html.ts'

/** Folder of character maps, fonts and decoders, filled in by the build (vite-pdf-data.ts). */
declare const PDF_DATA: string

export type PdfFault = 'password' | 'broken'
export interface PdfPage {
  readonly width: number
  readonly height: number
  readonly text: string
}
export interface PdfFile {
  readonly pages: number
  /**
   * Size of a page in CSS pixels at 100 %, and its text for screen readers. `number` counts from 1.
   */
  page(number: number): Promise<PdfPage>
  /** Draws a page. A newer call cancels a drawing that is still running. */
  draw(number: number, canvas: HTMLCanvasElement, scale: number): Promise<void>
  close(): void
}

/** Largest canvas, in pixels, that phones accept. */
const maxPixels = 16_777_216
/** PDF units are 1/72 inch, CSS pixels 1/96. */
const unit = 96 / 72

/** Opens a PDF; loads the library (2 MB) on first use. @throws {PdfFault} as a rejection. */
export async function openPdf(bytes: Uint8Array): Promise<PdfFile> {
  const [library, { default: workerSrc }] = await Promise.all([
    import('pdfjs-dist/legacy/build/pdf.mjs'),
    import('pdfjs-dist/legacy/build/pdf.worker.min.mjs?url'),
  ])
  installTrustedTypes()
  library.GlobalWorkerOptions.workerSrc = workerSrc
  // The worker takes ownership of the bytes, so it gets a copy. The content security policy forbids
  // wasm: the decoders are plain script.
  const task = library.getDocument({
    data: bytes.slice(),
    cMapUrl: `${PDF_DATA}cmaps/`,
    standardFontDataUrl: `${PDF_DATA}standard_fonts/`,
    wasmUrl: `${PDF_DATA}wasm/`,
    useWasm: false,
    enableXfa: false,
  })
  try {
    return wrap(await task.promise, () => {
      void task.destroy()
    })
  } catch (error) {
    void task.destroy()
    const fault: PdfFault =
      error instanceof Error && error.name === 'PasswordException' ? 'password' : 'broken'
    throw fault
  }
}

function wrap(document: PDFDocumentProxy, close: () => void): PdfFile {
  let drawing: RenderTask | null = null
  let lastRequest = 0
  return {
    pages: document.numPages,
    page: async (number) => {
      const page = await document.getPage(number)
      const { width, height } = page.getViewport({ scale: unit })
      const { items } = await page.getTextContent()
      return {
        width,
        height,
        text: items
          .map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : ''))
          .join(''),
      }
    },
    draw: async (number, canvas, scale) => {
      lastRequest += 1
      const request = lastRequest
      const page = await document.getPage(number)
      // The library refuses a second drawing on a canvas until the first has stopped.
      drawing?.cancel()
      await drawing?.promise.catch(() => {})
      if (request !== lastRequest) return
      const shown = page.getViewport({ scale: unit * scale })
      const density = Math.min(
        devicePixelRatio,
        Math.sqrt(maxPixels / (shown.width * shown.height)),
      )
      const viewport = page.getViewport({ scale: unit * scale * density })
      canvas.width = Math.floor(viewport.width)
      canvas.height = Math.floor(viewport.height)
      canvas.style.width = `${Math.floor(shown.width)}px`
      canvas.style.height = `${Math.floor(shown.height)}px`
      const task = page.render({ canvas, viewport })
      drawing = task
      try {
        await task.promise
      } catch (error) {
        if (
          drawing === task &&
          !(error instanceof Error && error.name === 'RenderingCancelledException')
        )
          throw error
      } finally {
        if (drawing === task) drawing = null
      }
    },
    close,
  }
}

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import jsQR from 'jsqr'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** The text of each page, read by pdf.js, with ideographic spaces replaced. */
export async function readPages(bytes: Uint8Array): Promise<string[]> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0, useSystemFonts: false })
  const pdf = await task.promise
  const pages: string[] = []
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const content = await (await pdf.getPage(number)).getTextContent()
    pages.push(
      content.items
        .map((item) => ('str' in item ? item.str : ''))
        .join('')
        .replaceAll('\u3000', ' '),
    )
  }
  await task.destroy()
  return pages
}

const run = promisify(execFile)
/** Output of a poppler program on the file; null where poppler is not installed. */
export async function poppler(
  tool: 'pdfsig' | 'pdffonts',
  bytes: Uint8Array,
): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'jiaowu-pdf-'))
  try {
    await writeFile(join(folder, 'a.pdf'), bytes)
    const { stdout } = await run(
      tool,
      tool === 'pdfsig' ? ['-nocert', join(folder, 'a.pdf')] : [join(folder, 'a.pdf')],
    )
    return stdout
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    const { stdout } = error as { stdout?: string }
    // pdfsig exits with 1 for an invalid signature.
    if (stdout !== undefined && stdout !== '') return stdout
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The content of the QR code on the rendered last page. */
export async function readQr(bytes: Uint8Array): Promise<string | null> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0 })
  const pdf = await task.promise
  const page = await pdf.getPage(pdf.numPages)
  const viewport = page.getViewport({ scale: 2 })
  const factory = pdf.canvasFactory as {
    create: (
      width: number,
      height: number,
    ) => { canvas: HTMLCanvasElement; context: CanvasRenderingContext2D }
  }
  const { canvas, context } = factory.create(Math.ceil(viewport.width), Math.ceil(viewport.height))
  await page.render({ canvas, canvasContext: context, viewport }).promise
  const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height)
  await task.destroy()
  return jsQR(data, width, height)?.data ?? null
}

import type { PdfFile } from '../../ui/pdf/pdf-file.ts'

/** Resolution on paper, in dots per CSS pixel: 96 a pixel make 288 dots per inch. */
const scale = 3

/**
 * Opens the browser's print dialog with all pages of all files, one sheet a page, `copies` times each file. The
 * pages are pictures: the browser prints one document, and has no plug-in for several PDFs.
 */
export async function printFiles(files: readonly Uint8Array[], copies: number): Promise<void> {
  // The chunk of the viewer, which shows the first of the files.
  const { openPdf } = await import('../../ui/pdf/pdf-view.tsx')
  const paper = document.createElement('div')
  paper.className = 'jw-pdf-sheets'
  paper.setAttribute('aria-hidden', 'true')
  const urls: string[] = []
  try {
    for (const bytes of files) {
      const file = await openPdf(bytes)
      const pages = await drawPages(file)
      file.close()
      urls.push(...pages)
      for (let copy = 0; copy < copies; copy += 1)
        for (const url of pages) paper.append(await loadPicture(url))
    }
    document.body.append(paper)
    globalThis.print()
  } finally {
    paper.remove()
    for (const url of urls) URL.revokeObjectURL(url)
  }
}

async function drawPages(file: PdfFile): Promise<string[]> {
  const urls: string[] = []
  const canvas = document.createElement('canvas')
  for (let number = 1; number <= file.pages; number += 1) {
    await file.draw(number, canvas, scale / devicePixelRatio)
    const picture = await new Promise<Blob | null>((resolve) => {
      canvas.toBlob(resolve, 'image/png')
    })
    if (picture === null) throw new Error('A page could not be drawn.')
    urls.push(URL.createObjectURL(picture))
  }
  return urls
}

async function loadPicture(url: string): Promise<HTMLImageElement> {
  const image = new Image()
  image.src = url
  await image.decode()
  return image
}

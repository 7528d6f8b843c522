import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'

/** Font files by their part on the page. `apps/server/assets/fonts/README.md` names their source; only glyphs in use are embedded. */
const files = {
  body: 'NotoSerifSC_400Regular.ttf.br',
  strong: 'NotoSerifSC_600SemiBold.ttf.br',
  title: 'NotoSerifSC_700Bold.ttf.br',
  label: 'NotoSansSC_400Regular.ttf.br',
} as const
export type Face = keyof typeof files

const loaded = new Map<Face, Buffer>()

/** Makes the faces known to a document; each is read from disk once a process. */
export function registerFaces(paper: PDFKit.PDFDocument): void {
  for (const face of Object.keys(files) as Face[]) paper.registerFont(face, load(face))
}

function load(face: Face): Buffer {
  const bytes = loaded.get(face) ?? brotliDecompressSync(readFileSync(fileOf(face)))
  loaded.set(face, bytes)
  return bytes
}

function fileOf(face: Face): URL {
  return new URL(`../../../../assets/fonts/${files[face]}`, import.meta.url)
}

/** The part of a face of PDFKit's that its types leave out. */
interface FaceInside {
  readonly _font: {
    readonly font: { readonly hasGlyphForCodePoint: (codePoint: number) => boolean }
  }
}

/** Characters the faces cannot draw. A document with an empty box in a name must not exist. */
export function missingGlyphs(paper: PDFKit.PDFDocument, text: string): string[] {
  paper.font('body')
  const { font } = (paper as unknown as FaceInside)._font
  return [...new Set(text)].filter(
    (character) =>
      !/\s/.test(character) && !font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0),
  )
}

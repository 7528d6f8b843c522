import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'

/**
 * Font files by their use. `apps/server/assets/fonts/README.md` names their sources; only used
 * glyphs are embedded.
 */
const files = {
  body: 'NotoSerifSC_400Regular.ttf.br',
  strong: 'NotoSerifSC_600SemiBold.ttf.br',
  title: 'NotoSerifSC_700Bold.ttf.br',
  label: 'NotoSansSC_400Regular.ttf.br',
} as const
export type Face = keyof typeof files

const loaded = new Map<Face, Buffer>()

/** Registers the fonts with a document; each file is read once per process. */
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

/** A member of PDFKit's fonts that its types omit. */
interface FaceInside {
  readonly _font: {
    readonly font: { readonly hasGlyphForCodePoint: (codePoint: number) => boolean }
  }
}

/** Characters that the fonts cannot draw: a document must not show an empty box in a name. */
export function missingGlyphs(paper: PDFKit.PDFDocument, text: string): string[] {
  paper.font('body')
  const { font } = (paper as unknown as FaceInside)._font
  return [...new Set(text)].filter(
    (character) =>
      !/\s/.test(character) && !font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0),
  )
}

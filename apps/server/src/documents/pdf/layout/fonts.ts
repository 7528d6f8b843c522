import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const { resolve } = createRequire(import.meta.url)
const serif = '@expo-google-fonts/noto-serif-sc' // SIL Open Font License 1.1, which allows embedding
const sans = '@expo-google-fonts/noto-sans-sc' // the same

/** Faces by their part on the page. Only the glyphs in use are embedded. */
const files = {
  body: `${serif}/400Regular/NotoSerifSC_400Regular.ttf`,
  strong: `${serif}/600SemiBold/NotoSerifSC_600SemiBold.ttf`,
  title: `${serif}/700Bold/NotoSerifSC_700Bold.ttf`,
  label: `${sans}/400Regular/NotoSansSC_400Regular.ttf`,
} as const
export type Face = keyof typeof files

const loaded = new Map<Face, Buffer>()

/** Makes the faces known to a document; each is read from disk once a process. */
export function registerFaces(paper: PDFKit.PDFDocument): void {
  for (const face of Object.keys(files) as Face[]) paper.registerFont(face, load(face))
}

function load(face: Face): Buffer {
  const bytes = loaded.get(face) ?? readFileSync(resolve(files[face]))
  loaded.set(face, bytes)
  return bytes
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

import PDFDocument from 'pdfkit'
import { type Face, faces, loadFace, loadFont } from './fonts.ts'

type Options = PDFKit.Mixins.TextOptions & { readonly lineWidth?: number }
type DrawFragment = (
  this: PDFKit.PDFDocument,
  text: string,
  x: number,
  y: number,
  options: Options,
) => void

/** The members of PDFKit's fonts that are used here; its types omit them. */
interface FontInside {
  readonly ascender: number
  readonly font: { readonly hasGlyphForCodePoint: (codePoint: number) => boolean }
}
/** A part of a text with one font. */
interface Run {
  readonly text: string
  readonly font: number
}

/** Every text of PDFKit, of lists, columns and single lines, ends in this method; its types omit it. */
const drawFragment = Reflect.get(PDFDocument.prototype, '_fragment') as DrawFragment
/** Numbers of fonts: the face itself, its spare one, and from 2 on those of the installation. */
const [main, spare, firstInstalled] = [0, 1, 2]

/**
 * A document whose faces have a spare font each: words with letters that the first lacks are drawn with the
 * second, and characters that both lack with the first font of the installation that has them. Characters that
 * no font contains are collected in `missing` as they are drawn, so that it holds exactly those that the pages
 * would lack.
 */
export class FacedDocument extends PDFDocument {
  readonly missing = new Set<string>()
  #face: Face = 'body'
  #font: number = main
  readonly #glyphs = new Map<string, boolean>()

  readonly #isCheck: boolean
  readonly #fontCount: number

  /**
   * With `isCheck` nothing is shaped or written, only `missing` is collected: the pages have the same texts,
   * at rough places, in a tenth of the time.
   *
   * @param fonts font files of the installation
   */
  constructor(
    options: PDFKit.PDFDocumentOptions,
    { isCheck, fonts }: { readonly isCheck: boolean; readonly fonts: readonly string[] },
  ) {
    super(options)
    this.#isCheck = isCheck
    this.#fontCount = firstInstalled + fonts.length
    for (const face of faces) {
      const files = [...loadFace(face), ...fonts.map(loadFont)]
      for (const [font, bytes] of files.entries()) this.registerFont(nameFont(face, font), bytes)
    }
    // The first font gets the first number in the file: documents drawn before must keep their bytes.
    this.font('body')
  }

  /** Selects a face for the texts that follow. */
  face(face: Face): this {
    this.#face = face
    this.#font = main
    return this.font(face)
  }

  override widthOfString(text: string, options: Options = {}): number {
    // Narrow, so that no text is cut to its place.
    if (this.#isCheck) return text.length * this.#size() * 0.3
    const runs = this.#runs(text)
    if (runs.every(({ font }) => font === main)) return super.widthOfString(text, options)
    const gaps = (options.characterSpacing ?? 0) * (runs.length - 1)
    const widths = runs.map((run) => this.#with(run, () => super.widthOfString(run.text, options)))
    return widths.reduce((sum, width) => sum + width, gaps)
  }

  /** Overrides the method of PDFKit with which it draws one line. */
  _fragment(text: string, x: number, y: number, options: Options): void {
    for (const character of text) if (!this.#has(character)) this.missing.add(character)
    if (this.#isCheck) return
    const runs = this.#runs(text)
    if (runs.every(({ font }) => font === main)) {
      drawFragment.call(this, text, x, y, options)
      return
    }
    const { align, lineWidth = 0, characterSpacing = 0 } = options
    const free = lineWidth - this.widthOfString(text.trimEnd(), options)
    const gaps = text.trim().match(/\s+/g)?.length ?? 0
    const stretch = align === 'justify' && gaps > 0 ? Math.max(0, free / gaps) : 0
    let at = x + (align === 'right' ? free : align === 'center' ? free / 2 : 0)
    const base = this.#inside().ascender
    for (const piece of stretch === 0 ? runs : runs.flatMap(toWords))
      this.#with(piece, () => {
        const drop = ((base - this.#inside().ascender) / 1000) * this.#size()
        const { align: _align, width: _width, ...plain } = options
        drawFragment.call(this, piece.text, at, y + drop, plain)
        const isGap = piece.text.trim() === ''
        at += super.widthOfString(piece.text, plain) + characterSpacing + (isGap ? stretch : 0)
      })
  }

  /** Words of which a letter needs the spare font are drawn with it as a whole, if it has all of them. */
  #runs(text: string): Run[] {
    if ([...text].every((character) => this.#isIn(character, main))) return [{ text, font: main }]
    const runs: Run[] = []
    const add = (part: string, font: number) => {
      const last = runs.at(-1)
      if (last?.font === font) runs[runs.length - 1] = { text: last.text + part, font }
      else runs.push({ text: part, font })
    }
    for (const word of text.split(/(\s+)/)) {
      const characters = [...word]
      if (characters.every((character) => this.#isIn(character, main))) add(word, main)
      else if (characters.every((character) => this.#isIn(character, spare))) add(word, spare)
      else for (const character of characters) add(character, this.#findFont(character) ?? main)
    }
    return runs
  }

  #has(character: string): boolean {
    return /\s/.test(character) || this.#findFont(character) !== undefined
  }

  /** The first font with a glyph for the character. */
  #findFont(character: string): number | undefined {
    for (let font = main; font < this.#fontCount; font += 1)
      if (this.#isIn(character, font)) return font
    return undefined
  }

  #isIn(character: string, font: number): boolean {
    const key = `${nameFont(this.#face, font)} ${character}`
    const known = this.#glyphs.get(key)
    if (known !== undefined) return known
    const code = character.codePointAt(0) ?? 0
    const isIn =
      /\s/.test(character) ||
      this.#with({ font }, () => this.#inside().font.hasGlyphForCodePoint(code))
    this.#glyphs.set(key, isIn)
    return isIn
  }

  #select(font: number): void {
    this.#font = font
    this.font(nameFont(this.#face, font))
  }

  #with<T>({ font }: Pick<Run, 'font'>, work: () => T): T {
    const before = this.#font
    if (font === before) return work()
    this.#select(font)
    try {
      return work()
    } finally {
      // PDFKit measures a text while it draws it with another font than that of the face.
      this.#select(before)
    }
  }

  #inside(): FontInside {
    return Reflect.get(this, '_font') as FontInside
  }

  #size(): number {
    return Reflect.get(this, '_fontSize') as number
  }
}

/** As PDFKit knows a font. Those of the installation are the same in all faces, and are embedded once. */
function nameFont(face: Face, font: number): string {
  if (font >= firstInstalled) return `installed ${font}`
  return font === main ? face : `${face} spare`
}

function toWords({ text, font }: Run): Run[] {
  return text
    .split(/(\s+)/)
    .filter((part) => part !== '')
    .map((part) => ({ text: part, font }))
}

import PDFDocument from 'pdfkit'
import { type Face, faces, loadFace } from './fonts.ts'

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
  readonly spare: boolean
}

/** Every text of PDFKit, of lists, columns and single lines, ends in this method; its types omit it. */
const drawFragment = Reflect.get(PDFDocument.prototype, '_fragment') as DrawFragment
const suffix = ' spare'

/**
 * A document whose faces have a spare font each: words with letters that the first lacks are drawn with the
 * second. Characters that neither contains are collected in `missing` as they are drawn, so that it holds
 * exactly those that the pages would lack.
 */
export class FacedDocument extends PDFDocument {
  readonly missing = new Set<string>()
  #face: Face = 'body'
  readonly #glyphs = new Map<string, boolean>()

  readonly #isCheck: boolean

  /**
   * With `isCheck` nothing is shaped or written, only `missing` is collected: the pages have the same texts,
   * at rough places, in a tenth of the time.
   */
  constructor(options: PDFKit.PDFDocumentOptions, { isCheck = false } = {}) {
    super(options)
    this.#isCheck = isCheck
    for (const face of faces) {
      const [main, spare] = loadFace(face)
      this.registerFont(face, main)
      this.registerFont(face + suffix, spare)
    }
    // The first font gets the first number in the file: documents drawn before must keep their bytes.
    this.font('body')
  }

  /** Selects a face for the texts that follow. */
  face(face: Face): this {
    this.#face = face
    return this.font(face)
  }

  override widthOfString(text: string, options: Options = {}): number {
    // Narrow, so that no text is cut to its place.
    if (this.#isCheck) return text.length * this.#size() * 0.3
    const runs = this.#runs(text)
    if (runs.every(({ spare }) => !spare)) return super.widthOfString(text, options)
    const gaps = (options.characterSpacing ?? 0) * (runs.length - 1)
    const widths = runs.map((run) => this.#with(run, () => super.widthOfString(run.text, options)))
    return widths.reduce((sum, width) => sum + width, gaps)
  }

  /** Overrides the method of PDFKit with which it draws one line. */
  _fragment(text: string, x: number, y: number, options: Options): void {
    for (const character of text) if (!this.#has(character)) this.missing.add(character)
    if (this.#isCheck) return
    const runs = this.#runs(text)
    if (runs.every(({ spare }) => !spare)) {
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
    if ([...text].every((character) => this.#isIn(character, false)))
      return [{ text, spare: false }]
    const runs: Run[] = []
    const add = (part: string, spare: boolean) => {
      const last = runs.at(-1)
      if (last?.spare === spare) runs[runs.length - 1] = { text: last.text + part, spare }
      else runs.push({ text: part, spare })
    }
    for (const word of text.split(/(\s+)/)) {
      const characters = [...word]
      if (characters.every((character) => this.#isIn(character, false))) add(word, false)
      else if (characters.every((character) => this.#isIn(character, true))) add(word, true)
      else
        for (const character of characters)
          add(character, !this.#isIn(character, false) && this.#isIn(character, true))
    }
    return runs
  }

  #has(character: string): boolean {
    return /\s/.test(character) || this.#isIn(character, false) || this.#isIn(character, true)
  }

  #isIn(character: string, spare: boolean): boolean {
    const key = `${this.#face}${spare ? suffix : ''} ${character}`
    const known = this.#glyphs.get(key)
    if (known !== undefined) return known
    const code = character.codePointAt(0) ?? 0
    const isIn =
      /\s/.test(character) ||
      this.#with({ spare }, () => this.#inside().font.hasGlyphForCodePoint(code))
    this.#glyphs.set(key, isIn)
    return isIn
  }

  #with<T>({ spare }: Pick<Run, 'spare'>, work: () => T): T {
    if (!spare) return work()
    this.font(this.#face + suffix)
    try {
      return work()
    } finally {
      this.font(this.#face)
    }
  }

  #inside(): FontInside {
    return Reflect.get(this, '_font') as FontInside
  }

  #size(): number {
    return Reflect.get(this, '_fontSize') as number
  }
}

function toWords({ text, spare }: Run): Run[] {
  return text
    .split(/(\s+)/)
    .filter((part) => part !== '')
    .map((part) => ({ text: part, spare }))
}

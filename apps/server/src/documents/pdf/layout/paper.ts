import { FacedDocument } from './faced-document.ts'
import type { Face } from './fonts.ts'

export type Paper = FacedDocument

/** A4 in points, with the margins of the text. */
export const sheet = {
  width: 595.28,
  height: 841.89,
  left: 52,
  right: 52,
  top: 46,
  bottom: 66,
} as const
export const innerWidth = sheet.width - sheet.left - sheet.right

export const ink = {
  text: '#16191d',
  soft: '#5b636d',
  faint: '#8d959f',
  rule: '#2b3138',
  line: '#c9ced4',
  tint: '#f3f5f7',
  seal: '#c9141e',
  guilloche: '#dce4ee',
  mark: '#8b97a6',
} as const

export interface Style {
  readonly face?: Face
  readonly size: number
  readonly colour?: string
  readonly align?: 'left' | 'center' | 'right' | 'justify'
  readonly spacing?: number
  readonly lineGap?: number
  readonly indent?: number
}

const set = (paper: Paper, { face = 'body', size }: Style): Paper => paper.face(face).fontSize(size)

/** Draws text at a position, wrapped to a width. */
export function writeText(
  paper: Paper,
  text: string,
  x: number,
  y: number,
  width: number,
  style: Style,
): void {
  set(paper, style)
    .fillColor(style.colour ?? ink.text)
    .text(text, x, y, options(style, width))
}

function options({ align = 'left', spacing = 0, lineGap = 0, indent = 0 }: Style, width: number) {
  return { width, align, characterSpacing: spacing, lineGap, indent }
}

/** The height that `writeText` needs. */
export function measureHeight(paper: Paper, text: string, width: number, style: Style): number {
  return set(paper, style).heightOfString(text, options(style, width))
}

export function measureWidth(paper: Paper, text: string, style: Style): number {
  return set(paper, style).widthOfString(text, { characterSpacing: style.spacing ?? 0 })
}

/** The style, reduced so that the text fits on one line, but not below `least`, where it wraps. */
export function oneLine(
  paper: Paper,
  text: string,
  width: number,
  style: Style,
  least: number,
): Style {
  const needed = measureWidth(paper, text, style) * 1.01 // wrapping and measuring round differently
  return needed <= width
    ? style
    : {
        ...style,
        size: Math.max(least, Math.floor(style.size * (width / needed) * 10) / 10),
        spacing: (style.spacing ?? 0) * (width / needed),
      }
}

/** The text, cut with an ellipsis to fit the width. */
export function cutTo(paper: Paper, text: string, width: number, style: Style): string {
  if (measureWidth(paper, text, style) <= width) return text
  let kept = [...text]
  while (kept.length > 1 && measureWidth(paper, `${kept.join('')}…`, style) > width)
    kept = kept.slice(0, -1)
  return `${kept.join('')}…`
}

export function rule(
  paper: Paper,
  x: number,
  y: number,
  width: number,
  thickness: number,
  colour: string = ink.rule,
): void {
  paper
    .lineWidth(thickness)
    .strokeColor(colour)
    .moveTo(x, y)
    .lineTo(x + width, y)
    .stroke()
}

export interface Meta {
  readonly title: string
  readonly author: string
  readonly subject: string
  readonly keywords: string
  readonly lang: string
  readonly at: Date
  /** Nothing is made of it: it only tells whether it can be drawn. */
  readonly isCheck: boolean
  readonly fonts: readonly string[]
}

/**
 * An empty document that keeps its pages until the end, when their number is known. Its bytes do
 * not depend on time or machine.
 */
export function newPaper({
  title,
  author,
  subject,
  keywords,
  lang,
  at,
  isCheck,
  fonts,
}: Meta): Paper {
  return new FacedDocument(
    {
      size: 'A4',
      margin: 0,
      bufferPages: true,
      pdfVersion: '1.7',
      lang,
      displayTitle: true,
      info: {
        Title: title,
        Author: author,
        Subject: subject,
        Keywords: keywords,
        Creator: 'Jiaowu',
        Producer: 'Jiaowu (PDFKit)',
        CreationDate: at,
        ModDate: at,
      },
    },
    { isCheck, fonts },
  )
}

export function collectBytes(paper: Paper): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    paper.on('data', (part: Buffer) => parts.push(part))
    paper.on('end', () => resolve(Buffer.concat(parts)))
    paper.on('error', reject)
    paper.end()
  })
}

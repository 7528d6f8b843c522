import { printedDocumentCode } from '@jiaowu/api/document-code'
import { t } from '@jiaowu/api/texts/index'
import { parseJson } from '@jiaowu/api/exact-json'
import type { PrintedContent } from '../content/printed.ts'
import { layOutSheet } from './case-sheet.ts'
import { closing } from './closing.ts'
import { conversion } from './conversion.ts'
import { type Block, type Flow, pageCount, setFlow } from './layout/flow.ts'
import {
  type Drawing,
  finishPages,
  nextTop,
  runningHead,
  textBottom,
  formatNumber,
  formatTitle,
} from './layout/frame.ts'
import { stack } from './layout/parts.ts'
import { collectBytes, newPaper, type Paper, sheet } from './layout/paper.ts'
import { drawRosette } from './layout/rosette.ts'
import { academic, layOutEnrolment, layOutNotice } from './statement.ts'
import { roomy, snug, type TableLook } from './layout/table.ts'
import { type Layout, transcript } from './transcript.ts'
import { toLocale, pickNames, schoolName } from './words.ts'

const layouts: Readonly<
  Record<PrintedContent['kind'], (paper: Paper, drawing: Drawing, look: TableLook) => Layout>
> = {
  transcript,
  enrolled: layOutEnrolment,
  conversion,
  other: academic,
  notice: layOutNotice,
  sheet: layOutSheet,
}
/** Previews have no date, so that the same content gives the same bytes. */
const undated = new Date(0)

const curly: Readonly<Record<string, string>> = { '‘': "'", '’': "'", '“': '"', '”': '"' }

/** The text has characters that no font of this installation contains. */
export class MissingGlyphs extends Error {
  override readonly name = 'MissingGlyphs'
  readonly characters: string
  constructor(characters: string) {
    super(`no glyphs for ${characters}`)
    this.characters = characters
  }
}

interface Arranged {
  readonly flow: Flow
  readonly opening: Block
}

/**
 * The unsigned pages of a document or preview. The same input gives the same bytes.
 * @throws MissingGlyphs
 */
export async function renderPdf(given: Drawing): Promise<Buffer> {
  return await collectBytes(drawPages(given))
}

/** Checks what `renderPdf` would draw. @throws MissingGlyphs */
export function checkPages(given: Drawing): void {
  drawPages(given, true)
}

function drawPages(given: Drawing, isCheck = false): Paper {
  const drawing = { ...given, content: latinQuotes(given.content) }
  const { content, issue } = drawing
  const { name } = pickNames(content.language, content.student)
  const locale = toLocale(content.language)
  const paper = newPaper({
    title: `${formatTitle(content)} ${name}`,
    author: schoolName(content),
    subject: issue === null ? t(locale, 'paper.footPreview') : formatNumber(content, issue),
    // Programs that check a file find the code in it: nothing else of a page is plain text.
    keywords: issue === null ? '' : `${issue.number} ${printedDocumentCode(issue.code)}`,
    lang: content.language === 'en' ? 'en' : 'zh-CN',
    at: issue === null ? undated : new Date(issue.issuedAt),
    isCheck,
    fonts: drawing.fonts,
  })
  const [loose, tight] = [roomy, snug].map((look) => arrangeFlow(paper, drawing, look)) as [
    Arranged,
    Arranged,
  ]
  const { flow, opening } = pageCount(tight.flow) < pageCount(loose.flow) ? tight : loose
  setFlow(paper, flow, (index) => {
    if (issue !== null && content.kind !== 'sheet') drawRosette(paper)
    if (index === 0) opening.draw(sheet.top)
    else runningHead(paper, drawing)
  })
  finishPages(paper, drawing)
  if (paper.missing.size > 0) throw new MissingGlyphs([...paper.missing].join(''))
  return paper
}

/**
 * The fonts draw curly quotes as wide as a Chinese character, so English text uses straight ones.
 */
function latinQuotes(content: PrintedContent): PrintedContent {
  return content.language === 'zh'
    ? content
    : (parseJson(
        JSON.stringify(content, (_key, value: unknown) =>
          typeof value === 'string'
            ? value.replace(/[‘’“”]/g, (mark) => curly[mark] ?? mark)
            : value,
        ),
      ) as PrintedContent)
}

function arrangeFlow(paper: Paper, drawing: Drawing, look: TableLook): Arranged {
  const { opening, items, tail, closing: own } = layouts[drawing.content.kind](paper, drawing, look)
  return {
    opening,
    flow: {
      firstTop: sheet.top + opening.height,
      nextTop,
      bottom: textBottom,
      items,
      closing: stack(...tail, own ?? closing(paper, drawing)),
    },
  }
}

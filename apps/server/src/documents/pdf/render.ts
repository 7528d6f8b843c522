import { t } from '@jiaowu/api'
import type { DocumentKind } from '../content.ts'
import { closing } from './closing.ts'
import { conversion } from './conversion.ts'
import { setFlow } from './flow.ts'
import { type Drawing, finishPages, nextTop, runningHead, textBottom, titleOf } from './frame.ts'
import { bytesOf, newPaper, type Paper, sheet } from './paper.ts'
import { academic, enrolled } from './statement.ts'
import { type Layout, transcript } from './transcript.ts'
import { localeOf, named, schoolName } from './words.ts'

const layouts: Readonly<Record<DocumentKind, (paper: Paper, drawing: Drawing) => Layout>> = { transcript, enrolled, conversion, other: academic }
/** Previews carry no date: the same content gives the same bytes. */
const undated = new Date(0)

/** The pages of a document or of its preview, not yet signed. The same input gives the same bytes. */
export const renderPdf = async (drawing: Drawing): Promise<Buffer> => {
  const { content, issue } = drawing
  const { name } = named(content.language, content.student)
  const locale = localeOf(content.language)
  const paper = newPaper({
    title: `${titleOf(content)} ${name}`, author: schoolName(content), subject: issue === null ? t(locale, 'paper.footPreview') : t(locale, 'paper.number', { number: issue.number }),
    keywords: issue?.number ?? '', lang: content.language === 'en' ? 'en' : 'zh-CN', at: issue === null ? undated : new Date(issue.issuedAt),
  })
  const { opening, items } = layouts[content.kind](paper, drawing)
  setFlow(paper, { firstTop: sheet.top + opening.height, nextTop, bottom: textBottom, items, closing: closing(paper, drawing) }, (index) => {
    if (index === 0) opening.draw(sheet.top)
    else runningHead(paper, drawing)
  })
  finishPages(paper, drawing)
  return await bytesOf(paper)
}

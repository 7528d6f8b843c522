import { printedDocumentCode } from '@jiaowu/api/document-code'
import { t } from '@jiaowu/api/texts/index'
import type { Issue } from '../../content/issue.ts'
import type { PrintedContent } from '../../content/printed.ts'
import type { Block } from './flow.ts'
import {
  cutTo,
  measureHeight,
  ink,
  innerWidth,
  oneLine,
  type Paper,
  rule,
  sheet,
  type Style,
  measureWidth,
  writeText,
} from './paper.ts'
import { drawWatermark } from './watermark.ts'
import { toLocale, pickNames, schoolName } from '../words.ts'

/** Kind of page: a numbered document, the sheet of a case, or a preview. */
export interface Drawing {
  readonly content: PrintedContent
  readonly issue: Issue | null
  readonly verifySite: string
  readonly verifyUrl: string
  /** Font files of the installation for characters that the packaged fonts lack. */
  readonly fonts: readonly string[]
}

export function formatTitle({ kind, language, reportName }: PrintedContent): string {
  return kind === 'notice' || kind === 'sheet' ? reportName : t(toLocale(language), `paper.${kind}`)
}

/** A sheet has the number of its case. */
export function formatNumber({ kind, language }: PrintedContent, { number }: Issue): string {
  return t(toLocale(language), kind === 'sheet' ? 'paper.caseNumber' : 'paper.number', { number })
}

const latin: Style = { face: 'body', size: 9.5, colour: ink.soft, align: 'center', spacing: 0.4 }
/** The school's names in both languages, then the title between rules. */
export function opening(
  paper: Paper,
  { content, issue }: Drawing,
  { letter = false }: { letter?: boolean } = {},
): Block {
  const { language, school } = content
  const isEnglish = language === 'en'
  const [one, two] = isEnglish ? [school.nameEn, school.name] : [school.name, school.nameEn]
  const first = oneLine(
    paper,
    one,
    innerWidth,
    { face: 'title', size: isEnglish ? 19 : 21, align: 'center', spacing: isEnglish ? 0.3 : 5 },
    12,
  )
  const second = oneLine(
    paper,
    two,
    innerWidth,
    isEnglish ? { ...latin, size: 10.5, spacing: 3 } : latin,
    7,
  )
  const title: Style = {
    face: 'strong',
    size: (isEnglish ? 15 : 16.5) + (letter ? 7 : 0),
    align: 'center',
    spacing: isEnglish ? 0.6 : letter ? 10 : 6,
  }
  const air = letter ? 34 : 12
  const [oneHeight, twoHeight, titleHeight] = [
    measureHeight(paper, one, innerWidth, first),
    measureHeight(paper, two, innerWidth, second),
    measureHeight(paper, formatTitle(content), innerWidth, title),
  ]
  const ruleAt = oneHeight + twoHeight + 7
  return {
    height: ruleAt + titleHeight + 2 * air,
    draw: (y) => {
      writeText(paper, one, sheet.left, y, innerWidth, first)
      writeText(paper, two, sheet.left, y + oneHeight, innerWidth, second)
      rule(paper, sheet.left, y + ruleAt, innerWidth, 1.6)
      rule(paper, sheet.left, y + ruleAt + 2.6, innerWidth, 0.5)
      writeText(paper, formatTitle(content), sheet.left, y + ruleAt + air, innerWidth, title)
      // A sheet has its longer number among its facts.
      if (issue !== null && content.kind !== 'sheet')
        writeText(paper, formatNumber(content, issue), sheet.left, y + ruleAt + 6, innerWidth, {
          face: 'label',
          size: 7.6,
          colour: ink.soft,
          align: 'right',
        })
    },
  }
}

/** The header of later pages, with the student's name. */
export function runningHead(paper: Paper, { content }: Drawing): void {
  const { language, student } = content
  const style: Style = { face: 'label', size: 8, colour: ink.soft }
  const y = sheet.top - 4
  const whose = cutTo(
    paper,
    `${pickNames(language, student).name}　${student.studentNo}`,
    innerWidth * 0.6,
    style,
  )
  writeText(paper, whose, sheet.left, y, innerWidth, { ...style, align: 'right' })
  const room = innerWidth - measureWidth(paper, whose, style) - 24
  const what = `${schoolName(content)}　${formatTitle(content)}`
  writeText(
    paper,
    measureWidth(paper, what, style) <= room
      ? what
      : cutTo(paper, formatTitle(content), room, style),
    sheet.left,
    y,
    innerWidth,
    style,
  )
  rule(paper, sheet.left, sheet.top + 11, innerWidth, 0.5)
}
export const nextTop = sheet.top + 20
export const textBottom = sheet.height - sheet.bottom

/**
 * Number, code and page number on every page, once the number of pages is known; on previews the
 * watermark.
 */
export function finishPages(paper: Paper, { content, issue }: Drawing): void {
  const { language, student } = content
  const locale = toLocale(language)
  const { start, count } = paper.bufferedPageRange()
  const style: Style = { face: 'label', size: 7.6, colour: ink.soft }
  const y = sheet.height - 44
  for (let i = 0; i < count; i += 1) {
    paper.switchToPage(start + i)
    rule(paper, sheet.left, y - 6, innerWidth, 0.4, ink.line)
    writeText(
      paper,
      issue === null
        ? t(locale, 'paper.footPreview')
        : content.kind === 'sheet'
          ? formatNumber(content, issue)
          : t(locale, 'paper.footNumber', {
              number: issue.number,
              code: printedDocumentCode(issue.code),
            }),
      sheet.left,
      y,
      innerWidth,
      style,
    )
    writeText(
      paper,
      t(locale, 'paper.page', { page: i + 1, pages: count }),
      sheet.left,
      y,
      innerWidth,
      { ...style, align: 'right' },
    )
    if (issue === null)
      drawWatermark(
        paper,
        t(locale, 'paper.watermark'),
        `${pickNames(language, student).name} ${student.studentNo}`,
      )
  }
}

import { printedDocumentCode } from '@jiaowu/api/document-code'
import { t } from '@jiaowu/api/texts/index'
import type { Block } from './layout/flow.ts'
import type { Drawing } from './layout/frame.ts'
import {
  measureHeight,
  ink,
  innerWidth,
  oneLine,
  type Paper,
  sheet,
  type Style,
  writeText,
} from './layout/paper.ts'
import { drawQr } from './layout/qr.ts'
import { drawSeal, sealSize } from './layout/seal.ts'
import { formatDay, toLocale, schoolName } from './words.ts'

const qrSize = 74
const signWidth = 168

/**
 * The end of a document: how to verify it on the left, office, date and seal on the right. By
 * convention the seal overlaps the date.
 */
export function closing(paper: Paper, drawing: Drawing): Block {
  const { content, issue } = drawing
  const { language } = content
  const locale = toLocale(language)
  const x = sheet.width - sheet.right - signWidth
  const isEnglish = language === 'en'
  return {
    height: sealSize + 18,
    draw: (top) => {
      const y = top + 16
      const middle = y + sealSize / 2
      verifyPanel(paper, drawing, y + 20)
      // Drawn below the text, so that date and office stay readable.
      if (issue !== null)
        drawSeal(
          paper,
          x + signWidth / 2,
          middle,
          `${content.school.name}${t('zh-CN', 'paper.office')}`,
        )
      const style: Style = {
        face: 'strong',
        size: isEnglish ? 10.4 : 12,
        align: 'center',
        spacing: isEnglish ? 0 : 1.5,
      }
      const [school, office] = [schoolName(content), t(locale, 'paper.office')]
      const fitting = oneLine(paper, school, signWidth, style, 8)
      writeText(
        paper,
        school,
        x,
        middle - 8 - measureHeight(paper, school, signWidth, fitting),
        signWidth,
        fitting,
      )
      writeText(paper, office, x, middle - 8, signWidth, style)
      const date =
        issue === null ? t(locale, 'paper.notIssued') : formatDay(language, issue.issuedAt)
      writeText(paper, date, x, middle + 24, signWidth, {
        face: 'body',
        size: issue === null ? 9 : 11,
        align: 'center',
        ...(issue === null ? { colour: ink.faint } : {}),
      })
    },
  }
}

function verifyPanel(
  paper: Paper,
  { content, issue, verifySite, verifyUrl }: Drawing,
  y: number,
): void {
  if (issue === null) return
  const locale = toLocale(content.language)
  const x = sheet.left + qrSize + 12
  const width = innerWidth - qrSize - 12 - signWidth - 14
  drawQr(paper, verifyUrl, sheet.left, y, qrSize)
  const lines: (readonly [string, Style])[] = [
    [t(locale, 'paper.verify'), { face: 'strong', size: 9.4 }],
    [
      t(locale, 'paper.verifyHow', { site: verifySite }),
      { face: 'label', size: 7.4, colour: ink.soft },
    ],
    [printedDocumentCode(issue.code), { face: 'strong', size: 9.8, spacing: 0.4 }],
    [t(locale, 'paper.verifyMore'), { face: 'label', size: 6.8, colour: ink.faint }],
  ]
  let at = y - 3
  for (const [text, style] of lines) {
    writeText(paper, text, x, at, width, style)
    at += measureHeight(paper, text, width, style) + 1.6
  }
}

import { t } from '@jiaowu/api/texts/index'
import type { SheetFact, SheetStep } from '../content/printed.ts'
import { factsBlock } from './layout/facts.ts'
import type { Block, Item } from './layout/flow.ts'
import { type Drawing, opening } from './layout/frame.ts'
import {
  ink,
  innerWidth,
  measureHeight,
  oneLine,
  type Paper,
  rule,
  sheet,
  type Style,
  writeText,
} from './layout/paper.ts'
import { paragraph, space } from './layout/parts.ts'
import { splitTall } from './statement.ts'
import type { Layout } from './transcript.ts'
import { formatDay, schoolName, toLocale } from './words.ts'

const body: Style = { size: 9.6, lineGap: 2 }
const soft: Style = { face: 'label', size: 8, colour: ink.soft }

/** A case: its facts, the record, and every decision with its note. Without seal: the offices have decided in it. */
export function layOutSheet(paper: Paper, drawing: Drawing): Layout {
  const { content } = drawing
  const locale = toLocale(content.language)
  const { facts = [], fields = [], steps = [] } = content.caseSheet ?? {}
  const part = (title: string, items: readonly Item[]): readonly Item[] =>
    items.length === 0 ? [] : [space(8), { ...partHead(paper, title), glued: true }, ...items]
  return {
    opening: opening(paper, drawing),
    items: [
      { ...factsBlock(paper, facts, 2, labelWidth) },
      ...part(
        t(locale, 'paper.sheetFields'),
        fields.flatMap((fact) => layOutField(paper, fact)),
      ),
      ...part(
        t(locale, 'paper.sheetSteps'),
        steps.flatMap((step) => layOutStep(paper, step)),
      ),
    ],
    tail: [space(14)],
    closing: closeSheet(paper, drawing),
  }
}

const labelWidth = 92

function partHead(paper: Paper, title: string): Block {
  const style: Style = { face: 'strong', size: 10 }
  const height = measureHeight(paper, title, innerWidth, style) + 6
  return {
    height: height + 4,
    draw: (y) => {
      paper.rect(sheet.left, y, innerWidth, height).fill(ink.tint)
      writeText(paper, title, sheet.left + 6, y + 3, innerWidth - 12, style)
    },
  }
}

/** A label beside its value, whose pieces a page can break between. */
function layOutField(paper: Paper, { label, value }: SheetFact): readonly Item[] {
  return splitTall(paper, value, body).map((piece, i): Item => {
    const width = innerWidth - labelWidth
    const height = Math.max(
      measureHeight(paper, piece, width, body),
      i === 0 ? measureHeight(paper, label, labelWidth - 8, soft) + 1.4 : 0,
    )
    return {
      height: height + 3.4,
      draw: (y) => {
        if (i === 0) writeText(paper, label, sheet.left, y + 1.4, labelWidth - 8, soft)
        writeText(paper, piece, sheet.left + labelWidth, y, width, body)
      },
    }
  })
}

const timeWidth = 110

/** The place and the time, then the decider with the decision, then the note. */
function layOutStep(paper: Paper, { place, who, decision, note, at }: SheetStep): readonly Item[] {
  const strong: Style = { face: 'strong', size: 9.4 }
  const width = innerWidth - timeWidth
  const placeHeight = measureHeight(paper, place, width, strong)
  const said = [who, decision].filter((text) => text !== '').join('　')
  const notes = note === '' ? [] : splitTall(paper, note, body)
  const head: Item = {
    height: placeHeight + measureHeight(paper, said, innerWidth, body) + 8,
    glued: notes.length > 0,
    draw: (y) => {
      rule(paper, sheet.left, y, innerWidth, 0.4, ink.line)
      writeText(paper, place, sheet.left, y + 4, width, strong)
      writeText(paper, at, sheet.left + width, y + 5, timeWidth, { ...soft, align: 'right' })
      writeText(paper, said, sheet.left, y + placeHeight + 6, innerWidth, body)
    },
  }
  return [head, ...notes.map((piece) => paragraph(paper, piece, body, { after: 3 }))]
}

/** How the file is verified on the left, the school and the day on the right. */
function closeSheet(paper: Paper, { content, issue }: Drawing): Block {
  const { language, caseSheet } = content
  const locale = toLocale(language)
  const [signWidth, gap] = [168, 20]
  const x = sheet.width - sheet.right - signWidth
  const how = t(locale, 'paper.sheetSigned', { by: caseSheet?.by ?? '' })
  const howWidth = innerWidth - signWidth - gap
  const name: Style = { face: 'strong', size: 11, align: 'center' }
  const fitting = oneLine(paper, schoolName(content), signWidth, name, 8)
  const nameHeight = measureHeight(paper, schoolName(content), signWidth, fitting)
  return {
    height: Math.max(measureHeight(paper, how, howWidth, soft), nameHeight + 18) + 10,
    draw: (top) => {
      const y = top + 8
      rule(paper, sheet.left, top, innerWidth, 1)
      writeText(paper, how, sheet.left, y, howWidth, soft)
      writeText(paper, schoolName(content), x, y, signWidth, fitting)
      if (issue !== null)
        writeText(paper, formatDay(language, issue.issuedAt), x, y + nameHeight + 3, signWidth, {
          size: 9.6,
          align: 'center',
        })
    },
  }
}

import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'
import type { CourseResult } from '../../platform/database/tables/document-content.ts'
import {
  listAllCourses,
  computeFigures,
  formatOneDecimal,
  twoDecimals,
} from '../content/figures.ts'
import { type Level, type Step, findScaleStep, steps } from '../content/scale.ts'
import type { Block } from './layout/flow.ts'
import { type Drawing, opening } from './layout/frame.ts'
import { ink, innerWidth, type Paper, rule, sheet, writeText } from './layout/paper.ts'
import { figureStrip, paragraph, space, stack } from './layout/parts.ts'
import { studentFacts } from './student-facts.ts'
import {
  endRule,
  type TableColumn,
  type TableGroup,
  tableItems,
  type TableLook,
} from './layout/table.ts'
import type { Layout } from './transcript.ts'
import { toLocale, pickNames, termTitle } from './words.ts'

/** Every course on four scales, with the conversion table. */
export function conversion(paper: Paper, drawing: Drawing, look: TableLook): Layout {
  const {
    content: { language, student, terms },
  } = drawing
  const locale = toLocale(language)
  const isEnglish = language === 'en'
  const all = computeFigures(listAllCourses(terms))
  const lead = t(locale, 'paper.conversionLead', {
    name: pickNames(language, student).name,
    no: student.studentNo,
  })
  return {
    opening: stack(
      opening(paper, drawing),
      studentFacts(paper, drawing),
      paragraph(paper, lead, { size: 9.4, lineGap: 2 }, { before: 5, after: 6 }),
      scaleBlock(paper, [
        [t(locale, 'paper.percent'), ({ range }) => range],
        [t(locale, 'paper.level'), (step) => levelName(locale, step.level)],
        [t(locale, 'paper.letter'), ({ letter }) => letter],
        [t(locale, 'paper.four'), ({ four }) => four.toFixed(1)],
      ]),
      space(12),
    ),
    items: [
      ...tableItems<CourseResult>(paper, {
        look,
        continued: t(locale, 'paper.continued'),
        columns: courseColumns(locale, isEnglish),
        groups: termGroups(locale, drawing),
      }),
    ],
    tail: [
      endRule(paper),
      figureStrip(paper, [
        [t(locale, 'paper.credits'), formatOneDecimal(all.credits)],
        [t(locale, 'paper.average'), twoDecimals(all.average)],
        [t(locale, 'paper.gpa5'), twoDecimals(all.gpa5)],
        [t(locale, 'paper.gpa4'), twoDecimals(all.gpa4)],
      ]),
      paragraph(
        paper,
        t(locale, 'paper.conversionNote'),
        { face: 'label', size: 7.4, colour: ink.soft, lineGap: 1 },
        { before: 2 },
      ),
    ],
  }
}

function courseColumns(locale: Locale, isEnglish: boolean): TableColumn<CourseResult>[] {
  return [
    { title: t(locale, 'paper.code'), share: 9, of: ({ code }) => code },
    {
      title: t(locale, 'paper.course'),
      share: isEnglish ? 37 : 36,
      of: ({ name, nameEn }) => (isEnglish ? nameEn : name),
    },
    {
      title: t(locale, 'paper.credit'),
      share: 8,
      align: 'right',
      of: ({ credit }) => credit.toFixed(1),
    },
    {
      title: t(locale, 'paper.percent'),
      share: isEnglish ? 12 : 9,
      align: 'right',
      of: ({ score }) => formatOneDecimal(score),
    },
    {
      title: t(locale, 'paper.level'),
      share: isEnglish ? 13 : 11,
      align: 'center',
      of: ({ score }) => levelName(locale, findScaleStep(score).level),
    },
    {
      title: t(locale, 'paper.letter'),
      share: 8,
      align: 'center',
      of: ({ score }) => findScaleStep(score).letter,
    },
    {
      title: t(locale, 'paper.four'),
      share: 11,
      align: 'right',
      of: ({ score }) => findScaleStep(score).four.toFixed(1),
    },
  ]
}

function termGroups(
  locale: Locale,
  { content: { language, terms } }: Drawing,
): TableGroup<CourseResult>[] {
  return terms.map((term) => {
    const { credits, gpa4 } = computeFigures(term.courses)
    return {
      title: termTitle(language, term),
      aside: t(locale, 'paper.termFigures', {
        credits: formatOneDecimal(credits),
        gpa: twoDecimals(gpa4),
      }),
      rows: term.courses,
    }
  })
}

function levelName(locale: Locale, level: Level): string {
  return t(locale, `paper.level.${level}`)
}

/** The conversion table, transposed: a column for each step. */
function scaleBlock(
  paper: Paper,
  rows: readonly (readonly [label: string, of: (step: Step) => string])[],
): Block {
  const [labelWidth, rowHeight] = [70, 16.5]
  const width = (innerWidth - labelWidth) / steps.length
  return {
    height: rows.length * rowHeight,
    draw: (top) => {
      paper.rect(sheet.left, top, labelWidth, rows.length * rowHeight).fill(ink.tint)
      rows.forEach(([label, of], i) => {
        const y = top + i * rowHeight
        rule(paper, sheet.left, y, innerWidth, i === 0 ? 0.8 : 0.4, i === 0 ? ink.rule : ink.line)
        writeText(paper, label, sheet.left + 6, y + 2.8, labelWidth - 8, {
          face: 'label',
          size: 7.8,
          colour: ink.soft,
        })
        steps.forEach((step, k) =>
          writeText(paper, of(step), sheet.left + labelWidth + k * width, y + 2, width, {
            size: 8.8,
            align: 'center',
          }),
        )
      })
      rule(paper, sheet.left, top + rows.length * rowHeight, innerWidth, 0.8)
    },
  }
}

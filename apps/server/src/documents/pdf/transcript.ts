import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'
import {
  listAllCourses,
  computeFigures,
  formatOneDecimal,
  twoDecimals,
} from '../content/figures.ts'
import type { CourseResult } from '../../platform/database/tables/document-content.ts'
import type { Block, Item } from './layout/flow.ts'
import { type Drawing, opening } from './layout/frame.ts'
import { ink, type Paper } from './layout/paper.ts'
import { figureStrip, paragraph, space, stack } from './layout/parts.ts'
import { studentFacts } from './student-facts.ts'
import { endRule, type TableColumn, tableItems, type TableLook } from './layout/table.ts'
import { toLocale, termTitle } from './words.ts'

/** Opening block and running text of one kind of document. */
export interface Layout {
  readonly opening: Block
  readonly items: readonly Item[]
  /** Kept on one page with signature and seal. */
  readonly tail: readonly Block[]
  /** Instead of verification, seal and date. */
  readonly closing?: Block
}

/** Grades by year and term. */
export function transcript(paper: Paper, drawing: Drawing, look: TableLook): Layout {
  const {
    content: { language, terms },
  } = drawing
  const locale = toLocale(language)
  const isEnglish = language === 'en'
  const all = computeFigures(listAllCourses(terms))
  return {
    opening: stack(opening(paper, drawing), studentFacts(paper, drawing), space(8)),
    items: [
      ...tableItems(paper, {
        look,
        continued: t(locale, 'paper.continued'),
        columns: courseColumns(locale, isEnglish),
        groups: terms.map((term) => {
          const { credits, gpa5 } = computeFigures(term.courses)
          return {
            title: termTitle(language, term),
            aside: t(locale, 'paper.termFigures', {
              credits: formatOneDecimal(credits),
              gpa: twoDecimals(gpa5),
            }),
            rows: term.courses,
          }
        }),
      }),
    ],
    tail: [
      endRule(paper),
      figureStrip(paper, [
        [t(locale, 'paper.courses'), String(all.courses)],
        [t(locale, 'paper.credits'), formatOneDecimal(all.credits)],
        [t(locale, 'paper.earned'), formatOneDecimal(all.earned)],
        [t(locale, 'paper.average'), twoDecimals(all.average)],
        [t(locale, 'paper.gpa'), twoDecimals(all.gpa5)],
      ]),
      paragraph(
        paper,
        t(locale, 'paper.transcriptNote'),
        { face: 'label', size: 7.4, colour: ink.soft, lineGap: 1 },
        { before: 2 },
      ),
    ],
  }
}

function courseColumns(locale: Locale, isEnglish: boolean): TableColumn<CourseResult>[] {
  const remark = ({ passed, retake }: CourseResult) =>
    [retake ? t(locale, 'paper.retake') : '', passed ? '' : t(locale, 'paper.failed')]
      .filter((part) => part !== '')
      .join(isEnglish ? ', ' : '、')
  return [
    { title: t(locale, 'paper.code'), share: 8, of: ({ code }) => code },
    {
      title: t(locale, 'paper.course'),
      share: isEnglish ? 38 : 36,
      of: ({ name, nameEn }) => (isEnglish ? nameEn : name),
    },
    {
      title: t(locale, 'paper.nature'),
      share: isEnglish ? 19 : 10,
      of: ({ nature }) => nature,
    },
    {
      title: t(locale, 'paper.credit'),
      share: 8,
      align: 'right',
      of: ({ credit }) => credit.toFixed(1),
    },
    {
      title: t(locale, 'paper.score'),
      share: 8,
      align: 'right',
      of: ({ score }) => formatOneDecimal(score),
    },
    {
      title: t(locale, 'paper.point'),
      share: 8,
      align: 'right',
      of: ({ point }) => point.toFixed(1),
    },
    {
      title: t(locale, 'paper.remark'),
      share: isEnglish ? 11 : 13,
      align: 'center',
      of: remark,
    },
  ]
}

import { maskPii } from '@jiaowu/api/pii'
import { t } from '@jiaowu/api/texts/index'
import {
  computeFigures,
  formatOneDecimal,
  twoDecimals,
  listAllCourses,
} from '../content/figures.ts'
import type { TermResults } from '../../platform/database/tables/document-content.ts'
import type { Item } from './layout/flow.ts'
import { type Drawing, opening } from './layout/frame.ts'
import { innerWidth, measureHeight, type Paper, type Style } from './layout/paper.ts'
import { paragraph, space } from './layout/parts.ts'
import { endRule, tableItems } from './layout/table.ts'
import type { Layout } from './transcript.ts'
import { toLocale, longDate, pickNames } from './words.ts'

const onLeave = '2' // dictionary studentStatus

/** A letter that certifies enrolment. */
export function layOutEnrolment(paper: Paper, drawing: Drawing): Layout {
  const {
    content: { language, student },
  } = drawing
  const locale = toLocale(language)
  const body = t(locale, 'paper.enrolledBody', {
    ...sentenceParts(drawing),
    years: student.years === null ? '' : t(locale, 'paper.enrolledYears', { years: student.years }),
    since:
      student.enrolDate === null
        ? ''
        : t(locale, 'paper.enrolledSince', { date: longDate(language, student.enrolDate) }),
    status: t(locale, student.status === onLeave ? 'paper.statusLeave' : 'paper.statusEnrolled'),
  })
  return {
    opening: opening(paper, drawing, { letter: true }),
    items: [paragraph(paper, body, letterStyle(language === 'en'))],
    tail: [hereby(paper, drawing), space(92)],
  }
}

/** A letter in which an office tells a person what it decided, in the words of the flow. */
export function layOutNotice(paper: Paper, drawing: Drawing): Layout {
  const { language, paragraphs = [] } = drawing.content
  const style = letterStyle(language === 'en')
  return {
    opening: opening(paper, drawing, { letter: true }),
    items: paragraphs.flatMap((text) =>
      splitTall(paper, text, style).map((piece, i) =>
        paragraph(paper, piece, i === 0 ? style : { ...style, indent: 0 }, { after: 4 }),
      ),
    ),
    tail: [space(60)],
  }
}

/** Points: half of what a page holds, so that no piece is higher than a page. */
const tallest = 300

/** Pieces of a paragraph that a page can break between. */
export function splitTall(paper: Paper, text: string, style: Style): readonly string[] {
  if (measureHeight(paper, text, innerWidth, style) <= tallest) return [text]
  const characters = [...text]
  const middle = characters.length >> 1
  const end = characters.findIndex((each, i) => i >= middle && /[。；，,.;\s]/u.test(each))
  const at = end < 0 || end === characters.length - 1 ? middle : end + 1
  return [characters.slice(0, at), characters.slice(at)].flatMap((half) =>
    splitTall(paper, half.join(''), style),
  )
}

function sentenceParts(drawing: Drawing) {
  const {
    content: { language, student },
  } = drawing
  const locale = toLocale(language)
  return {
    ...pickNames(language, student),
    details: formatDetails(drawing),
    entry:
      language === 'en' || student.enrolDate === null
        ? ''
        : t(locale, 'paper.entry', { year: student.enrolDate.slice(0, 4) }),
  }
}

/** 女，2004年5月16日出生，学号：…, with the facts that are known. */
function formatDetails({ content: { language, student }, issue }: Drawing): string {
  const locale = toLocale(language)
  const id = student.idNumber ?? ''
  const details = [
    language === 'en' ? student.gender.toLowerCase() : student.gender,
    student.birthDate === null
      ? ''
      : t(locale, 'paper.bornOn', { date: longDate(language, student.birthDate) }),
    t(locale, 'paper.withNumber', { no: student.studentNo }),
    id === '' ? '' : t(locale, 'paper.withId', { id: issue === null ? maskPii('idCard', id) : id }),
  ]
  return details.filter((detail) => detail !== '').join(t(locale, 'paper.detailJoin'))
}

function letterStyle(isEnglish: boolean): Style {
  return isEnglish ? { size: 12, lineGap: 6.5 } : { size: 13, lineGap: 9, indent: 26 }
}

function hereby(paper: Paper, { content: { language } }: Drawing): Item {
  return paragraph(paper, t(toLocale(language), 'paper.hereby'), letterStyle(language === 'en'), {
    before: 10,
  })
}

interface YearRow {
  readonly year: string
  readonly results: TermResults['courses']
}

/** A letter that summarises the years of study. */
export function academic(paper: Paper, drawing: Drawing): Layout {
  const {
    content: { language, terms },
  } = drawing
  const locale = toLocale(language)
  const all = computeFigures(listAllCourses(terms))
  const body = t(locale, 'paper.otherBody', {
    ...sentenceParts(drawing),
    courses: all.courses,
    credits: formatOneDecimal(all.credits),
    earned: formatOneDecimal(all.earned),
    average: twoDecimals(all.average),
    gpa: twoDecimals(all.gpa5),
  })
  const years = [...Map.groupBy(terms, ({ year }) => year)].map(([year, of]): YearRow => ({
    year: year.replace('-', '–'),
    results: listAllCourses(of),
  }))
  const column = (title: string, of: (figures: ReturnType<typeof computeFigures>) => string) => ({
    title,
    share: 16,
    align: 'right' as const,
    of: ({ results }: YearRow) => of(computeFigures(results)),
  })
  return {
    opening: opening(paper, drawing, { letter: true }),
    items: [
      paragraph(paper, body, letterStyle(language === 'en'), { after: 12 }),
      ...tableItems<YearRow>(paper, {
        continued: '',
        look: { size: 10, pad: 5, gutter: 8 },
        columns: [
          { title: t(locale, 'paper.year'), share: 22, of: ({ year }) => year },
          column(t(locale, 'paper.courses'), ({ courses }) => String(courses)),
          column(t(locale, 'paper.credits'), ({ credits }) => formatOneDecimal(credits)),
          column(t(locale, 'paper.earned'), ({ earned }) => formatOneDecimal(earned)),
          column(t(locale, 'paper.average'), ({ average }) => twoDecimals(average)),
          column(t(locale, 'paper.gpaShort'), ({ gpa5 }) => twoDecimals(gpa5)),
        ],
        groups: [
          {
            title: '',
            aside: '',
            rows: [...years, { year: t(locale, 'paper.total'), results: listAllCourses(terms) }],
          },
        ],
      }),
    ],
    tail: [endRule(paper), space(14), hereby(paper, drawing), space(30)],
  }
}

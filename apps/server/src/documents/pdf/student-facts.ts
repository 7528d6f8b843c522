import { maskPii } from '@jiaowu/api/pii'
import { t } from '@jiaowu/api/texts/index'
import type { Block } from './layout/flow.ts'
import { type Fact, factsBlock } from './layout/facts.ts'
import type { Drawing } from './layout/frame.ts'
import type { Paper } from './layout/paper.ts'
import { toLocale, longDate, pickNames } from './words.ts'

/** The student's facts. A preview shows only the ends of the ID number. */
export function studentFacts(paper: Paper, { content, issue }: Drawing): Block {
  const { language, student } = content
  const locale = toLocale(language)
  const { name, faculty, major } = pickNames(language, student)
  const id = student.idNumber ?? ''
  const all: Fact[] = [
    { label: t(locale, 'paper.name'), value: name },
    { label: t(locale, 'paper.studentNo'), value: student.studentNo },
    { label: t(locale, 'paper.gender'), value: student.gender },
    { label: t(locale, 'paper.faculty'), value: faculty, span: 2 },
    {
      label: t(locale, 'paper.born'),
      value: student.birthDate === null ? '' : longDate(language, student.birthDate),
    },
    { label: t(locale, 'paper.major'), value: major, span: 2 },
    {
      label: t(locale, 'paper.years'),
      value: student.years === null ? '' : t(locale, 'paper.yearsValue', { years: student.years }),
    },
    {
      label: t(locale, 'paper.idNumber'),
      value: issue === null ? maskPii('idCard', id) : id,
      span: 2,
    },
    {
      label: t(locale, 'paper.enrolDate'),
      value: student.enrolDate === null ? '' : longDate(language, student.enrolDate),
    },
  ]
  return factsBlock(
    paper,
    all.filter(({ value }) => value !== ''),
    3,
    language === 'en' ? 66 : 50,
  )
}

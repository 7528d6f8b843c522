import { t } from '@jiaowu/api/texts/index'
import type { Locale } from '@jiaowu/api/locale'
import { localTime } from '../../model/fields/local-time.ts'
import type { PrintedContent } from '../content/printed.ts'
import type {
  DocumentLanguage,
  StudentRecord,
  TermResults,
} from '../../platform/database/tables/document-content.ts'

export const toLocale = (language: DocumentLanguage): Locale => (language === 'en' ? 'en' : 'zh-CN')

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
/** Formats `2026-11-21` as 2026年11月21日 or 21 November 2026; other text is returned unchanged. */
export function longDate(language: DocumentLanguage, day: string): string {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)/.exec(day) ?? []
  if (year === undefined || month === undefined || date === undefined) return day
  return language === 'en'
    ? `${Number(date)} ${months[Number(month) - 1] ?? month} ${year}`
    : `${year}年${Number(month)}月${Number(date)}日`
}
/** The local day, `YYYY-MM-DD`. */
export function formatDay(language: DocumentLanguage, iso: string): string {
  return longDate(language, localTime(new Date(iso)).slice(0, 10))
}

export function termTitle(language: DocumentLanguage, { year, half, word }: TermResults): string {
  const locale = toLocale(language)
  const years = year.replace('-', '–')
  if (half === null) return word
  return half === 2
    ? t(locale, 'paper.term2', { year: years })
    : t(locale, 'paper.term1', { year: years })
}

export interface Named {
  readonly name: string
  readonly faculty: string
  readonly major: string
}
/** The student's name, faculty, major and class in the document's language. */
export function pickNames(
  language: DocumentLanguage,
  { name, nameEn, faculty, facultyEn, major, majorEn }: StudentRecord,
): Named {
  return language === 'en'
    ? { name: nameEn, faculty: facultyEn, major: majorEn }
    : { name, faculty, major }
}

export function schoolName({
  language,
  school,
}: Pick<PrintedContent, 'language' | 'school'>): string {
  return language === 'en' ? school.nameEn : school.name
}

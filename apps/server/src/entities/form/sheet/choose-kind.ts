// The kind of column that the cells of a sheet ask for.
import type { ColumnKind, ProposedColumn } from '@jiaowu/api/entity/definition/sheet'
import { choiceLength } from '../column-type.ts'
import type { ColumnFacts } from './column-facts.ts'

/** Texts of digits that are no amounts. */
export const codeHeading =
  /(?:号|码|编号|代码|电话|手机|邮编|QQ|微信|\bid|\bno\.?|code|phone|mobile|zip|number)$/i
const flagHeading = /^是否|^(?:is|has)\b|\?$|？$/i
const dayHeading = /日期|时间|生日|出生|日$|date|birth|time/i

/** Digits of a number that is none: numbers of students, phones, ID cards. */
const codeDigits = 9
const mostChoices = 20
const choiceCharacters = 30
/** Characters of a text of one line. */
const mostCharacters = 500

/** The kinds that all values of the column have. */
export function listFittingKinds(facts: ColumnFacts): readonly ColumnKind[] {
  const { misfits, scale, digits, values, isMany, longest } = facts
  if (facts.filled === 0) return ['text', 'long', 'integer', 'decimal', 'date', 'datetime', 'flag']
  const isNumber = misfits.number.count === 0 && digits <= 15
  return [
    ...(longest <= 4_000 && !facts.hasLines ? (['text'] as const) : []),
    'long',
    ...(isNumber && scale === 0 ? (['integer'] as const) : []),
    ...(isNumber && scale <= 6 ? (['decimal'] as const) : []),
    ...(misfits.date.count === 0 ? (['date'] as const) : []),
    ...(misfits.datetime.count === 0 ? (['datetime'] as const) : []),
    ...(misfits.flag.count === 0 ? (['flag'] as const) : []),
    ...(!isMany && values.size <= 200 && longest <= choiceLength ? (['choice'] as const) : []),
  ]
}

/** The kind that is proposed, before relations are looked for. */
export function chooseKind(header: string, facts: ColumnFacts, isPersonal: boolean): ColumnKind {
  const fits = new Set(listFittingKinds(facts))
  if (facts.filled === 0) return 'text'
  const moment = chooseMoment(header, facts, fits)
  if (moment !== null) return moment
  if (fits.has('flag') && isFlag(header, facts)) return 'flag'
  const isCode =
    facts.hasLeadingZero || facts.digits >= codeDigits || codeHeading.test(header.trim())
  const number = (['integer', 'decimal'] as const).find((kind) => fits.has(kind))
  if (number !== undefined && !isCode) return number
  if (fits.has('choice') && !isPersonal && !isCode && isFewValued(facts)) return 'choice'
  return fits.has('text') && facts.longest <= mostCharacters ? 'text' : 'long'
}

/** Eight digits are a day where the heading says so. */
function chooseMoment(
  header: string,
  { hasDateForm, hasClock }: ColumnFacts,
  fits: ReadonlySet<ColumnKind>,
): ColumnKind | null {
  const isDay = hasDateForm || dayHeading.test(header)
  if (fits.has('date') && isDay && !hasClock) return 'date'
  return fits.has('datetime') && hasDateForm ? 'datetime' : null
}

/** 1 and 0 are numbers unless the heading asks a question. */
function isFlag(header: string, { values }: ColumnFacts): boolean {
  const isWords = [...values.keys()].every((value) => /[^\d]/.test(value))
  return flagHeading.test(header.trim()) || (isWords && values.size === 2)
}

/** Marks among which a few words stand are no choice. */
function isFewValued({ values, filled, isMany, misfits }: ColumnFacts): boolean {
  if (misfits.number.count <= filled * 0.2) return false
  const longest = Math.max(...[...values.keys()].map(({ length }) => length))
  return (
    !isMany &&
    values.size >= 2 &&
    values.size <= mostChoices &&
    filled >= 3 * values.size &&
    longest <= choiceCharacters
  )
}

const lengths = [16, 32, 64, 128, 200, 500]

/** The sizes and choices that hold all values, for each kind. */
export function chooseSize(
  facts: ColumnFacts,
  isPersonal: boolean,
): Pick<ProposedColumn, 'length' | 'scale' | 'choices'> {
  const { longest, scale, values } = facts
  const isChoice = !isPersonal && listFittingKinds(facts).includes('choice')
  return {
    length:
      lengths.find((each) => each >= longest * 1.5) ?? Math.min(4_000, Math.max(500, longest)),
    scale: Math.min(6, Math.max(1, scale)),
    ...(isChoice && facts.filled > 0 && { choices: [...values.keys()] }),
  }
}

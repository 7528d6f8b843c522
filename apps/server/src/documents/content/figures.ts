import type { CourseResult, TermResults } from '../../platform/database/tables/document-content.ts'
import { toFourPoint } from './scale.ts'

/** Totals of a set of results. Averages are weighted by credit; null without results. */
export interface Figures {
  readonly courses: number
  readonly credits: number
  readonly earned: number
  readonly average: number | null
  /** Grade point average out of 5. */
  readonly gpa5: number | null
  /** Grade point average out of 4, by the table of `scale.ts`. */
  readonly gpa4: number | null
}

/** A repeated course counts once, with its best score. */
export function computeFigures(results: readonly CourseResult[]): Figures {
  const counted = best(results)
  return {
    courses: counted.length,
    credits: total(counted, ({ credit }) => credit),
    earned: total(
      counted.filter(({ passed }) => passed),
      ({ credit }) => credit,
    ),
    average: mean(counted, ({ score }) => score),
    gpa5: mean(counted, ({ point }) => point),
    gpa4: mean(counted, ({ score }) => toFourPoint(score)),
  }
}

/** The best attempt of each course. */
function best(results: readonly CourseResult[]): CourseResult[] {
  const byCode = new Map<string, CourseResult>()
  for (const result of results) {
    const known = byCode.get(result.code)
    if (known === undefined || result.score > known.score) byCode.set(result.code, result)
  }
  return [...byCode.values()]
}

function total(results: readonly CourseResult[], of: (result: CourseResult) => number) {
  return results.reduce((sum, result) => sum + of(result), 0)
}

function mean(
  results: readonly CourseResult[],
  of: (result: CourseResult) => number,
): number | null {
  const credits = total(results, ({ credit }) => credit)
  return credits === 0 ? null : total(results, (result) => of(result) * result.credit) / credits
}

export function listAllCourses(terms: readonly TermResults[]): CourseResult[] {
  return terms.flatMap(({ courses }) => courses)
}

/** Formats a number with at most one decimal: `3.5`, `12`. */
export const formatOneDecimal = (value: number): string => String(Math.round(value * 10) / 10)

export function twoDecimals(value: number | null): string {
  return value === null ? '—' : value.toFixed(2)
}

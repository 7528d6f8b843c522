import { describe, expect, it } from 'vitest'
import type { CourseResult } from '../../platform/database/tables/document-content.ts'
import { computeFigures, formatOneDecimal, twoDecimals } from './figures.ts'
import { toFourPoint, findScaleStep, steps } from './scale.ts'

function result(code: string, score: number, credit: number): CourseResult {
  return {
    code,
    name: code,
    nameEn: code,
    nature: '',
    credit,
    score,
    point: score < 60 ? 0 : (score - 50) / 10,
    passed: score >= 60,
    retake: false,
  }
}

describe('figures', () => {
  it('weigh by credit', () => {
    expect(computeFigures([result('a', 90, 3), result('b', 60, 1)])).toMatchObject({
      courses: 2,
      credits: 4,
      earned: 4,
      average: 82.5,
      gpa5: 3.25,
      gpa4: 3.5,
    })
  })
  it('count a course taken again once, with its best score, and credits of failed courses as not earned', () => {
    expect(
      computeFigures([
        result('a', 40, 3),
        result('a', 80, 3),
        result('a', 70, 3),
        result('b', 59.5, 2),
      ]),
    ).toMatchObject({ courses: 2, credits: 5, earned: 3, average: (80 * 3 + 59.5 * 2) / 5 })
  })
  it('average nothing to nothing', () => {
    expect(computeFigures([])).toEqual({
      courses: 0,
      credits: 0,
      earned: 0,
      average: null,
      gpa5: null,
      gpa4: null,
    })
    expect(computeFigures([result('a', 90, 0)]).average).toBeNull()
    expect([
      twoDecimals(null),
      twoDecimals(2.005),
      formatOneDecimal(12),
      formatOneDecimal(3.5),
      formatOneDecimal(0.1 + 0.2),
    ]).toEqual(['—', '2.00', '12', '3.5', '0.3'])
  })
})

describe('the conversion table', () => {
  it('has a step for every score, falling from A to F', () => {
    expect(
      [100, 90, 89.5, 85, 80, 75, 70, 65, 60, 59.5, 0].map((score) => findScaleStep(score).letter),
    ).toEqual(['A', 'A', 'A−', 'A−', 'B+', 'B', 'B−', 'C+', 'C', 'F', 'F'])
    expect(steps.map(({ from }) => from)).toEqual(
      steps.map(({ from }) => from).toSorted((a, b) => b - a),
    )
    expect(steps.map(({ four }) => four)).toEqual(
      steps.map(({ four }) => four).toSorted((a, b) => b - a),
    )
    expect(toFourPoint(59.9)).toBe(0)
  })
})

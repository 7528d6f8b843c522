/** The five grades that Chinese schools use instead of scores. */
export type Level = 'excellent' | 'good' | 'fair' | 'pass' | 'fail'
/** A row of the conversion table, valid from this score out of 100 upwards. */
export interface Step {
  readonly from: number
  readonly range: string
  readonly letter: string
  readonly four: number
  readonly level: Level
}

const lowest: Step = { from: 0, range: '0–59', letter: 'F', four: 0, level: 'fail' }
/**
 * Conversion of percentages to letters, the 4.0 scale and the five grades. Schools differ in the
 * steps, so every conversion prints the table.
 */
export const steps: readonly Step[] = [
  { from: 90, range: '90–100', letter: 'A', four: 4, level: 'excellent' },
  { from: 85, range: '85–89', letter: 'A−', four: 3.7, level: 'good' },
  { from: 80, range: '80–84', letter: 'B+', four: 3.3, level: 'good' },
  { from: 75, range: '75–79', letter: 'B', four: 3, level: 'fair' },
  { from: 70, range: '70–74', letter: 'B−', four: 2.7, level: 'fair' },
  { from: 65, range: '65–69', letter: 'C+', four: 2.3, level: 'pass' },
  { from: 60, range: '60–64', letter: 'C', four: 2, level: 'pass' },
  lowest,
]

export const findScaleStep = (score: number): Step =>
  steps.find(({ from }) => score >= from) ?? lowest
export const toFourPoint = (score: number): number => findScaleStep(score).four

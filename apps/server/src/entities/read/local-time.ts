import { type FieldKind, schoolTime } from '@jiaowu/api'

/** An instant as the school's clock shows it: `2026-01-05 08:30:00`. */
export const localTime: (at: Date) => string = schoolTime

/** The same moment as a value of a kind: the part that a temporal kind keeps, else all of it. */
export function nowFor(kind: FieldKind, at: Date): string {
  const text = localTime(at)
  return kind.temporal?.fromMoment(text) ?? text
}

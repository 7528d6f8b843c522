import type { FieldKind } from '@jiaowu/api/fields/families'
import { schoolTime } from '@jiaowu/api/formats'

/** An instant in the school's time zone: `2026-01-05 08:30:00`. */
export const localTime: (at: Date) => string = schoolTime

/** The current time as a value of a field kind: the part a temporal kind keeps, else all of it. */
export function nowFor(kind: FieldKind, at: Date): string {
  const text = localTime(at)
  return kind.temporal?.fromMoment(text) ?? text
}

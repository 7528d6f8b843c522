import type { Message } from '@jiaowu/api/texts/index'
import { mobilePattern } from '@jiaowu/api/contract/student/student'

const isEmpty = (text: string): boolean => text.trim() === ''
/** `cannot be empty` (docs/spec/2-student-service-and-designer.md §5); null when not empty. */
export function requiredFault(text: string): Message | null {
  return isEmpty(text) ? { key: 'studentFlow.required' } : null
}
/**
 * Empty, or not a mobile number of mainland China (docs/spec/2-student-service-and-designer.md §5);
 * null when valid.
 */
export function mobileFault(text: string): Message | null {
  return (
    requiredFault(text) ?? (mobilePattern.test(text.trim()) ? null : { key: 'studentFlow.mobile' })
  )
}

/** Faults of the given fields; valid fields are omitted. */
export function listFieldFaults<F extends string>(
  values: Readonly<Record<F, string>>,
  rules: Readonly<Record<F, (text: string) => Message | null>>,
  fields: readonly F[],
): Readonly<Partial<Record<F, Message>>> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const fault = rules[field](values[field])
      return fault === null ? [] : [[field, fault]]
    }),
  ) as Partial<Record<F, Message>>
}
/** The values with surrounding whitespace removed. */
export function trimTexts<F extends string>(
  values: Readonly<Record<F, string>>,
): Readonly<Record<F, string>> {
  return Object.fromEntries(
    Object.entries<string>(values).map(([field, text]) => [field, text.trim()]),
  ) as Record<F, string>
}
export function withoutFault<F extends string>(
  faults: Readonly<Partial<Record<F, Message>>>,
  field: F,
): Readonly<Partial<Record<F, Message>>> {
  return Object.fromEntries(Object.entries(faults).filter(([name]) => name !== field)) as Partial<
    Record<F, Message>
  >
}

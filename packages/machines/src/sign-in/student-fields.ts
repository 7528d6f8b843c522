import { type Message, mobilePattern } from '@jiaowu/api'

const isEmpty = (text: string): boolean => text.trim() === ''
/** `cannot be empty` (student spec §5); null when there is something. */
export const requiredFault = (text: string): Message | null =>
  isEmpty(text) ? { key: 'studentFlow.required' } : null
/** Empty, or not a mainland number (student spec §5); null when right. */
export const mobileFault = (text: string): Message | null =>
  requiredFault(text) ?? (mobilePattern.test(text.trim()) ? null : { key: 'studentFlow.mobile' })

/** The faults of the fields asked about; fields without one are left out. */
export const faultsOf = <F extends string>(
  values: Readonly<Record<F, string>>,
  rules: Readonly<Record<F, (text: string) => Message | null>>,
  fields: readonly F[],
): Readonly<Partial<Record<F, Message>>> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const fault = rules[field](values[field])
      return fault === null ? [] : [[field, fault]]
    }),
  ) as Partial<Record<F, Message>>
/** What is sent: without blanks around it. */
export const trimmed = <F extends string>(
  values: Readonly<Record<F, string>>,
): Readonly<Record<F, string>> =>
  Object.fromEntries(
    Object.entries<string>(values).map(([field, text]) => [field, text.trim()]),
  ) as Record<F, string>
export const without = <F extends string>(
  faults: Readonly<Partial<Record<F, Message>>>,
  field: F,
): Readonly<Partial<Record<F, Message>>> =>
  Object.fromEntries(Object.entries(faults).filter(([name]) => name !== field)) as Partial<
    Record<F, Message>
  >

// Personal data in what an import shows: errors, samples of columns and the result sheet
// (docs/rules/security.md#d4).
import { maskPii, scrubPersonal } from '@jiaowu/api/pii'
import type { Message } from '@jiaowu/api/texts/index'
import type { LoadedField } from '../../../model/definition/loaded.ts'

/** The text of a cell. A column without a field may hold anything. */
export function shownCell(field: Pick<LoadedField, 'pii'> | null, text: string): string {
  if (field === null) return scrubPersonal(text)
  return field.pii === null ? text : maskPii(field.pii, text)
}

/** A message whose parameters may quote a cell. */
export function withoutPersonal(message: Message): Message {
  return message.params === undefined
    ? message
    : {
        ...message,
        params: Object.fromEntries(
          Object.entries(message.params).map(([name, value]) => [
            name,
            typeof value === 'string' ? scrubPersonal(value) : value,
          ]),
        ),
      }
}

import type { Message } from '@jiaowu/api/texts/index'

/** The limits that the lists offer, in days from today: null is no limit. */
export const todoDueDays = [null, 0, 3, 7] as const

/** The name of a limit, on all surfaces. */
export function nameTodoDue(days: number | null): Message {
  if (days === null) return { key: 'todo.due.any' }
  return days === 0 ? { key: 'todo.due.today' } : { key: 'todo.due.days', params: { n: days } }
}

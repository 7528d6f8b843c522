import type { GroupQuery } from '@jiaowu/api/entity/list/list-query'
import type { List } from '../use-list.ts'

/**
 * Changes the table as it is now: what is on the screen may be a step behind, and a change of it would take
 * the step before back.
 */
export function changeTable(
  { actor }: Pick<List, 'actor'>,
  change: (now: GroupQuery) => GroupQuery,
): void {
  const now = actor.getSnapshot().context.group
  if (now?.table !== undefined) actor.send({ type: 'group.set', group: change(now) })
}

import type { AdoptTablesEvent, adoptTablesMachine } from '@jiaowu/machines/adopt-tables/machine'
import type { SnapshotFrom } from 'xstate'

/**
 * Tells events that no control of a surface has: boxes only change, and a name is not typed where
 * it stays out.
 */
export function isUnseen(
  {
    context: { drafts, left, names, keeps: kept, owns: own, relates, writesPasswords },
  }: SnapshotFrom<typeof adoptTablesMachine>,
  event: AdoptTablesEvent,
) {
  switch (event.type) {
    case 'table.choose':
      return (
        event.tags.includes('NOTHING') ||
        (event.tags.length > 1
          ? drafts.length < 2 || left.length > 0 !== event.isChosen
          : left.includes(event.tags[0] ?? '') !== event.isChosen)
      )
    case 'table.rename':
      return event.tag === 'NOTHING' || left.includes(event.tag) || names[event.tag] === event.name
    case 'kept.choose':
      return kept === event.keeps
    case 'school.choose':
      return own === event.owns
    case 'links.choose':
      return relates === event.relates
    case 'passwords.choose':
      return writesPasswords === event.writes
    default:
      return false
  }
}

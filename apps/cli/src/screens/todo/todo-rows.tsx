import { schoolInstant } from '@jiaowu/api/formats'
import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'
import { Box } from 'ink'
import { useState } from 'react'
import { Text } from '../ui.tsx'
import type { TodoRow } from './todo-row.ts'

interface Props {
  readonly rows: readonly TodoRow[]
  readonly locale: Locale
  readonly cursor: number
}

/** As many cases as a low terminal has lines for, around the cursor. */
const mostRows = 12

/** The cases, one a line: the mark of a chosen one, its title, state, kind, applicant and time. */
export function TodoRows({ rows, locale, cursor }: Props) {
  const from = Math.max(0, Math.min(cursor - mostRows + 3, rows.length - mostRows))
  return (
    <Box flexDirection="column" marginY={1}>
      {rows.slice(from, from + mostRows).map((row, i) => (
        <RowLine key={row.key} row={row} locale={locale} isAt={from + i === cursor} />
      ))}
    </Box>
  )
}

const dayMs = 86_400_000

/** A line of its own: what does not fit is cut at the end, after the title and the state. */
function RowLine({
  row,
  locale,
  isAt,
}: Pick<Props, 'locale'> & { readonly row: TodoRow; readonly isAt: boolean }) {
  const [now] = useState(() => Date.now())
  const { title, name, entity, applicant, since, due, can, copy, isDone } = row
  const mark = row.isChosen ? '[x]' : row.isChoosable ? '[ ]' : ' · '
  const principal = can.find((each) => each.for !== undefined)?.for
  const isSoon = due !== undefined && schoolInstant(due) - now < dayMs
  const facts = [
    entity,
    applicant?.name ?? '',
    since.slice(0, 16),
    principal === undefined ? '' : t(locale, 'hand.for', { name: principal.name }),
    copy === undefined || copy.isRead ? '' : t(locale, 'hand.unread'),
  ].filter((text) => text !== '')
  return (
    <Text wrap="truncate-end" bold={isAt}>
      {isAt ? '❯ ' : '  '}
      {mark} {title} <Text color="cyan">{name}</Text>
      {due === undefined || isDone ? null : isSoon ? (
        <Text color="red"> {t(locale, 'hand.due', { at: due.slice(0, 16) })}</Text>
      ) : (
        <Text> {t(locale, 'hand.due', { at: due.slice(0, 16) })}</Text>
      )}
      <Text dimColor>
        {'  '}
        {facts.join(' · ')}
      </Text>
    </Text>
  )
}

import type { Locale } from '@jiaowu/api/locale'
import { problemText, toProblem, type Problem } from '@jiaowu/api/problem'
import { t } from '@jiaowu/api/texts/index'
import { Box } from 'ink'
import { useEffect, useState } from 'react'
import { useTypeAhead } from '../type-ahead.ts'
import { Fault, Keys, offer, Text, useBindings } from '../ui.tsx'
import { isDecidedHere, type TodoRow } from './todo-row.ts'

interface Props {
  readonly row: TodoRow
  readonly locale: Locale
  readonly readCase: (row: TodoRow, signal: AbortSignal) => Promise<readonly string[]>
  readonly isActive: boolean
  readonly onDecide: (event: string) => void
  readonly onClose: () => void
}

/** A case: its state, the people it waits for, what happened, and the decisions of the reader. */
export function CasePart({ row, locale, readCase, isActive, onDecide, onClose }: Props) {
  const [lines, setLines] = useState<readonly string[] | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    readCase(row, stop.signal).then(setLines, (error: unknown) => {
      if (!stop.signal.aborted) setProblem(toProblem(error))
    })
    return () => stop.abort()
  }, [row, readCase])
  const isReading = lines === null && problem === null
  // Nobody decides on a case that they have not seen.
  const can = isReading ? [] : row.can
  const offers = can.filter(({ event }) => isDecidedHere(row, event)).slice(0, 9)
  const asking = can.filter(({ event }) => !isDecidedHere(row, event))
  const bindings = [
    ...offers.map(({ event, name }, i) => ({
      key: String(i + 1),
      label: name,
      run: () => onDecide(event),
    })),
    ...offer(true, 'esc', t(locale, 'cli.key.back'), onClose),
  ]
  useBindings(bindings, isActive)
  useTypeAhead(isReading && isActive, bindings)
  return (
    <Box flexDirection="column" paddingX={1}>
      <Text bold>{row.title}</Text>
      <Text dimColor>{[row.entity, row.tag, row.id].join(' · ')}</Text>
      <Box flexDirection="column" marginY={1}>
        {problem === null ? (
          (lines ?? [t(locale, 'common.loading')]).map((line, i) => (
            <Text key={`${String(i)} ${line}`}>{line}</Text>
          ))
        ) : (
          <Fault>{problemText(locale, problem)}</Fault>
        )}
      </Box>
      {asking.map(({ event, name }) => (
        <Text key={event} color="yellow">
          {t(locale, 'cli.todo.asks', {
            name,
            command: `jiaowu flow decide ${row.tag} ${row.id} ${event} --set`,
          })}
        </Text>
      ))}
      <Keys bindings={bindings} />
    </Box>
  )
}

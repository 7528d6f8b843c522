import type { Row } from '@jiaowu/api/entity/values'
import { problemText, toProblem } from '@jiaowu/api/problem'
import { t } from '@jiaowu/api/texts/index'
import { Box, useWindowSize } from 'ink'
import { useEffect, useState } from 'react'
import { Fault, Keys, offer, Text, useBindings } from '../ui.tsx'
import type { ListPartProps } from './list-props.ts'

/** The fields of a record, which scroll where the terminal is low. */
export function RecordPart({
  row,
  config,
  locale,
  readRecord,
  open,
}: ListPartProps & { readonly row: Row }) {
  const { rows } = useWindowSize()
  const [lines, setLines] = useState<readonly string[] | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [from, setFrom] = useState(0)
  useEffect(() => {
    const stop = new AbortController()
    readRecord(config, row, stop.signal).then(setLines, (error: unknown) => {
      if (!stop.signal.aborted) setFault(problemText(locale, toProblem(error)))
    })
    return () => stop.abort()
  }, [config, row, readRecord, locale])
  const height = Math.max(4, rows - 7)
  const last = Math.max(0, (lines ?? []).length - height)
  const bindings = [
    ...offer(from < last, '↓', t(locale, 'cli.key.move'), () => setFrom(Math.min(last, from + 1))),
    ...offer(from > 0, '↑', from < last ? '' : t(locale, 'cli.key.move'), () => setFrom(from - 1)),
    ...offer(true, 'esc', t(locale, 'cli.key.back'), () => open(null)),
  ]
  useBindings(bindings)
  return (
    <Box flexDirection="column">
      {(lines ?? []).slice(from, from + height).map((line, i) => (
        <Text key={String(from + i)} wrap="truncate-end">
          {line}
        </Text>
      ))}
      {fault === null ? null : <Fault>{fault}</Fault>}
      {lines === null && fault === null ? (
        <Text dimColor>{t(locale, 'common.loading')}</Text>
      ) : null}
      <Keys bindings={bindings} />
    </Box>
  )
}

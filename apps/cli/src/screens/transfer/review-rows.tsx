import { type ReviewRow, t } from '@jiaowu/api'
import { Box } from 'ink'
import { Fault, Text } from '../ui.tsx'
import { type PartProps, problemOfView, label } from './screen-props.ts'

/** One page of the rows of a verdict: errors with their reasons, or changes cell by cell. */
export function ReviewRows({ view, locale }: PartProps) {
  const rows = view.review?.rows
  if (rows === undefined || rows.state === 'none') return null
  if (rows.state === 'loading') return <Text dimColor>{t(locale, 'common.loading')}</Text>
  if (rows.state === 'failed') return <Fault>{problemOfView(locale, view)}</Fault>
  if (rows.records.length === 0) return <Text dimColor>{t(locale, 'cli.tr.noRows')}</Text>
  return (
    <Box flexDirection="column">
      {rows.records.map((row) =>
        row.verdict === 'wrong' ? (
          <WrongRow key={row.row} row={row} locale={locale} />
        ) : (
          <ValidRow key={row.row} row={row} locale={locale} />
        ),
      )}
      <Text dimColor>
        {label(locale, `cli.tr.rowsOf.${rows.verdict}`)} ·{' '}
        {t(locale, 'cli.tr.page', { page: rows.pageNum, pages: rows.pageCount, total: rows.total })}
      </Text>
    </Box>
  )
}

function WrongRow({
  row,
  locale,
}: {
  readonly row: ReviewRow
  readonly locale: PartProps['locale']
}) {
  return (
    <Box flexDirection="column">
      {row.errors.map(({ column, value, msg, suggestions }) => (
        <Text key={`${column} ${msg}`}>
          <Text color="red">{t(locale, 'cli.tr.row', { row: row.row })}</Text>
          {'  '}
          <Text bold>{column}</Text>
          {'  '}
          {value === '' ? '' : `“${value}”  `}
          {msg}
          {suggestions.length === 0
            ? ''
            : `  ${t(locale, 'cli.tr.suggest', { names: suggestions.join(', ') })}`}
        </Text>
      ))}
    </Box>
  )
}

function ValidRow({
  row,
  locale,
}: {
  readonly row: ReviewRow
  readonly locale: PartProps['locale']
}) {
  return (
    <Text wrap="truncate-end">
      <Text color={row.verdict === 'changed' ? 'yellow' : 'green'}>
        {t(locale, 'cli.tr.row', { row: row.row })}
      </Text>
      {'  '}
      <Text bold>{row.id === null && row.name === '' ? t(locale, 'cli.tr.newRow') : row.name}</Text>
      {row.cells.map(({ attrName, label, before, after }) => (
        <Text key={attrName}>
          {'  '}
          <Text dimColor>{label}</Text>{' '}
          {row.verdict === 'changed' ? `${before ?? '∅'} → ${after ?? '∅'}` : (after ?? '')}
        </Text>
      ))}
    </Text>
  )
}

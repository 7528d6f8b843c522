import type { JobError, ReviewRow } from '@jiaowu/api/contract/job'
import { t } from '@jiaowu/api/texts/index'
import { Box } from 'ink'
import { Fault, Text } from '../ui.tsx'
import { listWrongCells } from './mend.tsx'
import { type PartProps, problemOfView, label } from './screen-props.ts'

/** One page of the rows of a verdict: errors with their reasons, or changes cell by cell. */
export function ReviewRows({
  view,
  locale,
  at,
}: PartProps & {
  /** The wrong cell to correct; null where none can be. */
  readonly at: number | null
}) {
  const rows = view.review?.rows
  if (rows === undefined || rows.state === 'none') return null
  if (rows.state === 'loading') return <Text dimColor>{t(locale, 'common.loading')}</Text>
  if (rows.state === 'failed') return <Fault>{problemOfView(locale, view)}</Fault>
  if (rows.records.length === 0) return <Text dimColor>{t(locale, 'cli.tr.noRows')}</Text>
  const errors = listWrongCells(view.review)
  return (
    <Box flexDirection="column">
      {rows.records.map((row) =>
        row.verdict === 'wrong' ? (
          <WrongRow
            key={`${row.sheet ?? ''} ${row.row}`}
            row={row}
            locale={locale}
            current={at === null ? undefined : errors[at]}
          />
        ) : (
          <ValidRow key={`${row.sheet ?? ''} ${row.row}`} row={row} locale={locale} />
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
  current,
}: {
  readonly row: ReviewRow
  readonly locale: PartProps['locale']
  readonly current: JobError | undefined
}) {
  return (
    <Box flexDirection="column">
      {row.errors.map((error) => {
        const { column, value, msg } = error
        return (
          <Text key={`${column} ${msg}`} inverse={error === current}>
            <Text color="red">
              {row.sheet === undefined ? '' : `${row.sheet} `}
              {t(locale, 'cli.tr.row', { row: row.row })}
            </Text>
            {'  '}
            <Text bold>{column}</Text>
            {'  '}
            {value === '' ? '' : `“${value}”  `}
            {msg}
          </Text>
        )
      })}
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
        {row.sheet === undefined ? '' : `${row.sheet} `}
        {t(locale, 'cli.tr.row', { row: row.row })}
      </Text>
      {'  '}
      <Text bold>{row.id === null && row.name === '' ? t(locale, 'cli.tr.newRow') : row.name}</Text>
      {row.cells.map(({ attrName, label, before, after, typed }) => (
        <Text key={attrName}>
          {'  '}
          <Text dimColor>{label}</Text>{' '}
          {row.verdict === 'changed' ? `${before ?? '∅'} → ${after ?? '∅'}` : (after ?? '')}
          {typed === undefined ? '' : t(locale, 'cli.tr.tidied', { typed })}
        </Text>
      ))}
    </Text>
  )
}

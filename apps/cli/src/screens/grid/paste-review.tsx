import { type Locale, t } from '@jiaowu/api'
import type { GridEditView } from '@jiaowu/machines'
import { Box } from 'ink'
import { Fault, Text } from '../ui.tsx'

const mostLines = 12

/** What a paste would do, before it is written. */
export function PasteReview({
  view: { paste, check, step },
  locale,
}: {
  readonly view: GridEditView
  readonly locale: Locale
}) {
  if (check === null)
    return <Text dimColor>{t(locale, 'grid.pasteChecking', { n: paste?.rows.length ?? 0 })}</Text>
  return (
    <Box flexDirection="column">
      <Text bold>{t(locale, 'grid.pasteSummary', { cells: check.cells, rows: check.fresh })}</Text>
      {check.wrong === 0 ? null : <Fault>{t(locale, 'grid.pasteWrong', { n: check.wrong })}</Fault>}
      {check.refused.slice(0, mostLines).map(({ row, errors }) =>
        errors.map(({ column, value, msg }) => (
          <Text key={`${row}${column}`} color="red">
            {`${place(paste, row)}  ${column}  ${value}  ${msg}`}
          </Text>
        )),
      )}
      {check.rows
        .slice(0, mostLines)
        .map(({ row, cells }) =>
          cells.map(({ attrName, label, before, after }) => (
            <Text key={`${row}${attrName}`}>
              {`${place(paste, row)}  ${label}  ${before ?? ''} → ${after ?? ''}`}
            </Text>
          )),
        )}
      {step === 'writing' ? <Text dimColor>{t(locale, 'grid.pasteWriting')}</Text> : null}
    </Box>
  )
}

function place(paste: GridEditView['paste'], line: number): number {
  return (paste?.rows[line - 1]?.index ?? line - 1) + 1
}

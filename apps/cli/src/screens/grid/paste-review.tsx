import type { Locale } from '@jiaowu/api/locale'
import { messageText, t } from '@jiaowu/api/texts/index'
import type { GridEditView, MatchView } from '@jiaowu/machines/grid-edit/view'
import { lineMessage, matchNames } from '@jiaowu/machines/grid-edit/matching/words'
import { Box } from 'ink'
import { Fault, Text } from '../ui.tsx'

const mostLines = 12

/** Shows the effects of a paste before it is written. */
export function PasteReview({
  view,
  locale,
}: {
  readonly view: GridEditView
  readonly locale: Locale
}) {
  const { paste, match, check, step } = view
  if (step === 'matching')
    return (
      <Text dimColor>
        {t(locale, 'grid.matching', { n: view.pasted })}
        {view.found === null ? '' : t(locale, 'grid.matchingDone', view.found)}
      </Text>
    )
  if (step === 'settling' && match !== null)
    return <MatchLines view={view} match={match} locale={locale} />
  if (check === null)
    return <Text dimColor>{t(locale, 'grid.pasteChecking', { n: paste?.rows.length ?? 0 })}</Text>
  return (
    <Box flexDirection="column">
      <Text bold>{t(locale, 'grid.pasteSummary', { cells: check.cells, rows: check.fresh })}</Text>
      {match === null ? null : <MatchFacts view={view} match={match} locale={locale} />}
      {check.wrong === 0 ? null : <Fault>{t(locale, 'grid.pasteWrong', { n: check.wrong })}</Fault>}
      {check.refused.slice(0, mostLines).map(({ row, errors }) =>
        errors.map(({ column, value, msg }) => (
          <Text key={`${row}${column}`} color="red">
            {`${formatLinePlace(paste, row)}  ${column}  ${value}  ${msg}`}
          </Text>
        )),
      )}
      {check.rows
        .slice(0, mostLines)
        .map(({ row, cells }) =>
          cells.map(({ attrName, label, before, after }) => (
            <Text key={`${row}${attrName}`}>
              {`${formatLinePlace(paste, row)}  ${label}  ${before ?? ''} → ${after ?? ''}`}
            </Text>
          )),
        )}
      {step === 'writing' ? <Text dimColor>{t(locale, 'grid.pasteWriting')}</Text> : null}
    </Box>
  )
}

interface MatchProps {
  readonly view: GridEditView
  readonly match: MatchView
  readonly locale: Locale
}

/** The lines that have to be decided on; keys decide on the first of them. */
function MatchLines({ view, match, locale }: MatchProps) {
  const asked = match.lines.filter(({ state }) => state === 'open')
  return (
    <Box flexDirection="column">
      <Text bold>{t(locale, 'grid.matchTitle')}</Text>
      <MatchFacts view={view} match={match} locale={locale} />
      <Text>
        {t(locale, 'grid.matchReady', {
          n: match.lines.filter(({ state }) => state === 'ready').length,
        })}
      </Text>
      {match.open === 0 ? null : <Fault>{t(locale, 'grid.matchOpen', { n: match.open })}</Fault>}
      {asked.slice(0, mostLines).map((line, i) => (
        <Text key={line.line} color="red">
          {`${i === 0 ? '›' : ' '} ${t(locale, 'grid.line', { n: line.line })}  ${messageText(locale, lineMessage(line))}`}
        </Text>
      ))}
    </Box>
  )
}

/** How the lines of a block found their rows. */
function MatchFacts({ view, match, locale }: MatchProps) {
  const { by, heading, lines } = match
  const { written, checked, loose } = matchNames(match, view.columns)
  const left = lines.filter(({ state }) => state === 'left').length
  return (
    <Text dimColor>
      {[
        by === null
          ? t(locale, 'grid.matchPlace', { row: view.box.top + 1 })
          : t(locale, 'grid.matchBy', { label: by.uiLabel }),
        ...(heading === 0 ? [] : [t(locale, 'grid.matchHeading', { n: heading })]),
        ...(written === '' ? [] : [t(locale, 'grid.matchWritten', { names: written })]),
        ...(checked === '' ? [] : [t(locale, 'grid.matchChecked', { names: checked })]),
        ...(loose === '' ? [] : [t(locale, 'grid.matchLoose', { names: loose })]),
        ...(left === 0 ? [] : [t(locale, 'grid.linesLeft', { n: left })]),
      ].join('\n')}
    </Text>
  )
}

function formatLinePlace(paste: GridEditView['paste'], line: number): string {
  const sent = paste?.rows[line - 1]
  return sent?.index === null ? '-' : String((sent?.index ?? line - 1) + 1)
}

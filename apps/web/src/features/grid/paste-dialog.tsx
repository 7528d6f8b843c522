import { Button, DialogBody, DialogFooter, Spinner } from '@blueprintjs/core'
import type { ReviewRow } from '@jiaowu/api/contract/job'
import type { GridEditView } from '@jiaowu/machines/grid-edit/view'
import type { GridEvent } from '@jiaowu/machines/grid-edit/context'
import { useText } from '../../app/text-context.ts'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { MatchFacts, MatchReview } from './match-review.tsx'

interface Props {
  readonly view: GridEditView
  readonly send: (event: GridEvent) => void
}

/** Shows the effects of a change of many cells before it is written. */
export function PasteDialog({ view, send }: Props) {
  const { t } = useText()
  const { step, paste, match, check, can } = view
  const isSettling = step === 'settling'
  const isOpen = paste !== null
  return (
    <Dialog
      isOpen={isOpen}
      className="jw-paste"
      title={t('grid.pasteTitle')}
      canOutsideClickClose={false}
      canEscapeKeyClose={can.cancel}
      isCloseButtonShown={can.cancel}
      onClose={() => send({ type: 'paste.cancel' })}
    >
      <DialogBody>
        {isSettling && match !== null ? (
          <MatchReview view={view} match={match} send={send} />
        ) : check === null ? (
          <div className="jw-paste__busy" role="status">
            <Spinner size={20} />{' '}
            {step === 'matching'
              ? `${t('grid.matching', { n: view.pasted })}${view.found === null ? '' : t('grid.matchingDone', view.found)}`
              : t('grid.pasteChecking', { n: paste?.rows.length ?? 0 })}
          </div>
        ) : (
          <Checked view={view} check={check} />
        )}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button
              text={t('common.cancel')}
              disabled={!can.cancel}
              onClick={() => send({ type: 'paste.cancel' })}
            />
            <Button
              intent="primary"
              text={t(isSettling ? 'grid.matchGoOn' : 'grid.pasteConfirm')}
              autoFocus
              loading={step === 'writing'}
              disabled={!can.confirm}
              onClick={() => send({ type: 'paste.confirm' })}
            />
          </>
        }
      />
    </Dialog>
  )
}

function Checked({
  view: { paste, columns, match },
  check,
}: {
  readonly view: GridEditView
  readonly check: NonNullable<GridEditView['check']>
}) {
  const { t } = useText()
  const names = (paste?.readonly ?? []).map((name) => labelIn(columns, name)).join('、')
  return (
    <>
      <p className="jw-paste__sum" role="status">
        {t('grid.pasteSummary', { cells: check.cells, rows: check.fresh })}
      </p>
      {check.same > 0 ? <p>{t('grid.pasteSame', { n: check.same })}</p> : null}
      {check.wrong > 0 ? (
        <p className="jw-fault" role="alert">
          {t('grid.pasteWrong', { n: check.wrong })}
        </p>
      ) : null}
      {paste === null ? null : <Adjusted paste={paste} />}
      {match === null ? null : (
        <MatchFacts match={match} columns={columns} from={paste?.rows[0]?.index ?? 0} />
      )}
      {names === '' || match !== null ? null : <p>{t('grid.pasteReadonly', { names })}</p>}
      <div className="jw-paste__rows" tabIndex={0} role="region" aria-label={t('grid.pasteTitle')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('grid.row')}</th>
              <th scope="col">{t('grid.column')}</th>
              <th scope="col">{t('grid.old')}</th>
              <th scope="col">{t('grid.new')}</th>
            </tr>
          </thead>
          <tbody>
            {check.refused.map((row) => (
              <Refused
                key={`w${row.row}`}
                row={row}
                name={formatMatchedName(match, row)}
                first={findGridRowNumber(paste, row)}
                labelOf={(name) => labelIn(columns, name)}
              />
            ))}
            {check.rows.map((row) => (
              <Changed
                key={row.row}
                row={row}
                name={formatMatchedName(match, row)}
                first={findGridRowNumber(paste, row)}
              />
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

/** Shows the parts of the block that are left out or read otherwise. */
function Adjusted({
  paste: { cut, mended },
}: {
  readonly paste: NonNullable<GridEditView['paste']>
}) {
  const { t } = useText()
  return (
    <>
      {cut > 0 ? <p>{t('grid.pasteCut', { n: cut })}</p> : null}
      {mended > 0 ? <p>{t('grid.pasteMended', { n: mended })}</p> : null}
    </>
  )
}

/**
 * The number of the row in the grid, where it is known; the job counts the lines that were sent, without
 * a place for new rows.
 */
function findGridRowNumber(paste: GridEditView['paste'], { row }: ReviewRow): number | '' {
  const sent = paste?.rows[row - 1]
  return sent?.index === null ? '' : (sent?.index ?? row - 1) + 1
}

function Changed({
  row,
  name,
  first,
}: {
  readonly row: ReviewRow
  readonly name: string
  readonly first: number | ''
}) {
  return row.cells.map(({ attrName, label, before, after }, i) => (
    <tr key={attrName} className={row.verdict === 'fresh' ? 'is-new' : ''}>
      {i === 0 ? (
        <th scope="rowgroup" rowSpan={row.cells.length}>
          {first} {name}
        </th>
      ) : null}
      <td>{label}</td>
      <td className="is-old">{before ?? ''}</td>
      <td className="is-now">{after ?? ''}</td>
    </tr>
  ))
}

/** Its key and what else names it, where it was found by a key. */
function formatMatchedName(match: GridEditView['match'], row: ReviewRow): string {
  const line =
    match?.by == null || row.id === null
      ? undefined
      : match.lines.find((each) => each.row?.id === row.id)
  return line === undefined ? row.name : line.held
}

function labelIn(columns: GridEditView['columns'], name: string): string {
  return columns.find(({ attrName }) => attrName === name)?.uiLabel ?? name
}

function Refused({
  row,
  name,
  first,
  labelOf,
}: {
  readonly row: ReviewRow
  readonly name: string
  readonly first: number | ''
  readonly labelOf: (attrName: string) => string
}) {
  return row.errors.map(({ attrName, column, value, msg }, i) => (
    <tr key={`${column}${i}`} className="is-wrong">
      {i === 0 ? (
        <th scope="rowgroup" rowSpan={row.errors.length}>
          {first} {name}
        </th>
      ) : null}
      <td>{attrName === null ? column : labelOf(attrName)}</td>
      <td />
      <td>
        {value} <strong>{msg}</strong>
      </td>
    </tr>
  ))
}

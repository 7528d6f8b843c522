import { Button } from '@blueprintjs/core'
import type { Field } from '@jiaowu/api/entity/config'
import { lineMessage, matchNames } from '@jiaowu/machines/grid-edit/matching/words'
import type { GridEditView, LineView, MatchView } from '@jiaowu/machines/grid-edit/view'
import type { GridEvent } from '@jiaowu/machines/grid-edit/context'
import { useState } from 'react'
import { useText } from '../../app/text-context.ts'

interface FactsProps {
  readonly match: MatchView
  readonly columns: readonly Field[]
  /** The first row, from 0, where the block is laid by place. */
  readonly from: number
}

/** How the lines of a block found their rows. */
export function MatchFacts({ match, columns, from }: FactsProps) {
  const { t } = useText()
  const { by, heading, lines } = match
  const { written, checked, loose } = matchNames(match, columns)
  const left = lines.filter(({ state }) => state === 'left').length
  return (
    <ul className="jw-paste__facts">
      <li className={by === null ? 'jw-paste__warn' : ''}>
        {by === null
          ? t('grid.matchPlace', { row: from + 1 })
          : t('grid.matchBy', { label: by.uiLabel })}
      </li>
      {heading === 0 ? null : <li>{t('grid.matchHeading', { n: heading })}</li>}
      {written === '' ? null : <li>{t('grid.matchWritten', { names: written })}</li>}
      {checked === '' ? null : <li>{t('grid.matchChecked', { names: checked })}</li>}
      {loose === '' ? null : <li>{t('grid.matchLoose', { names: loose })}</li>}
      {left === 0 ? null : <li>{t('grid.linesLeft', { n: left })}</li>}
    </ul>
  )
}

interface Props {
  readonly view: GridEditView
  readonly match: MatchView
  readonly send: (event: GridEvent) => void
}

/** The lines of a block that have to be decided on before anything is written. */
export function MatchReview({ view, match, send }: Props) {
  const { t } = useText()
  const { lines, open } = match
  const asked = lines.filter(({ state, verdict }) => state === 'open' || verdict !== 'ready')
  const ready = lines.filter(({ state }) => state === 'ready').length
  const canAdd = asked.some(
    ({ state, settlements }) => state === 'open' && settlements.includes('new'),
  )
  return (
    <>
      <MatchFacts match={match} columns={view.columns} from={view.box.top} />
      <p className="jw-paste__sum" role="status">
        {t('grid.matchReady', { n: ready })}
        {open === 0 ? null : (
          <strong className="jw-paste__open"> {t('grid.matchOpen', { n: open })}</strong>
        )}
      </p>
      <div className="jw-paste__rows" tabIndex={0} role="region" aria-label={t('grid.matchTitle')}>
        <ol className="jw-paste__lines">
          {asked.map((line) => (
            <AskedLine key={`${line.line} ${line.pasted}`} line={line} match={match} send={send} />
          ))}
        </ol>
      </div>
      {open === 0 ? null : (
        <p className="jw-paste__all">
          <Button
            text={t('grid.leaveLines', { n: open })}
            onClick={() => send({ type: 'lines.settle', as: 'left' })}
          />
          {canAdd ? (
            <Button
              text={t('grid.addLines')}
              onClick={() => send({ type: 'lines.settle', as: 'new' })}
            />
          ) : null}
        </p>
      )}
    </>
  )
}

const texts = { left: 'grid.lineLeft', taken: 'grid.lineTaken', new: 'grid.lineNew' } as const

function AskedLine({ line, match, send }: { readonly line: LineView } & Omit<Props, 'view'>) {
  const { t, messageText } = useText()
  const { state, settlements } = line
  return (
    <li className={state === 'open' ? 'is-wrong' : ''}>
      <span className="jw-muted">{t('grid.line', { n: line.line })}</span>
      <span>{messageText(lineMessage(line))}</span>
      <span className="jw-paste__decide" role="group" aria-label={t('grid.line', { n: line.line })}>
        {settlements.map((as) => (
          <Button
            key={as}
            size="small"
            active={state === as}
            aria-pressed={state === as}
            text={t(texts[as])}
            onClick={() =>
              send({ type: 'line.settle', line: line.line, as: state === as ? null : as })
            }
          />
        ))}
        {match.by === null || line.verdict === 'new' ? null : (
          <Correction line={line} label={match.by.uiLabel} send={send} />
        )}
      </span>
    </li>
  )
}

/** The key of a line, to be corrected and looked for again. */
function Correction({
  line,
  label,
  send,
}: {
  readonly line: LineView
  readonly label: string
  readonly send: Props['send']
}) {
  const { t } = useText()
  const [text, setText] = useState(line.key)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== line.key)
          send({ type: 'line.correct', line: line.line, text: text.trim() })
      }}
    >
      <input
        className="bp6-input bp6-small"
        aria-label={t('grid.lineKey', { n: line.line, label })}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {text.trim() === line.key ? null : (
        <Button type="submit" size="small" text={t('grid.correctLine')} />
      )}
    </form>
  )
}

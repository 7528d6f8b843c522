import { Button, Spinner } from '@blueprintjs/core'
import {
  Add,
  ArrowDown,
  ChevronRight,
  Cross,
  Redo,
  Refresh,
  Tick,
  Undo,
  WarningSign,
} from '@blueprintjs/icons'
import { problemText } from '@jiaowu/api/problem'
import { shownEstimate } from '@jiaowu/api/entity/values'
import type { GridEditView } from '@jiaowu/machines/grid-edit/view'
import type { GridEvent } from '@jiaowu/machines/grid-edit/context'
import { type ReactNode, useState } from 'react'
import { useText } from '../../app/text-context.ts'
import { ReplaceButton } from './replace-button.tsx'
import { useUnsavedText } from './use-unsaved-text.ts'

interface Props {
  readonly view: GridEditView
  readonly mayAdd: boolean
  readonly send: (event: GridEvent) => void
  /** Sends an event that goes to a cell, into which the next key is typed. */
  readonly toCell: (event: GridEvent) => void
  /** Null: nothing to go back to. */
  readonly onLeave: (() => void) | null
}

/** The tools of a grid, and whether everything is saved. */
export function GridBar({ view, mayAdd, send, toCell, onLeave }: Props) {
  const { t } = useText()
  return (
    <div className="jw-cells__bar" role="toolbar" aria-label={t('grid.open')}>
      {mayAdd ? (
        <Button
          icon={<Add />}
          text={t('grid.addRow')}
          disabled={!view.can.add}
          onClick={() => toCell({ type: 'row.add' })}
        />
      ) : null}
      <Tool
        name={t('grid.undo')}
        icon={<Undo />}
        isOn={view.can.undo}
        onPress={() => send({ type: 'history.undo' })}
      />
      <Tool
        name={t('grid.redo')}
        icon={<Redo />}
        isOn={view.can.redo}
        onPress={() => send({ type: 'history.redo' })}
      />
      <Tool
        name={t('grid.fillDown')}
        icon={<ArrowDown />}
        isOn={view.box.bottom > view.box.top && view.can.select}
        onPress={() => send({ type: 'cells.fill', row: null })}
      />
      <ReplaceButton isOn={view.can.select && view.step === 'selecting'} send={send} />
      <Tool
        name={t('common.refresh')}
        icon={<Refresh />}
        isOn
        onPress={() => send({ type: 'grid.refresh' })}
      />
      <Tool
        name={t('grid.revert')}
        icon={<Cross />}
        isOn={view.can.revert}
        onPress={() => send({ type: 'row.revert' })}
      />
      <span className="jw-toolbar__gap" />
      <SaveState view={view} send={send} toCell={toCell} />
      <GoTo view={view} send={send} />
      {onLeave === null ? null : (
        <Button
          icon={<Tick />}
          text={t('grid.close')}
          loading={view.step === 'leaving'}
          disabled={!view.can.leave && view.step !== 'leaving'}
          onClick={onLeave}
        />
      )}
    </div>
  )
}

function Tool({
  name,
  icon,
  isOn,
  onPress,
}: {
  readonly name: string
  readonly icon: React.JSX.Element
  readonly isOn: boolean
  readonly onPress: () => void
}): ReactNode {
  return (
    <Button
      variant="minimal"
      icon={icon}
      aria-label={name}
      title={name}
      disabled={!isOn}
      onClick={onPress}
    />
  )
}

function SaveState({ view, send, toCell }: Pick<Props, 'view' | 'send' | 'toCell'>) {
  const { t, locale } = useText()
  const { save, unsaved, loading, problem, saveProblem } = view
  if (save === 'offline')
    return (
      <span className="jw-cells__state is-bad">
        <WarningSign />
        <span title={saveProblem === null ? '' : problemText(locale, saveProblem)}>
          {saveProblem === null ? '' : `${problemText(locale, saveProblem)} · `}
          {t('grid.offline')}
        </span>
        <Button
          size="small"
          text={t('grid.retryNow')}
          onClick={() => send({ type: 'grid.retry' })}
        />
        <Unsaved view={view} toCell={toCell} />
      </span>
    )
  if (loading === 'failed')
    return (
      <span className="jw-cells__state is-bad">
        <WarningSign /> {problem === null ? t('grid.loadFailed') : problemText(locale, problem)}
        <Button
          size="small"
          text={t('common.retry')}
          onClick={() => send({ type: 'grid.retry' })}
        />
      </span>
    )
  return (
    <span className="jw-cells__state">
      {save === 'saving' || view.step === 'reverting' || view.step === 'fetching' ? (
        <>
          <Spinner size={14} />{' '}
          {view.step === 'reverting'
            ? t('grid.reverting')
            : view.step === 'fetching'
              ? t('grid.fetching')
              : t('grid.saving', { n: unsaved })}
        </>
      ) : save === 'waiting' ? (
        <Unsaved view={view} toCell={toCell} />
      ) : (
        t('grid.saved')
      )}
    </span>
  )
}

/** Names the next row that is not stored and goes there. */
function Unsaved({ view: { next, unsaved: n, can }, toCell }: Pick<Props, 'view' | 'toCell'>) {
  const { t } = useText()
  const textOf = useUnsavedText()
  if (next === null) return null
  const text = t('grid.unsavedNext', { n, row: textOf(next) })
  return (
    <Button
      variant="minimal"
      className={`jw-cells__unsaved${next.reason === null ? '' : ' is-bad'}`}
      disabled={!can.show}
      title={`${text}
${t('grid.unsavedShow')}`}
      endIcon={<ChevronRight />}
      text={text}
      ellipsizeText
      onClick={() => toCell({ type: 'unsaved.show' })}
    />
  )
}

/** Goes to a row by its number. */
function GoTo({ view, send }: Pick<Props, 'view' | 'send'>) {
  const { t } = useText()
  const [text, setText] = useState('')
  const go = () => {
    const row = Number(text) - 1
    const place = { row, col: view.selection.anchor.col }
    if (Number.isInteger(row) && row >= 0)
      send({ type: 'range.select', anchor: place, focus: place })
    setText('')
  }
  return (
    <label className="jw-cells__goto">
      <span>{t('grid.goTo')}</span>
      <input
        className="bp6-input"
        inputMode="numeric"
        value={text}
        placeholder={String(view.selection.anchor.row + 1)}
        onChange={(event) => setText(event.currentTarget.value.replace(/\D/g, ''))}
        onKeyDown={(event) => {
          if (event.key === 'Enter') go()
        }}
      />
      <span>
        /{' '}
        {view.totalIsEstimate
          ? `≈${shownEstimate(view.total).toLocaleString()}`
          : view.total.toLocaleString()}
      </span>
    </label>
  )
}

import { Button } from '@blueprintjs/core'
import { Duplicate, Print } from '@blueprintjs/icons'
import type { EntityFormView } from '@jiaowu/machines/entity-form/view'
import { useText } from '../../app/text-context.ts'
import { HistoryButton } from '../history/record-buttons.tsx'

interface FormFootProps {
  readonly view: EntityFormView
  /** Without history and print: samples of the designer, and applications of students. */
  readonly isSample: boolean
  /** The frame around the details shows the history. */
  readonly isFramed: boolean
  readonly onLeave: () => void
  readonly onRestored: () => void
  readonly onEdit: (() => void) | undefined
  /** Opens the form of a new record with the values of this one. */
  readonly onCopy: (() => void) | undefined
  /** Saves a new record and goes on with another one. */
  readonly onNext: (() => void) | undefined
}

/** Close, print, history and edit below the details; cancel and save below a form. */
export function FormFoot({
  view,
  isSample,
  isFramed,
  onLeave,
  onRestored,
  onEdit,
  onCopy,
  onNext,
}: FormFootProps) {
  const { t } = useText()
  const isViewing = view.mode === 'view'
  return (
    <div className="jw-form__foot">
      <Button
        text={t(isViewing ? 'common.close' : 'common.cancel')}
        onClick={onLeave}
        disabled={view.step === 'saving'}
      />
      {isViewing && !isSample ? (
        <Button icon={<Print />} text={t('list.printNow')} onClick={() => globalThis.print()} />
      ) : null}
      {isViewing && !isSample && !isFramed && view.row !== null && view.config !== null ? (
        <HistoryButton config={view.config} id={view.row.id} onRestored={onRestored} />
      ) : null}
      {isViewing && onCopy !== undefined ? (
        <Button icon={<Duplicate />} text={t('form.makeCopy')} onClick={onCopy} />
      ) : null}
      {isViewing && onEdit !== undefined ? (
        <Button intent="primary" text={t('common.edit')} onClick={onEdit} />
      ) : null}
      {view.mode !== 'add' || onNext === undefined ? null : (
        <Button
          text={t('form.saveNext')}
          title="Ctrl+Shift+S"
          disabled={!view.can.submitNext}
          onClick={onNext}
        />
      )}
      {isViewing ? null : (
        <Button
          type="submit"
          intent="primary"
          text={t('common.save')}
          title="Ctrl+S"
          loading={view.step === 'saving'}
          disabled={view.step === 'loading'}
        />
      )}
    </div>
  )
}

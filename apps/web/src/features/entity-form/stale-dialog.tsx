import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { kindOf, type WireValue } from '@jiaowu/api'
import type { Side, StaleFieldView } from '@jiaowu/machines'
import { useApp } from '../../shell/context/app-context.tsx'

interface Props {
  readonly fields: readonly StaleFieldView[]
  readonly onChoose: (attrName: string, side: Side) => void
  readonly onSave: () => void
  readonly onCancel: () => void
}

/**
 * Another user saved meanwhile: choose mine or theirs for each field that differs
 * (docs/rules/requests.md#r20).
 */
export function StaleDialog({ fields, onChoose, onSave, onCancel }: Props) {
  const { t } = useApp()
  const text = ({ field }: StaleFieldView, value: WireValue) =>
    kindOf(field.uiType).toText(value) || '—'
  const choice = (view: StaleFieldView, side: Side) => (
    <label>
      <input
        type="radio"
        name={`stale-${view.field.attrName}`}
        checked={view.side === side}
        onChange={() => onChoose(view.field.attrName, side)}
      />
      <span>{text(view, view[side])}</span>
    </label>
  )
  return (
    <Dialog
      isOpen
      title={t('form.staleTitle')}
      onClose={onCancel}
      className="jw-stale"
      canOutsideClickClose={false}
    >
      <DialogBody>
        <p>{t('form.staleText')}</p>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('form.field')}</th>
              <th scope="col">{t('form.mine')}</th>
              <th scope="col">{t('form.theirs')}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map((view) => (
              <tr key={view.field.attrName}>
                <th scope="row">{view.field.uiLabel}</th>
                <td>{choice(view, 'mine')}</td>
                <td>{choice(view, 'theirs')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={t('common.cancel')} onClick={onCancel} />
            <Button intent="primary" text={t('common.save')} onClick={onSave} />
          </>
        }
      />
    </Dialog>
  )
}

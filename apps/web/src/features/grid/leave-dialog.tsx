import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import type { GridEditView } from '@jiaowu/machines/grid-edit/view'
import type { GridEvent } from '@jiaowu/machines/grid-edit/context'
import { useText } from '../../app/text-context.ts'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { useUnsavedText } from './use-unsaved-text.ts'

interface Props {
  readonly view: GridEditView
  readonly send: (event: GridEvent) => void
}

/** Asks before a grid is left with rows that are not stored, and names them. */
export function LeaveDialog({ view, send }: Props) {
  const { t } = useText()
  const textOf = useUnsavedText()
  const more = view.unsaved - view.leaving.length
  const stay = () => send({ type: 'leave.stay' })
  return (
    <Dialog
      isOpen={view.step === 'askingLeave'}
      title={t('grid.leaveTitle', { n: view.unsaved })}
      className="jw-dialog--narrow"
      onClose={stay}
      canOutsideClickClose={false}
    >
      <DialogBody>
        <p>{t('grid.leaveText')}</p>
        <ul className="jw-cells__left">
          {view.leaving.map((row) => (
            <li key={row.key}>{textOf(row)}</li>
          ))}
          {more > 0 ? <li>{t('grid.leaveMore', { n: more })}</li> : null}
        </ul>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button
              intent="danger"
              variant="outlined"
              text={t('grid.leaveDiscard')}
              onClick={() => send({ type: 'leave.discard' })}
            />
            <Button intent="primary" autoFocus text={t('grid.leaveStay')} onClick={stay} />
          </>
        }
      >
        {view.can.retry ? (
          <Button text={t('grid.retryNow')} onClick={() => send({ type: 'grid.retry' })} />
        ) : null}
      </DialogFooter>
    </Dialog>
  )
}

import { FormGroup, TextArea } from '@blueprintjs/core'
import type { Discrepancy } from '@jiaowu/api/contract/student/print'
import type { Problem } from '@jiaowu/api/problem'
import { useId, useState } from 'react'
import { useText } from '../../app/text-context.ts'
import { ActionDialog } from '../../ui/overlays/action-dialog.tsx'
import { yuan } from './yuan.ts'

const maxNote = 200
const minNote = 2
interface Props {
  readonly row: Discrepancy
  readonly isActing: boolean
  readonly problem: Problem | null
  readonly onClose: () => void
}

/** Settles a discrepancy with a written reason. */
export function SettleDialog({
  row,
  onSubmit,
  ...dialog
}: Props & { readonly onSubmit: (note: string) => void }) {
  const { t } = useText()
  const id = useId()
  const [note, setNote] = useState('')
  return (
    <ActionDialog
      {...dialog}
      title={t('reconcile.settleTitle')}
      intent="primary"
      action={t('reconcile.settle')}
      missing={() => (note.trim().length < minNote ? t('reconcile.noteNeeded') : null)}
      onSubmit={() => onSubmit(note.trim())}
    >
      <Sides row={row} />
      <p className="jw-muted">{t('reconcile.settleHint')}</p>
      <FormGroup label={t('reconcile.note')} labelFor={id}>
        <TextArea
          id={id}
          fill
          autoFocus
          rows={3}
          maxLength={maxNote}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      </FormGroup>
    </ActionDialog>
  )
}

/** Our amount beside the provider's, to be looked at once more before the decision. */
function Sides({ row }: { readonly row: Discrepancy }) {
  const { t } = useText()
  return (
    <dl className="jw-sides">
      <div>
        <dt>{t('reconcile.orderNo')}</dt>
        <dd>{row.orderNo}</dd>
      </div>
      <div>
        <dt>{t('reconcile.kind')}</dt>
        <dd>{t(`reconcile.kind.${row.kind}`)}</dd>
      </div>
      <div>
        <dt>{t('reconcile.ours')}</dt>
        <dd>{yuan(row.ourFen)}</dd>
      </div>
      <div>
        <dt>{t('reconcile.theirs')}</dt>
        <dd>{yuan(row.theirFen)}</dd>
      </div>
    </dl>
  )
}

/** The second person agrees with a settlement or reopens the discrepancy. */
export function CheckDialog({
  row,
  agree,
  onSubmit,
  ...dialog
}: Props & { readonly agree: boolean; readonly onSubmit: () => void }) {
  const { t } = useText()
  const title = t(agree ? 'reconcile.agree' : 'reconcile.reopen')
  return (
    <ActionDialog
      {...dialog}
      title={title}
      intent={agree ? 'primary' : 'danger'}
      action={title}
      onSubmit={onSubmit}
    >
      <Sides row={row} />
      <p>
        {t('reconcile.settledBy')}: {row.settledBy ?? '—'}
      </p>
      <p className="jw-muted">{row.note ?? '—'}</p>
    </ActionDialog>
  )
}

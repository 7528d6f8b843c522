import { FormGroup, TextArea } from '@blueprintjs/core'
import type { Discrepancy } from '@jiaowu/api'
import { useState } from 'react'
import { useApp } from '../../shell/context/app-context.tsx'
import { AskDialog } from './refund-dialogs.tsx'
import { yuan } from './yuan.ts'

const maxNote = 200
const minNote = 2
interface Props {
  readonly row: Discrepancy
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Takes a difference off the list, with the reason. */
export function SettleDialog({ row, onDone, onClose }: Props) {
  const { t, api, toast } = useApp()
  const [note, setNote] = useState('')
  const send = async () => {
    if (note.trim().length < minNote) throw t('reconcile.noteNeeded')
    await api.print.settleDiscrepancy({ params: { id: row.id }, body: { note: note.trim() } })
    toast('success', t('reconcile.settledDone'), { lasting: true })
    onDone()
  }
  return (
    <AskDialog
      title={t('reconcile.settleTitle')}
      intent="primary"
      action={t('reconcile.settle')}
      send={send}
      onClose={onClose}
    >
      <Sides row={row} />
      <p className="jw-muted">{t('reconcile.settleHint')}</p>
      <FormGroup label={t('reconcile.note')} labelFor="settle-note">
        <TextArea
          id="settle-note"
          fill
          autoFocus
          rows={3}
          maxLength={maxNote}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      </FormGroup>
    </AskDialog>
  )
}

/** Both sides next to each other: what is settled is looked at once more. */
function Sides({ row }: { readonly row: Discrepancy }) {
  const { t } = useApp()
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

/** The second look, by somebody else. */
export function CheckDialog({ row, agree, onDone, onClose }: Props & { readonly agree: boolean }) {
  const { t, api, toast } = useApp()
  const title = t(agree ? 'reconcile.agree' : 'reconcile.reopen')
  const send = async () => {
    await api.print.checkDiscrepancy({ params: { id: row.id }, body: { agree } })
    toast('success', t(agree ? 'reconcile.checked' : 'reconcile.reopened'))
    onDone()
  }
  return (
    <AskDialog
      title={title}
      intent={agree ? 'primary' : 'danger'}
      action={title}
      send={send}
      onClose={onClose}
    >
      <Sides row={row} />
      <p>
        {t('reconcile.settledBy')}: {row.settledBy ?? '—'}
      </p>
      <p className="jw-muted">{row.note ?? '—'}</p>
    </AskDialog>
  )
}

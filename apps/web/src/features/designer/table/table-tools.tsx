import { Button } from '@blueprintjs/core'
import { Add, History } from '@blueprintjs/icons'
import type { TableState } from '@jiaowu/api/entity/definition/table-change'
import type { DesignerView } from '@jiaowu/machines/designer/view'
import { useState } from 'react'
import { useNotice } from '../../../app/notice-context.ts'
import { useText } from '../../../app/text-context.ts'
import { AddColumnDialog } from './add-column-dialog.tsx'
import { TableDialog } from './table-dialog.tsx'

interface Props {
  readonly view: DesignerView
  /** Null until it is read. */
  readonly state: TableState | null
  /** The definition has a new version. */
  readonly onChanged: () => void
  /** Table and definition are gone. */
  readonly onGone: () => void
}

/** Adds columns, archives them, and takes changes back; only over a definition without unsaved edits. */
export function TableTools({ view, state, onChanged, onGone }: Props) {
  const { t } = useText()
  const { toast } = useNotice()
  const [open, setOpen] = useState<'add' | 'table' | null>(null)
  if (state === null) return null
  if (state.refusal !== null)
    return <p className="jw-muted jw-table-tools__refusal">{state.refusal}</p>
  const { tag } = view.draft
  const close = () => setOpen(null)
  const isHeld = view.unsaved || !view.can.edit
  const keepMade = () => {
    close()
    toast('success', t('tableChange.done'))
    onChanged()
  }
  return (
    <div className="jw-table-tools">
      <Button
        size="small"
        icon={<Add size={14} />}
        disabled={isHeld}
        title={isHeld ? t('tableChange.saveFirst') : undefined}
        text={t('tableChange.open')}
        onClick={() => setOpen('add')}
      />
      <Button
        size="small"
        variant="minimal"
        icon={<History size={14} />}
        disabled={isHeld}
        title={isHeld ? t('tableChange.saveFirst') : undefined}
        text={t('tableChange.manage', { n: state.archived.length })}
        onClick={() => setOpen('table')}
      />
      {open === 'add' ? (
        <AddColumnDialog tag={tag} state={state} onClose={close} onMade={keepMade} />
      ) : null}
      {open === 'table' ? (
        <TableDialog
          tag={tag}
          state={state}
          fields={view.fields}
          onClose={close}
          onMade={(act) => {
            if (act !== 'takeBack') {
              keepMade()
              return
            }
            toast('success', t('tableChange.takenBack', { name: view.draft.name }))
            onGone()
          }}
        />
      ) : null}
    </div>
  )
}

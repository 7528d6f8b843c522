import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import type { TableAct, TableState } from '@jiaowu/api/entity/definition/table-change'
import { type SubmitEvent, useState } from 'react'
import { useApi } from '../../../app/api-context.ts'
import { useText } from '../../../app/text-context.ts'
import { Unsaved } from '../../../app/unsaved.ts'
import { CancelButton } from '../../../ui/overlays/cancel-button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { type ColumnDraft, emptyColumn, isColumnWhole, toAskedColumn } from './column-draft.ts'
import { ColumnForm } from './column-form.tsx'
import { OutcomeText, ProblemLines } from './outcome.tsx'
import { usePreview } from './use-preview.ts'

interface Props {
  readonly tag: string
  readonly state: TableState
  readonly onClose: () => void
  readonly onMade: () => void
}

/** Adds a column to the table, with its field: what will be done is shown first. */
export function AddColumnDialog({ tag, state, onClose, onMade }: Props) {
  const { t } = useText()
  const { api } = useApi()
  const [column, setColumn] = useState<ColumnDraft>(emptyColumn)
  const { asked, problem, isBusy, ask, make, forget } = usePreview(
    (change: TableAct, preview) =>
      api.design.changeTable({ params: { tag }, body: { preview, change } }),
    onMade,
  )
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isColumnWhole(column)) return
    if (asked === null) ask({ act: 'add', columns: [toAskedColumn(column)] })
    else make(asked.act)
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('tableChange.addTo', { table: `${state.schema}.${state.table}` })}
      className="jw-dialog--narrow"
    >
      <Unsaved when={column.label !== ''} />
      <form onSubmit={submit} noValidate>
        <DialogBody>
          {asked === null ? (
            <ColumnForm
              autoFocus
              column={column}
              sources={state}
              onChange={(part) => setColumn((before) => ({ ...before, ...part }))}
            />
          ) : (
            <OutcomeText outcome={asked.outcome} />
          )}
          <ProblemLines problem={problem} />
        </DialogBody>
        <DialogFooter
          actions={
            <>
              {asked === null ? null : (
                <Button disabled={isBusy} text={t('tableChange.edit')} onClick={forget} />
              )}
              <CancelButton disabled={isBusy} onClick={onClose} />
              <Button
                type="submit"
                intent="primary"
                loading={isBusy}
                disabled={!isColumnWhole(column)}
                text={t(asked === null ? 'tableChange.look' : 'tableChange.add')}
              />
            </>
          }
        />
      </form>
    </Dialog>
  )
}

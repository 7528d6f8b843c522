import type { TableAct, TableState } from '@jiaowu/api/entity/definition/table-change'
import { useState } from 'react'
import { useApi } from '../../../app/api-context.ts'
import { useText } from '../../../app/text-context.ts'
import { Unsaved } from '../../../app/unsaved.ts'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { type ColumnDraft, emptyColumn, isColumnWhole, toAskedColumn } from './column-draft.ts'
import { ColumnForm } from './column-form.tsx'
import { PreviewForm } from './preview-form.tsx'
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
  const preview = usePreview(
    (change: TableAct, isPreview) =>
      api.design.changeTable({ params: { tag }, body: { preview: isPreview, change } }),
    onMade,
  )
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('tableChange.addTo', { table: `${state.schema}.${state.table}` })}
      className="jw-dialog--narrow"
    >
      <Unsaved when={column.label !== ''} />
      <PreviewForm
        preview={preview}
        act={isColumnWhole(column) ? { act: 'add', columns: [toAskedColumn(column)] } : null}
        action={t('tableChange.add')}
        onClose={onClose}
      >
        <ColumnForm
          autoFocus
          column={column}
          sources={state}
          onChange={(part) => setColumn((before) => ({ ...before, ...part }))}
        />
      </PreviewForm>
    </Dialog>
  )
}

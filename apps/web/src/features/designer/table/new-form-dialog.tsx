import { Button, FormGroup, InputGroup } from '@blueprintjs/core'
import { Add, Trash } from '@blueprintjs/icons'
import type { AskedTable } from '@jiaowu/api/entity/definition/sheet'
import { useId, useState } from 'react'
import { useApi } from '../../../app/api-context.ts'
import { useText } from '../../../app/text-context.ts'
import { Unsaved } from '../../../app/unsaved.ts'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { Loading } from '../../../ui/resource/page-state.tsx'
import { useLoad } from '../definitions/use-load.ts'
import { type ColumnDraft, emptyColumn, isColumnWhole, toAskedColumn } from './column-draft.ts'
import { ColumnForm, type ColumnSources } from './column-form.tsx'
import { PreviewForm } from './preview-form.tsx'
import { usePreview } from './use-preview.ts'

interface Props {
  readonly onClose: () => void
  readonly onMade: (made: { readonly tag: string; readonly name: string }) => void
}

type Row = ColumnDraft & { readonly key: number }

/** Makes an empty table with its entity: a name and its columns, and the designer goes on. */
export function NewFormDialog({ onClose, onMade }: Props) {
  const { t } = useText()
  const { api } = useApi()
  const sources = useLoad('sources', (signal) => api.design.columnSources({ signal })).data
  const [name, setName] = useState('')
  const [rows, setRows] = useState<readonly Row[]>([{ ...emptyColumn, key: 0 }])
  const preview = usePreview(
    (plan: AskedTable, isPreview) => api.design.makeTable({ body: { preview: isPreview, plan } }),
    ({ tag }, plan) => onMade({ tag, name: plan.name }),
  )
  const isWhole = name.trim() !== '' && rows.length > 0 && rows.every(isColumnWhole)
  return (
    <Dialog isOpen onClose={onClose} title={t('tableChange.newTitle')} className="jw-new-form">
      <Unsaved when={name !== '' || rows.some(({ label }) => label !== '')} />
      <PreviewForm
        preview={preview}
        act={isWhole ? { name: name.trim(), columns: rows.map(toAskedColumn) } : null}
        action={t('tableChange.make')}
        onClose={onClose}
      >
        {sources === null ? (
          <Loading />
        ) : (
          <Rows name={name} onName={setName} rows={rows} onRows={setRows} sources={sources} />
        )}
      </PreviewForm>
    </Dialog>
  )
}

interface RowsProps {
  readonly name: string
  readonly onName: (name: string) => void
  readonly rows: readonly Row[]
  readonly onRows: (rows: readonly Row[]) => void
  readonly sources: ColumnSources
}

function Rows({ name, onName, rows, onRows, sources }: RowsProps) {
  const { t } = useText()
  const id = useId()
  return (
    <>
      <p className="jw-muted">{t('tableChange.newHint')}</p>
      <FormGroup label={t('sheetTable.name')} labelFor={`${id}-name`}>
        <InputGroup
          id={`${id}-name`}
          autoFocus
          value={name}
          maxLength={60}
          placeholder={t('tableChange.nameHint')}
          onValueChange={onName}
        />
      </FormGroup>
      {rows.map(({ key, ...column }, at) => (
        <fieldset key={key} className="jw-new-form__column">
          <legend>{t('tableChange.nth', { n: at + 1 })}</legend>
          <ColumnForm
            column={column}
            sources={sources}
            autoFocus={at > 0 && column.label === ''}
            onChange={(part) =>
              onRows(rows.map((row) => (row.key === key ? { ...row, ...part } : row)))
            }
          />
          {rows.length < 2 ? null : (
            <Button
              size="small"
              variant="minimal"
              icon={<Trash size={14} />}
              text={t('tableChange.leaveOut')}
              aria-label={t('tableChange.leaveOutOne', { n: at + 1 })}
              onClick={() => onRows(rows.filter((row) => row.key !== key))}
            />
          )}
        </fieldset>
      ))}
      <Button
        icon={<Add />}
        disabled={rows.length >= 50}
        text={t('tableChange.more')}
        onClick={() =>
          onRows([...rows, { ...emptyColumn, key: Math.max(0, ...rows.map(({ key }) => key)) + 1 }])
        }
      />
    </>
  )
}

import { Button, Spinner } from '@blueprintjs/core'
import { Download, Trash, Upload as UploadIcon } from '@blueprintjs/icons'
import type { AttachmentInfo } from '@jiaowu/api/contract/attachment'
import { entityPermission, may } from '@jiaowu/api/entity/permission'
import { useState } from 'react'
import { useApi } from '../../../app/api-context.ts'
import { useText } from '../../../app/text-context.ts'
import { DropZone } from '../../../ui/drop-zone.tsx'
import { Failed } from '../../../ui/resource/page-state.tsx'
import { AttachmentPreview, isPreviewable } from './attachment-preview.tsx'
import { FileRow } from './file-row.tsx'
import { UploadList } from './upload-list.tsx'
import type { Uploads } from './uploads.ts'
import { type Owner, useFileActions, useFiles } from './use-files.ts'

/**
 * Files of a record: users who may change it add and delete them, those who may view it preview and
 * download them (docs/rules/contract.md#files).
 */
export function Attachments({
  tag,
  rowId,
  permissions,
}: Owner & { readonly permissions: readonly string[] }) {
  const { t } = useText()
  const { permissions: held } = useApi()
  const { files, fault, uploading, uploads, load, explain } = useFiles({ tag, rowId })
  const [selectedIds, setSelectedIds] = useState<readonly string[]>([])
  const [shown, setShown] = useState<AttachmentInfo | null>(null)
  const { remove, download } = useFileActions(explain, () => {
    setSelectedIds([])
    return load()
  })
  const mayChange = may([...permissions, ...held], entityPermission(tag, 'update'))
  const all = files ?? []
  const toggle = (id: string) =>
    setSelectedIds((ids) => (ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]))
  const removeNow = (chosen: readonly AttachmentInfo[]) => {
    void remove(chosen)
  }
  return (
    <section className="jw-group jw-attachments" aria-label={t('form.attachments')}>
      <h4 className="jw-group__head">
        {t('form.attachments')}
        {all.length > 0 ? <span className="jw-attachments__count">{all.length}</span> : null}
      </h4>
      <FileList
        files={files}
        fault={fault}
        mayChange={mayChange}
        selectedIds={selectedIds}
        onRetry={() => {
          void load()
        }}
        onToggle={toggle}
        onShow={setShown}
        onDownload={download}
        onRemove={removeNow}
      />
      {all.length > 1 ? (
        <SelectionActions
          files={all}
          selected={all.filter(({ id }) => selectedIds.includes(id))}
          mayChange={mayChange}
          onDownload={download}
          onRemove={removeNow}
        />
      ) : null}
      {uploading.length > 0 ? <UploadList list={uploading} uploads={uploads} /> : null}
      {mayChange ? <FileDrop uploads={uploads} /> : null}
      {shown === null ? null : (
        <AttachmentPreview
          files={all.filter(isPreviewable)}
          shown={shown}
          onShow={setShown}
          onDownload={(file) => download([file])}
        />
      )}
    </section>
  )
}

interface FileActions {
  readonly mayChange: boolean
  readonly onDownload: (files: readonly AttachmentInfo[]) => void
  readonly onRemove: (files: readonly AttachmentInfo[]) => void
}

interface FileListProps extends FileActions {
  /** Null: loading. */
  readonly files: readonly AttachmentInfo[] | null
  /** Why the files could not be loaded. */
  readonly fault: string | null
  readonly selectedIds: readonly string[]
  readonly onRetry: () => void
  readonly onToggle: (id: string) => void
  readonly onShow: (file: AttachmentInfo) => void
}

function FileList({ files, fault, mayChange, selectedIds, onRetry, ...on }: FileListProps) {
  const { t } = useText()
  if (fault !== null) return <Failed text={fault} onRetry={onRetry} />
  if (files === null) return <Spinner size={20} />
  if (files.length === 0) return mayChange ? null : <p className="jw-muted">{t('form.noFiles')}</p>
  return (
    <ul className="jw-files">
      {files.map((file) => (
        <FileRow
          key={file.id}
          file={file}
          selected={selectedIds.includes(file.id)}
          many={files.length > 1}
          onToggle={() => on.onToggle(file.id)}
          onShow={() => on.onShow(file)}
          onDownload={() => on.onDownload([file])}
          onRemove={mayChange ? () => on.onRemove([file]) : null}
        />
      ))}
    </ul>
  )
}

interface SelectionActionsProps extends FileActions {
  readonly files: readonly AttachmentInfo[]
  readonly selected: readonly AttachmentInfo[]
}

/** Acts on the selected files; without a selection all can be downloaded. */
function SelectionActions(props: SelectionActionsProps) {
  const { files, selected, mayChange, onDownload, onRemove } = props
  const { t } = useText()
  if (selected.length === 0)
    return (
      <div className="jw-attachments__bar">
        <Button
          size="small"
          icon={<Download />}
          text={t('attachment.downloadAll')}
          onClick={() => onDownload(files)}
        />
      </div>
    )
  return (
    <div className="jw-attachments__bar">
      <span className="jw-muted" aria-live="polite">
        {t('attachment.selected', { n: selected.length })}
      </span>
      <Button
        size="small"
        icon={<Download />}
        text={t('attachment.downloadZip')}
        onClick={() => onDownload(selected)}
      />
      {mayChange ? (
        <Button
          size="small"
          intent="danger"
          variant="outlined"
          icon={<Trash />}
          text={t('common.delete')}
          onClick={() => onRemove(selected)}
        />
      ) : null}
    </div>
  )
}

function FileDrop({ uploads }: { readonly uploads: Uploads }) {
  const { t } = useText()
  return (
    <DropZone multiple label={t('form.addFiles')} onFiles={(added) => uploads.add(added)}>
      {(choose) => (
        <>
          <UploadIcon className="jw-drop__icon" />
          <span>
            {t('attachment.drop')}{' '}
            <button type="button" className="jw-drop__choose" onClick={choose}>
              {t('attachment.choose')}
            </button>
          </span>
          <small className="jw-muted">{t('attachment.kinds')}</small>
        </>
      )}
    </DropZone>
  )
}

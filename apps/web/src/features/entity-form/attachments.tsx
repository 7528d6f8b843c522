import { Button, Checkbox, Spinner } from '@blueprintjs/core'
import { Archive, Document, Download, Media, Trash, Upload as UploadIcon } from '@blueprintjs/icons'
import {
  type AttachmentInfo,
  entityPermission,
  limits,
  may,
  problemOf,
  problemText,
  schoolTime,
} from '@jiaowu/api'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useApp } from '../../shell/context/app-context.tsx'
import { DropZone } from '../../ui/drop-zone.tsx'
import { Failed } from '../../ui/page-state.tsx'
import { sizeText } from '../../ui/sizes.ts'
import { AttachmentPreview, isPreviewable } from './attachment-preview.tsx'
import { UploadList } from './upload-list.tsx'
import { createUploads, type Upload } from './uploads.ts'

interface Owner {
  readonly tag: string
  readonly rowId: string
}

interface RowProps {
  readonly file: AttachmentInfo
  readonly selected: boolean
  readonly many: boolean
  readonly onToggle: () => void
  readonly onShow: () => void
  readonly onDownload: () => void
  readonly onRemove: (() => void) | null
}

/** Files of a record: those who may change it add and delete, those who may view it look and download (docs/rules/contract.md#files). */
export function Attachments({
  tag,
  rowId,
  permissions,
}: Owner & { readonly permissions: readonly string[] }) {
  const { api, t, toast, confirm, saveFile, permissions: held } = useApp()
  const { files, fault, uploading, uploads, load, explain } = useFiles({ tag, rowId })
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [shown, setShown] = useState<AttachmentInfo | null>(null)
  const mayChange = may([...permissions, ...held], entityPermission(tag, 'update'))
  const all = files ?? []
  const selected = all.filter(({ id }) => chosen.includes(id))
  const tell = (error: unknown) => toast('danger', explain(error), { lasting: true })
  const remove = async (doomed: readonly AttachmentInfo[]) => {
    const [only, ...more] = doomed
    if (
      only === undefined ||
      !(await confirm({
        text:
          more.length === 0
            ? t('attachment.confirmDelete', { name: only.name })
            : t('attachment.confirmDeleteMany', { n: doomed.length }),
        danger: true,
        confirmText: t('common.delete'),
      }))
    )
      return
    await api.attachment
      .remove({ query: { ids: doomed.map(({ id }) => id).join(',') } })
      .then(({ deleted }) => toast('success', t('attachment.deleted', { n: deleted })), tell)
    setChosen([])
    await load()
  }
  const download = (wanted: readonly AttachmentInfo[]) => {
    api.attachment
      .download({ query: { ids: wanted.map(({ id }) => id).join(',') } })
      .then((file) => saveFile(file))
      .catch(tell)
  }
  const toggle = (id: string) =>
    setChosen((ids) => (ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]))
  const list =
    fault !== null ? (
      <Failed
        text={fault}
        onRetry={() => {
          void load()
        }}
      />
    ) : files === null ? (
      <Spinner size={20} />
    ) : all.length === 0 ? (
      mayChange ? null : (
        <p className="jw-muted">{t('form.noFiles')}</p>
      )
    ) : (
      <ul className="jw-files">
        {all.map((file) => (
          <FileRow
            key={file.id}
            file={file}
            selected={chosen.includes(file.id)}
            many={all.length > 1}
            onToggle={() => toggle(file.id)}
            onShow={() => setShown(file)}
            onDownload={() => download([file])}
            onRemove={
              mayChange
                ? () => {
                    void remove([file])
                  }
                : null
            }
          />
        ))}
      </ul>
    )
  return (
    <section className="jw-group jw-attachments">
      <h4 className="jw-group__head">
        {t('form.attachments')}
        {all.length > 0 ? <span className="jw-attachments__count">{all.length}</span> : null}
      </h4>
      {list}
      {all.length > 1 ? (
        <div className="jw-attachments__bar">
          {selected.length === 0 ? (
            <Button
              size="small"
              icon={<Download />}
              text={t('attachment.downloadAll')}
              onClick={() => download(all)}
            />
          ) : (
            <>
              <span className="jw-muted" aria-live="polite">
                {t('attachment.selected', { n: selected.length })}
              </span>
              <Button
                size="small"
                icon={<Download />}
                text={t('attachment.downloadZip')}
                onClick={() => download(selected)}
              />
              {mayChange ? (
                <Button
                  size="small"
                  intent="danger"
                  variant="outlined"
                  icon={<Trash />}
                  text={t('common.delete')}
                  onClick={() => {
                    void remove(selected)
                  }}
                />
              ) : null}
            </>
          )}
        </div>
      ) : null}
      {uploading.length > 0 ? <UploadList list={uploading} uploads={uploads} /> : null}
      {mayChange ? (
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
      ) : null}
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

function useFiles({ tag, rowId }: Owner) {
  const { api, t, locale } = useApp()
  const [files, setFiles] = useState<readonly AttachmentInfo[] | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [uploading, setUploading] = useState<readonly Upload[]>([])
  const explain = useCallback((error: unknown) => problemText(locale, problemOf(error)), [locale])
  const load = useCallback(
    () =>
      api.attachment.list({ query: { bizType: tag, bizId: rowId } }).then(
        (found) => {
          setFiles(found)
          setFault(null)
        },
        (error: unknown) => setFault(explain(error)),
      ),
    [api, tag, rowId, explain],
  )
  useEffect(() => {
    void load()
  }, [load])
  const uploads = useMemo(
    () =>
      createUploads({
        send: (file, onSent, signal) =>
          api.attachment.upload({ body: { file, bizType: tag, bizId: rowId }, signal, onSent }),
        refuse: ({ size, type }) =>
          size > limits.attachmentBytes
            ? t('attachment.tooLarge')
            : type.startsWith('image/') && size > limits.imageBytes
              ? t('attachment.imageTooLarge')
              : null,
        explain,
        onChange: setUploading,
        onSaved: () => {
          void load()
        },
      }),
    [api, tag, rowId, t, explain, load],
  )
  useEffect(() => () => uploads.stop(), [uploads])
  return { files, fault, uploading, uploads, load, explain }
}

function FileRow({ file, selected, many, onToggle, onShow, onDownload, onRemove }: RowProps) {
  const { t } = useApp()
  return (
    <li>
      {many ? (
        <Checkbox
          checked={selected}
          onChange={onToggle}
          aria-label={t('attachment.select', { name: file.name })}
        />
      ) : null}
      <span className="jw-files__icon">{iconOf(file)}</span>
      {isPreviewable(file) ? (
        <button
          type="button"
          className="jw-files__name is-link"
          title={t('attachment.preview', { name: file.name })}
          onClick={onShow}
        >
          {file.name}
        </button>
      ) : (
        <span className="jw-files__name" title={file.name}>
          {file.name}
        </span>
      )}
      <span className="jw-files__size">{sizeText(file.size)}</span>
      <time className="jw-files__time" dateTime={file.createTime}>
        {schoolTime(file.createTime).slice(0, 16)}
      </time>
      <Button
        variant="minimal"
        size="small"
        icon={<Download />}
        aria-label={`${t('common.download')} ${file.name}`}
        title={t('common.download')}
        onClick={onDownload}
      />
      {onRemove === null ? null : (
        <Button
          variant="minimal"
          size="small"
          intent="danger"
          icon={<Trash />}
          aria-label={`${t('common.delete')} ${file.name}`}
          title={t('common.delete')}
          onClick={onRemove}
        />
      )}
    </li>
  )
}

function iconOf({ type }: AttachmentInfo) {
  return type.startsWith('image/') ? (
    <Media />
  ) : type === 'application/zip' ? (
    <Archive />
  ) : (
    <Document />
  )
}

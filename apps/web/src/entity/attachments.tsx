import { Button, Spinner } from '@blueprintjs/core'
import { Download, Trash, Upload } from '@blueprintjs/icons'
import { type AttachmentInfo, entityPermission, limits, may, problemOf, problemText } from '@jiaowu/api'
import { useCallback, useEffect, useState } from 'react'
import { useApp } from '../app/app-context.tsx'

const sizeText = (bytes: number): string => (bytes < 1024 ? `${bytes} B` : bytes < 1_048_576 ? `${(bytes / 1024).toFixed(0)} KB` : `${(bytes / 1_048_576).toFixed(1)} MB`)

/** Files of a record: those who may change it add and delete, those who may view it download (contract §7). */
export const Attachments = ({ tag, rowId, permissions }: { readonly tag: string; readonly rowId: string; readonly permissions: readonly string[] }) => {
  const { api, t, toast, confirm, saveFile, locale, permissions: held } = useApp()
  const [files, setFiles] = useState<readonly AttachmentInfo[] | null>(null)
  const [busy, setBusy] = useState(false)
  const mayChange = may([...permissions, ...held], entityPermission(tag, 'update'))
  const tell = useCallback((error: unknown) => toast('danger', problemText(locale, problemOf(error)), { lasting: true }), [toast, locale])
  const load = useCallback(() => api.attachment.list({ query: { bizType: tag, bizId: rowId } }).then(setFiles, (error: unknown) => { setFiles([]); tell(error) }), [api, tag, rowId, tell])
  useEffect(() => { void load() }, [load])
  const add = async (chosen: readonly File[]) => {
    setBusy(true)
    for (const file of chosen) {
      if (file.size > limits.attachmentBytes) toast('danger', t('attachment.tooLarge'), { lasting: true })
      else await api.attachment.upload({ body: { file, bizType: tag, bizId: rowId } }).catch(tell)
    }
    setBusy(false)
    await load()
  }
  const remove = async (file: AttachmentInfo) => {
    if (!(await confirm({ text: `${t('list.confirmDelete')} ${file.name}`, danger: true }))) return
    await api.attachment.remove({ query: { ids: file.id } }).catch(tell)
    await load()
  }
  const download = (ids: string) => { api.attachment.download({ query: { ids } }).then((file) => saveFile(file)).catch(tell) }
  return (
    <section className="jw-group">
      <h4 className="jw-group__head">{t('form.attachments')}</h4>
      {files === null ? <Spinner size={20} /> : files.length === 0 ? <p className="jw-muted">{t('form.noFiles')}</p> : (
        <ul className="jw-files">
          {files.map((file) => (
            <li key={file.id}><span className="jw-files__name" title={file.name}>{file.name}</span><span className="jw-files__size">{sizeText(file.size)}</span>
              <Button variant="minimal" size="small" icon={<Download />} aria-label={`${t('common.download')} ${file.name}`} onClick={() => download(file.id)} />
              {mayChange ? <Button variant="minimal" size="small" intent="danger" icon={<Trash />} aria-label={`${t('common.delete')} ${file.name}`} onClick={() => { void remove(file) }} /> : null}
            </li>
          ))}
        </ul>
      )}
      <div className="jw-toolbar" style={{ padding: '8px 0' }}>
        {mayChange ? <label className="bp6-button" style={{ position: 'relative' }}><Upload className="bp6-icon" /><span className="bp6-button-text">{busy ? t('common.loading') : t('form.addFiles')}</span><input type="file" multiple disabled={busy} style={{ position: 'absolute', inset: 0, opacity: 0 }} onChange={(event) => { void add([...(event.target.files ?? [])]); event.target.value = '' }} /></label> : null}
        {files !== null && files.length > 1 ? <Button icon={<Download />} text={t('common.download')} onClick={() => download(files.map(({ id }) => id).join(','))} /> : null}
      </div>
    </section>
  )
}

import type { AttachmentInfo } from '@jiaowu/api/contract/attachment'
import { limits } from '@jiaowu/api/limits'
import { toProblem, problemText } from '@jiaowu/api/problem'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useApi } from '../../../app/api-context.ts'
import { useNotice } from '../../../app/notice-context.ts'
import { useText } from '../../../app/text-context.ts'
import { createUploads, type Upload } from './uploads.ts'

export interface Owner {
  readonly tag: string
  readonly rowId: string
}

/** The files of a record and the uploads to it; every finished upload reloads the list. */
export function useFiles({ tag, rowId }: Owner) {
  const { t, locale } = useText()
  const { api } = useApi()
  const [files, setFiles] = useState<readonly AttachmentInfo[] | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [uploading, setUploading] = useState<readonly Upload[]>([])
  const explain = useCallback((error: unknown) => problemText(locale, toProblem(error)), [locale])
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

/** Downloads files of a record, several as one archive, and deletes them after a confirmation. */
export function useFileActions(
  explain: (error: unknown) => string,
  onRemoved: () => Promise<void>,
) {
  const { t } = useText()
  const { api, saveFile } = useApi()
  const { toast, confirm } = useNotice()
  const showProblem = (error: unknown) => toast('danger', explain(error), { lasting: true })
  const remove = async (files: readonly AttachmentInfo[]) => {
    const [first, ...more] = files
    if (first === undefined) return
    const text =
      more.length === 0
        ? t('attachment.confirmDelete', { name: first.name })
        : t('attachment.confirmDeleteMany', { n: files.length })
    if (!(await confirm({ text, danger: true, confirmText: t('common.delete') }))) return
    await api.attachment
      .remove({ query: { ids: joinFileIds(files) } })
      .then(({ deleted }) => toast('success', t('attachment.deleted', { n: deleted })), showProblem)
    await onRemoved()
  }
  const download = (files: readonly AttachmentInfo[]) => {
    api.attachment
      .download({ query: { ids: joinFileIds(files) } })
      .then((file) => saveFile(file))
      .catch(showProblem)
  }
  return { remove, download }
}

function joinFileIds(files: readonly AttachmentInfo[]): string {
  return files.map(({ id }) => id).join(',')
}

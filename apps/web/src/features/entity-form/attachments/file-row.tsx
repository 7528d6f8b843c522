import { Button, Checkbox } from '@blueprintjs/core'
import { Archive, Document, Download, Media, Trash } from '@blueprintjs/icons'
import type { AttachmentInfo } from '@jiaowu/api/contract/attachment'
import { schoolTime } from '@jiaowu/api/formats'
import { useText } from '../../../app/text-context.ts'
import { sizeText } from '../../../ui/sizes.ts'
import { isPreviewable } from './attachment-preview.tsx'

interface FileRowProps {
  readonly file: AttachmentInfo
  readonly selected: boolean
  /** There are several files, so that one can be selected. */
  readonly many: boolean
  readonly onToggle: () => void
  readonly onShow: () => void
  readonly onDownload: () => void
  /** Null: the user may not change the record. */
  readonly onRemove: (() => void) | null
}

/** A file of a record with its actions. */
export function FileRow({
  file,
  selected,
  many,
  onToggle,
  onShow,
  onDownload,
  onRemove,
}: FileRowProps) {
  const { t } = useText()
  return (
    <li>
      {many ? (
        <Checkbox
          checked={selected}
          onChange={onToggle}
          aria-label={t('attachment.select', { name: file.name })}
        />
      ) : null}
      <span className="jw-files__icon">{chooseFileIcon(file)}</span>
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

function chooseFileIcon({ type }: AttachmentInfo) {
  return type.startsWith('image/') ? (
    <Media />
  ) : type === 'application/zip' ? (
    <Archive />
  ) : (
    <Document />
  )
}

import { Button, ProgressBar } from '@blueprintjs/core'
import { Cross, Refresh } from '@blueprintjs/icons'
import { useText } from '../../../app/text-context.ts'
import { sizeText } from '../../../ui/sizes.ts'
import type { Upload, Uploads } from './uploads.ts'

/** Running and refused uploads with their progress. */
export function UploadList({
  list,
  uploads,
}: {
  readonly list: readonly Upload[]
  readonly uploads: Uploads
}) {
  const { t } = useText()
  const wordOf = ({ state, sent, file, fault }: Upload) =>
    state === 'refused'
      ? `${t('problem.uploadFailed')}: ${fault ?? ''}`
      : state === 'waiting'
        ? t('attachment.waiting')
        : sent >= file.size
          ? t('attachment.storing')
          : t('attachment.sending', { percent: Math.floor((sent / file.size) * 100) })
  return (
    <ul className="jw-uploads" aria-live="polite">
      {list.map((upload) => (
        <li key={upload.key} className={upload.state === 'refused' ? 'is-refused' : ''}>
          <div className="jw-uploads__line">
            <span className="jw-files__name" title={upload.file.name}>
              {upload.file.name}
            </span>
            <span className="jw-files__size">{sizeText(upload.file.size)}</span>
            {upload.state === 'refused' ? (
              <Button
                variant="minimal"
                size="small"
                icon={<Refresh />}
                aria-label={`${t('common.retry')} ${upload.file.name}`}
                title={t('common.retry')}
                onClick={() => uploads.retry(upload.key)}
              />
            ) : null}
            <Button
              variant="minimal"
              size="small"
              icon={<Cross />}
              aria-label={t('attachment.dismiss', { name: upload.file.name })}
              title={t('common.cancel')}
              onClick={() => uploads.remove(upload.key)}
            />
          </div>
          {upload.state === 'sending' ? (
            <ProgressBar
              aria-label={wordOf(upload)}
              intent="primary"
              animate={upload.sent >= upload.file.size}
              stripes={upload.sent >= upload.file.size}
              value={upload.sent / Math.max(1, upload.file.size)}
            />
          ) : null}
          <span className="jw-uploads__word">{wordOf(upload)}</span>
        </li>
      ))}
    </ul>
  )
}

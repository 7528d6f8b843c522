import { Spinner } from '@blueprintjs/core'
import { Cross, Plus } from '@blueprintjs/icons'
import type { DictItem } from '@jiaowu/api/entity/values'
import { limits } from '@jiaowu/api/limits'
import { toProblem, problemText } from '@jiaowu/api/problem'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '../app/api-context.ts'
import { useNotice } from '../app/notice-context.ts'
import { useText } from '../app/text-context.ts'
import type { ControlProps } from './field-types.ts'
import { Dialog } from '../ui/overlays/dialog.tsx'

export function Thumbnails({
  tag,
  rowId,
  items,
  size,
}: {
  readonly tag: string
  readonly rowId: string
  readonly items: readonly DictItem[]
  readonly size: 'small' | 'large'
}) {
  const [open, setOpen] = useState<string | null>(null)
  if (items.length === 0) return size === 'large' ? <span className="jw-muted">—</span> : null
  return (
    <>
      <span className="jw-images">
        {items.slice(0, size === 'small' ? 1 : items.length).map((item) => (
          <span key={item.id} className={size === 'small' ? '' : 'jw-image'}>
            <Picture
              tag={tag}
              rowId={rowId}
              item={item}
              onOpen={setOpen}
              className={size === 'small' ? 'jw-thumb' : ''}
            />
          </span>
        ))}
      </span>
      <Dialog
        isOpen={open !== null}
        onClose={() => setOpen(null)}
        title=" "
        className="jw-preview-dialog"
      >
        {open === null ? null : <img src={open} alt="" className="jw-preview" />}
      </Dialog>
    </>
  )
}

/**
 * Image loaded with a one-time ticket, because links must not carry the session
 * (docs/rules/security.md#h5).
 */
function Picture({
  tag,
  rowId,
  item,
  className,
  onOpen,
}: {
  readonly tag: string
  readonly rowId: string
  readonly item: DictItem
  readonly className?: string
  readonly onOpen?: (src: string) => void
}) {
  const { api } = useApi()
  const [src, setSrc] = useState<string | null>(null)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    setFailed(false)
    const stop = new AbortController()
    api.attachment
      .ticket({ body: { bizType: tag, bizId: rowId, id: item.id }, signal: stop.signal })
      .then(
        ({ ticket }) => setSrc(linkTo(tag, rowId, item.id, ticket)),
        () => {
          if (!stop.signal.aborted) setFailed(true)
        },
      )
    return () => stop.abort()
  }, [api, tag, rowId, item.id])
  if (failed) return <span className="jw-muted">{item.name}</span>
  return src === null ? (
    <Spinner size={18} />
  ) : (
    <img
      src={src}
      alt={item.name}
      className={className}
      onClick={(event) => {
        event.stopPropagation()
        onOpen?.(src)
      }}
    />
  )
}

function linkTo(tag: string, rowId: string, id: string, ticket: string) {
  return `/api/file/attachment/download/${tag}/${rowId}?token=${ticket}&id=${id}`
}

/** Images of a row. Uploads need the row's id, which a new row gets when its form opens. */
export function ImagesControl({
  tag,
  value,
  disabled,
  rowId,
  id,
  describedBy,
  onChange,
}: ControlProps) {
  const { t, locale } = useText()
  const { api } = useApi()
  const { toast } = useNotice()
  const [busy, setBusy] = useState(0)
  const items = Array.isArray(value) ? (value as readonly DictItem[]) : []
  // The items when an upload ends, not when it began: the user may remove images meanwhile.
  const latest = useRef(items)
  useEffect(() => {
    latest.current = items
  })
  const add = async (files: readonly File[]) => {
    for (const file of files) {
      if (file.size > limits.imageBytes) {
        toast('danger', t('attachment.imageTooLarge'), { lasting: true })
        continue
      }
      setBusy((n) => n + 1)
      try {
        const saved = await api.attachment.upload({
          body: { file, bizType: tag, bizId: rowId ?? '' },
        })
        latest.current = [...latest.current, { id: saved.id, name: saved.name }]
        onChange(latest.current)
      } catch (error) {
        const reason = problemText(locale, toProblem(error))
        toast('danger', `${t('problem.uploadFailed')}: ${reason}`, { lasting: true })
      } finally {
        setBusy((n) => n - 1)
      }
    }
  }
  return (
    <div className="jw-images" id={id} tabIndex={-1} aria-describedby={describedBy}>
      {items.map((item) => (
        <div key={item.id} className="jw-image">
          {rowId === null ? item.name : <Picture tag={tag} rowId={rowId} item={item} />}
          {disabled ? null : (
            <button
              type="button"
              className="jw-image__remove"
              aria-label={`${t('common.delete')} ${item.name}`}
              onClick={() => onChange(items.filter((each) => each.id !== item.id))}
            >
              <Cross size={12} />
            </button>
          )}
        </div>
      ))}
      {disabled || rowId === null ? null : (
        <label className="jw-image jw-image--add">
          {busy > 0 ? <Spinner size={20} /> : <Plus />}
          <span>{t('common.upload')}</span>
          <input
            type="file"
            accept="image/png,image/jpeg,image/webp,image/gif"
            multiple
            onChange={(event) => {
              void add([...(event.target.files ?? [])])
              event.target.value = ''
            }}
          />
        </label>
      )}
    </div>
  )
}

import { Tag } from '@blueprintjs/core'
import type { DictItem, Row } from '@jiaowu/api/entity/values'
import type { Field } from '@jiaowu/api/entity/config'
import { findKind } from '@jiaowu/api/fields/kinds'
import { starsText } from '@jiaowu/api/fields/stars'
import { valueText } from '@jiaowu/api/fields/money'
import { isLow, shownNumber } from '@jiaowu/machines/shown-number'
import { lazy, Suspense } from 'react'
import { useText } from '../app/text-context.ts'
import { useSettings } from '../app/settings.ts'
import type { CellProps } from './field-types.ts'
import { Thumbnails } from './images.tsx'
import { Loading } from '../ui/resource/page-state.tsx'
import { useRowEvent } from './row-event.ts'

const HtmlBody = lazy(async () => ({ default: (await import('../ui/html-body.tsx')).HtmlBody }))

/**
 * Link of a field with values of the row filled in; only http, https and paths of this site
 * (docs/rules/security.md#i6).
 */
function buildCellLink({ linkType, linkUrl }: Field, row: Row): string | null {
  if (linkType !== 1 || linkUrl === null) return null
  const url = safeUrl(fillUrl(linkUrl, row))
  return url !== null && url.startsWith('/') ? `#${url}` : url
}

function safeUrl(url: string): string | null {
  return /^https?:\/\//i.test(url) || /^\/(?!\/)/.test(url) || url.startsWith('#/') ? url : null
}

function fillUrl(url: string, row: Row): string {
  return url.replace(/\{(\w+)\}/g, (placeholder, name: string, at: number) => {
    const value = row[name]
    const text = Array.isArray(value)
      ? ((value as readonly DictItem[])[0]?.id ?? '')
      : String(value ?? '')
    return at === 0 && placeholder === url ? text : encodeURIComponent(text)
  })
}

export function TextCell({ field, value, row }: CellProps) {
  const { overflowTooltips } = useSettings()
  const text = valueText(field, value)
  const link = text === '' ? null : buildCellLink(field, row)
  const event = useRowEvent(field, row)
  if (event !== null && text !== '')
    return (
      <button
        type="button"
        className="jw-cell jw-cell__event"
        {...(overflowTooltips ? { title: text } : {})}
        onClick={event}
      >
        {text}
      </button>
    )
  return (
    <span className="jw-cell" {...(overflowTooltips ? { title: text } : {})}>
      {link === null ? (
        text
      ) : (
        <a
          href={link}
          target={link.startsWith('#') ? undefined : '_blank'}
          rel="noreferrer"
          onClick={(event) => event.stopPropagation()}
        >
          {text}
        </a>
      )}
    </span>
  )
}

/** A number with the decimals of its column; a low one stands out. */
export function NumberCell({ field, value, row }: CellProps) {
  const { locale } = useText()
  const text = shownNumber(value, field.options, locale)
  const low = isLow(value, field.options, row)
  return (
    <span className={`jw-cell${low ? ' is-low' : ''}`} title={text}>
      {text}
    </span>
  )
}

/** A choice; an item of a dictionary with a colour is a dot and a word. */
export function ChoiceCell(props: CellProps) {
  const { field, value } = props
  const [first] = Array.isArray(value) ? (value as readonly DictItem[]) : []
  const tone = field.dictData?.find(({ id }) => id === first?.id)?.tone
  if (tone === undefined) return <TextCell {...props} />
  return (
    <span className="jw-tone">
      <span className={`jw-tone__dot is-${tone}`} aria-hidden />
      <TextCell {...props} />
    </span>
  )
}

export function TagsCell({ field, value }: CellProps) {
  return Array.isArray(value) ? (
    <span className="jw-cell" title={findKind(field.uiType).toText(value)}>
      {(value as readonly DictItem[]).map((item) => (
        <Tag key={item.id} minimal>
          {item.name || item.id}
        </Tag>
      ))}
    </span>
  ) : null
}

export function SwitchCell({ value }: CellProps) {
  const { t } = useText()
  return value === '1' ? (
    <Tag minimal intent="success">
      {t('common.yes')}
    </Tag>
  ) : value === '0' ? (
    <Tag minimal>{t('common.no')}</Tag>
  ) : null
}

export function StarsCell({ value }: CellProps) {
  const text = starsText(value)
  return text === '' ? null : <span className="jw-cell jw-cell--rate">{text}</span>
}

export function ImageCell({ tag, value, row }: CellProps) {
  return (
    <Thumbnails
      tag={tag}
      rowId={row.id}
      items={Array.isArray(value) ? (value as readonly DictItem[]) : []}
      size="small"
    />
  )
}

export function ImageShow({ tag, value, row }: CellProps) {
  return (
    <Thumbnails
      tag={tag}
      rowId={row.id}
      items={Array.isArray(value) ? (value as readonly DictItem[]) : []}
      size="large"
    />
  )
}

export const NoCell = () => null

export function TextShow(props: CellProps) {
  const text = findKind(props.field.uiType).toText(props.value)
  return text === '' ? (
    <span className="jw-muted">—</span>
  ) : buildCellLink(props.field, props.row) === null ? (
    <span style={{ whiteSpace: 'pre-wrap' }}>{text}</span>
  ) : (
    <TextCell {...props} />
  )
}

/** A number in a detail page, as lists show it. */
export function NumberShow(props: CellProps) {
  const { locale } = useText()
  const { field, value, row } = props
  const isPlain = value !== null && value !== undefined && buildCellLink(field, row) === null
  return isPlain ? (
    <span>{shownNumber(value, field.options, locale)}</span>
  ) : (
    <TextShow {...props} />
  )
}

/** The sanitiser is loaded with the first such field. */
export function HtmlShow({ value }: CellProps) {
  return (
    <Suspense fallback={<Loading />}>
      <HtmlBody html={String(value ?? '')} />
    </Suspense>
  )
}

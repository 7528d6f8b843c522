import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core'
import { ChevronLeft, ChevronRight } from '@blueprintjs/icons'
import { limits } from '@jiaowu/api/limits'
import { shownEstimate } from '@jiaowu/api/entity/values'
import { useState } from 'react'
import { useText } from '../../app/text-context.ts'
import { useNarrow } from '../../app/use-narrow.ts'

/**
 * At most `count` page numbers: the first, the last, and those around the current one; 0 marks a
 * gap.
 */
function pageNumbers(
  current: number,
  last: number,
  count: number = limits.pagerCount,
): readonly number[] {
  if (last <= count) return Array.from({ length: last }, (_none, i) => i + 1)
  const inner = count - 2
  const start = Math.max(2, Math.min(current - Math.floor(inner / 2), last - inner))
  const middle = Array.from({ length: inner }, (_none, i) => start + i)
  return [
    1,
    ...middle.map((page, i) =>
      (i === 0 && page > 2) || (i === inner - 1 && page < last - 1) ? 0 : page,
    ),
    last,
  ]
}

/** Page numbers that fit in one row of a phone. */
const pagesOnPhone = 5

/** The sizes offered, with the present one, which an address may name. */
function sizesWith(size: number): readonly number[] {
  return [...new Set<number>([...limits.pageSizes, size])].toSorted((a, b) => a - b)
}

interface Props {
  /** Null: not known. */
  readonly total: number | null
  /** Pages of the last known total; absent: those of `total`. */
  readonly pages?: number
  readonly isEstimate: boolean
  /** The total in words, where it is not of records. */
  readonly totalText?: (total: string) => string
  readonly pageNum: number
  readonly pageSize: number
  readonly canAsk: boolean
  readonly onGo: (pageNum: number) => void
  readonly onResize: (pageSize: number) => void
}

/** Total, sizes, previous, pages, next, jumper (docs/spec/2-student-service-and-designer.md §9). */
export function Pager({
  total,
  pages,
  isEstimate,
  totalText,
  pageNum,
  pageSize,
  canAsk,
  onGo,
  onResize,
}: Props) {
  const { t, locale } = useText()
  const narrow = useNarrow()
  const last = pages ?? Math.max(1, Math.ceil((total ?? 0) / pageSize))
  return (
    <nav className="jw-pager" aria-label={t('pager.page', { page: pageNum })}>
      <span className="jw-pager__total">
        {total === null
          ? t('pager.total', { total: '—' })
          : totalText !== undefined
            ? totalText(total.toLocaleString(locale))
            : isEstimate
              ? t('pager.about', { total: shownEstimate(total).toLocaleString(locale) })
              : t('pager.total', { total: total.toLocaleString(locale) })}
      </span>
      <HTMLSelect
        minimal
        disabled={!canAsk}
        value={pageSize}
        aria-label={t('pager.size', { size: pageSize })}
        onChange={(event) => onResize(Number(event.currentTarget.value))}
        options={sizesWith(pageSize).map((size) => ({
          value: size,
          label: t('pager.size', { size }),
        }))}
      />
      <Button
        variant="minimal"
        icon={<ChevronLeft />}
        aria-label={t('pager.previous')}
        disabled={!canAsk || pageNum <= 1}
        onClick={() => onGo(pageNum - 1)}
      />
      {pageNumbers(pageNum, last, narrow ? pagesOnPhone : limits.pagerCount).map((page, index) =>
        page === 0 ? (
          <span key={`gap-${index}`} aria-hidden>
            …
          </span>
        ) : (
          <Button
            key={page}
            variant="minimal"
            disabled={!canAsk}
            className={page === pageNum ? 'is-current' : ''}
            aria-current={page === pageNum ? 'page' : undefined}
            aria-label={t('pager.page', { page })}
            text={page}
            onClick={() => onGo(page)}
          />
        ),
      )}
      <Button
        variant="minimal"
        icon={<ChevronRight />}
        aria-label={t('pager.next')}
        disabled={!canAsk || pageNum >= last}
        onClick={() => onGo(pageNum + 1)}
      />
      <Jumper last={last} canAsk={canAsk} onGo={onGo} />
    </nav>
  )
}

function Jumper({
  last,
  canAsk,
  onGo,
}: Pick<Props, 'canAsk' | 'onGo'> & { readonly last: number }) {
  const { t } = useText()
  const [jump, setJump] = useState('')
  const go = () => {
    const page = Number(jump)
    setJump('')
    if (Number.isInteger(page) && page >= 1) onGo(Math.min(page, last))
  }
  return (
    <span className="jw-pager__jumper">
      {t('pager.jump')}{' '}
      <InputGroup
        className="jw-pager__jump"
        size="small"
        disabled={!canAsk}
        inputMode="numeric"
        aria-label={t('pager.jump')}
        value={jump}
        onValueChange={(text) => setJump(text.replace(/\D/g, '').slice(0, 7))}
        onKeyDown={(event) => {
          if (event.key === 'Enter') go()
        }}
        onBlur={go}
      />
    </span>
  )
}

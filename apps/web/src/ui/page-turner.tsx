import { Button } from '@blueprintjs/core'
import { ChevronLeft, ChevronRight } from '@blueprintjs/icons'
import { useText } from '../app/text-context.ts'

/** Below the table of an administration page; nothing where one page holds all rows. */
export function PageTurner({
  label,
  total,
  pageSize,
  pageNum,
  onGo,
}: {
  /** Says how many rows there are. */
  readonly label: string
  readonly total: number
  readonly pageSize: number
  readonly pageNum: number
  readonly onGo: (pageNum: number) => void
}) {
  const { t } = useText()
  const pages = Math.ceil(total / pageSize)
  if (pages <= 1) return null
  return (
    <div className="jw-pager">
      <span className="jw-pager__total">{label}</span>
      <Button
        variant="minimal"
        icon={<ChevronLeft />}
        aria-label={t('pdf.previous')}
        disabled={pageNum <= 1}
        onClick={() => onGo(pageNum - 1)}
      />
      <span>
        {pageNum} / {pages}
      </span>
      <Button
        variant="minimal"
        icon={<ChevronRight />}
        aria-label={t('pdf.next')}
        disabled={pageNum >= pages}
        onClick={() => onGo(pageNum + 1)}
      />
    </div>
  )
}

import { Button, Collapse } from '@blueprintjs/core'
import { ChevronDown, Document, Download, InfoSign } from '@blueprintjs/icons'
import type { ReportItem } from '@jiaowu/api/contract/student/student'
import type { ReportFilter, ReportFilters } from '@jiaowu/machines/download/context'
import { useEffect, useId, useRef, useState } from 'react'
import { useText } from '../../../app/text-context.ts'

const filterNames = ['zh', 'en', 'transcript', 'proof'] as const satisfies readonly ReportFilter[]
const labels = {
  zh: 'studentPage.chinese',
  en: 'studentPage.english',
  transcript: 'studentPage.transcript',
  proof: 'studentPage.proof',
} as const

interface Props {
  /** Reports that match the filters. */
  readonly reports: readonly ReportItem[]
  readonly total: number
  readonly filters: ReportFilters
  /** The list is loading. */
  readonly busy: boolean
  readonly feeNotice: string
  /** The user returned from another step: the heading gets the focus. */
  readonly isBack: boolean
  readonly onToggle: (name: ReportFilter) => void
  readonly onDownload: (report: ReportItem) => void
}

/**
 * Documents the student may download whose language and type are both selected
 * (docs/spec/2-student-service-and-designer.md §2).
 */
export function ReportList({
  reports,
  total,
  filters,
  busy,
  feeNotice,
  isBack,
  onToggle,
  onDownload,
}: Props) {
  const { t } = useText()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isBack) heading.current?.focus()
  }, [isBack])
  return (
    <section className="jw-sheet jw-reports" aria-labelledby="student-reports" aria-busy={busy}>
      <header>
        <h2 id="student-reports" ref={heading} tabIndex={-1}>
          {t('studentPage.reports')}
        </h2>
        <div className="jw-chips" role="group" aria-label={t('studentPage.filter')}>
          {filterNames.map((name) => (
            <button
              key={name}
              type="button"
              className="jw-chip"
              aria-pressed={filters[name]}
              disabled={busy}
              onClick={() => onToggle(name)}
            >
              {t(labels[name])}
            </button>
          ))}
        </div>
      </header>
      <FeeNotice text={feeNotice} />
      {reports.length === 0 ? (
        <p className="jw-reports__none" role="status">
          {t(total === 0 ? 'studentPage.noReports' : 'studentPage.noneMatch')}
        </p>
      ) : null}
      <ul>
        {reports.map((report) => (
          <li key={report.id}>
            <span className="jw-reports__icon">
              <Document size={20} />
            </span>
            <span className="jw-reports__text">
              <span className="jw-reports__name">{report.reportName}</span>
              <span className="jw-reports__tags">
                <span>{t(labels[report.reportLanguage])}</span>
                <span>{t(labels[report.reportType])}</span>
                {report.owned ? <span className="is-owned">{t('studentPage.owned')}</span> : null}
                {report.refund === undefined ? null : (
                  <span className="is-refund">{t(`studentPage.refund.${report.refund}`)}</span>
                )}
              </span>
            </span>
            <Button
              variant="outlined"
              intent="primary"
              icon={<Download />}
              text={t('studentPage.download')}
              disabled={busy}
              aria-label={t('studentPage.downloadNamed', { name: report.reportName })}
              onClick={() => onDownload(report)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Note on fees, collapsed at first (docs/spec/2-student-service-and-designer.md §2). */
function FeeNotice({ text }: { readonly text: string }) {
  const { t } = useText()
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <div className="jw-fee">
      <button
        type="button"
        className="jw-fee__head"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <InfoSign size={14} />
        {t('studentPage.feeTitle')}
        <ChevronDown size={14} className="jw-fee__caret" />
      </button>
      <div id={id}>
        <Collapse isOpen={open}>
          <p>{text}</p>
        </Collapse>
      </div>
    </div>
  )
}

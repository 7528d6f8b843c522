import { Button, Menu } from '@blueprintjs/core'
import { Cross, Download } from '@blueprintjs/icons'
import type { ExportFormat } from '@jiaowu/api'
import type { EntityListView } from '@jiaowu/machines'
import type { ReactNode } from 'react'
import { useApp } from '../../../shell/context/app-context.tsx'
import { ExportFormats } from '../../export/export-formats.tsx'
import { Popover } from '../../../ui/popover.tsx'

interface Props {
  readonly view: EntityListView
  readonly onAll: () => void
  readonly onClear: () => void
  readonly onExport: (format: ExportFormat) => void
  /** Further actions on the selected rows. */
  readonly children?: ReactNode
}

/**
 * The number of selected rows, the step to all that match, and the actions on them
 * (docs/rules/requests.md#r24). It is below the table so that no row moves when it appears.
 */
export function SelectionBar({ view, onAll, onClear, onExport, children }: Props) {
  const { t, locale } = useApp()
  const { chosen, matching, total, totalIsEstimate, may, can } = view
  if (matching === null && chosen === 0) return null
  const number = (n: number) =>
    totalIsEstimate && matching !== null
      ? t('chosen.about', { n: n.toLocaleString(locale) })
      : n.toLocaleString(locale)
  const words =
    matching === null
      ? t('chosen.page', { n: chosen })
      : matching.length === 0
        ? t('chosen.matching', { n: number(chosen) })
        : t('chosen.but', { n: number(chosen), except: matching.length })
  return (
    <div
      className={`jw-chosen${matching === null ? '' : ' is-all'}`}
      role="region"
      aria-label={t('chosen.label')}
    >
      <span className="jw-chosen__count" aria-live="polite">
        {words}
      </span>
      {can.chooseAll ? (
        <Button
          className="jw-chosen__all"
          variant="minimal"
          size="small"
          intent="primary"
          text={t('chosen.all', {
            n: totalIsEstimate
              ? t('chosen.about', { n: total.toLocaleString(locale) })
              : total.toLocaleString(locale),
          })}
          onClick={onAll}
        />
      ) : null}
      <span className="jw-toolbar__gap" />
      {children}
      {may.export ? (
        <Popover
          placement="top-end"
          content={
            <Menu>
              <ExportFormats onExport={onExport} />
            </Menu>
          }
        >
          <Button
            size="small"
            icon={<Download size={14} />}
            text={t('chosen.export')}
            disabled={!can.exportChosen}
          />
        </Popover>
      ) : null}
      <Button
        className="jw-chosen__clear"
        variant="minimal"
        size="small"
        icon={<Cross size={14} />}
        aria-label={t('chosen.clear')}
        title={t('chosen.clear')}
        disabled={!can.clearSelection}
        onClick={onClear}
      />
    </div>
  )
}

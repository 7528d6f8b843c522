import { Button, Menu } from '@blueprintjs/core'
import { Cross, Download } from '@blueprintjs/icons'
import type { ExportFormat } from '@jiaowu/api/contract/entity/entity-data'
import { shownEstimate } from '@jiaowu/api/entity/values'
import type { EntityListView } from '@jiaowu/machines/entity-list/view'
import type { ReactNode } from 'react'
import { useText } from '../../../app/text-context.ts'
import { ExportFormats } from '../../export/export-formats.tsx'
import { Popover } from '../../../ui/overlays/popover.tsx'

interface Props {
  readonly view: EntityListView
  /** Stands in the place of the export while one is under way. */
  readonly exporting: ReactNode
  readonly onAll: () => void
  readonly onClear: () => void
  readonly onExport: (format: ExportFormat) => void
  /** Further actions on the selected rows. */
  readonly children?: ReactNode
}

/**
 * The number of selected rows, the step to all that match, and the actions on them
 * (docs/rules/requests.md#r24). It takes the place of the toolbar's actions, so that no row moves
 * when it appears.
 */
export function SelectionBar({ view, exporting, onAll, onClear, onExport, children }: Props) {
  const { t, locale } = useText()
  const { chosen, elsewhere, matching, total, totalIsEstimate, may, can } = view
  const number = (n: number, isAbout: boolean = totalIsEstimate) =>
    isAbout
      ? t('chosen.about', { n: shownEstimate(n).toLocaleString(locale) })
      : n.toLocaleString(locale)
  const words =
    matching === null
      ? elsewhere === 0
        ? t('chosen.page', { n: chosen })
        : t('chosen.pages', { n: chosen, elsewhere })
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
          intent="primary"
          text={t('chosen.all', {
            n: number(total ?? 0, totalIsEstimate),
          })}
          onClick={onAll}
        />
      ) : null}
      {children}
      {exporting}
      {may.export && exporting === null ? (
        <Popover
          placement="bottom-end"
          content={
            <Menu>
              <ExportFormats onExport={onExport} />
            </Menu>
          }
        >
          <Button icon={<Download />} text={t('chosen.export')} disabled={!can.exportChosen} />
        </Popover>
      ) : null}
      <Button
        className="jw-chosen__clear"
        variant="minimal"
        icon={<Cross />}
        text={t('chosen.clear')}
        disabled={!can.clearSelection}
        onClick={onClear}
      />
    </div>
  )
}

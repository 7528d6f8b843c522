import { Button, Menu, MenuItem } from '@blueprintjs/core'
import { Cross, Download } from '@blueprintjs/icons'
import { entityPermission, type EntityConfig, type ExportFormat, exportFormats } from '@jiaowu/api'
import type { EntityListView } from '@jiaowu/machines'
import type { ReactNode } from 'react'
import { useApp } from '../../shell/context/app-context.tsx'
import { Can } from '../../shell/context/can.tsx'
import { Popover } from '../../ui/popover.tsx'

interface Props {
  readonly config: EntityConfig
  readonly view: EntityListView
  readonly onAll: () => void
  readonly onClear: () => void
  readonly onExport: (format: ExportFormat) => void
  /** What else can be done with the chosen rows. */
  readonly children?: ReactNode
}

/** How many rows are chosen, the way to all that match, and what can be done with them (docs/rules/requests.md#r24). It stands below the rows, so that none moves under the hand. */
export function SelectionBar({ config, view, onAll, onClear, onExport, children }: Props) {
  const { t, locale } = useApp()
  const { chosen, matching, total, totalIsEstimate, can } = view
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
      <Can all={[entityPermission(config.tag, 'export')]}>
        <Popover
          placement="top-end"
          content={
            <Menu>
              {exportFormats.map((format) => (
                <MenuItem key={format} text={format} onClick={() => onExport(format)} />
              ))}
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
      </Can>
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

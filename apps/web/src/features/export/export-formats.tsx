import { MenuItem } from '@blueprintjs/core'
import { Blank } from '@blueprintjs/icons'
import { type ExportFormat, exportFormats } from '@jiaowu/api/contract/entity/entity-data'
import type { ReactElement } from 'react'
import { useText } from '../../app/text-context.ts'
import { Submenu } from '../../ui/overlays/submenu.tsx'

/** Formats for programs are offered below 更多. */
const isForPrograms = (format: ExportFormat): boolean => format === 'ndjson'

/** The formats of an export as items of a menu. */
export function ExportFormats({
  icon,
  disabled = false,
  onExport,
}: {
  readonly icon?: ReactElement
  readonly disabled?: boolean
  readonly onExport: (format: ExportFormat) => void
}) {
  const { t } = useText()
  const items = (formats: readonly ExportFormat[]) =>
    formats.map((format) => (
      <MenuItem
        key={format}
        icon={icon}
        text={t(`export.${format}`)}
        disabled={disabled}
        onClick={() => onExport(format)}
      />
    ))
  return (
    <>
      {items(exportFormats.filter((format) => !isForPrograms(format)))}
      <Submenu icon={icon === undefined ? undefined : <Blank />} text={t('common.more')}>
        {items(exportFormats.filter(isForPrograms))}
      </Submenu>
    </>
  )
}

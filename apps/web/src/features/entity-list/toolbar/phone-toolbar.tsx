import { Button, Menu, MenuDivider, MenuItem } from '@blueprintjs/core'
import {
  Add,
  Blank,
  Download,
  Import,
  More,
  Refresh,
  Sort as SortIcon,
  SortAsc,
  SortDesc,
  Trash,
} from '@blueprintjs/icons'
import type { Button as EntityButton } from '@jiaowu/api/entity/definition/button'
import { useState } from 'react'
import { Recycled } from '../../history/record-buttons.tsx'
import { VerifyAudit } from '../../administration/verify-audit.tsx'
import { useText } from '../../../app/text-context.ts'
import { ExportOptions, LazyImportDrawer } from '../../import/transfer-buttons.tsx'
import { Popover } from '../../../ui/overlays/popover.tsx'
import { ExportFormats } from '../../export/export-formats.tsx'
import { Exporting } from '../../export/exporting.tsx'
import { ChosenActions } from './chosen-actions.tsx'
import type { ListToolbarProps } from './list-toolbar-props.ts'

interface Props extends ListToolbarProps {
  readonly buttons: readonly EntityButton[]
}
type Sheet = 'import' | 'export' | 'recycle'

/** The toolbar on a phone: one row, with the less frequent actions in a menu. */
export function PhoneToolbar(props: Props) {
  const { config, view, onAdd, onSort, onRefresh, onCancelExport, tools, columns = null } = props
  const { t } = useText()
  const [sheet, setSheet] = useState<Sheet | null>(null)
  const close = () => setSheet(null)
  if (props.selects && view.chosen > 0)
    return (
      <div className="jw-toolbar is-phone is-chosen" role="toolbar" aria-label={config.name}>
        <ChosenActions {...props} />
      </div>
    )
  return (
    <div className="jw-toolbar is-phone" role="toolbar" aria-label={config.name}>
      {onAdd === null ? null : (
        <Button intent="primary" icon={<Add />} text={t('common.add')} onClick={onAdd} />
      )}
      <VerifyAudit config={config} />
      <span className="jw-toolbar__gap" />
      {tools}
      <SortMenu config={config} view={view} onSort={onSort} />
      <Popover content={<MoreMenu {...props} onOpen={setSheet} />}>
        <Button
          variant="minimal"
          icon={<More />}
          aria-label={t('common.more')}
          title={t('common.more')}
        />
      </Popover>
      {view.exporting === null ? null : (
        <Exporting bytes={view.exporting.bytes} onCancel={onCancelExport} />
      )}
      {sheet === 'import' ? (
        <LazyImportDrawer
          config={config}
          modes={view.may.importModes}
          onClose={close}
          onChanged={onRefresh}
        />
      ) : null}
      {sheet === 'export' ? (
        <ExportOptions config={config} view={view} columns={columns} onClose={close} />
      ) : null}
      {sheet === 'recycle' ? (
        <Recycled config={config} onClose={close} onRestored={onRefresh} />
      ) : null}
    </div>
  )
}

/** Sorting in a menu: on a phone the headers scroll out of sight. */
function SortMenu({ config, view, onSort }: Pick<ListToolbarProps, 'config' | 'view' | 'onSort'>) {
  const { t } = useText()
  const columns = config.fields.filter((field) => field.isList === 1 && field.sortable)
  if (columns.length === 0) return null
  const iconOf = (column: string) => {
    const sort = view.sorts.find((each) => each.column === column)
    return sort === undefined ? (
      <SortIcon className="jw-muted" />
    ) : sort.asc ? (
      <SortAsc />
    ) : (
      <SortDesc />
    )
  }
  return (
    <Popover
      content={
        <Menu className="jw-sort-menu">
          {columns.map(({ attrName, uiLabel }) => (
            <MenuItem
              key={attrName}
              icon={iconOf(attrName)}
              text={uiLabel}
              shouldDismissPopover={false}
              disabled={!view.can.search}
              onClick={() => onSort(attrName)}
            />
          ))}
        </Menu>
      }
    >
      <Button
        variant="minimal"
        icon={<SortIcon />}
        aria-label={t('list.sort')}
        title={t('list.sort')}
      />
    </Popover>
  )
}

function MoreMenu({
  view,
  buttons,
  selects,
  onDelete,
  onRefresh,
  onExport,
  onPress,
  onOpen,
}: Props & { readonly onOpen: (sheet: Sheet) => void }) {
  const { t } = useText()
  const { may } = view
  return (
    <Menu className="jw-more">
      {buttons.map(({ code, name }) => (
        <MenuItem key={code} text={name} disabled={!view.can.press} onClick={() => onPress(code)} />
      ))}
      {selects && may.deleteSelected ? (
        <MenuItem
          icon={<Trash />}
          intent="danger"
          text={t('common.delete')}
          disabled={!view.can.askDelete}
          onClick={onDelete}
        />
      ) : null}
      {may.importModes.length === 0 ? null : (
        <MenuItem icon={<Import />} text={t('import.open')} onClick={() => onOpen('import')} />
      )}
      {may.export ? (
        <>
          <MenuDivider title={t('list.export')} />
          <ExportFormats
            icon={<Download />}
            disabled={view.exporting !== null}
            onExport={onExport}
          />
          <MenuItem icon={<Blank />} text={t('export.options')} onClick={() => onOpen('export')} />
          <MenuDivider />
        </>
      ) : null}
      <MenuItem icon={<Refresh />} text={t('common.refresh')} onClick={onRefresh} />
      {may.recycleBin ? (
        <MenuItem icon={<Blank />} text={t('recycle.open')} onClick={() => onOpen('recycle')} />
      ) : null}
    </Menu>
  )
}

import { Button, Menu, MenuDivider, MenuItem } from '@blueprintjs/core'
import { Add, Download, Edit, Refresh, Trash } from '@blueprintjs/icons'
import {
  type EntityConfig,
  type ExportFormat,
  exportFormats,
  buttonPositions,
  entityPermission,
} from '@jiaowu/api'
import type { EntityListView } from '@jiaowu/machines'
import { visible } from '@jiaowu/validation'
import { type ReactNode, useState } from 'react'
import { MoreOfList } from '../administration/record-buttons.tsx'
import { useApp } from '../../shell/context/app-context.tsx'
import { logHidden } from '../../shell/context/log.ts'
import { Can } from '../../shell/context/can.tsx'
import { useNarrow } from '../../shell/use-narrow.ts'
import { ExportOptions, ImportButton } from '../import/transfer-buttons.tsx'
import { Popover } from '../../ui/popover.tsx'
import { Exporting } from '../export/exporting.tsx'
import { PhoneToolbar } from './phone-toolbar.tsx'

export interface ListToolbarProps {
  readonly config: EntityConfig
  readonly view: EntityListView
  /** Null: the person may not, or no field is for it. */
  readonly onAdd: (() => void) | null
  readonly onEdit: ((id: string) => void) | null
  readonly onSort: (column: string) => void
  readonly onDelete: () => void
  readonly onRefresh: () => void
  readonly onExport: (format: ExportFormat) => void
  readonly onCancelExport: () => void
  readonly onPress: (code: string) => void
  /** Views and columns. */
  readonly tools?: ReactNode
  /** Columns an export begins with; null: all. */
  readonly columns?: readonly string[] | null
}

/** What can be done with a list. */
export function ListToolbar(props: ListToolbarProps) {
  const {
    config,
    view,
    onAdd,
    onEdit,
    onDelete,
    onRefresh,
    onExport,
    onCancelExport,
    onPress,
    tools,
    columns = null,
  } = props
  const { t, user } = useApp()
  const narrow = useNarrow()
  const scope = { row: {}, user: { ...user }, mode: 'list' }
  const buttons = config.buttons.filter(
    (button) =>
      button.position === buttonPositions.toolbar &&
      visible(button.positionExp, scope, logHidden(button.code)),
  )
  const [only, ...others] = view.selected
  const selects =
    config.options.selection && (config.options.multiSelect || config.options.singleSelect)
  if (narrow) return <PhoneToolbar {...props} buttons={buttons} selects={selects} />
  return (
    <div className="jw-toolbar" role="toolbar" aria-label={config.name}>
      {onAdd === null ? null : (
        <Button intent="primary" icon={<Add />} text={t('common.add')} onClick={onAdd} />
      )}
      {onEdit === null || !selects ? null : (
        <Button
          icon={<Edit />}
          text={t('common.edit')}
          disabled={only === undefined || others.length > 0}
          onClick={() => {
            if (only !== undefined) onEdit(only)
          }}
        />
      )}
      {selects && config.refuses?.includes('delete') !== true ? (
        <Can all={[entityPermission(config.tag, 'delete')]}>
          <Button
            icon={<Trash />}
            text={t('common.delete')}
            onClick={onDelete}
            disabled={!view.can.askDelete}
            loading={view.step === 'deleting'}
          />
        </Can>
      ) : null}
      <ImportButton config={config} onChanged={onRefresh} />
      <ExportButton
        view={view}
        config={config}
        columns={columns}
        onExport={onExport}
        onCancelExport={onCancelExport}
      />
      {buttons.map(({ code, name }) => (
        <Button
          key={code}
          text={name}
          loading={view.pressing === code}
          disabled={!view.can.press}
          onClick={() => onPress(code)}
        />
      ))}
      <span className="jw-toolbar__gap" />
      {tools}
      <Button
        variant="minimal"
        icon={<Refresh />}
        aria-label={t('common.refresh')}
        title={t('common.refresh')}
        onClick={onRefresh}
      />
      <MoreOfList config={config} onChanged={onRefresh} />
    </div>
  )
}

function ExportButton({
  view,
  onExport,
  onCancelExport,
  config,
  columns,
}: Pick<ListToolbarProps, 'view' | 'onExport' | 'onCancelExport' | 'config'> & {
  readonly columns: readonly string[] | null
}) {
  const { t } = useApp()
  const [choosing, setChoosing] = useState(false)
  if (view.exporting !== null)
    return <Exporting bytes={view.exporting.bytes} onCancel={onCancelExport} />
  return (
    <Can all={[entityPermission(config.tag, 'export')]}>
      <Popover
        placement="bottom-start"
        content={
          <Menu>
            {exportFormats.map((format) => (
              <MenuItem key={format} text={format} onClick={() => onExport(format)} />
            ))}
            <MenuDivider />
            <MenuItem text={t('export.options')} onClick={() => setChoosing(true)} />
          </Menu>
        }
      >
        <Button icon={<Download />} text={t('list.export')} />
      </Popover>
      {choosing ? (
        <ExportOptions
          config={config}
          view={view}
          columns={columns}
          onClose={() => setChoosing(false)}
        />
      ) : null}
    </Can>
  )
}

import { Button, Menu, MenuDivider, MenuItem } from '@blueprintjs/core'
import { Add, Download, Refresh } from '@blueprintjs/icons'
import { toolbarButtons } from '@jiaowu/machines/entity-list/rights'
import { useState } from 'react'
import { MoreOfList } from '../../history/record-buttons.tsx'
import { VerifyAudit } from '../../administration/verify-audit.tsx'
import { useText } from '../../../app/text-context.ts'
import { logHidden } from '../../../app/log.ts'
import { useNarrowLayout } from '../../../app/use-narrow.ts'
import { ExportOptions, ImportButton } from '../../import/transfer-buttons.tsx'
import { Popover } from '../../../ui/overlays/popover.tsx'
import { ExportFormats } from '../../export/export-formats.tsx'
import { Exporting } from '../../export/exporting.tsx'
import { ChosenActions, SelectionButtons } from './chosen-actions.tsx'
import { PhoneToolbar } from './phone-toolbar.tsx'
import type { ListToolbarProps } from './list-toolbar-props.ts'

/** The actions of a list that the user's permissions and the definition allow. */
export function ListToolbar(props: ListToolbarProps) {
  const { config, view, user, onAdd, onRefresh, onExport, onCancelExport, tools } = props
  const { t } = useText()
  const narrow = useNarrowLayout()
  const buttons = toolbarButtons(config, user, (code, error) => logHidden(code)(error))
  if (narrow) return <PhoneToolbar {...props} buttons={buttons} />
  const isChosen = props.selects && view.chosen > 0
  return (
    <div className="jw-toolbar" role="toolbar" aria-label={config.name}>
      {isChosen ? (
        <ChosenActions {...props} />
      ) : (
        <>
          {onAdd === null ? null : (
            <Button intent="primary" icon={<Add />} text={t('common.add')} onClick={onAdd} />
          )}
          <SelectionButtons {...props} />
          <ImportButton config={config} modes={view.may.importModes} onChanged={onRefresh} />
          <ExportButton
            view={view}
            config={config}
            columns={props.columns ?? null}
            onExport={onExport}
            onCancelExport={onCancelExport}
          />
          {buttons.map(({ code, name }) => (
            <Button
              key={code}
              text={name}
              loading={view.pressing === code}
              disabled={!view.can.press}
              onClick={() => props.onPress(code)}
            />
          ))}
          <VerifyAudit config={config} />
        </>
      )}
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
  const { t } = useText()
  const [choosing, setChoosing] = useState(false)
  if (view.exporting !== null)
    return <Exporting bytes={view.exporting.bytes} onCancel={onCancelExport} />
  if (!view.may.export) return null
  return (
    <>
      <Popover
        placement="bottom-start"
        content={
          <Menu>
            <ExportFormats onExport={onExport} />
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
    </>
  )
}

import { Button, Menu, MenuItem, PopoverNext, ProgressBar } from '@blueprintjs/core'
import { Add, Cross, Download, Refresh, Trash } from '@blueprintjs/icons'
import { type EntityConfig, type ExportFormat, exportFormats, buttonPositions, entityPermission, problemOf, problemText } from '@jiaowu/api'
import type { EntityListView } from '@jiaowu/machines'
import { visible } from '@jiaowu/validation'
import { useApp } from '../app/app-context.tsx'
import { logHidden } from '../app/log.ts'
import { Can } from '../app/can.tsx'

interface Props {
  readonly config: EntityConfig
  readonly view: EntityListView
  readonly onAdd: () => void
  readonly onDelete: () => void
  readonly onRefresh: () => void
  readonly onExport: (format: ExportFormat) => void
  readonly onCancelExport: () => void
  readonly onPress: (code: string) => void
}
const sizeText = (bytes: number): string => (bytes < 1_048_576 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1_048_576).toFixed(1)} MB`)

const ExportButton = ({ view, onExport, onCancelExport, config }: Pick<Props, 'view' | 'onExport' | 'onCancelExport' | 'config'>) => {
  const { api, t, saveFile, toast, locale } = useApp()
  if (view.exporting !== null) {
    return <span className="jw-export" role="status"><span>{t('list.exporting', { size: sizeText(view.exporting.bytes) })}</span><ProgressBar className="jw-export__bar" /><Button size="small" variant="minimal" icon={<Cross />} aria-label={t('common.cancel')} onClick={onCancelExport} /></span>
  }
  const template = () => { api.entityData.template({ params: { tag: config.tag } }).then((file) => saveFile(file)).catch((error: unknown) => toast('danger', problemText(locale, problemOf(error)), { lasting: true })) }
  return (
    <>
      <Can all={[entityPermission(config.tag, 'export')]}>
        <PopoverNext arrow={false} animation="minimal" placement="bottom-start" content={<Menu>{exportFormats.map((format) => <MenuItem key={format} text={format} onClick={() => onExport(format)} />)}</Menu>}><Button icon={<Download />} text={t('list.export')} /></PopoverNext>
      </Can>
      <Can all={[entityPermission(config.tag, 'add')]}><Button variant="minimal" text={t('list.template')} onClick={template} /></Can>
    </>
  )
}

export const ListToolbar = ({ config, view, onAdd, onDelete, onRefresh, onExport, onCancelExport, onPress }: Props) => {
  const { t, user } = useApp()
  const scope = { row: {}, user: { ...user }, mode: 'list' }
  const editable = config.fields.some((field) => field.isAdd > 0)
  const buttons = config.buttons.filter((button) => button.position === buttonPositions.toolbar && visible(button.positionExp, scope, logHidden(button.code)))
  return (
    <div className="jw-toolbar" role="toolbar" aria-label={config.name}>
      {editable ? <Can all={[entityPermission(config.tag, 'add')]}><Button intent="primary" icon={<Add />} text={t('common.add')} onClick={onAdd} /></Can> : null}
      <Can all={[entityPermission(config.tag, 'delete')]}><Button icon={<Trash />} text={t('common.delete')} onClick={onDelete} loading={view.step === 'deleting'} /></Can>
      <ExportButton view={view} config={config} onExport={onExport} onCancelExport={onCancelExport} />
      {buttons.map(({ code, name }) => <Button key={code} text={name} loading={view.pressing === code} onClick={() => onPress(code)} />)}
      <span className="jw-toolbar__gap" />
      {view.selected.length > 0 ? <span className="jw-toolbar__count" aria-live="polite">{t('list.selected', { n: view.selected.length })}</span> : null}
      <Button variant="minimal" icon={<Refresh />} aria-label={t('common.refresh')} title={t('common.refresh')} onClick={onRefresh} />
    </div>
  )
}

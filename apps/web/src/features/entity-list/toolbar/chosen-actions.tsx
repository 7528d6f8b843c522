import { Button } from '@blueprintjs/core'
import { Edit, Trash } from '@blueprintjs/icons'
import { useText } from '../../../app/text-context.ts'
import { BulkButtons } from '../../bulk/bulk-buttons.tsx'
import { Exporting } from '../../export/exporting.tsx'
import type { ListToolbarProps } from './list-toolbar-props.ts'
import { SelectionBar } from '../table/selection-bar.tsx'

/** Shows the actions on the selected rows, in the place of the other actions. */
export function ChosenActions(props: ListToolbarProps) {
  const { view, onChooseAll, onClear, onExportChosen, onBulk, onCancelExport } = props
  const exporting =
    view.exporting === null ? null : (
      <Exporting bytes={view.exporting.bytes} onCancel={onCancelExport} />
    )
  return (
    <SelectionBar
      view={view}
      exporting={exporting}
      onAll={onChooseAll}
      onClear={onClear}
      onExport={onExportChosen}
    >
      <BulkButtons view={view} onOpen={onBulk} />
      <SelectionButtons {...props} />
    </SelectionBar>
  )
}

/** Edit the one selected row; delete the selected rows. */
export function SelectionButtons({ view, selects, onEdit, onDelete }: ListToolbarProps) {
  const { t } = useText()
  if (!selects) return null
  return (
    <>
      {onEdit === null || !view.can.editSelected ? null : (
        <Button
          icon={<Edit />}
          text={t('common.edit')}
          onClick={() => {
            const [only] = view.selected
            if (only !== undefined) onEdit(only)
          }}
        />
      )}
      {view.may.deleteSelected && view.matching === null ? (
        <Button
          icon={<Trash />}
          text={t('common.delete')}
          onClick={onDelete}
          disabled={!view.can.askDelete}
          loading={view.step === 'deleting'}
        />
      ) : null}
    </>
  )
}

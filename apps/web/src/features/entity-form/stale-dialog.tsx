import { valueText } from '@jiaowu/api/fields/money'
import type { WireValue } from '@jiaowu/api/entity/values'
import type { Side } from '@jiaowu/machines/entity-form/context'
import type { StaleFieldView } from '@jiaowu/machines/entity-form/view'
import { useText } from '../../app/text-context.ts'
import { SidesDialog } from '../../ui/overlays/sides-dialog.tsx'

interface Props {
  readonly fields: readonly StaleFieldView[]
  readonly onChoose: (attrName: string, side: Side) => void
  readonly onSave: () => void
  readonly onCancel: () => void
}

/** Another user saved the record: choose a side for each field that differs. */
export function StaleDialog({ fields, ...handlers }: Props) {
  const { t } = useText()
  return (
    <SidesDialog
      title={t('form.staleTitle')}
      text={t('form.staleText')}
      heading={t('form.field')}
      saveText={t('common.save')}
      rows={fields.map(({ field, side, mine, theirs }) => ({
        key: field.attrName,
        label: field.uiLabel,
        mine: <Value field={field} value={mine} />,
        theirs: <Value field={field} value={theirs} />,
        side,
      }))}
      {...handlers}
    />
  )
}

function Value({
  field,
  value,
}: {
  readonly field: StaleFieldView['field']
  readonly value: WireValue
}) {
  return <span>{valueText(field, value) || '—'}</span>
}

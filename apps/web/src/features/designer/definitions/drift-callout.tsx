import { Button, Callout } from '@blueprintjs/core'
import { NewLayer, WarningSign } from '@blueprintjs/icons'
import type { DesignerEdit } from '@jiaowu/machines/designer/types'
import type { DesignerView } from '@jiaowu/machines/designer/view'
import { useText } from '../../../app/text-context.ts'

/**
 * Differences between the table and the definition since the last save, each with a button for the
 * edit that resolves it. Columns that existed then and have no field are not listed here but in the
 * columns panel.
 */
export function DriftCallout({
  view,
  send,
}: {
  readonly view: DesignerView
  readonly send: (edit: DesignerEdit) => void
}) {
  const { t } = useText()
  const { draft, drift } = view
  const onColumn = (name: string) => draft.fields.filter(({ columnName }) => columnName === name)
  const missing = drift.missing.filter((name) => onColumn(name).length > 0)
  const changed = drift.changed.filter(({ columnName, from }) =>
    onColumn(columnName).some(({ columnType }) => columnType === from),
  )
  const added = view.columns
    .filter(({ column, fieldId }) => fieldId === null && drift.added.includes(column.columnName))
    .map(({ column }) => column)
  const isBroken = missing.length > 0 || changed.length > 0
  if (!isBroken && added.length === 0) return null
  return (
    <Callout
      intent={isBroken ? 'warning' : 'primary'}
      icon={isBroken ? <WarningSign /> : <NewLayer />}
      title={t(isBroken ? 'designer.drift.title' : 'designer.drift.grown')}
      className="jw-drift"
      role="status"
    >
      <ul>
        {missing.map((name) => (
          <li key={name}>
            <span>{t('designer.drift.missing', { name })}</span>
            <Button
              size="small"
              disabled={!view.can.edit}
              text={t('designer.drift.remove')}
              onClick={() => {
                for (const { id } of onColumn(name)) send({ type: 'field.remove', id })
              }}
            />
          </li>
        ))}
        {changed.map(({ columnName, from, to }) => (
          <li key={columnName}>
            <span>{t('designer.drift.changed', { name: columnName, from, to })}</span>
            <Button
              size="small"
              disabled={!view.can.edit}
              text={t('designer.drift.take')}
              onClick={() => {
                for (const { id } of onColumn(columnName))
                  send({ type: 'field.set', id, patch: { columnType: to } })
              }}
            />
          </li>
        ))}
        {added.map(({ columnName, columnComment, columnType }) => (
          <li key={columnName}>
            <span>
              {t('designer.drift.added', {
                name: columnComment === '' ? columnName : `${columnName} ${columnComment}`,
                type: columnType,
              })}
            </span>
            <Button
              size="small"
              disabled={!view.can.edit}
              text={t('designer.drift.add')}
              onClick={() => send({ type: 'column.add', columnName })}
            />
          </li>
        ))}
      </ul>
    </Callout>
  )
}

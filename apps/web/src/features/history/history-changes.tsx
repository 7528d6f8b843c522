import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import type { FieldChange } from '@jiaowu/api/entity/definition/history'
import { findKind } from '@jiaowu/api/fields/kinds'
import { valueText } from '@jiaowu/api/fields/money'
import type { WireValue } from '@jiaowu/api/entity/values'
import { useText } from '../../app/text-context.ts'

/** Fields with their values before and after, side by side. */
export function HistoryChanges({
  config,
  changes,
  heads,
}: {
  readonly config: EntityConfig
  readonly changes: readonly FieldChange[]
  readonly heads: readonly [string, string]
}) {
  const { t } = useText()
  if (changes.length === 0) return <p className="jw-muted">{t('history.same')}</p>
  const switchText = (side: WireValue) =>
    side === '1' ? t('common.yes') : side === '0' ? t('common.no') : ''
  const valueOf = (field: Field | undefined, side: WireValue) => {
    const text =
      field !== undefined && findKind(field.uiType).family === 'flag'
        ? switchText(side)
        : formatChangedValue(field, side)
    return text === '' ? <span className="jw-muted">—</span> : text
  }
  return (
    <table className="jw-history__changes">
      <thead>
        <tr>
          <th scope="col">{t('history.field')}</th>
          <th scope="col">{heads[0]}</th>
          <th scope="col">{heads[1]}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ attrName, from, to }) => {
          const field = config.fields.find((each) => each.attrName === attrName)
          return (
            <tr key={attrName}>
              <th scope="row">{field?.uiLabel ?? attrName}</th>
              <td>
                <del>{valueOf(field, from)}</del>
              </td>
              <td>
                <ins>{valueOf(field, to)}</ins>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function formatChangedValue(field: Field | undefined, value: WireValue): string {
  if (field === undefined) return ''
  const { markup } = findKind(field.uiType)
  const text = valueText(field, value)
  return markup ? text.replace(/<[^>]*>/g, ' ').trim() : text
}

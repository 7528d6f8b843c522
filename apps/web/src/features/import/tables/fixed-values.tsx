import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import type { Values } from '@jiaowu/api/entity/values'
import type { TransferEvent } from '@jiaowu/machines/transfer/context'
import type { FixedView, ReviewView } from '@jiaowu/machines/transfer/view'
import { useId } from 'react'
import { useText } from '../../../app/text-context.ts'
import { findFieldSurface } from '../../../fields/index.tsx'

interface Props {
  readonly config: EntityConfig
  readonly review: ReviewView
  readonly disabled: boolean
  readonly send: (event: TransferEvent) => void
}

/**
 * The values that all rows of the file have: one control for each field without a column that needs a
 * value, filled with what the title of the sheet tells.
 */
export function FixedValues({ config, review, disabled, send }: Props) {
  const { t } = useText()
  const shown = review.fixed.flatMap((each) => {
    const field = config.fields.find(({ attrName }) => attrName === each.attrName)
    return field === undefined ? [] : [{ each, field }]
  })
  if (shown.length === 0) return null
  const values = Object.fromEntries(review.fixed.map(({ attrName, value }) => [attrName, value]))
  return (
    <section className="jw-tr__fixed" aria-label={t('import.fixed')}>
      <h3>{t('import.fixed')}</h3>
      <p className="jw-muted">{t('import.fixedHint')}</p>
      {shown.map(({ each, field }) => (
        <FixedValue
          key={each.attrName}
          tag={config.tag}
          each={each}
          field={field}
          values={values}
          disabled={disabled}
          send={send}
        />
      ))}
    </section>
  )
}

function FixedValue({
  tag,
  each: { attrName, label, required, value, from },
  field,
  values,
  disabled,
  send,
}: Pick<Props, 'disabled' | 'send'> & {
  readonly tag: string
  readonly each: FixedView
  readonly field: Field
  /** The other values, by which choices are filtered. */
  readonly values: Values
}) {
  const { t } = useText()
  const id = useId()
  const { Control } = findFieldSurface(field.uiType)
  return (
    <div className="jw-tr__fixed-value">
      <label htmlFor={id}>{required ? t('import.required', { label }) : label}</label>
      <Control
        tag={tag}
        field={field}
        value={value}
        id={id}
        disabled={disabled}
        invalid={false}
        describedBy={from === null ? undefined : `${id}-from`}
        values={values}
        rowId={null}
        onChange={(next) => send({ type: 'fixed.set', attrName, value: next })}
        onBlur={() => {}}
      />
      {from === null ? null : (
        <span id={`${id}-from`} className="jw-muted">
          {t('import.fixedFrom', { text: from })}
        </span>
      )}
    </div>
  )
}

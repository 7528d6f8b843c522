import type { Row, Values, WireValue } from '@jiaowu/api/entity/values'
import { holdsValue } from '@jiaowu/api/fields/kinds'
import { explainClosed, isDerived } from '@jiaowu/api/entity/config'
import type { FormFieldView } from '@jiaowu/machines/entity-form/view'
import { formatRange } from '@jiaowu/machines/range-text'
import { memo } from 'react'
import { useText } from '../../app/text-context.ts'
import { RevealValue } from './reveal-value.tsx'
import { ClosedMark } from '../../fields/closed-mark.tsx'
import { FxMark } from '../../fields/fx-mark.tsx'
import { findFieldSurface } from '../../fields/index.tsx'

export interface FormFieldProps {
  readonly tag: string
  readonly formId: string
  readonly view: FormFieldView
  readonly showing: boolean
  readonly row: Row | null
  readonly rowId: string | null
  readonly values: Values
  readonly onChange: (attrName: string, value: WireValue) => void
  readonly onBlur: (attrName: string) => void
}

/** A field with its label and its fault. */
export const FormField = memo(
  ({
    tag,
    formId,
    view: { field, editing, value, fault },
    showing,
    row,
    rowId,
    values,
    onChange,
    onBlur,
  }: FormFieldProps) => {
    const { locale, messageText } = useText()
    const { Control, Show } = findFieldSurface(field.uiType)
    const id = `${formId}-${field.attrName}`
    if (!holdsValue(field.uiType))
      return (
        <div className="jw-grid__item" style={{ width: '100%' }}>
          <Show tag={tag} field={field} value={null} row={row ?? { id: '' }} />
        </div>
      )
    const faultId = `${id}-fault`
    const hintId = `${id}-hint`
    const range = showing || editing !== 'editable' ? '' : formatRange(field, values, locale)
    const hints = [range, showing ? '' : (field.options.help ?? '')].filter((hint) => hint !== '')
    const described = [
      ...(fault === null ? [] : [faultId]),
      ...(hints.length === 0 ? [] : [hintId]),
    ]
    const isPersonal = (field.pii ?? null) !== null
    const reveal =
      isPersonal && rowId !== null ? (
        <RevealValue tag={tag} rowId={rowId} field={field} value={value} />
      ) : null
    return (
      <div
        className={`jw-grid__item${field.uiWidth < 100 ? ' is-half' : ''}`}
        style={{ width: `${field.uiWidth}%` }}
      >
        <div className="jw-field">
          <FieldLabel id={id} field={field} editing={editing} showing={showing} />
          <div className="jw-field__body">
            {showing ? (
              <div
                className={`jw-field__show${isPersonal ? ' is-personal' : ''}`}
                id={id}
                role="definition"
                aria-labelledby={labelId(id)}
              >
                <Show tag={tag} field={field} value={value} row={row ?? { id: '' }} />
                {reveal}
              </div>
            ) : (
              <Control
                tag={tag}
                field={field}
                value={value}
                id={id}
                disabled={editing !== 'editable'}
                invalid={fault !== null}
                describedBy={described.length === 0 ? undefined : described.join(' ')}
                values={values}
                rowId={rowId}
                onChange={(next) => onChange(field.attrName, next)}
                onBlur={() => onBlur(field.attrName)}
              />
            )}
            {showing ? null : reveal}
            <FieldNotes
              id={id}
              hint={hints.join(' · ')}
              fault={fault === null ? '' : messageText(fault)}
            />
          </div>
        </div>
      </div>
    )
  },
)

/** The hint and the fault below a control, by which it is described. */
function FieldNotes({
  id,
  hint,
  fault,
}: {
  readonly id: string
  readonly hint: string
  readonly fault: string
}) {
  return (
    <>
      {hint === '' ? null : (
        <div className="jw-field__hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      {fault === '' ? null : (
        <div className="jw-field__fault" id={`${id}-fault`} role="alert">
          {fault}
        </div>
      )}
    </>
  )
}

const labelId = (id: string): string => `${id}-label`

/** The label of a control; in the details, where there is no control, the term of a definition. */
function FieldLabel({
  id,
  field,
  editing,
  showing,
}: Pick<FormFieldProps['view'], 'field' | 'editing'> &
  Pick<FormFieldProps, 'showing'> & { readonly id: string }) {
  const { messageText } = useText()
  const closed = explainClosed(field, showing ? 'hidden' : editing)
  const content = (
    <>
      {field.valids.required === true && editing === 'editable' ? (
        <span className="is-required" aria-hidden>
          *
        </span>
      ) : null}
      {field.uiLabel}
      {isDerived(field) ? <FxMark /> : null}
      {closed === null ? null : <ClosedMark reason={messageText(closed)} />}
    </>
  )
  return showing ? (
    <div className="jw-field__label" id={labelId(id)} role="term">
      {content}
    </div>
  ) : (
    <label className="jw-field__label" htmlFor={id}>
      {content}
    </label>
  )
}

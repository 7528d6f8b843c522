import { Pin } from '@blueprintjs/icons'
import type { Row, Values, WireValue } from '@jiaowu/api/entity/values'
import { holdsValue } from '@jiaowu/api/fields/kinds'
import { explainClosed, isDerived } from '@jiaowu/api/entity/config'
import type { Locale } from '@jiaowu/api/locale'
import type { FormFieldView } from '@jiaowu/machines/entity-form/view'
import { formatRange } from '@jiaowu/machines/range-text'
import { type KeyboardEvent, memo } from 'react'
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
  /** Absent: values are not kept for further records. */
  readonly onPin?: ((attrName: string) => void) | undefined
}

/** A field with its label and its fault. */
export const FormField = memo(
  ({
    tag,
    formId,
    view: { field, editing, value, fault, pinned, warning },
    showing,
    row,
    rowId,
    values,
    onChange,
    onBlur,
    onPin,
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
    const hint = showing ? '' : formatHint(field, editing, values, locale)
    const notes = {
      hint,
      fault: fault === null ? '' : messageText(fault),
      warning: warning === null || showing ? '' : messageText(warning),
    }
    const isPersonal = (field.pii ?? null) !== null
    const reveal =
      isPersonal && rowId !== null ? (
        <RevealValue tag={tag} rowId={rowId} field={field} value={value} />
      ) : null
    return (
      <div
        className={`jw-grid__item${field.uiWidth < 100 ? ' is-half' : ''}`}
        style={{ width: `${field.uiWidth}%` }}
        onKeyDown={
          pinned === null || onPin === undefined
            ? undefined
            : whenPinKey(() => onPin(field.attrName))
        }
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
                describedBy={listNoteIds(id, notes)}
                values={values}
                rowId={rowId}
                onChange={(next) => onChange(field.attrName, next)}
                onBlur={() => onBlur(field.attrName)}
              />
            )}
            {showing ? null : reveal}
            {pinned === null || onPin === undefined ? null : (
              <PinButton field={field} pinned={pinned} onPin={onPin} />
            )}
            <FieldNotes id={id} {...notes} />
          </div>
        </div>
      </div>
    )
  },
)

interface Notes {
  readonly hint: string
  readonly fault: string
  readonly warning: string
}

/** Tells the range of the value, and the help text of the definition. */
function formatHint(
  field: FormFieldView['field'],
  editing: FormFieldView['editing'],
  values: Values,
  locale: Locale,
): string {
  const range = editing === 'editable' ? formatRange(field, values, locale) : ''
  return [range, field.options.help ?? ''].filter((hint) => hint !== '').join(' · ')
}

/** The notes by which a control is described. */
function listNoteIds(id: string, { hint, fault, warning }: Notes): string | undefined {
  const ids = [
    ...(fault === '' ? [] : [`${id}-fault`]),
    ...(hint === '' ? [] : [`${id}-hint`]),
    ...(warning === '' ? [] : [`${id}-warning`]),
  ]
  return ids.length === 0 ? undefined : ids.join(' ')
}

/** The hint, the warning and the fault below a control, by which it is described. */
function FieldNotes({ id, hint, fault, warning }: Notes & { readonly id: string }) {
  return (
    <>
      {hint === '' ? null : (
        <div className="jw-field__hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      {warning === '' ? null : (
        <div className="jw-field__warning" id={`${id}-warning`} role="status">
          {warning}
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

/** Alt+P pins the field: its button is no stop of Tab, which would double the keys of a form. */
function whenPinKey(pin: () => void) {
  return (event: KeyboardEvent) => {
    if (!event.altKey || event.code !== 'KeyP') return
    event.preventDefault()
    pin()
  }
}

/** Keeps the value of the field for the next new record. */
function PinButton({
  field: { attrName, uiLabel },
  pinned,
  onPin,
}: {
  readonly field: FormFieldView['field']
  readonly pinned: boolean
  readonly onPin: (attrName: string) => void
}) {
  const { t } = useText()
  const name = t('form.pin', { name: uiLabel })
  return (
    <button
      type="button"
      className={`jw-pin${pinned ? ' is-pinned' : ''}`}
      tabIndex={-1}
      aria-pressed={pinned}
      aria-keyshortcuts="Alt+P"
      aria-label={name}
      title={`${name} (Alt+P)`}
      onClick={() => onPin(attrName)}
    >
      <Pin size={12} />
    </button>
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

import { ChevronDown } from '@blueprintjs/icons'
import type { EntityFormView, FormGroupView } from '@jiaowu/machines/entity-form/view'
import { FormField, type FormFieldProps } from './form-field.tsx'

interface FormGroupProps extends Pick<
  FormFieldProps,
  'tag' | 'formId' | 'rowId' | 'onChange' | 'onBlur' | 'onPin'
> {
  readonly view: EntityFormView
  readonly group: FormGroupView
  readonly onToggle: (attrName: string) => void
}

/** The fields from one group header to the next. */
export function FormGroup({
  view,
  formId,
  tag,
  group,
  rowId,
  onToggle,
  onChange,
  onBlur,
  onPin,
}: FormGroupProps) {
  return (
    <section className="jw-group">
      {group.group === null ? null : (
        <button
          type="button"
          className="jw-group__head"
          aria-expanded={!group.folded}
          onClick={() => onToggle(group.group?.attrName ?? '')}
        >
          {group.group.uiLabel}
          <ChevronDown className="jw-group__caret" size={14} />
        </button>
      )}
      {group.folded ? null : (
        <div className="jw-grid">
          {group.fields.map((field) => (
            <FormField
              key={field.field.attrName}
              tag={tag}
              formId={formId}
              view={field}
              showing={view.mode === 'view'}
              row={view.row}
              rowId={rowId}
              values={view.values}
              onChange={onChange}
              onBlur={onBlur}
              onPin={onPin}
            />
          ))}
        </div>
      )}
    </section>
  )
}

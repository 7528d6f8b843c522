import { Button, DialogBody, DialogFooter, FormGroup, InputGroup } from '@blueprintjs/core'
import { type CustomField, type Draft, isCustomValid } from '@jiaowu/machines/designer/draft'
import { type SubmitEvent, useId, useState } from 'react'
import { useText } from '../../app/text-context.ts'
import { Unsaved } from '../../app/unsaved.ts'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { CancelButton } from '../../ui/overlays/cancel-button.tsx'

const names = ['uiLabel', 'attrName', 'columnType'] as const
interface Props {
  readonly draft: Draft
  readonly onAdd: (field: CustomField) => void
  readonly onClose: () => void
}

/**
 * Adds a field without a column (docs/spec/2-student-service-and-designer.md §3); label, type and
 * name are required (§5).
 */
export function CustomFieldDialog({ draft, onAdd, onClose }: Props) {
  const { t } = useText()
  const [field, setField] = useState<CustomField>({
    uiLabel: '',
    attrName: '',
    columnType: 'VARCHAR',
  })
  const [isSubmitted, setSubmitted] = useState(false)
  const id = useId()
  const faultOf = (name: (typeof names)[number]): string | null => {
    if (!isSubmitted) return null
    if (field[name].trim() === '') return t('designer.custom.required')
    return name === 'attrName' && !isCustomValid(draft, { ...field, uiLabel: 'x', columnType: 'x' })
      ? t('designer.custom.name')
      : null
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setSubmitted(true)
    if (isCustomValid(draft, field))
      onAdd({
        uiLabel: field.uiLabel.trim(),
        attrName: field.attrName,
        columnType: field.columnType.trim(),
      })
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('designer.custom.title')}
      className="jw-dialog--narrow jw-custom-field"
    >
      <Unsaved when={names.some((name) => field[name] !== '')} />
      <form onSubmit={submit} noValidate>
        <DialogBody>
          <p className="jw-muted">{t('designer.custom.hint')}</p>
          {names.map((name, index) => {
            const fault = faultOf(name)
            return (
              <FormGroup
                key={name}
                label={t(`designer.a.${name}`)}
                labelFor={`${id}-${name}`}
                labelInfo="*"
                intent={fault === null ? 'none' : 'danger'}
                helperText={fault}
              >
                <InputGroup
                  id={`${id}-${name}`}
                  autoFocus={index === 0}
                  value={field[name]}
                  intent={fault === null ? 'none' : 'danger'}
                  onValueChange={(value) =>
                    setField({ ...field, [name]: name === 'attrName' ? value.trim() : value })
                  }
                />
              </FormGroup>
            )
          })}
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <CancelButton onClick={onClose} />
              <Button type="submit" intent="primary" text={t('common.ok')} />
            </>
          }
        />
      </form>
    </Dialog>
  )
}

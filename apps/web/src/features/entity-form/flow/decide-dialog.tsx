import { FormGroup, TextArea } from '@blueprintjs/core'
import type { FlowStateAnswer } from '@jiaowu/api/contract/entity/flow'
import type { Field } from '@jiaowu/api/entity/config'
import type { Values, WireValue } from '@jiaowu/api/entity/values'
import { isEmpty } from '@jiaowu/api/fields/kinds'
import type { Problem } from '@jiaowu/api/problem'
import { problemDetail } from '@jiaowu/api/problem'
import { useId, useState } from 'react'
import { useText } from '../../../app/text-context.ts'
import { findFieldSurface } from '../../../fields/index.tsx'
import { ActionDialog } from '../../../ui/overlays/action-dialog.tsx'

interface Props {
  readonly tag: string
  readonly offer: FlowStateAnswer['can'][number]
  readonly fields: readonly Field[]
  readonly isActing: boolean
  readonly problem: Problem | null
  readonly onSubmit: (given: { readonly note?: string; readonly fields: Values }) => void
  readonly onClose: () => void
}

/** A decision with what the flow asks for: a note, fields. */
export function DecideDialog({ tag, offer, fields, isActing, problem, onSubmit, onClose }: Props) {
  const { t, locale } = useText()
  const id = useId()
  const [note, setNote] = useState('')
  const [values, setValues] = useState<Values>({})
  const asked = offer.ask.flatMap(({ attrName, required }) => {
    const field = fields.find((each) => each.attrName === attrName)
    return field === undefined ? [] : [{ field, required }]
  })
  const missing = () => {
    if (offer.note === 'required' && note.trim() === '') return t('flowPanel.noteMissing')
    const lacking = asked.find(
      ({ field, required }) => required && isEmpty(values[field.attrName] ?? null),
    )
    return lacking === undefined
      ? null
      : t('flowPanel.fieldMissing', { label: lacking.field.uiLabel })
  }
  const change = (attrName: string, value: WireValue) =>
    setValues((before) => ({ ...before, [attrName]: value }))
  return (
    <ActionDialog
      title={offer.name}
      intent="primary"
      action={offer.name}
      isActing={isActing}
      problem={null}
      fault={problem === null ? null : problemDetail(locale, problem)}
      missing={missing}
      onSubmit={() =>
        onSubmit({ fields: values, ...(note.trim() !== '' && { note: note.trim() }) })
      }
      onClose={onClose}
    >
      {asked.map(({ field }) => (
        <AskedField
          key={field.attrName}
          tag={tag}
          id={`${id}-${field.attrName}`}
          field={field}
          values={values}
          onChange={change}
        />
      ))}
      {offer.note === null ? null : (
        <FormGroup label={t('flowPanel.note')} labelFor={`${id}-note`}>
          <TextArea
            id={`${id}-note`}
            fill
            autoFocus
            maxLength={2000}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
        </FormGroup>
      )}
    </ActionDialog>
  )
}

function AskedField({
  tag,
  id,
  field,
  values,
  onChange,
}: {
  readonly tag: string
  readonly id: string
  readonly field: Field
  readonly values: Values
  readonly onChange: (attrName: string, value: WireValue) => void
}) {
  const { Control } = findFieldSurface(field.uiType)
  return (
    <FormGroup label={field.uiLabel} labelFor={id}>
      <Control
        tag={tag}
        field={field}
        value={values[field.attrName] ?? null}
        id={id}
        disabled={false}
        invalid={false}
        describedBy={undefined}
        values={values}
        rowId={null}
        onChange={(value) => onChange(field.attrName, value)}
        onBlur={() => {}}
      />
    </FormGroup>
  )
}

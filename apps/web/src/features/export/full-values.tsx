import { Checkbox, FormGroup, InputGroup } from '@blueprintjs/core'
import type { Field } from '@jiaowu/api/entity/config'
import { useId, useState } from 'react'
import { useApi } from '../../app/api-context.ts'
import { useText } from '../../app/text-context.ts'

interface Props {
  readonly fields: readonly Field[]
  /** The reason, empty for a masked export; and whether it is still too short. */
  readonly onChange: (reason: string, lacks: boolean) => void
}

const shortest = 4

/** Personal data is exported masked; those with the right may ask for full values, with a reason. */
export function FullValues({ fields, onChange }: Props) {
  const { t } = useText()
  const { can } = useApi()
  const [isFull, setFull] = useState(false)
  const [reason, setReason] = useState('')
  const id = useId()
  if (!fields.some(({ pii }) => (pii ?? null) !== null)) return null
  const change = (full: boolean, text: string) => {
    setFull(full)
    setReason(text)
    onChange(full ? text.trim() : '', full && [...text.trim()].length < shortest)
  }
  return (
    <fieldset className="jw-tr__scope">
      <legend>{t('designer.a.pii')}</legend>
      <p>{t('pii.exportMasked')}</p>
      {can('pii:export') ? (
        <Checkbox
          checked={isFull}
          label={t('pii.exportFull')}
          onChange={(event) => change(event.currentTarget.checked, reason)}
        />
      ) : null}
      {isFull ? (
        <FormGroup label={t('pii.reason')} labelFor={id} helperText={t('pii.reasonHint')}>
          <InputGroup
            id={id}
            autoFocus
            maxLength={200}
            value={reason}
            placeholder={t('pii.reasonShort', { n: shortest })}
            onChange={(event) => change(true, event.currentTarget.value)}
          />
        </FormGroup>
      ) : null}
    </fieldset>
  )
}

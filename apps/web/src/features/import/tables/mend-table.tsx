import { Button, Checkbox } from '@blueprintjs/core'
import { Edit, Plus } from '@blueprintjs/icons'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { JobError } from '@jiaowu/api/contract/job'
import { findKind } from '@jiaowu/api/fields/kinds'
import { looksMasked } from '@jiaowu/api/pii'
import type { WireValue } from '@jiaowu/api/entity/values'
import type { TransferEvent } from '@jiaowu/machines/transfer/context'
import { useEffect, useId, useState } from 'react'
import { findFieldSurface } from '../../../fields/index.tsx'
import { useText } from '../../../app/text-context.ts'
import { useUnsaved } from '../../../app/unsaved.ts'
import { ErrorHead, RowCell } from './error-head.tsx'

interface Props {
  readonly config: EntityConfig
  readonly errors: readonly JobError[]
  readonly disabled: boolean
  readonly send: (event: TransferEvent) => void
}

/** The wrong cells of a page, each corrected in place: by a near choice or in the field's control. */
export function MendTable({ config, errors, disabled, send }: Props) {
  const [open, setOpen] = useState<string | null>(null)
  return (
    <div className="jw-tr__scroll">
      <table className="jw-tr__table jw-tr__errors">
        <ErrorHead />
        <tbody>
          {errors.map((error, index) => {
            const key = `${error.sheet ?? ''} ${error.row} ${error.attrName ?? ''} ${index}`
            return (
              <ErrorRow
                key={key}
                config={config}
                error={error}
                disabled={disabled}
                isOpen={open === key}
                onOpen={(isOpen) => setOpen(isOpen ? key : null)}
                onMend={(value, equal, create = false) => {
                  setOpen(null)
                  const { row, sheet, attrName } = error
                  if (attrName === null) return
                  const place = sheet === undefined ? { row } : { row, sheet }
                  const mend = { ...place, attrName, value, equal }
                  send({ type: 'cell.mend', mend: create ? { ...mend, create } : mend })
                }}
              />
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps {
  readonly config: EntityConfig
  readonly error: JobError
  readonly disabled: boolean
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
  readonly onMend: (value: WireValue, equal: boolean, create?: boolean) => void
}

function ErrorRow(props: RowProps) {
  const { t } = useText()
  const { config, error, disabled, isOpen, onOpen, onMend } = props
  const { row, sheet, column, value, msg, suggestions } = error
  const field = config.fields.find(({ attrName }) => attrName === error.attrName)
  return (
    <tr>
      <RowCell row={row} sheet={sheet} />
      <td>{column === '' ? <i className="jw-muted">{t('import.wholeRow')}</i> : column}</td>
      <td className="jw-tr__wrong">
        {value === '' ? <i className="jw-muted">{t('import.blank')}</i> : value}
      </td>
      <td>
        <div className="jw-tr__fix">
          <span>{msg}</span>
          {suggestions.map((text) => (
            <Button
              key={text}
              size="small"
              variant="outlined"
              intent="primary"
              text={text}
              aria-label={t('import.mendTo', { value: text })}
              title={t('import.mendTo', { value: text })}
              disabled={disabled}
              onClick={() => onMend(text, true)}
            />
          ))}
          {error.creatable === true && !isOpen ? (
            <Button
              size="small"
              variant="minimal"
              icon={<Plus size={14} />}
              text={t('import.addChoice', { value })}
              disabled={disabled}
              onClick={() => onMend(value, true, true)}
            />
          ) : null}
          {field === undefined || isOpen ? null : (
            <Button
              size="small"
              variant="minimal"
              icon={<Edit size={14} />}
              text={t('import.mend')}
              aria-label={t('import.mendCell', { row, column })}
              disabled={disabled}
              onClick={() => onOpen(true)}
            />
          )}
        </div>
        {field !== undefined && isOpen ? <Editor {...props} field={field} /> : null}
      </td>
    </tr>
  )
}

function Editor({
  config,
  error,
  field,
  disabled,
  onOpen,
  onMend,
}: RowProps & { readonly field: EntityConfig['fields'][number] }) {
  const { t } = useText()
  const id = useId()
  const isTyped = ['text', 'number'].includes(findKind(field.uiType).family)
  const [first] = useState<WireValue>(isTyped && !looksMasked(error.value) ? error.value : null)
  const [value, setValue] = useState(first)
  useUnsaved(value !== first)
  const [equal, setEqual] = useState(error.rule === 'choice')
  const { Control } = findFieldSurface(field.uiType)
  // The button that had the focus is gone.
  useEffect(() => document.getElementById(id)?.focus(), [id])
  return (
    <form
      className="jw-tr__editor"
      onSubmit={(event) => {
        event.preventDefault()
        onMend(value, equal)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onOpen(false)
      }}
    >
      <label htmlFor={id} className="jw-tr__hidden">
        {field.uiLabel}
      </label>
      <Control
        tag={config.tag}
        field={field}
        value={value}
        id={id}
        disabled={disabled}
        invalid={false}
        describedBy={undefined}
        values={{}}
        rowId={null}
        onChange={setValue}
        onBlur={() => {}}
      />
      <Checkbox
        checked={equal}
        label={t('import.mendEqual')}
        onChange={(event) => setEqual(event.currentTarget.checked)}
      />
      <Button size="small" text={t('common.cancel')} onClick={() => onOpen(false)} />
      <Button size="small" type="submit" intent="primary" text={t('import.mendSave')} />
    </form>
  )
}

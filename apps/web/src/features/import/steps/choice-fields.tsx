import { HTMLSelect } from '@blueprintjs/core'
import {
  type EmptyMeaning,
  emptyMeanings,
  type ImportField,
  type ImportMode,
  type OnError,
  onErrorChoices,
} from '@jiaowu/api/contract/job'
import type { ImportChoices } from '@jiaowu/machines/transfer/ports'
import { useId } from 'react'
import { useText } from '../../../app/text-context.ts'

interface Props {
  readonly choices: ImportChoices
  readonly modes: readonly ImportMode[]
  /** Unique fields: an import can match existing records by one of them. */
  readonly keys: readonly Pick<ImportField, 'attrName' | 'label'>[]
  readonly disabled?: boolean
  readonly onChange: (choices: Partial<ImportChoices>) => void
}

/** Select for the field that matches a row of the sheet with an existing record. */
export function KeySelect({ choices, keys, disabled = false, onChange }: Omit<Props, 'modes'>) {
  const { t } = useText()
  const known = choices.key === null || keys.some(({ attrName }) => attrName === choices.key)
  const options = [
    { value: '', label: t('import.key.id') },
    ...keys.map(({ attrName, label }) => ({ value: attrName, label })),
    ...(known ? [] : [{ value: choices.key ?? '', label: choices.key ?? '' }]),
  ]
  return (
    <label className="jw-tr__field">
      <span>{t('import.key')}</span>
      <HTMLSelect
        fill
        disabled={disabled}
        value={choices.key ?? ''}
        options={options}
        onChange={(event) =>
          onChange({ key: event.target.value === '' ? null : event.target.value })
        }
      />
    </label>
  )
}

/** Radio cards for the import mode, shown before the upload. */
export function ModeCards({
  choices,
  modes,
  disabled = false,
  onChange,
}: Pick<Props, 'choices' | 'modes' | 'disabled' | 'onChange'>) {
  const { t } = useText()
  const name = useId()
  return (
    <fieldset className="jw-tr__cards" disabled={disabled}>
      <legend>{t('import.mode')}</legend>
      {modes.map((mode) => (
        <label key={mode} className={`jw-tr__card${choices.mode === mode ? ' is-on' : ''}`}>
          <input
            type="radio"
            name={name}
            value={mode}
            disabled={disabled}
            checked={choices.mode === mode}
            onChange={() => onChange({ mode })}
          />
          <span>
            <strong>{t(`import.mode.${mode}`)}</strong>
            <small>{t(`import.mode.${mode}.hint`)}</small>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** Selects for the treatment of wrong rows and of empty cells. */
export function MoreChoices({
  choices,
  disabled = false,
  onChange,
}: Pick<Props, 'choices' | 'disabled' | 'onChange'>) {
  const { t } = useText()
  return (
    <>
      <label className="jw-tr__field">
        <span>{t('import.onError')}</span>
        <HTMLSelect
          fill
          disabled={disabled}
          value={choices.onError}
          options={onErrorChoices.map((value) => ({ value, label: t(`import.onError.${value}`) }))}
          onChange={(event) => onChange({ onError: event.target.value as OnError })}
        />
      </label>
      {choices.mode === 'insert' ? null : (
        <label className="jw-tr__field">
          <span>{t('import.empty')}</span>
          <HTMLSelect
            fill
            disabled={disabled}
            value={choices.empty}
            options={emptyMeanings.map((value) => ({ value, label: t(`import.empty.${value}`) }))}
            onChange={(event) => onChange({ empty: event.target.value as EmptyMeaning })}
          />
        </label>
      )}
    </>
  )
}

/**
 * All choices in one line, for the review step: the server checks the rows again after a change.
 */
export function ChoiceBar({ choices, modes, keys, disabled = false, onChange }: Props) {
  const { t } = useText()
  return (
    <div className="jw-tr__choices">
      <label className="jw-tr__field">
        <span>{t('import.mode')}</span>
        <HTMLSelect
          fill
          disabled={disabled}
          value={choices.mode}
          options={modes.map((value) => ({ value, label: t(`import.mode.${value}`) }))}
          onChange={(event) => onChange({ mode: event.target.value as ImportMode })}
        />
      </label>
      {choices.mode === 'insert' ? null : (
        <KeySelect choices={choices} keys={keys} disabled={disabled} onChange={onChange} />
      )}
      <MoreChoices choices={choices} disabled={disabled} onChange={onChange} />
    </div>
  )
}

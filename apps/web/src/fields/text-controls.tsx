import { Button, InputGroup, type InputGroupProps, NumericInput, TextArea } from '@blueprintjs/core'
import { EyeOff, EyeOpen } from '@blueprintjs/icons'
import { isMoney } from '@jiaowu/api/fields/money'
import { parseDecimal } from '@jiaowu/api/fields/families'
import { weightedLength } from '@jiaowu/validation'
import { useState } from 'react'
import { useText } from '../app/text-context.ts'
import { AmountInput } from './amount-input.tsx'
import type { ControlProps, QueryProps } from './field-types.ts'

const intent = (invalid: boolean) => (invalid ? { intent: 'danger' as const } : {})

export function TextControl(props: ControlProps) {
  const { t } = useText()
  const { id, field, value, disabled, invalid, onChange, onBlur } = props
  return (
    <InputGroup
      id={id}
      fill
      value={toInputText(value)}
      disabled={disabled}
      {...intent(invalid)}
      {...aria(props)}
      placeholder={disabled ? '' : (field.options.placeholder ?? t('common.enter'))}
      onValueChange={onChange}
      onBlur={onBlur}
    />
  )
}

function toInputText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function aria({ invalid, describedBy, field }: ControlProps) {
  return {
    'aria-invalid': invalid,
    'aria-describedby': describedBy,
    'aria-required': field.valids.required ?? false,
  }
}

const readMaxChars = ({ field }: ControlProps) => field.options.maxLength ?? field.valids.maxLength

export function TextAreaControl(props: ControlProps) {
  const { t } = useText()
  const { id, field, value, disabled, invalid, onChange, onBlur } = props
  const [max, used] = [readMaxChars(props), weightedLength(toInputText(value))]
  return (
    <>
      <TextArea
        id={id}
        fill
        autoResize
        value={toInputText(value)}
        disabled={disabled}
        {...intent(invalid)}
        {...aria(props)}
        placeholder={disabled ? '' : (field.options.placeholder ?? t('common.enter'))}
        rows={3}
        onChange={(event) => onChange(event.currentTarget.value)}
        onBlur={onBlur}
      />
      {max === undefined || disabled ? null : (
        <div className={`jw-counter${used > max ? ' is-over' : ''}`}>
          {used} / {max}
        </div>
      )}
    </>
  )
}

export function PasswordControl(props: ControlProps) {
  const { t } = useText()
  const [shown, setShown] = useState(false)
  const { id, value, disabled, invalid, onChange, onBlur } = props
  return (
    <InputGroup
      id={id}
      fill
      type={shown ? 'text' : 'password'}
      autoComplete="new-password"
      value={toInputText(value)}
      disabled={disabled}
      {...intent(invalid)}
      {...aria(props)}
      onValueChange={onChange}
      onBlur={onBlur}
      rightElement={
        <Button
          variant="minimal"
          disabled={disabled}
          icon={shown ? <EyeOff /> : <EyeOpen />}
          aria-label={t(shown ? 'signIn.hide' : 'signIn.show')}
          onClick={() => setShown(!shown)}
        />
      }
    />
  )
}

/**
 * Keeps the typed text while it is not a number. Numbers of more than 15 digits stay text, since a
 * double would lose digits (docs/rules/contract.md#entity-data).
 */
export function NumberControl(props: ControlProps) {
  const { id, field, value, disabled, invalid, onChange, onBlur } = props
  if (isMoney(field))
    return (
      <AmountInput
        id={id}
        fill
        field={field}
        value={value}
        disabled={disabled}
        {...intent(invalid)}
        {...aria(props)}
        placeholder={disabled ? '' : (field.options.placeholder ?? '')}
        onAmount={onChange}
        onBlur={onBlur}
      />
    )
  const step = 10 ** -(field.options.precision ?? 0)
  return (
    <NumericInput
      id={id}
      fill
      value={toInputText(value)}
      disabled={disabled}
      {...intent(invalid)}
      {...aria(props)}
      allowNumericCharactersOnly={false}
      stepSize={1}
      minorStepSize={step < 1 ? step : null}
      majorStepSize={10}
      placeholder={disabled ? '' : (field.options.placeholder ?? '')}
      onValueChange={(_number, text) =>
        onChange(text.trim() === '' ? null : (parseDecimal(text.trim()) ?? text))
      }
      onWheel={(event) => event.currentTarget.blur()}
      onBlur={onBlur}
    />
  )
}

export function TextQuery({ id, field, value, onChange }: QueryProps) {
  const { t } = useText()
  return (
    <QueryInput
      id={id}
      fill
      field={field}
      value={value}
      placeholder={t('common.enter')}
      onQuery={onChange}
    />
  )
}

/** One value of a filter: an amount in yuan, or text. */
function QueryInput({
  field,
  value,
  onQuery,
  ...rest
}: Omit<InputGroupProps, 'value' | 'onChange' | 'onValueChange'> &
  Pick<QueryProps, 'field'> & {
    readonly value: unknown
    readonly onQuery: (value: unknown) => void
  }) {
  return isMoney(field) ? (
    <AmountInput {...rest} field={field} value={value} onAmount={onQuery} />
  ) : (
    <InputGroup {...rest} value={toInputText(value)} onValueChange={(text) => onQuery(text)} />
  )
}

/** From and to; either may be blank. */
export function RangeQuery({
  id,
  field,
  value,
  onChange,
  placeholder,
  inputMode = 'decimal',
}: QueryProps & {
  readonly placeholder?: string
  readonly inputMode?: 'decimal' | 'numeric' | 'text'
}) {
  const [from, to] = Array.isArray(value) ? (value as unknown[]) : [value, null]
  const change = (ends: readonly [unknown, unknown]) =>
    onChange(
      ends.every((end) => end === null || end === '')
        ? null
        : ends.map((end) => (end === '' ? null : end)),
    )
  return (
    <div className="jw-range">
      <QueryInput
        id={id}
        field={field}
        inputMode={inputMode}
        placeholder={placeholder}
        value={from}
        onQuery={(end) => change([end, to ?? null])}
      />
      <span className="jw-range__dash">–</span>
      <QueryInput
        field={field}
        inputMode={inputMode}
        placeholder={placeholder}
        aria-labelledby={`${id}-label`}
        value={to}
        onQuery={(end) => change([from ?? null, end])}
      />
    </div>
  )
}

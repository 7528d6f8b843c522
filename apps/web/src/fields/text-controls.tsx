import { Button, InputGroup, NumericInput, TextArea } from '@blueprintjs/core'
import { EyeOff, EyeOpen } from '@blueprintjs/icons'
import { parseDecimal } from '@jiaowu/api'
import { weightedLength } from '@jiaowu/validation'
import { useState } from 'react'
import { useApp } from '../shell/context/app-context.tsx'
import type { ControlProps, QueryProps } from './field-types.ts'

const intent = (invalid: boolean) => (invalid ? { intent: 'danger' as const } : {})

export function TextControl(props: ControlProps) {
  const { t } = useApp()
  const { id, field, value, disabled, invalid, onChange, onBlur } = props
  return (
    <InputGroup
      id={id}
      fill
      value={textOf(value)}
      disabled={disabled}
      {...intent(invalid)}
      {...aria(props)}
      placeholder={disabled ? '' : (field.options.placeholder ?? t('common.enter'))}
      onValueChange={onChange}
      onBlur={onBlur}
    />
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function aria({ invalid, describedBy, field }: ControlProps) {
  return {
    'aria-invalid': invalid,
    'aria-describedby': describedBy,
    'aria-required': field.valids.required ?? false,
  }
}

const maxOf = ({ field }: ControlProps) => field.options.maxLength ?? field.valids.maxLength

export function TextAreaControl(props: ControlProps) {
  const { t } = useApp()
  const { id, field, value, disabled, invalid, onChange, onBlur } = props
  const [max, used] = [maxOf(props), weightedLength(textOf(value))]
  return (
    <>
      <TextArea
        id={id}
        fill
        autoResize
        value={textOf(value)}
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
  const { t } = useApp()
  const [shown, setShown] = useState(false)
  const { id, value, disabled, invalid, onChange, onBlur } = props
  return (
    <InputGroup
      id={id}
      fill
      type={shown ? 'text' : 'password'}
      autoComplete="new-password"
      value={textOf(value)}
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
  const step = 10 ** -(field.options.precision ?? 0)
  return (
    <NumericInput
      id={id}
      fill
      value={textOf(value)}
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

export function TextQuery({ id, value, onChange }: QueryProps) {
  const { t } = useApp()
  return (
    <InputGroup
      id={id}
      fill
      value={textOf(value)}
      placeholder={t('common.enter')}
      onValueChange={(text) => onChange(text)}
    />
  )
}

/** From and to; either may be blank. */
export function RangeQuery({
  id,
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
      <InputGroup
        id={id}
        inputMode={inputMode}
        placeholder={placeholder}
        value={textOf(from)}
        onValueChange={(text) => change([text, to ?? null])}
      />
      <span className="jw-range__dash">–</span>
      <InputGroup
        inputMode={inputMode}
        placeholder={placeholder}
        aria-labelledby={`${id}-label`}
        value={textOf(to)}
        onValueChange={(text) => change([from ?? null, text])}
      />
    </div>
  )
}

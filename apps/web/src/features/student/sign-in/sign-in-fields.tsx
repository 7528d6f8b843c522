import { Button, FormGroup, InputGroup } from '@blueprintjs/core'
import { MobilePhone } from '@blueprintjs/icons'
import type { ReactNode, SubmitEvent } from 'react'
import { useText } from '../../../app/text-context.ts'

interface FieldProps {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly fault: string | null
  readonly icon?: ReactNode
  readonly autoComplete?: string
  readonly tel?: boolean
  readonly autoFocus?: boolean
  readonly maxLength?: number
  readonly onChange: (value: string) => void
  readonly onBlur: () => void
}

/** Labelled input with its error below. */
export function TextField({
  id,
  label,
  value,
  fault,
  icon,
  autoComplete = 'off',
  tel = false,
  autoFocus = false,
  maxLength,
  onChange,
  onBlur,
}: FieldProps) {
  return (
    <FormGroup
      className="jw-line"
      label={label}
      labelFor={id}
      {...(fault === null
        ? {}
        : { helperText: <span id={`${id}-fault`}>{fault}</span>, intent: 'danger' as const })}
    >
      <InputGroup
        id={id}
        size="large"
        type={tel ? 'tel' : 'text'}
        {...(tel ? { inputMode: 'numeric' as const } : {})}
        autoComplete={autoComplete}
        autoFocus={autoFocus}
        spellCheck={false}
        {...(maxLength === undefined ? {} : { maxLength })}
        {...(icon === undefined ? {} : { leftElement: <>{icon}</> })}
        value={value}
        onValueChange={onChange}
        onBlur={onBlur}
        aria-invalid={fault !== null}
        aria-describedby={fault === null ? undefined : `${id}-fault`}
        {...(fault === null ? {} : { intent: 'danger' as const })}
      />
    </FormGroup>
  )
}

export function MobileField(props: Omit<FieldProps, 'label' | 'icon' | 'tel' | 'autoComplete'>) {
  const { t } = useText()
  return (
    <TextField
      {...props}
      label={t('studentPage.mobile')}
      icon={<MobilePhone className="bp6-icon" />}
      tel
      autoComplete="tel-national"
    />
  )
}

interface FormProps {
  readonly problem: string | null
  readonly busy: boolean
  readonly submitText: string
  readonly className?: string
  readonly onSubmit: () => void
  readonly children: ReactNode
}

/**
 * Form that Enter submits, with its error on top (docs/spec/2-student-service-and-designer.md §2).
 */
export function PlainForm({
  problem,
  busy,
  submitText,
  className = '',
  onSubmit,
  children,
}: FormProps) {
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    event.stopPropagation()
    if (!busy) onSubmit()
  }
  return (
    <form className={className} onSubmit={submit} noValidate>
      {problem === null ? null : (
        <p className="jw-fault" role="alert">
          {problem}
        </p>
      )}
      {children}
      <Button type="submit" intent="primary" size="large" fill loading={busy} text={submitText} />
    </form>
  )
}

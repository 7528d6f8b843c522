import { Button, FormGroup, InputGroup } from '@blueprintjs/core'
import { Comment } from '@blueprintjs/icons'
import { useEffect, useState } from 'react'
import { useText } from '../../../app/text-context.ts'

interface Props {
  readonly id: string
  readonly value: string
  readonly fault: string | null
  /** Why the server sent no SMS. */
  readonly refused: string | null
  /** Seconds until the user may request another code; null: now. */
  readonly secondsLeft: number | null
  readonly busy: boolean
  readonly canAsk: boolean
  readonly onChange: (value: string) => void
  readonly onBlur: () => void
  readonly onAsk: () => void
}

/** Input for the SMS code with the request button, which shows a countdown while it is locked. */
export function SmsField({
  id,
  value,
  fault,
  refused,
  secondsLeft,
  busy,
  canAsk,
  onChange,
  onBlur,
  onAsk,
}: Props) {
  const { t } = useText()
  const locked = secondsLeft !== null
  const [announcement, setAnnouncement] = useState('')
  // Announce once when the lock begins, not every second.
  useEffect(() => {
    setAnnouncement(locked ? t('studentPage.codeSent') : '')
  }, [locked, t])
  return (
    <FormGroup
      className="jw-line"
      label={t('studentPage.smsCode')}
      labelFor={id}
      {...(fault === null
        ? {}
        : { helperText: <span id={`${id}-fault`}>{fault}</span>, intent: 'danger' as const })}
    >
      <div className="jw-sms">
        <InputGroup
          id={id}
          size="large"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={8}
          leftElement={<Comment className="bp6-icon" />}
          value={value}
          onValueChange={onChange}
          onBlur={onBlur}
          aria-invalid={fault !== null}
          aria-describedby={fault === null ? undefined : `${id}-fault`}
          {...(fault === null ? {} : { intent: 'danger' as const })}
        />
        <Button
          size="large"
          variant="outlined"
          intent="primary"
          className="jw-sms__ask"
          disabled={!canAsk}
          loading={busy}
          onClick={onAsk}
          text={locked ? t('studentPage.resendIn', { n: secondsLeft }) : t('studentPage.getCode')}
        />
      </div>
      <span className="jw-unseen" role="status">
        {announcement}
      </span>
      {refused === null ? null : (
        <p className="jw-sms__refused" role="alert">
          {refused}
        </p>
      )}
    </FormGroup>
  )
}

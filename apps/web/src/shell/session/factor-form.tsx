import { Button, Checkbox, FormGroup, InputGroup } from '@blueprintjs/core'
import type { FactorKind } from '@jiaowu/api/contract/factor'
import { problemText, type Problem } from '@jiaowu/api/problem'
import { t as translate, type TextKey } from '@jiaowu/api/texts/index'
import { type SubmitEvent, useState } from 'react'
import { useSettings } from '../../app/settings.ts'

interface Props {
  readonly busy: boolean
  readonly problem: Problem | null
  readonly kinds: readonly FactorKind[]
  readonly onAnswer: (answer: {
    readonly kind: FactorKind
    readonly code: string
    readonly remember: boolean
  }) => void
  readonly onLeave: () => void
}

/** The second factor of a sign-in: a code of an app, a recovery code, or a passkey. */
export function FactorForm({ busy, problem, kinds, onAnswer, onLeave }: Props) {
  const { locale } = useSettings()
  const t = (key: TextKey) => translate(locale, key as 'common.ok')
  const [kind, setKind] = useState<FactorKind>(kinds.includes('totp') ? 'totp' : 'recovery')
  const [code, setCode] = useState('')
  const [remember, setRemember] = useState(false)
  const other = kind === 'totp' ? 'recovery' : 'totp'
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy || code.trim() === '') return
    onAnswer({ kind, code: code.trim(), remember })
    setCode('')
  }
  return (
    <form className="jw-sign-in" onSubmit={submit} noValidate>
      {problem === null ? null : (
        <p className="jw-fault" role="alert">
          {problemText(locale, problem)}
        </p>
      )}
      {kinds.includes('passkey') ? (
        <Button
          fill
          size="large"
          disabled={busy}
          text={t('signIn.usePasskey')}
          onClick={() => onAnswer({ kind: 'passkey', code: '', remember })}
        />
      ) : null}
      {kinds.includes(kind) ? (
        <>
          <FormGroup
            label={t(kind === 'totp' ? 'signIn.factorCode' : 'signIn.recoveryCode')}
            labelFor="factor-code"
          >
            <InputGroup
              // Another kind begins with an empty field that has the focus.
              key={kind}
              id="factor-code"
              size="large"
              autoFocus
              autoComplete="one-time-code"
              inputMode={kind === 'totp' ? 'numeric' : 'text'}
              maxLength={40}
              value={code}
              onValueChange={setCode}
            />
          </FormGroup>
          <Checkbox
            label={t('signIn.remember')}
            checked={remember}
            onChange={(event) => setRemember(event.currentTarget.checked)}
          />
          <Button
            type="submit"
            intent="primary"
            size="large"
            fill
            loading={busy}
            text={t('signIn.confirm')}
          />
        </>
      ) : null}
      <div className="jw-sign-in__more">
        {kinds.includes(other) ? (
          <Button
            variant="minimal"
            disabled={busy}
            text={t(other === 'recovery' ? 'signIn.useRecovery' : 'signIn.useTotp')}
            onClick={() => {
              setKind(other)
              setCode('')
            }}
          />
        ) : null}
        <Button variant="minimal" disabled={busy} text={t('signIn.back')} onClick={onLeave} />
      </div>
    </form>
  )
}

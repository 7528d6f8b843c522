import { Button, FormGroup, InputGroup } from '@blueprintjs/core'
import { EyeOff, EyeOpen, Lock, User } from '@blueprintjs/icons'
import { problemText, t as translate, type Problem, type TextKey } from '@jiaowu/api'
import { type KeyboardEvent, type SubmitEvent, useEffect, useState } from 'react'
import { useSettings } from '../context/settings.ts'

export interface SignInValues {
  readonly account: string
  readonly password: string
  readonly tenant: string
  readonly captcha: string
}
interface Props {
  readonly busy: boolean
  readonly problem: Problem | null
  readonly captchaKey: string | null
  readonly account?: string
  /** The school to sign in to; null: the first one, and nobody is asked. */ readonly tenant?:
    | string
    | null
  readonly onSubmit: (values: SignInValues) => void
}
const captchaLength = 4

/** Account and password of staff; the picture appears when the server asks for it. Enter submits. */
export function SignInForm({
  busy,
  problem,
  captchaKey,
  account: known = '',
  tenant: school = null,
  onSubmit,
}: Props) {
  const { locale } = useSettings()
  const t = (key: TextKey) => translate(locale, key as 'common.ok')
  const [account, setAccount] = useState(known)
  const [tenant, setTenant] = useState(school ?? '')
  const [password, setPassword] = useState('')
  const [captcha, setCaptcha] = useState('')
  const [shown, setShown] = useState(false)
  const [caps, setCaps] = useState(false)
  const [tried, setTried] = useState(false)
  useEffect(() => {
    setCaptcha('')
  }, [captchaKey])
  const onKey = (event: KeyboardEvent) => setCaps(event.getModifierState('CapsLock'))
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTried(true)
    if (
      account.trim() === '' ||
      password === '' ||
      (captchaKey !== null && captcha.trim() === '') ||
      busy
    )
      return
    onSubmit({ account: account.trim(), password, tenant: tenant.trim(), captcha: captcha.trim() })
  }
  const missing = (value: string) =>
    tried && value.trim() === '' ? { helperText: t('signIn.empty'), intent: 'danger' as const } : {}
  return (
    <form className="jw-sign-in" onSubmit={submit} noValidate>
      {problem === null ? null : (
        <p className="jw-fault" role="alert">
          {problemText(locale, problem)}
        </p>
      )}
      {school === null ? null : (
        <FormGroup label={t('signIn.tenant')} labelFor="tenant">
          <InputGroup
            id="tenant"
            size="large"
            autoComplete="organization"
            inputMode="numeric"
            maxLength={19}
            readOnly={known !== ''}
            value={tenant}
            onValueChange={setTenant}
          />
        </FormGroup>
      )}
      <FormGroup label={t('signIn.account')} labelFor="account" {...missing(account)}>
        <InputGroup
          id="account"
          name="username"
          size="large"
          autoComplete="username"
          autoFocus={known === ''}
          leftElement={<User className="bp6-icon" />}
          value={account}
          onValueChange={setAccount}
          {...(tried && account.trim() === '' ? { intent: 'danger' as const } : {})}
        />
      </FormGroup>
      <FormGroup
        label={t('signIn.password')}
        labelFor="password"
        {...(caps ? { helperText: t('signIn.capsLock') } : missing(password))}
      >
        <InputGroup
          id="password"
          name="password"
          size="large"
          type={shown ? 'text' : 'password'}
          autoComplete="current-password"
          autoFocus={known !== ''}
          leftElement={<Lock className="bp6-icon" />}
          value={password}
          onValueChange={setPassword}
          onKeyDown={onKey}
          onKeyUp={onKey}
          rightElement={
            <Button
              variant="minimal"
              icon={shown ? <EyeOff /> : <EyeOpen />}
              aria-label={t(shown ? 'signIn.hide' : 'signIn.show')}
              onClick={() => setShown(!shown)}
            />
          }
        />
      </FormGroup>
      {captchaKey === null ? null : (
        <FormGroup label={t('signIn.captcha')} labelFor="captcha" {...missing(captcha)}>
          <div className="jw-sign-in__captcha">
            <InputGroup
              id="captcha"
              size="large"
              autoComplete="off"
              maxLength={captchaLength}
              value={captcha}
              onValueChange={setCaptcha}
            />
            <img
              src={`/api/captcha?key=${captchaKey}`}
              width={128}
              height={44}
              alt={t('signIn.captcha')}
            />
          </div>
        </FormGroup>
      )}
      <Button
        type="submit"
        intent="primary"
        size="large"
        fill
        loading={busy}
        text={t('signIn.submit')}
      />
    </form>
  )
}

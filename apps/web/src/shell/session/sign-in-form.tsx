import { Button, FormGroup, InputGroup } from '@blueprintjs/core'
import { EyeOff, EyeOpen, Lock, User } from '@blueprintjs/icons'
import type { Locale } from '@jiaowu/api/locale'
import { problemText, type Problem } from '@jiaowu/api/problem'
import { t as translate, type TextKey } from '@jiaowu/api/texts/index'
import { type KeyboardEvent, type SubmitEvent, useEffect, useState } from 'react'
import { useSettings } from '../../app/settings.ts'
import { CaptchaPicture } from './captcha-picture.tsx'
import { useQueuePlace } from '../../ports/queue-place.ts'

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
  /** The school to sign in to; null: the first one, without a field for it. */
  readonly tenant?: string | null
  readonly onSubmit: (values: SignInValues) => void
}
const captchaLength = 4

/** Account and password of staff. The captcha appears when the server asks for it. */
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
  const [values, setValues] = useState<SignInValues>({
    account: known,
    password: '',
    tenant: school ?? '',
    captcha: '',
  })
  const [tried, setTried] = useState(false)
  const set = (name: keyof SignInValues) => (value: string) =>
    setValues((now) => ({ ...now, [name]: value }))
  useEffect(() => {
    setValues((now) => ({ ...now, captcha: '' }))
  }, [captchaKey])
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTried(true)
    const trimmed = trimmedValues(values)
    if (!busy && isCompleteSignIn(trimmed, captchaKey !== null)) onSubmit(trimmed)
  }
  const fault = (name: keyof SignInValues) =>
    tried && values[name].trim() === '' ? t('signIn.empty') : null
  return (
    <form className="jw-sign-in" onSubmit={submit} noValidate>
      {problem === null ? null : (
        <p className="jw-fault" role="alert" data-lead={t('problem.loginFailed')}>
          {problemText(locale, problem)}
        </p>
      )}
      {school === null ? null : (
        <TenantField
          label={t('signIn.tenant')}
          readOnly={known !== ''}
          value={values.tenant}
          onChange={set('tenant')}
        />
      )}
      <AccountField
        label={t('signIn.account')}
        value={values.account}
        fault={fault('account')}
        autoFocus={known === ''}
        onChange={set('account')}
      />
      <PasswordField
        t={t}
        value={values.password}
        fault={fault('password')}
        autoFocus={known !== ''}
        onChange={set('password')}
      />
      {captchaKey === null ? null : (
        <CaptchaField
          label={t('signIn.captcha')}
          captchaKey={captchaKey}
          value={values.captcha}
          fault={fault('captcha')}
          onChange={set('captcha')}
        />
      )}
      <Button
        type="submit"
        intent="primary"
        size="large"
        fill
        loading={busy}
        text={t('signIn.submit')}
      />
      <PlaceLine locale={locale} />
    </form>
  )
}

/** Where the sign-in stands among those that wait on the server. */
function PlaceLine({ locale }: { readonly locale: Locale }) {
  const place = useQueuePlace()
  return (
    <p className="jw-sign-in__place" role="status">
      {place === null ? null : translate(locale, 'session.place', { ...place })}
    </p>
  )
}

/** Passwords keep their spaces. */
function trimmedValues({ account, password, tenant, captcha }: SignInValues): SignInValues {
  return { account: account.trim(), password, tenant: tenant.trim(), captcha: captcha.trim() }
}

function isCompleteSignIn(
  { account, password, captcha }: SignInValues,
  asksCaptcha: boolean,
): boolean {
  return account !== '' && password !== '' && (!asksCaptcha || captcha !== '')
}

interface FieldProps {
  readonly value: string
  readonly fault: string | null
  readonly onChange: (value: string) => void
}

function faultProps(fault: string | null) {
  return fault === null ? {} : { helperText: fault, intent: 'danger' as const }
}

function TenantField({
  label,
  readOnly,
  value,
  onChange,
}: Omit<FieldProps, 'fault'> & { readonly label: string; readonly readOnly: boolean }) {
  return (
    <FormGroup label={label} labelFor="tenant">
      <InputGroup
        id="tenant"
        size="large"
        autoComplete="organization"
        inputMode="numeric"
        maxLength={19}
        readOnly={readOnly}
        value={value}
        onValueChange={onChange}
      />
    </FormGroup>
  )
}

function AccountField({
  label,
  value,
  fault,
  autoFocus,
  onChange,
}: FieldProps & { readonly label: string; readonly autoFocus: boolean }) {
  return (
    <FormGroup label={label} labelFor="account" {...faultProps(fault)}>
      <InputGroup
        id="account"
        name="username"
        size="large"
        autoComplete="username"
        autoFocus={autoFocus}
        leftElement={<User className="bp6-icon" />}
        value={value}
        onValueChange={onChange}
        {...(fault === null ? {} : { intent: 'danger' as const })}
      />
    </FormGroup>
  )
}

function PasswordField({
  t,
  value,
  fault,
  autoFocus,
  onChange,
}: FieldProps & { readonly t: (key: TextKey) => string; readonly autoFocus: boolean }) {
  const [shown, setShown] = useState(false)
  const [caps, setCaps] = useState(false)
  const onKey = (event: KeyboardEvent) => setCaps(event.getModifierState('CapsLock'))
  return (
    <FormGroup
      label={t('signIn.password')}
      labelFor="password"
      {...(caps ? { helperText: t('signIn.capsLock') } : faultProps(fault))}
    >
      <InputGroup
        id="password"
        name="password"
        size="large"
        type={shown ? 'text' : 'password'}
        autoComplete="current-password"
        autoFocus={autoFocus}
        leftElement={<Lock className="bp6-icon" />}
        value={value}
        onValueChange={onChange}
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
  )
}

function CaptchaField({
  label,
  captchaKey,
  value,
  fault,
  onChange,
}: FieldProps & { readonly label: string; readonly captchaKey: string }) {
  return (
    <FormGroup label={label} labelFor="captcha" {...faultProps(fault)}>
      <div className="jw-sign-in__captcha">
        <InputGroup
          id="captcha"
          size="large"
          autoComplete="off"
          maxLength={captchaLength}
          value={value}
          onValueChange={onChange}
        />
        <CaptchaPicture captchaKey={captchaKey} onRenew={() => onChange('')} />
      </div>
    </FormGroup>
  )
}

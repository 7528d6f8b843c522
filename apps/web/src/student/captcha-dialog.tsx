import { Button, Dialog, DialogBody, DialogFooter, InputGroup, Spinner } from '@blueprintjs/core'
import { Refresh } from '@blueprintjs/icons'
import type { SmsCodeView } from '@jiaowu/machines'
import { problemText } from '@jiaowu/api'
import { type SubmitEvent, useEffect, useId, useRef } from 'react'
import { useApp } from '../app/app-context.tsx'

interface Props {
  readonly captcha: SmsCodeView['captcha']
  readonly can: Pick<SmsCodeView['can'], 'type' | 'submit' | 'renew' | 'cancel'>
  readonly onType: (answer: string) => void
  readonly onSubmit: () => void
  readonly onRenew: () => void
  readonly onCancel: () => void
}

const Body = ({ captcha: { step, image, answer, problem }, can, onType, onSubmit, onRenew, onCancel }: Props & { readonly captcha: NonNullable<Props['captcha']> }) => {
  const { t, locale } = useApp()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => { if (image !== null) input.current?.focus() }, [image])
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    event.stopPropagation() // React carries it through the portal to the form the dialog stands in
    onSubmit()
  }
  const fault = problem === null ? null : problemText(locale, problem)
  return (
    <form onSubmit={submit} noValidate>
      <DialogBody>
        <p className="jw-muted" id={`${id}-hint`}>{t('studentPage.captchaHint')}</p>
        <div className="jw-captcha__row">
          <span className="jw-captcha__picture">{image !== null ? <img src={image} alt={t('studentPage.captchaAlt')} /> : step === 'failed' ? null : <Spinner size={22} />}</span>
          <Button variant="minimal" size="large" icon={<Refresh />} aria-label={t('studentPage.captchaNew')} title={t('studentPage.captchaNew')} disabled={!can.renew} onClick={onRenew} />
          <InputGroup inputRef={input} size="large" autoFocus autoComplete="off" autoCapitalize="off" spellCheck={false} maxLength={8} readOnly={!can.type} aria-label={t('studentPage.captchaInput')} aria-describedby={fault === null ? `${id}-hint` : `${id}-fault`} value={answer} onValueChange={onType} {...(fault === null ? {} : { intent: 'danger' as const })} />
        </div>
        <p className="jw-captcha__fault" id={`${id}-fault`} role="alert">{fault ?? ''}</p>
      </DialogBody>
      <DialogFooter actions={<><Button text={t('studentPage.cancel')} disabled={!can.cancel} onClick={onCancel} /><Button type="submit" intent="primary" loading={step === 'verifying'} disabled={!can.submit} text={t('common.ok')} /></>} />
    </form>
  )
}

/** Before an SMS: the picture (student spec §2). A click outside does not close it; a new picture empties the answer. */
export const CaptchaDialog = ({ captcha, ...rest }: Props) => {
  const { t } = useApp()
  return (
    <Dialog isOpen={captcha !== null} title={t('studentPage.captchaTitle')} canOutsideClickClose={false} onClose={rest.onCancel} className="jw-calm jw-captcha">
      {captcha === null ? <DialogBody /> : <Body captcha={captcha} {...rest} />}
    </Dialog>
  )
}

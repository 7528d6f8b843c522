import { Button, DialogBody, DialogFooter, InputGroup, Spinner } from '@blueprintjs/core'
import { Refresh } from '@blueprintjs/icons'
import type { SmsCodeView } from '@jiaowu/machines/sms-code/view'
import { problemText } from '@jiaowu/api/problem'
import { type SubmitEvent, useEffect, useId, useRef } from 'react'
import { useText } from '../../../app/text-context.ts'
import type { SmsActor } from './use-sms.ts'
import { Dialog } from '../../../ui/overlays/dialog.tsx'

interface Props {
  readonly view: Pick<SmsCodeView, 'captcha' | 'can'>
  readonly actor: SmsActor
}

/**
 * Captcha before an SMS (docs/spec/2-student-service-and-designer.md §2). A click outside does not
 * close the dialog; a new picture clears the answer.
 */
export function CaptchaDialog({ view: { captcha, can }, actor }: Props) {
  const { t } = useText()
  return (
    <Dialog
      isOpen={captcha !== null}
      title={t('studentPage.captchaTitle')}
      canOutsideClickClose={false}
      onClose={() => actor.send({ type: 'captcha.cancel' })}
      className="jw-calm jw-captcha"
    >
      {captcha === null ? (
        <DialogBody />
      ) : (
        <CaptchaForm captcha={captcha} can={can} actor={actor} />
      )}
    </Dialog>
  )
}

interface FormProps {
  readonly captcha: NonNullable<SmsCodeView['captcha']>
  readonly can: SmsCodeView['can']
  readonly actor: SmsActor
}

function CaptchaForm({ captcha, can, actor }: FormProps) {
  const { t, locale } = useText()
  const id = useId()
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    event.stopPropagation() // React events bubble through the portal to the form around the dialog
    actor.send({ type: 'captcha.submit' })
  }
  const fault = captcha.problem === null ? null : problemText(locale, captcha.problem)
  return (
    <form onSubmit={submit} noValidate>
      <DialogBody>
        <p className="jw-muted" id={`${id}-hint`}>
          {t('studentPage.captchaHint')}
        </p>
        <PictureAndAnswer
          captcha={captcha}
          can={can}
          actor={actor}
          describedBy={fault === null ? `${id}-hint` : `${id}-fault`}
        />
        <p
          className="jw-captcha__fault"
          id={`${id}-fault`}
          role="alert"
          data-lead={captcha.step === 'failed' ? t('problem.captchaFailed') : undefined}
        >
          {fault ?? ''}
        </p>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button
              text={t('studentPage.cancel')}
              disabled={!can.cancel}
              onClick={() => actor.send({ type: 'captcha.cancel' })}
            />
            <Button
              type="submit"
              intent="primary"
              loading={captcha.step === 'verifying'}
              disabled={!can.submit}
              text={t('common.ok')}
            />
          </>
        }
      />
    </form>
  )
}

/**
 * The picture, the button for another one, and the input, which gets the focus with each new
 * picture.
 */
function PictureAndAnswer({
  captcha: { step, image, answer, problem },
  can,
  actor,
  describedBy,
}: FormProps & { readonly describedBy: string }) {
  const { t } = useText()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (image !== null) input.current?.focus()
  }, [image])
  return (
    <div className="jw-captcha__row">
      <span className="jw-captcha__picture">
        {image !== null ? (
          <img src={image} alt={t('studentPage.captchaAlt')} />
        ) : step === 'failed' ? null : (
          <Spinner size={22} />
        )}
      </span>
      <Button
        variant="minimal"
        size="large"
        icon={<Refresh />}
        aria-label={t('studentPage.captchaNew')}
        title={t('studentPage.captchaNew')}
        disabled={!can.renew}
        onClick={() => actor.send({ type: 'captcha.renew' })}
      />
      <InputGroup
        inputRef={input}
        size="large"
        autoFocus
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={8}
        readOnly={!can.type}
        aria-label={t('studentPage.captchaInput')}
        aria-describedby={describedBy}
        value={answer}
        onValueChange={(text) => actor.send({ type: 'captcha.type', answer: text })}
        {...(problem === null ? {} : { intent: 'danger' as const })}
      />
    </div>
  )
}

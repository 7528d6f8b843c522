import './device-page.css'
import { Button, FormGroup, InputGroup } from '@blueprintjs/core'
import { problemText } from '@jiaowu/api/problem'
import { schoolTime } from '@jiaowu/api/formats'
import { type SubmitEvent, useEffect, useState } from 'react'
import { useAction } from '../../ui/resource/use-resource.ts'
import { useApi } from '../../app/api-context.ts'
import { useText } from '../../app/text-context.ts'

/**
 * /device: lets a terminal sign in as the signed-in user, by the code that it shows. The person sees which
 * device asks before they agree (docs/rules/security.md#s7).
 */
export function DevicePage() {
  const { t } = useText()
  useEffect(() => {
    document.title = `${t('device.title')} · ${t('app.title')}`
  }, [t])
  const device = useDevice()
  return (
    <section className="jw-device" aria-labelledby="device-title">
      <h1 id="device-title">{t('device.title')}</h1>
      {device.fault === null ? null : (
        <p className="jw-fault" role="alert">
          {device.fault}
        </p>
      )}
      {device.done !== null ? (
        <>
          <p role="status">{t(device.done ? 'device.agreed' : 'device.refused')}</p>
          <div className="jw-device__foot">
            <Button text={t('device.close')} onClick={() => location.assign('#/')} />
          </div>
        </>
      ) : device.found === null ? (
        <CodeForm device={device} />
      ) : (
        <Decision device={device} found={device.found} />
      )}
    </section>
  )
}

type Device = ReturnType<typeof useDevice>

function useDevice() {
  const { locale } = useText()
  const { api } = useApi()
  const [code, setCode] = useState('')
  const look = useAction((userCode: string) => api.device.look({ body: { userCode } }), {
    onDone: () => decide.dismiss(),
  })
  const decide = useAction(
    async (agree: boolean) => {
      await api.device.decide({ body: { userCode: code, agree } })
      return agree
    },
    { onFailed: ({ code: status }) => (status === 404 ? look.dismiss() : undefined) },
  )
  const problem = decide.problem ?? look.problem
  return {
    code,
    setCode,
    found: look.output,
    done: decide.output,
    fault: problem === null ? null : problemText(locale, problem),
    isActing: look.isActing || decide.isActing,
    look: () => look.start(code),
    decide: (agree: boolean) => decide.start(agree),
  }
}

function CodeForm({ device }: { readonly device: Device }) {
  const { t } = useText()
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (device.code.trim() !== '') device.look()
  }
  return (
    <form onSubmit={submit}>
      <p className="jw-muted">{t('device.about')}</p>
      <FormGroup label={t('device.code')} labelFor="device-code">
        <InputGroup
          id="device-code"
          size="large"
          autoFocus
          autoComplete="off"
          placeholder="XXXX-XXXX"
          maxLength={20}
          value={device.code}
          onValueChange={device.setCode}
        />
      </FormGroup>
      <div className="jw-device__foot">
        <Button type="submit" intent="primary" loading={device.isActing} text={t('device.next')} />
      </div>
    </form>
  )
}

function Decision({
  device,
  found,
}: {
  readonly device: Device
  readonly found: NonNullable<Device['found']>
}) {
  const { t } = useText()
  const { user } = useApi()
  return (
    <>
      <p>
        {t(found.proves ? 'device.asksProof' : 'device.asks', {
          name: user?.name ?? '',
          account: user?.account ?? '',
        })}
      </p>
      <dl>
        <dt>{t('device.device')}</dt>
        <dd>{found.device ?? t('device.unknownDevice')}</dd>
        <dt>{t('device.address')}</dt>
        <dd>
          {found.address} ({t(found.sameAddress ? 'device.sameAddress' : 'device.otherAddress')})
        </dd>
        <dt>{t('device.began')}</dt>
        <dd>{schoolTime(found.began)}</dd>
      </dl>
      <p className="jw-device__warning">{t('device.warning')}</p>
      <div className="jw-device__foot">
        <Button
          text={t('device.refuse')}
          disabled={device.isActing}
          onClick={() => device.decide(false)}
        />
        <Button
          intent="primary"
          loading={device.isActing}
          text={t(found.proves ? 'device.agreeProof' : 'device.agree')}
          onClick={() => device.decide(true)}
        />
      </div>
    </>
  )
}

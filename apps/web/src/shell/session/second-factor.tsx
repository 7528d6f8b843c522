import './second-factor.css'
import { Button, DialogBody, DialogFooter, FormGroup, InputGroup } from '@blueprintjs/core'
import type { OwnFactors } from '@jiaowu/api/contract/factor'
import { schoolTime } from '@jiaowu/api/formats'
import { problemText } from '@jiaowu/api/problem'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { useText } from '../../app/text-context.ts'
import { Unsaved } from '../../app/unsaved.ts'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { useResource } from '../../ui/resource/use-resource.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

interface Props {
  /** A factor is demanded and there is none: the dialog stays until there is one. */
  readonly isRequired: boolean
  readonly onClose: () => void
  readonly onSignOut: () => void
}

/** The second factors of the caller: sets them up and removes them (docs/rules/security.md#s10). */
export function SecondFactor({ isRequired, onClose, onSignOut }: Props) {
  const { t, locale } = useText()
  const factors = useFactors()
  const { recovery, setRecovery, reloadProfile } = factors
  const problem = factors.problem ?? factors.failure
  const end = () => {
    setRecovery(null)
    // From now on the server answers other calls too.
    if (isRequired) reloadProfile()
    else factors.reload()
  }
  return (
    <Dialog
      isOpen
      title={t('factor.title')}
      isCloseButtonShown={!isRequired}
      canEscapeKeyClose={!isRequired}
      canOutsideClickClose={!isRequired}
      onClose={onClose}
      className="jw-calm"
    >
      <DialogBody>
        {/* They are shown once. */}
        <Unsaved when={recovery !== null} />
        <p className="jw-muted">{t(isRequired ? 'factor.must' : 'factor.about')}</p>
        {problem === null ? null : (
          <p className="jw-fault" role="alert">
            {problemText(locale, problem)}
          </p>
        )}
        {recovery !== null ? (
          <RecoveryCodes codes={recovery} onKept={end} />
        ) : factors.data === null ? null : (
          <Factors factors={factors} data={factors.data} />
        )}
      </DialogBody>
      <DialogFooter
        actions={
          isRequired ? (
            <Button text={t('shell.signOut')} onClick={onSignOut} />
          ) : (
            <Button text={t('common.close')} onClick={onClose} />
          )
        }
      />
    </Dialog>
  )
}

type Own = ReturnType<typeof useFactors>

/** `id`: `totp`, `browsers`, or that of a passkey. */
interface Removed {
  readonly id: string
  readonly name: string
}

function useFactors() {
  const { t } = useText()
  const { api, reloadProfile } = useApi()
  const { toast } = useNotice()
  const [recovery, setRecovery] = useState<readonly string[] | null>(null)
  const show = (codes: readonly string[] | null) => {
    toast('success', t('factor.enrolled'))
    setRecovery(codes)
  }
  const factors = useResource({
    query: 'own',
    load: (_query, signal) => api.factor.list({ signal }),
    actions: {
      offer: () => api.factor.enrolTotp({ body: {} }),
      confirm: (code: string) => api.factor.enrolTotp({ body: { code } }),
      addPasskey: async (name: string) => {
        const { makePasskey } = await import('../../ports/passkeys.ts')
        const { options } = await api.factor.enrolPasskey({ body: {} })
        const response = await makePasskey(options ?? {})
        return await api.factor.enrolPasskey({ body: { name, response } })
      },
      renew: () => api.factor.renewRecovery({}),
      remove: ({ id }: Removed) => api.factor.remove({ params: { id } }),
    },
    confirm: {
      remove: ({ name }) => ({
        text: t('factor.removeAsk', { name }),
        danger: true,
        confirmText: t('factor.remove'),
      }),
    },
    onDone: {
      confirm: ({ recovery: codes }) => {
        show(codes)
        factors.reload()
      },
      addPasskey: ({ recovery: codes }) => {
        show(codes)
        factors.reload()
      },
      renew: ({ recovery: codes }) => setRecovery(codes),
      remove: () => {
        toast('success', t('factor.removed'))
        factors.dismiss('offer')
        factors.reload()
      },
    },
  })
  const names = ['offer', 'confirm', 'addPasskey', 'renew', 'remove'] as const
  const failure = names.map((name) => factors.failureOf(name)).find((each) => each !== null) ?? null
  return { ...factors, recovery, setRecovery, reloadProfile, failure }
}

function Factors({ factors, data }: { readonly factors: Own; readonly data: OwnFactors }) {
  const { t } = useText()
  const hasFactor = data.totp !== null || data.passkeys.length > 0
  return (
    <div className="jw-factors">
      <Totp factors={factors} confirmedAt={data.totp?.confirmedAt ?? null} />
      <Passkeys factors={factors} data={data} />
      {hasFactor ? (
        <>
          <Line
            title={t('factor.recovery')}
            about={t('factor.recoveryLeft', { n: data.recoveryLeft })}
          >
            <Button
              size="small"
              variant="outlined"
              text={t('factor.renewRecovery')}
              loading={factors.acting === 'renew'}
              onClick={() => factors.start('renew')}
            />
          </Line>
          {data.browsers === 0 ? null : (
            <Line
              title={t('factor.browsers')}
              about={t('factor.browsersCount', { n: data.browsers })}
            >
              <Button
                size="small"
                variant="outlined"
                text={t('factor.forgetBrowsers')}
                onClick={() =>
                  factors.start('remove', { id: 'browsers', name: t('factor.browsers') })
                }
              />
            </Line>
          )}
        </>
      ) : null}
    </div>
  )
}

function Line({
  title,
  about,
  children,
}: {
  readonly title: string
  readonly about: string
  readonly children: ReactNode
}) {
  return (
    <div className="jw-factors__line">
      <div>
        <strong>{title}</strong>
        <small>{about}</small>
      </div>
      {children}
    </div>
  )
}

function RemoveButton({
  factors,
  id,
  name,
}: {
  readonly factors: Own
  readonly id: string
  readonly name: string
}) {
  const { t } = useText()
  return (
    <Button
      size="small"
      intent="danger"
      variant="outlined"
      text={t('factor.remove')}
      aria-label={t('factor.removeNamed', { name })}
      disabled={factors.acting !== null}
      onClick={() => factors.start('remove', { id, name })}
    />
  )
}

function Totp({
  factors,
  confirmedAt,
}: {
  readonly factors: Own
  readonly confirmedAt: string | null
}) {
  const { t } = useText()
  const offered = factors.outputOf('offer')
  const about =
    confirmedAt === null
      ? t('factor.totpOff')
      : t('factor.totpOn', { at: schoolTime(confirmedAt).slice(0, 10) })
  return (
    <>
      <Line title={t('factor.totp')} about={about}>
        {confirmedAt === null ? (
          <Button
            size="small"
            intent="primary"
            variant="outlined"
            text={t('factor.setUp')}
            loading={factors.acting === 'offer'}
            onClick={() => factors.start('offer')}
          />
        ) : (
          <RemoveButton factors={factors} id="totp" name={t('factor.totp')} />
        )}
      </Line>
      {confirmedAt === null && offered !== null && offered.uri !== null ? (
        <Offer factors={factors} uri={offered.uri} secret={offered.secret ?? ''} />
      ) : null}
    </>
  )
}

function Offer({
  factors,
  uri,
  secret,
}: {
  readonly factors: Own
  readonly uri: string
  readonly secret: string
}) {
  const { t } = useText()
  const [code, setCode] = useState('')
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (code.trim() !== '' && factors.acting === null) factors.start('confirm', code.trim())
  }
  return (
    <form className="jw-factors__offer" onSubmit={submit} noValidate>
      <p>{t('factor.scan')}</p>
      <QrCode text={uri} size={184} label={t('factor.qr')} />
      <p>
        {t('factor.secret')} <code>{(secret.match(/.{1,4}/g) ?? []).join(' ')}</code>
      </p>
      <FormGroup label={t('signIn.factorCode')} labelFor="totp-code">
        <InputGroup
          id="totp-code"
          autoFocus
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={7}
          value={code}
          onValueChange={setCode}
        />
      </FormGroup>
      <Button
        type="submit"
        intent="primary"
        loading={factors.acting === 'confirm'}
        text={t('signIn.confirm')}
      />
    </form>
  )
}

function Passkeys({ factors, data }: { readonly factors: Own; readonly data: OwnFactors }) {
  const { t } = useText()
  const [name, setName] = useState('')
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (name.trim() !== '' && factors.acting === null) {
      factors.start('addPasskey', name.trim())
      setName('')
    }
  }
  return (
    <>
      {data.passkeys.map((passkey) => (
        <Line
          key={passkey.id}
          title={passkey.name}
          about={
            passkey.usedAt === null
              ? t('factor.neverUsed')
              : t('factor.usedAt', { at: schoolTime(passkey.usedAt).slice(0, 16) })
          }
        >
          <RemoveButton factors={factors} id={passkey.id} name={passkey.name} />
        </Line>
      ))}
      <form className="jw-factors__line" onSubmit={submit} noValidate>
        <div>
          <strong>{t('factor.passkeys')}</strong>
          {data.takesPasskeys ? (
            <InputGroup
              aria-label={t('factor.passkeyName')}
              placeholder={t('factor.passkeyNameHint')}
              maxLength={50}
              value={name}
              onValueChange={setName}
            />
          ) : (
            <small>{t('factor.noName')}</small>
          )}
        </div>
        {data.takesPasskeys ? (
          <Button
            type="submit"
            size="small"
            variant="outlined"
            loading={factors.acting === 'addPasskey'}
            disabled={name.trim() === ''}
            text={t('factor.addPasskey')}
          />
        ) : null}
      </form>
    </>
  )
}

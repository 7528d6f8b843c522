import { AnchorButton, FormGroup, InputGroup } from '@blueprintjs/core'
import { useEffect, useId, useRef, useState } from 'react'
import {
  type FreshProof,
  type ProofBody,
  readCaptchaKey,
  toProofBody,
} from '@jiaowu/api/client/fresh-proof'
import { problemText } from '@jiaowu/api/problem'
import { awaitProof, provingAddress, storedProvider } from '../../ports/sso.ts'
import { ActionDialog } from '../../ui/overlays/action-dialog.tsx'
import { useAction } from '../../ui/resource/use-resource.ts'
import { useApi } from '../../app/api-context.ts'
import { useText } from '../../app/text-context.ts'
import { CaptchaPicture } from './captcha-picture.tsx'

/** Asks for the password over the page, for the call that waits for it. */
export function FreshProofDialog({ proof }: { readonly proof: FreshProof }) {
  const { t } = useText()
  const { api, user } = useApi()
  const id = useId()
  const [password, setPassword] = useState('')
  const [captcha, setCaptcha] = useState('')
  const prove = useAction((body: ProofBody) => api.reauthentication.prove({ body }), {
    onDone: ({ token }) => proof.answer(token),
  })
  const captchaKey = readCaptchaKey(prove.problem?.data)
  return (
    <ActionDialog
      title={t('session.proof')}
      intent="primary"
      action={t('common.ok')}
      isActing={prove.isActing}
      problem={prove.problem}
      missing={() => (password === '' ? t('signIn.empty') : null)}
      onSubmit={() => {
        prove.start(toProofBody(password, captchaKey === null ? {} : { captchaKey, captcha }))
        setCaptcha('')
      }}
      onClose={() => proof.answer(null)}
    >
      <p className="jw-muted">{t('session.proofAbout', { account: user?.account ?? '' })}</p>
      <ProviderProof onToken={proof.answer} />
      <FormGroup
        label={t('signIn.password')}
        labelFor={`${id}-password`}
        helperText={t('session.proofCode')}
      >
        <InputGroup
          id={`${id}-password`}
          autoFocus
          type="password"
          autoComplete="current-password"
          value={password}
          onValueChange={setPassword}
        />
      </FormGroup>
      {captchaKey === null ? null : (
        <FormGroup label={t('signIn.captcha')} labelFor={`${id}-captcha`}>
          <CaptchaPicture captchaKey={captchaKey} onRenew={() => setCaptcha('')} />
          <InputGroup
            id={`${id}-captcha`}
            autoComplete="off"
            value={captcha}
            onValueChange={setCaptcha}
          />
        </FormGroup>
      )}
    </ActionDialog>
  )
}

/** For sessions of an identity provider, whose users may have no password here. */
function ProviderProof({ onToken }: { readonly onToken: (token: string) => void }) {
  const { t, locale } = useText()
  const { api } = useApi()
  const [provider] = useState(storedProvider.read)
  const { start, isActing, problem } = useAction(
    (code: string) => api.sso.proven({ params: { provider: provider ?? '' }, body: { code } }),
    { onDone: ({ token }) => onToken(token) },
  )
  const latest = useRef(start)
  latest.current = start
  useEffect(
    () => (provider === null ? undefined : awaitProof((code) => latest.current(code))),
    [provider],
  )
  if (provider === null) return null
  return (
    <FormGroup>
      <AnchorButton
        fill
        variant="outlined"
        loading={isActing}
        href={provingAddress(provider)}
        target="_blank"
        rel="noopener"
        text={t('sso.proveBy')}
      />
      {problem === null ? null : (
        <p className="jw-fault" role="alert">
          {problemText(locale, problem)}
        </p>
      )}
    </FormGroup>
  )
}

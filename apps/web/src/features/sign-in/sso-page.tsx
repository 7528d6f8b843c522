import { AnchorButton, Spinner, SpinnerSize } from '@blueprintjs/core'
import { problemText } from '@jiaowu/api/problem'
import { ssoFaults, type SsoFaultName } from '@jiaowu/api/contract/sso'
import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { NoticesPanel } from '../student/sign-in/notices-panel.tsx'
import { SignInLayout } from '../student/sign-in/sign-in-layout.tsx'
import { useSchool } from '../student/sign-in/use-school.ts'
import { paths, safeRedirect } from '../../paths.ts'
import { createSessionFacts, type SessionActor, writeFacts } from '../../ports/index.ts'
import { enterOnce, handOverProof, startAddress, storedProvider } from '../../ports/sso.ts'
import { useResource } from '../../ui/resource/use-resource.ts'
import { useApi } from '../../app/api-context.ts'
import { useText } from '../../app/text-context.ts'
import { changeSettings } from '../../app/settings.ts'

interface Returned {
  readonly provider: string
  readonly as: 'staff' | 'student'
  readonly code: string | null
  readonly fault: SsoFaultName
  readonly redirect: string
  /** The provider at which the user is to prove who they are. */
  readonly prove: string | null
  /** The code of such a proof. */
  readonly proof: string | null
}

/** /sso: the return from an identity provider, with a one-use code or with the reason why there is none. */
export function SsoPage({ session }: { readonly session: SessionActor }) {
  const { t } = useText()
  const school = useSchool()
  const returned = readReturn(useLocation().search)
  useEffect(() => {
    document.title = `${t('sso.title')} · ${t('app.title')}`
  }, [t])
  return (
    <SignInLayout board={<NoticesPanel />} school={school}>
      {returned.prove !== null ? (
        <Proving provider={returned.prove} />
      ) : returned.proof !== null ? (
        <Proved code={returned.proof} />
      ) : returned.code === null ? (
        <Ended returned={returned} text={t(`sso.fault.${returned.fault}`)} />
      ) : (
        <Entering returned={returned} code={returned.code} session={session} />
      )}
    </SignInLayout>
  )
}

function readReturn(search: string): Returned {
  const query = new URLSearchParams(search)
  const fault = query.get('fault')
  return {
    provider: query.get('provider') ?? '',
    as: query.get('as') === 'student' ? 'student' : 'staff',
    code: query.get('code'),
    fault: ssoFaults.find((name) => name === fault) ?? 'invalid',
    redirect: safeRedirect(query.get('redirect')),
    prove: query.get('prove'),
    proof: query.get('proof'),
  }
}

function Proving({ provider }: { readonly provider: string }) {
  const { t, locale } = useText()
  const { api } = useApi()
  const { data, problem } = useResource({
    query: provider,
    load: (id, signal) => api.sso.prove({ params: { provider: id }, signal }),
  })
  useEffect(() => {
    if (data !== null) location.replace(data.url)
  }, [data])
  return problem === null ? (
    <p className="jw-sso" role="status">
      <Spinner size={SpinnerSize.SMALL} /> {t('sso.proving')}
    </p>
  ) : (
    <p className="jw-fault" role="alert">
      {problemText(locale, problem)}
    </p>
  )
}

function Proved({ code }: { readonly code: string }) {
  const { t } = useText()
  useEffect(() => handOverProof(code), [code])
  return (
    <p className="jw-sso" role="status">
      {t('sso.proved')}
    </p>
  )
}

function Entering({
  returned,
  code,
  session,
}: {
  readonly returned: Returned
  readonly code: string
  readonly session: SessionActor
}) {
  const { t, locale } = useText()
  const { api } = useApi()
  const navigate = useNavigate()
  const { provider, as, redirect } = returned
  const { data: tokens, problem } = useResource({
    query: code,
    load: (given) => enterOnce(api, provider, given),
  })
  useEffect(() => {
    if (tokens === null) return
    const facts = createSessionFacts(tokens)
    changeSettings({ signInAs: as })
    writeFacts(facts)
    storedProvider.write(provider)
    // The session machine takes these tokens like tokens written by another tab.
    session.send({ type: 'storage.changed', facts })
    void navigate(redirect, { replace: true })
  }, [tokens, session, navigate, provider, as, redirect])
  return problem === null ? (
    <p className="jw-sso" role="status">
      <Spinner size={SpinnerSize.SMALL} /> {t('sso.entering')}
    </p>
  ) : (
    <Ended returned={returned} text={problemText(locale, problem)} />
  )
}

function Ended({ returned, text }: { readonly returned: Returned; readonly text: string }) {
  const { t } = useText()
  const { provider, as, redirect } = returned
  return (
    <section className="jw-sso" aria-labelledby="sso-failed">
      <h2 id="sso-failed">{t('sso.failed')}</h2>
      <p className="jw-fault" role="alert">
        {text}
      </p>
      <div className="jw-sso__foot">
        <AnchorButton size="large" href={`#${paths.login()}?as=${as}`} text={t('sso.back')} />
        <AnchorButton
          size="large"
          intent="primary"
          href={startAddress(provider, redirect)}
          text={t('sso.again')}
        />
      </div>
    </section>
  )
}

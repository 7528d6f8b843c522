import { Button, Tab, Tabs } from '@blueprintjs/core'
import { Translate } from '@blueprintjs/icons'
import { t as translate } from '@jiaowu/api'
import type { SessionView } from '@jiaowu/machines'
import { useEffect } from 'react'
import { changeSettings, useSettings } from '../app/settings.ts'
import type { SessionActor } from '../ports.ts'
import { SignInForm } from '../shell/sign-in-form.tsx'

/** /login: staff by account and password (student spec §2 adds the students' tab beside it). */
export const SignInPage = ({ view, session }: { readonly view: SessionView; readonly session: SessionActor }) => {
  const { locale } = useSettings()
  useEffect(() => { document.title = `${translate(locale, 'signIn.title')} · ${translate(locale, 'app.title')}` }, [locale])
  return (
    <main className="jw-login">
      <section className="jw-login__brand" aria-hidden>
        <div className="jw-login__mark"><img src="/logo.svg" alt="" width={52} height={52} /><h1>{translate(locale, 'app.title')}</h1><p>{translate(locale, 'signIn.slogan')}</p></div>
      </section>
      <section className="jw-login__panel">
        <Button className="jw-login__language" variant="minimal" icon={<Translate />} text={locale === 'en' ? '中文' : 'English'} onClick={() => changeSettings({ locale: locale === 'en' ? 'zh-CN' : 'en' })} />
        <div className="jw-login__card">
          <div className="jw-login__small-mark"><img src="/logo.svg" alt="" width={32} height={32} />{translate(locale, 'app.title')}</div>
          <h2>{translate(locale, 'signIn.title')}</h2>
          <Tabs id="sign-in" selectedTabId="staff" size="large">
            <Tab id="staff" title={translate(locale, 'signIn.staff')} panel={<SignInForm busy={view.busy} problem={view.problem} captchaKey={view.captchaKey} onSubmit={(values) => session.send({ type: 'session.signIn', ...values })} />} />
          </Tabs>
        </div>
      </section>
    </main>
  )
}

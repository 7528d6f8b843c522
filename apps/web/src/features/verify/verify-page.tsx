import { Button, FormGroup, InputGroup } from '@blueprintjs/core'
import { Translate } from '@blueprintjs/icons'
import { printedDocumentCode, readDocumentCode } from '@jiaowu/api/document-code'
import { type SubmitEvent, useEffect, useState } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import { useText } from '../../app/text-context.ts'
import { changeLocale } from '../../texts/load-texts.ts'
import { paths } from '../../paths.ts'
import { Emblem, Rosette } from '../student/sign-in/emblem.tsx'
import { useVerdict } from './use-verdict.ts'
import { VerdictCard } from './verdict-card.tsx'

/**
 * #/verify and #/verify/{code}: public; the QR code of a document leads here
 * (docs/rules/contract.md#student-service).
 */
export function VerifyPage() {
  const { locale, t } = useText()
  const { code: typed = '' } = useParams()
  const code = readDocumentCode(typed)
  const { state, reload } = useVerdict(code)
  useEffect(() => {
    document.title = `${t('verify.title')} · ${t('app.title')}`
  }, [t])
  return (
    <div className="jw-calm jw-verify">
      <Rosette />
      <header className="jw-verify__head">
        <span className="jw-brand">
          <Emblem size={38} />
          {t('app.title')}
        </span>
        <Button
          variant="minimal"
          icon={<Translate />}
          text={locale === 'en' ? '中文' : 'English'}
          aria-label={t('studentPage.language')}
          onClick={() => void changeLocale(locale === 'en' ? 'zh-CN' : 'en')}
        />
      </header>
      <main className="jw-verify__main">
        <h1>{t('verify.title')}</h1>
        <p className="jw-verify__lead">{t('verify.lead')}</p>
        <CodeForm known={code} busy={state.step === 'checking'} />
        <div aria-live="polite">
          <VerdictCard state={state} code={code ?? ''} onRetry={reload} />
        </div>
      </main>
    </div>
  )
}

function CodeForm({ known, busy }: { readonly known: string | null; readonly busy: boolean }) {
  const { t } = useText()
  const navigate = useNavigate()
  const [typed, setTyped] = useState(known === null ? '' : printedDocumentCode(known))
  const [refused, setRefused] = useState(false)
  useEffect(() => {
    if (known !== null) setTyped(printedDocumentCode(known))
  }, [known])
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const code = readDocumentCode(typed)
    setRefused(code === null)
    if (code !== null) void navigate(paths.verify(code))
  }
  return (
    <form className="jw-verify__form" onSubmit={submit} noValidate>
      <FormGroup
        label={t('verify.code')}
        labelFor="verify-code"
        helperText={t(refused ? 'verify.codeBad' : 'verify.codeHint')}
        {...(refused ? { intent: 'danger' as const } : {})}
      >
        <InputGroup
          id="verify-code"
          size="large"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          autoFocus={known === null}
          placeholder="XXXX-XXXX-XXXX-XXXX"
          value={typed}
          onValueChange={(value) => {
            setTyped(groupCodeDigits(value))
            setRefused(false)
          }}
        />
      </FormGroup>
      <Button type="submit" intent="primary" size="large" loading={busy} text={t('verify.check')} />
    </form>
  )
}

/**
 * Groups of four while typing, as printed on the document. Characters that no code contains stay,
 * so that the user sees the typing error.
 */
function groupCodeDigits(typed: string) {
  return printedDocumentCode(typed.toUpperCase().replace(/[\s-]/g, '').slice(0, 40))
}

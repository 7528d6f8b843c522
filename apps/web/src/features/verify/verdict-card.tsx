import { Button, Spinner } from '@blueprintjs/core'
import { Cross, Help, Tick, WarningSign } from '@blueprintjs/icons'
import type { DocumentFacts } from '@jiaowu/api/contract/student/verify'
import type { Locale } from '@jiaowu/api/locale'
import { printedDocumentCode } from '@jiaowu/api/document-code'
import { problemText } from '@jiaowu/api/problem'
import { schoolTimeZone } from '@jiaowu/api/zoned-time'
import type { ReactNode } from 'react'
import { useApi } from '../../app/api-context.ts'
import { useText } from '../../app/text-context.ts'
import { FileCheck, type Outcome, useFileCheck } from './file-check.tsx'
import { RevokeButton } from './revoke-button.tsx'
import type { Verdict } from './use-verdict.ts'

/** The verdict on a document, or why there is none. */
export function VerdictCard({
  state,
  code,
  onRetry,
}: {
  readonly state: Verdict
  readonly code: string
  readonly onRetry: () => void
}) {
  const { t, locale } = useText()
  if (state.step === 'idle') return null
  if (state.step === 'checking')
    return (
      <article className="jw-verify__card jw-verify__wait" role="status">
        <Spinner size={26} />
        <span>{t('verify.checking')}</span>
      </article>
    )
  if (state.step === 'failed') {
    return (
      <article className="jw-verify__card" role="alert">
        <Banner tone="unknown" icon={<WarningSign size={24} />} title={t('verify.failed')}>
          {problemText(locale, state.problem)}
        </Banner>
        <footer className="jw-verify__staff">
          <Button text={t('common.retry')} onClick={onRetry} />
        </footer>
      </article>
    )
  }
  const { document } = state.verdict
  if (document === null)
    return (
      <article className="jw-verify__card">
        <Banner tone="unknown" icon={<Help size={26} />} title={t('verify.unknown')}>
          {t('verify.unknownText', { code: printedDocumentCode(code) })}
        </Banner>
      </article>
    )
  return <Known facts={document} onRevoked={onRetry} />
}

/** The verdict as colour, mark and sentence. */
function Banner({
  tone,
  icon,
  title,
  children,
}: {
  readonly tone: 'valid' | 'revoked' | 'unknown'
  readonly icon: ReactNode
  readonly title: string
  readonly children: ReactNode
}) {
  return (
    <header className={`jw-verify__banner is-${tone}`}>
      <span className="jw-verify__mark" aria-hidden>
        {icon}
      </span>
      <div>
        <h2>{title}</h2>
        <p>{children}</p>
      </div>
    </header>
  )
}

function Known({
  facts,
  onRevoked,
}: {
  readonly facts: DocumentFacts
  readonly onRevoked: () => void
}) {
  const { can } = useApi()
  const { revokedAt, number, sha256 } = facts
  const { outcome, check } = useFileCheck(sha256)
  return (
    <article className="jw-verify__card">
      <KnownBanner facts={facts} outcome={outcome} />
      <Facts facts={facts} />
      <FileCheck
        outcome={outcome}
        revoked={revokedAt !== null}
        onFile={(file) => {
          void check(file)
        }}
      />
      {revokedAt === null && can('print:revoke') ? (
        <footer className="jw-verify__staff">
          <RevokeButton number={number} onRevoked={onRevoked} />
        </footer>
      ) : null}
    </article>
  )
}

/** The status of the document on record, unless the user's file differs from it. */
function KnownBanner({
  facts,
  outcome,
}: {
  readonly facts: DocumentFacts
  readonly outcome: Outcome
}) {
  const { t, locale } = useText()
  const school = locale === 'en' ? facts.school.nameEn : facts.school.name
  if (outcome.step === 'different' || outcome.step === 'tooLarge')
    return (
      <Banner tone="revoked" icon={<Cross size={26} />} title={t('verify.different')}>
        {t('verify.differentShort', { name: outcome.name, number: facts.number })}
      </Banner>
    )
  return facts.revokedAt === null ? (
    <Banner tone="valid" icon={<Tick size={26} />} title={t('verify.valid')}>
      {t('verify.validText', { school, date: day(locale, facts.issuedAt) })}
    </Banner>
  ) : (
    <Banner tone="revoked" icon={<Cross size={26} />} title={t('verify.revoked')}>
      {t('verify.revokedText', { school, date: day(locale, facts.revokedAt) })}
    </Banner>
  )
}

function day(locale: Locale, iso: string) {
  return new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : 'zh-CN', {
    dateStyle: 'long',
    timeZone: schoolTimeZone,
  }).format(new Date(iso))
}

function Facts({ facts }: { readonly facts: DocumentFacts }) {
  const { t, locale } = useText()
  const title = facts.title ?? t(`paper.${facts.kind}`)
  const rows = [
    [t('verify.document'), t(facts.language === 'en' ? 'verify.inEn' : 'verify.inZh', { title })],
    [t('verify.number'), facts.number],
    [t('verify.holder'), facts.holder],
    [t('verify.studentNo'), facts.studentNo],
    [t('verify.issuedAt'), day(locale, facts.issuedAt)],
    [t('verify.size'), kilobytes(locale, facts.size)],
  ] as const
  return (
    <>
      <dl className="jw-verify__facts">
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div className="is-wide">
          <dt>{t('verify.digest')}</dt>
          <dd>
            <code>{facts.sha256}</code>
          </dd>
        </div>
      </dl>
      <p className="jw-verify__note">{t('verify.masked')}</p>
    </>
  )
}

function kilobytes(locale: Locale, bytes: number) {
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: 'kilobyte',
    maximumFractionDigits: 0,
  }).format(bytes / 1024)
}

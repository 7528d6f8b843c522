import { Button } from '@blueprintjs/core'
import { useNotice } from '../../app/notice-context.ts'
import { useText } from '../../app/text-context.ts'

/** Recovery codes, which are shown once: to copy, download or print. */
export function RecoveryCodes({
  codes,
  onKept,
}: {
  readonly codes: readonly string[]
  readonly onKept: () => void
}) {
  const { t } = useText()
  const { toast } = useNotice()
  const text = codes.join('\n')
  return (
    <section className="jw-factors__recovery" aria-label={t('factor.recovery')}>
      <strong>{t('factor.recovery')}</strong>
      <p>{t('factor.recoveryAbout')}</p>
      <ul>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="jw-factors__foot">
        <Button
          text={t('factor.copy')}
          onClick={() => {
            void navigator.clipboard
              .writeText(text)
              .then(() => toast('success', t('factor.copied')))
          }}
        />
        <a
          className="bp6-button"
          role="button"
          download="jiaowu-recovery-codes.txt"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
        >
          {t('factor.download')}
        </a>
        <Button intent="primary" text={t('factor.kept')} onClick={onKept} />
      </div>
    </section>
  )
}

import { Button, Tag } from '@blueprintjs/core'
import { Tick } from '@blueprintjs/icons'
import { useText } from '../../../app/text-context.ts'
import type { FlowReport } from './use-findings.ts'

/** Findings of the proof; each shows its path in words and lights its states. */
export function FlowFindings({
  findings,
  shown,
  onShow,
}: {
  readonly findings: readonly FlowReport[]
  readonly shown: string | null
  readonly onShow: (finding: FlowReport) => void
}) {
  const { t } = useText()
  return (
    <section
      className="jw-flow-findings"
      aria-label={t('designer.flow.findings')}
      aria-live="polite"
    >
      <h4>{t('designer.flow.findings')}</h4>
      {findings.length === 0 ? (
        <p className="jw-flow-findings__proved">
          <Tick size={14} aria-hidden /> {t('designer.flow.proved')}
        </p>
      ) : (
        <ul>
          {findings.map((finding) => (
            <li key={finding.key} className={finding.key === shown ? 'is-shown' : ''}>
              <Tag minimal intent={finding.severity === 'error' ? 'danger' : 'warning'}>
                {t(finding.severity === 'error' ? 'designer.flow.error' : 'designer.flow.warning')}
              </Tag>
              <div>
                <p>{finding.msg}</p>
                {finding.path.length === 0 ? null : (
                  <ol aria-label={t('designer.flow.path')}>
                    {finding.path.map(({ who, event }, i) => (
                      <li key={`${String(i)} ${who}`}>
                        {who} <strong>{event}</strong>
                      </li>
                    ))}
                  </ol>
                )}
              </div>
              <Button
                size="small"
                text={t('designer.flow.go')}
                aria-pressed={finding.key === shown}
                active={finding.key === shown}
                onClick={() => onShow(finding)}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

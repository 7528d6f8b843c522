import { problemText, type Problem } from '@jiaowu/api/problem'
import type { TableOutcome } from '@jiaowu/api/entity/definition/table-change'
import { useText } from '../../../app/text-context.ts'

/** The words of a change, and its statements for those who read them. */
export function OutcomeText({ outcome }: { readonly outcome: TableOutcome }) {
  const { t } = useText()
  return (
    <div className="jw-outcome" role="status" aria-label={t('tableChange.preview')}>
      <ul>
        {outcome.words.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {outcome.statements === '' ? null : (
        <details>
          <summary>{t('tableChange.sql')}</summary>
          <pre>{outcome.statements}</pre>
        </details>
      )}
    </div>
  )
}

/** Why nothing was changed. */
export function ProblemLines({ problem }: { readonly problem: Problem | null }) {
  const { locale } = useText()
  if (problem === null) return null
  const texts =
    problem.issues.length > 0
      ? problem.issues.map(({ msg }) => msg)
      : [problemText(locale, problem)]
  return (
    <div role="alert">
      {[...new Set(texts)].map((text) => (
        <p key={text} className="jw-fault">
          {text}
        </p>
      ))}
    </div>
  )
}
